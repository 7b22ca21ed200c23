import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import type { Report } from '../support/engine';
import { everythingIn } from '../support/everything';
import { oddValues } from '../support/oddValues';
import { createUser } from '../support/orders';
import { countsOf, push, toldBy } from '../support/sends';
import { apiKey, bodies, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
const ids = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `u-${index}` }));
const modes = ['continueErrorOutput', 'continueRegularOutput'] as const;

const leftOf = (one: Parameters<typeof bodies>[0]) =>
	bodies(one).map((body) => (body as IDataObject).user_id);

interface Failure {
	error: string;
	details: { outcome: string; reason?: string; message?: string };
}

/** Lets the node run with some of what n8n provides replaced. */
function breakContext(replaced: (context: IExecuteFunctions) => Partial<IExecuteFunctions>): void {
	const execute = Object.getOwnPropertyDescriptor(CustomerMessaging.prototype, 'execute')
		?.value as CustomerMessaging['execute'];
	jest.spyOn(CustomerMessaging.prototype, 'execute').mockImplementation(async function (
		this: IExecuteFunctions,
	) {
		const broken = replaced(this) as Record<PropertyKey, unknown>;
		const context = new Proxy(this, {
			get: (target, name) => broken[name] ?? (Reflect.get(target, name) as unknown),
		});
		return await execute.call(context);
	});
}
afterEach(() => jest.restoreAllMocks());

const broken = (): never => {
	throw new Error('Something is broken');
};

const failuresIn = ({ output, failed }: Report) =>
	[...output, ...failed]
		.filter(({ json }) => json.error !== undefined)
		.map(({ json, pairedItem }) => ({ ...(json as unknown as Failure), pairedItem }));

describe.each(modes)('With %s, a value that the check stumbles over', (onError) => {
	it.each([
		['scheduleTimezone', 'UTC'],
		['nextDays', ['monday']],
	])('such as an odd %s fails its own row only', async (name, good) => {
		const schedule = { sendAt: 'next', nextTime: '09:30', nextDays: ['monday'] };
		const odd = [good, { toString: 1 }, [{ toString: 1 }], good];
		const report = await run(
			sandbox(),
			{ ...push(), ...schedule, [name]: '={{ $json.odd }}' },
			{ onError, rows: odd.map((value, row) => ({ id: `u-${row}`, odd: value })) },
		);
		expect(report.error).toBeUndefined();
		expect(failuresIn(report)).toMatchObject(
			[1, 2].map((item) => ({ details: { outcome: 'invalid' }, pairedItem: { item } })),
		);
		expect(leftOf(sandbox())).toEqual(['u-0', 'u-3']);
	});

	it('in a way that nobody thought of is told as a mistake of this node', async () => {
		const rows = [{ userID: 'a' }, { userID: 'b', odd: oddValues.at(-1) }, { userID: 'c' }];
		const report = await run(
			sandbox(),
			{ ...createUser, dataMode: 'autoMapInputData' },
			{ onError, rows: rows as IDataObject[] },
		);
		expect(failuresIn(report)).toMatchObject([
			{
				error: 'Internal error in this node prevented it from being sent',
				details: { outcome: 'notSent', reason: 'internalError' },
			},
		]);
		expect(bodies(sandbox())).toEqual([
			{ nv: ['a', 'c'].map((userID) => ({ userID, user_attributes: {} })) },
		]);
	});
});

it('With Stop Workflow, what the check stumbles over is no correction', async () => {
	const odd = oddValues.at(-1);
	const rows = [{ userID: 'a' }, { userID: 'b', odd }, { userID: 'c', odd }];
	const mapped = { ...createUser, dataMode: 'autoMapInputData' };
	const { error } = await run(sandbox(), mapped, { rows: rows as IDataObject[] });
	expect(error?.message).toBe(
		'Nothing was sent: Internal error in this node kept 2 of 3 items from being checked',
	);
	expect(error?.description).toContain('Report it to the maintainers of the node');
	expect(sandbox().record).toEqual([]);
});

