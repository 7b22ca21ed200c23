import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { saidBy } from '../support/attempts';
import type { Order } from '../support/engine';
import { type Course, ExecutionList } from '../support/executionList';
import { executeInLoop } from '../support/loop';
import { type MemoryStore, useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { push } from '../support/sends';
import { freezeClock, keyCredential, run, useSandbox } from '../support/service';

freezeClock('2026-10-28T12:00:00Z');
const sandbox = useSandbox();
let list: ExecutionList;
let store: MemoryStore;
beforeEach(() => {
	store = useNewStore();
	list = new ExecutionList();
	jest.setSystemTime(new Date('2026-10-28T12:00:00Z'));
});

const rows = (...ids: string[]): IDataObject[] => ids.map((id) => ({ id }));
const hintsOf = ({ hints }: { hints: Array<{ message: string }> }) =>
	hints.map(({ message }) => message).join('\n');

/** Presses Execute. */
async function click(
	ids: string[],
	parameters: INodeParameters = push(),
	rest: Partial<Order & Course> = {},
) {
	return await list.start({
		parameters,
		rows: rows(...ids),
		credential: keyCredential(sandbox()),
		mode: 'manual',
		timezone: 'Europe/Berlin',
		onError: 'continueRegularOutput',
		...rest,
	});
}
const said = async (...args: Parameters<typeof click>) => saidBy(await click(...args));

const before = 'skipped sentBefore accepted';
const sentence = (had: number, all: number, now: string) =>
	`${had} of these ${all} got this message from this node today; ${now} sent now. To send it to everyone again on purpose, turn on 'Send Duplicates' under Options.`;

describe('A list by hand goes out once a day:', () => {
	it('who got it before is skipped, and a hint counts them', async () => {
		expect(await said(['a', 'b', 'c'])).toEqual(['accepted', 'accepted', 'accepted']);
		const again = await click(['a', 'b', 'corrected', 'd']);
		expect(saidBy(again)).toEqual([before, before, 'accepted', 'accepted']);
		expect(hintsOf(again)).toBe(sentence(2, 4, '2 were'));
		expect(hintsOf(await click(['a', 'e']))).toBe(sentence(1, 2, '1 was'));
		expect(hintsOf(await click(['a', 'b']))).toBe(sentence(2, 2, '0 were'));
	});

	it.each<[string, INodeParameters, INodeParameters]>([
		['another text', push(), { ...push(), message: 'Here' }],
		['an additional field', push(), { ...push(), additionalFields: { tag: 'x' } }],
		[
			'another chosen time',
			{ ...push(), sendAt: 'at', scheduledFor: '2026-11-01T09:00:00Z' },
			{ ...push(), sendAt: 'at', scheduledFor: '2026-11-01T10:00:00Z' },
		],
		[
			'another delay',
			{ ...push(), sendAt: 'delay', time: 60 },
			{ ...push(), sendAt: 'delay', time: 61 },
		],
		['another platform', push(), push({}, ['ios'])],
		['Send Duplicates', push(), push({ sendDuplicates: true })],
		['Send Once, whose keys decide', push(), { ...push(), sendOnce: true }],
		[
			'a field that differs by itself',
			{ ...push(), title: '={{ $execution.id }}' },
			{ ...push(), title: '={{ $execution.id }}' },
		],
	])('it is sent again with %s', async (_, first, second) => {
		expect(await said(['a', 'b'], first)).toEqual(['accepted', 'accepted']);
		expect(await said(['a', 'b'], second)).toEqual(['accepted', 'accepted']);
	});

	it.each<[string, INodeParameters]>([
		['the same chosen time', { ...push(), sendAt: 'at', scheduledFor: '2026-11-01T09:00:00Z' }],
		[
			'a time that is computed from now',
			{ ...push(), sendAt: 'at', scheduledFor: '={{ $now.plus({ hours: 1 }) }}' },
		],
		[
			'the next time of day',
			{ ...push(), sendAt: 'next', nextTime: '13:30', nextDays: [1, 2, 3, 4, 5, 6, 7] },
		],
		['certain hours', { ...push(), sendAt: 'withinHours', hoursFrom: '09:00', hoursTo: '13:30' }],
		[
			'spaces that differ',
			{ ...push(), title: '={{ "Hel" + ($execution.id === "1" ? "lo  you" : "lo you") }}' },
		],
		['the date in its text', { ...push(), title: '=On {{ $today.toISODate() }}' }],
		['email', { ...order.emailSend, email: '={{ $json.id }}@example.com' }],
		['SMS', { ...order.smsSend, mobile: '=+4915112345{{ $json.id.charCodeAt(0) + 600 }}' }],
	])('it is skipped with %s', async (_, parameters) => {
		expect(await said(['a', 'b'], parameters)).toEqual(['accepted', 'accepted']);
		jest.setSystemTime(Date.now() + 45 * 60_000);
		expect(await said(['a', 'b'], parameters)).toEqual([before, before]);
	});

	it('until the day ends by the clock of the workflow', async () => {
		await click(['a', 'b']);
		jest.setSystemTime(new Date('2026-10-28T22:59:00Z'));
		expect(await said(['a', 'b'])).toEqual([before, before]);
		jest.setSystemTime(new Date('2026-10-28T23:01:00Z'));
		expect(await said(['a', 'b'])).toEqual(['accepted', 'accepted']);
	});

	it('one recipient alone is always sent, on several platforms too, and counts for lists', async () => {
		const platforms = ['web', 'ios', 'android'];
		const three = ['accepted', 'accepted', 'accepted'];
		expect(await said(['a'], push({}, platforms))).toEqual(three);
		expect(await said(['a'], push({}, platforms))).toEqual(three);
		expect(await said(['a', 'b'], push({}, platforms))).toEqual([before, before, before, ...three]);
		expect(hintsOf(await click(['a', 'b'], push({}, platforms)))).toBe(sentence(2, 2, '0 were'));
		expect(await said(['a'], push({}, platforms))).toEqual(three);
		expect(await said(['a', 'b'], push({}, ['web']))).toEqual([before, before]);
	});

	it('two messages to one person are for one recipient', async () => {
		const parameters = { ...push(), message: '={{ $json.text }}', user_id: 'a' };
		const two = { rows: [{ text: 'One' }, { text: 'Two' }] };
		expect(await said([], parameters, two)).toEqual(['accepted', 'accepted']);
		expect(await said([], parameters, two)).toEqual(['accepted', 'accepted']);
	});

	it.each<[string, string, INodeParameters]>([
		['testUserId', 'me', push()],
		['testEmail', 'me@Example.com', { ...order.emailSend, email: '={{ $json.id }}' }],
		['testMobile', '+49 151 12345678', { ...order.smsSend, mobile: '={{ $json.id }}' }],
	])('the test recipient never counts (%s)', async (field, value, parameters) => {
		const credential = { ...keyCredential(sandbox()), testRecipient: true, [field]: value };
		const someone = { me: 'a', 'me@Example.com': 'a@example.com' }[value] ?? '+4915187654321';
		for (let clicks = 0; clicks < 2; clicks++) {
			expect(await said([value, someone], parameters, { credential })).toEqual([
				'accepted',
				'accepted',
			]);
		}
		const another = { me: 'b', 'me@Example.com': 'b@example.com' }[value] ?? '+4915187654322';
		expect(await said([value, someone, another], parameters, { credential })).toEqual([
			'accepted',
			before,
			'accepted',
		]);
	});

	it('what a trigger sent does not count, nor is what it sends skipped', async () => {
		await click(['a', 'b'], push(), { mode: 'webhook' });
		expect(await said(['a', 'b'])).toEqual(['accepted', 'accepted']);
		expect(await said(['a', 'b'], push(), { mode: 'webhook' })).toEqual(['accepted', 'accepted']);
		expect(await said(['a', 'b'])).toEqual([before, before]);
	});

	it('what was refused, or surely not delivered, is sent', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: '"a"' }, first: 1 });
		expect(await said(['a', 'b'])).toEqual(['rejected', 'accepted']);
		expect(await said(['a', 'b'])).toEqual(['accepted', before]);
	});

	it('what may have arrived is skipped with a warning, and sent with Retry Unknown', async () => {
		sandbox().faults.add({ kind: 'resetAfterAccept', match: { bodyText: '"a"' }, first: 1 });
		expect(await said(['a', 'b'])).toEqual(['unknown', 'accepted']);
		const again = await click(['a', 'b']);
		expect(saidBy(again)).toEqual(['skipped sentBefore unknown', before]);
		expect(again.hints.map(({ type }) => type)).toEqual(['warning', 'info']);
		expect(hintsOf(again)).toContain('1 message was skipped that may never have arrived');
		expect(hintsOf(again)).toContain("turn on 'Send Duplicates' under Options");
		expect(await said(['a', 'b'], push({ retryUnknown: true }))).toEqual(['accepted', before]);
	});

	it('what was sent with Send Duplicates counts', async () => {
		await click(['a', 'b'], push({ sendDuplicates: true }));
		expect(await said(['a', 'b'])).toEqual([before, before]);
	});

	it('after an error, the next run sends the rest, and an error says who had got it', async () => {
		const stop = { onError: undefined };
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: '"b"' }, first: 2 });
		const parameters = push({ concurrency: 1 });
		const first = await click(['a', 'b', 'c'], parameters, stop);
		expect(String(first.error?.description)).not.toContain('Execute step would send');
		const second = await click(['a', 'b', 'c'], parameters, stop);
		expect(String(second.error?.description)).toContain(sentence(1, 3, '0 were'));
		const third = await click(['a', 'b', 'c'], parameters, stop);
		expect(saidBy(third)).toEqual([before, 'accepted', 'accepted']);
		expect(hintsOf(third)).toBe(sentence(1, 3, '2 were'));
	});

	it('a failure of one recipient alone still says that all platforms would get it again', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, first: 1 });
		const { error } = await click(['a'], push({ concurrency: 1 }, ['web', 'ios']), {
			onError: undefined,
		});
		expect(String(error?.description)).not.toContain('skipped');
		const again = await click(['a'], push({}, ['web', 'ios']));
		expect(saidBy(again)).toEqual(['accepted', 'accepted']);
	});

	it('a retry of a run by hand goes on, and belongs to its day', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: '"b"' }, first: 1 });
		const stop = { onError: undefined };
		const parameters = push({ concurrency: 1 });
		const first = await click(['a', 'b', 'c'], parameters, stop);
		expect(await said(['c', 'd'], parameters)).toEqual(['accepted', 'accepted']);
		jest.setSystemTime(Date.now() + 86_400_000);
		expect(saidBy(await list.retry(first))).toEqual(['accepted before', 'accepted', before]);
	});

	it('in a preview and a test, nothing is compared', async () => {
		await click(['a', 'b']);
		expect(await said(['a', 'b'], push({ previewOnly: true }))).toEqual(['preview', 'preview']);
	});

	it('within one execution nothing is compared, also where the second of two equal rows differs by itself', async () => {
		const parameters = { ...push(), title: '={{ $now.toFormat("yyyy") }}' };
		expect(await said(['a', 'a', 'b'], parameters)).toEqual(['accepted', 'accepted', 'accepted']);
		expect(await said(['a', 'a', 'b'], parameters)).toEqual([before, before, before]);
	});
});

