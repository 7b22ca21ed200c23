import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { everythingIn } from '../support/everything';
import { useLogLines } from '../support/logLines';
import { apiKey, useNode } from '../support/node';
import { oddValues } from '../support/oddValues';
import { createUser } from '../support/orders';
import { countsOf, push, toldBy } from '../support/sends';

const ids = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `u-${index}` }));
const node = useNode({ rows: ids(3), onError: 'continueErrorOutput' });
const lines = useLogLines();

/** Lets the node run with some of what n8n provides replaced. */
function breakContext(replaced: (context: IExecuteFunctions) => Partial<IExecuteFunctions>): void {
	const original = { ...Object.getOwnPropertyDescriptor(CustomerMessaging.prototype, 'execute') };
	const execute = original.value as CustomerMessaging['execute'];
	jest.spyOn(CustomerMessaging.prototype, 'execute').mockImplementation(async function (
		this: IExecuteFunctions,
	) {
		const context = Object.create(this) as IExecuteFunctions;
		return await execute.call(Object.assign(context, replaced(this)));
	});
}
afterEach(() => jest.restoreAllMocks());

const broken = (): never => {
	throw new Error('Something is broken');
};

test('A value that the check stumbles over in a way that nobody thought of fails its own row', async () => {
	// n8n could not store this row, so there is no execution to be retried.
	const rows = [{ userID: 'a' }, { userID: 'b', odd: oddValues.at(-1) }] as IDataObject[];
	const { failed } = await node.run({ ...createUser, dataMode: 'autoMapInputData' }, { rows });
	expect(lines).toEqual([['error', expect.stringMatching(/^Item 1 could not be checked: /)]]);
	const error = expect.stringMatching(
		/^Internal error in this node kept the item from being checked: .*Report it to the maint/,
	) as unknown;
	expect(failed.map(({ json }) => json)).toMatchObject([{ error, outcome: 'invalid' }]);
	expect(node.bodies()).toEqual([{ nv: [{ userID: 'a', user_attributes: {} }] }]);
});

test('A mistake of this node before anything is sent fails every item by itself', async () => {
	breakContext(() => ({ getTimezone: broken }));
	const details = { reason: 'internalError', message: 'Something is broken' };
	const told = toldBy(await node.start());
	expect(told).toMatchObject([0, 1, 2].map((item) => ({ item, outcome: 'notSent', details })));
	expect(node.sandbox.record).toEqual([]);
});

test('A mistake of this node while it sends never calls what had left not sent', async () => {
	let isFirstCall = true;
	breakContext((context) => ({
		// Only the signal that the node itself asks for breaks, and not those of n8n's requests.
		getExecutionCancelSignal() {
			if (!isFirstCall) return context.getExecutionCancelSignal();
			isFirstCall = false;
			const get = () => node.sandbox.record.length >= 4 && broken();
			return Object.defineProperty(new AbortController().signal, 'aborted', { get });
		},
	}));
	const rows = ids(20);
	const told = toldBy(await node.start({ parameters: push({ concurrency: 2 }), rows }));
	expect(told.map(({ item }) => item)).toEqual([...rows.keys()]);
	const left = node.arrived('user_id');
	expect(left.length).toBeGreaterThan(0);
	for (const { item, outcome } of told)
		if (left.includes(rows[item]?.id)) expect(['accepted', 'unknown']).toContain(outcome);
	expect(countsOf(told).notSent).toBeGreaterThan(0);
});

test.each<[string, (context: IExecuteFunctions) => Partial<IExecuteFunctions>]>([
	['in the hints', () => ({ addExecutionHints: broken })],
	[
		'on its run',
		(context) => ({
			getWorkflowDataProxy: () =>
				node.sandbox.record.length === 3 ? broken() : context.getWorkflowDataProxy(0),
		}),
	],
])('A mistake after sending, %s, keeps all items as they are', async (_, replaced) => {
	breakContext(replaced);
	for (const onError of ['continueErrorOutput', 'stopWorkflow'] as const) {
		node.sandbox.reset();
		const { output, failed, error } = await node.start({ onError });
		expect([error, failed]).toEqual([undefined, []]);
		const result = { outcome: 'accepted', statusCode: 200 };
		expect(output).toMatchObject(ids(3).map(({ id }) => ({ json: { ...result, user_id: id } })));
	}
});

test('The text of a mistake holds no secret', async () => {
	const leaking = () => {
		throw new Error(`Invalid URL: ?key=${apiKey}`);
	};
	breakContext(() => ({ getSignedResumeUrl: leaking }));
	const { url: _, ...question } = push();
	const parameters = { ...question, operation: 'sendAndWait' };
	for (const onError of ['continueErrorOutput', undefined] as const) {
		const { output, failed, error } = await node.start({ parameters, onError, rows: ids(1) });
		const said = everythingIn([output, failed, error]);
		expect(said).toContain('?key=…');
		expect(said).not.toContain(apiKey);
	}
});