describe.each(modes)('With %s, a mistake of this node', (onError) => {
	it('before anything is sent fails every item by itself', async () => {
		breakContext(() => ({ getTimezone: broken }));
		const report = await run(sandbox(), push(), { onError, rows: ids(3) });
		expect(report.error).toBeUndefined();
		const details = {
			...{ outcome: 'notSent', reason: 'internalError' },
			message: 'Something is broken',
		};
		expect(failuresIn(report)).toMatchObject(
			[0, 1, 2].map((item) => ({ details, pairedItem: { item } })),
		);
		expect(sandbox().record).toEqual([]);
	});

	it('after everything was sent keeps each outcome', async () => {
		breakContext(() => ({ addExecutionHints: broken }));
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: '"u-1"' } });
		const report = await run(sandbox(), push(), { onError, rows: [...ids(3), { id: '' }] });
		const accepted = report.output.filter(({ json }) => json.outcome === 'accepted');
		expect(accepted.map(({ pairedItem }) => pairedItem)).toMatchObject([{ item: 0 }, { item: 2 }]);
		expect(failuresIn(report).map(({ details }) => details.outcome)).toEqual([
			'rejected',
			'invalid',
		]);
	});

	it('while it sends never calls what had left not sent', async () => {
		let isFirstCall = true;
		breakContext((context) => ({
			// Only the signal that the node itself asks for breaks, and not those of n8n's requests.
			getExecutionCancelSignal() {
				const signal = context.getExecutionCancelSignal();
				if (!isFirstCall || !signal) return signal;
				isFirstCall = false;
				return breakingSignal(signal, () => sandbox().record.length >= 4);
			},
		}));
		const report = await run(sandbox(), push({ concurrency: 2 }), { onError, rows: ids(20) });
		expect(report.error).toBeUndefined();
		const told = toldBy(report);
		expect(told.map(({ item }) => item)).toEqual([...Array(20).keys()]);
		const left = leftOf(sandbox());
		expect(left.length).toBeGreaterThan(0);
		for (const { item, outcome } of told)
			if (left.includes(`u-${item}`)) expect(['accepted', 'unknown']).toContain(outcome);
		expect(countsOf(told).notSent).toBeGreaterThan(0);
	});
});

describe.each([...modes, 'stopWorkflow'] as const)(
	'With %s, a mistake after sending',
	(onError) => {
		const afterSending = (work: () => unknown) => () =>
			sandbox().record.length === 3 ? broken() : work();

		it.each<[string, (context: IExecuteFunctions) => Partial<IExecuteFunctions>]>([
			['in the hints', () => ({ addExecutionHints: broken })],
			[
				'in what n8n keeps for the node',
				(context) => ({
					getContext: afterSending(() => context.getContext('node')) as never,
				}),
			],
			[
				'about the run of the node',
				(context) => ({
					getWorkflowDataProxy: afterSending(() => context.getWorkflowDataProxy(0)) as never,
				}),
			],
		])('%s keeps all items as they are', async (_, replaced) => {
			breakContext(replaced);
			const { output, failed, error } = await run(sandbox(), push(), { onError, rows: ids(3) });
			expect(error).toBeUndefined();
			expect(failed).toEqual([]);
			expect(output.map(({ json }) => json)).toMatchObject(
				ids(3).map(({ id }) => ({ outcome: 'accepted', statusCode: 200, user_id: id })),
			);
		});
	},
);

it('The text of a mistake holds no secret', async () => {
	const leaking = () => {
		throw new Error(`Invalid URL: ?key=${apiKey}`);
	};
	breakContext(() => ({ getSignedResumeUrl: leaking }));
	const { url: _, ...question } = push();
	for (const onError of [...modes, undefined]) {
		const order = { onError, rows: ids(1) };
		const report = await run(sandbox(), { ...question, operation: 'sendAndWait' }, order);
		expect(everythingIn([report.output, report.failed, report.error])).toContain('?key=…');
		expect(everythingIn([report.output, report.failed, report.error])).not.toContain(apiKey);
	}
});

/** A signal that cannot be asked any more once something has happened. */
function breakingSignal(signal: AbortSignal, isBroken: () => boolean): AbortSignal {
	return new Proxy(signal, {
		get(target, name) {
			if (name === 'aborted' && isBroken()) broken();
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
		},
	});
}