describe('Rounds of a loop by hand', () => {
	const rounds = async (ids: string[], parameters = push()) => {
		const { runs } = await executeInLoop({
			parameters,
			rows: rows(...ids),
			rowsPerRun: 1,
			credential: keyCredential(sandbox()),
			mode: 'manual',
		});
		return runs.flatMap(({ data }) => data?.main?.[0] ?? []).map(({ json }) => json.outcome);
	};

	it('count together from the second on', async () => {
		expect(await rounds(['a', 'b', 'c'])).toEqual(['accepted', 'accepted', 'accepted']);
		expect(await rounds(['a', 'b', 'c'])).toEqual(['accepted', 'skipped', 'skipped']);
		expect(await rounds(['x', 'a', 'b', 'd'])).toEqual([
			'accepted',
			'skipped',
			'skipped',
			'accepted',
		]);
	});

	it('may send the same person the same twice', async () => {
		expect(await rounds(['a', 'b', 'a', 'b'])).toEqual([
			'accepted',
			'accepted',
			'accepted',
			'accepted',
		]);
	});
});

describe('Where the notes do not reach back to the beginning of the day', () => {
	const turnOver = () =>
		store.preset(
			Array.from({ length: 5_000 }, (_, one) => `other ${one}`),
			5_000,
		);
	const words = 'its notes do not reach back to the beginning of the day';

	it('a list is sent, and a hint says so', async () => {
		await click(['a', 'b']);
		turnOver();
		const again = await click(['a', 'b']);
		expect(saidBy(again)).toEqual(['accepted', 'accepted']);
		expect(hintsOf(again)).toContain(words);
		expect(hintsOf(await click(['a', 'b']))).not.toContain(words);
	});

	it('one recipient alone gets no such hint, and a list of the first day none', async () => {
		expect(hintsOf(await click(['a', 'b']))).toBe('');
		turnOver();
		expect(hintsOf(await click(['a']))).toBe('');
	});
});

it('A list of a trigger, and one recipient by hand, need no more calls of the store than before', async () => {
	const counted = async (mode: 'manual' | 'webhook', ids: string[]) => {
		const fresh = useNewStore();
		let calls = 0;
		for (const method of ['add', 'remove', 'count', 'addToWorkflow', 'clear'] as const) {
			const original = fresh[method].bind(fresh) as (...args: unknown[]) => Promise<unknown>;
			Object.assign(fresh, {
				[method]: async (...args: unknown[]) => {
					calls++;
					return await original(...args);
				},
			});
		}
		await run(sandbox(), push(), { mode, rows: rows(...ids) });
		return calls;
	};
	expect(await counted('webhook', ['a', 'b', 'c'])).toBe(10);
	expect(await counted('manual', ['a'])).toBe(10);
});
