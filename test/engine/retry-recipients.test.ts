import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { untilNodeEnds } from './support/engine';
import { type Execution, ExecutionList } from './support/executionList';
import { executeInLoop, type LoopOrder } from './support/loop';
import { type MemoryStore, useNewStore } from './support/memoryStore';
import {
	accountOf,
	arrivalsByPush,
	countsOf,
	idOf,
	push,
	roomySandbox,
	rowsOf,
	toldBy,
	untilQuiet,
} from './support/sends';
import { freezeClock } from './support/service';

let sandbox: Sandbox;
let store: MemoryStore;
let list: ExecutionList;
beforeEach(async () => {
	sandbox = await roomySandbox();
	store = useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

const parameters: INodeParameters = {
	...push({ concurrency: 2 }),
	message: '={{ $json.text ?? "There" }}',
};
const withOnce: INodeParameters = { ...parameters, sendOnce: true, sendOnceKey: 'spring sale' };
const orderOf = (rows: IDataObject[], more: INodeParameters = parameters) => ({
	parameters: more,
	rows,
	credential: accountOf(sandbox),
});
/** How often the service accepted a push to a user. */
const acceptedBy = (user: unknown) =>
	(arrivalsByPush(sandbox.record).get(`web ${String(user)}`) ?? []).filter((one) => one.accepted)
		.length;
const acceptedOf = (rows: IDataObject[]) => rows.map(({ id }) => acceptedBy(id));
const times = (count: number, rows: IDataObject[]) => rows.map(() => count);

/** Kills n8n once a number of requests has arrived. Then n8n stores nothing of the execution. */
async function killedAfter(
	requests: number,
	run: (started: (press: () => void) => void) => Promise<unknown>,
): Promise<void> {
	let stop = () => {};
	const unsubscribe = sandbox.subscribe(() => {
		if (sandbox.record.length < requests) return;
		store.isCrashed = true;
		stop();
	});
	await run((press) => (stop = press));
	await untilNodeEnds();
	await untilQuiet(sandbox);
	unsubscribe();
	store.isCrashed = false;
}

/** An execution that failed before the node, and of which a retry was killed. */
async function withKilledRetry(
	rows: IDataObject[],
	requests: number,
	more?: INodeParameters,
): Promise<Execution> {
	list.sourceFails = true;
	const first = await list.start(orderOf(rows, more));
	list.sourceFails = false;
	await killedAfter(requests, async (started) => await list.retry(first, { started }));
	return first;
}

const goingOn = { onError: 'continueErrorOutput' as const };

describe('After a retry was killed, another retry', () => {
	const rows = rowsOf(30);
	const shuffled = [...rows.slice(17), ...rows.slice(0, 17)].reverse();

	test.each<[string, IDataObject[]]>([
		['come as before', rows],
		['come in reverse', [...rows].reverse()],
		['come in another order, with one more', [{ id: 'new' }, ...shuffled]],
		['are one fewer', rows.slice(1)],
		['have corrected texts', rows.map((row) => ({ ...row, text: `Dear ${row.id}` }))],
		[
			'come in another order, with corrected texts and two more',
			[{ id: 'new' }, ...shuffled, { id: 'newer' }].map((row) => ({ ...row, text: 'Hello' })),
		],
	])('reaches everybody else once where the rows %s', async (_, changed) => {
		const first = await withKilledRetry(rows, 14);
		const before = sandbox.record.length;
		expect(before).toBeLessThan(30);
		const told = toldBy(await list.retry(first, { ...goingOn, rows: changed }));
		expect(told).toHaveLength(changed.length);
		const inDoubt = told.filter(({ outcome }) => outcome === 'unknown');
		expect(inDoubt.length).toBeLessThanOrEqual(10);
		for (const { item, outcome } of told) {
			const reached = acceptedBy(changed[item]?.id);
			if (outcome === 'unknown') expect([item, reached <= 1]).toEqual([item, true]);
			else expect([item, outcome, reached]).toEqual([item, 'accepted', 1]);
		}
		await list.retry(first, { ...goingOn, rows });
		await list.retry(first, { ...goingOn, rows: changed });
		expect(Math.max(...acceptedOf([...rows, ...changed]))).toBe(1);
	});

	test('calls the other messages to a recipient unknown if one of several was made', async () => {
		const twice = [...rows, { id: idOf(0), text: 'And another thing' }];
		const first = await withKilledRetry(twice, 20);
		const told = toldBy(await list.retry(first, goingOn));
		expect(told[0]?.outcome).toBe('accepted');
		expect(told[30]).toMatchObject({ outcome: 'unknown', details: { reason: 'interrupted' } });
		expect(acceptedBy(idOf(0))).toBe(1);
		expect(told.filter(({ outcome }) => outcome === 'accepted').length).toBeGreaterThanOrEqual(20);

		// As it may be in another order, nobody knows which of the two was made.
		await list.retry(first, { ...goingOn, rows: [...twice].reverse() });
		expect(acceptedBy(idOf(0))).toBe(1);
		// Whoever has looked it up sends it on purpose.
		const retryUnknown = { ...parameters, options: { concurrency: 2, retryUnknown: true } };
		await list.retry(first, { ...goingOn, parameters: retryUnknown });
		expect(acceptedBy(idOf(0))).toBe(2);
	});

	test('sends all messages to a recipient of whom the killed one had made none', async () => {
		const twice = [...rows, { id: 'late', text: 'One' }, { id: 'late', text: 'Two' }];
		const first = await withKilledRetry(twice, 5);
		const told = toldBy(await list.retry(first, goingOn));
		expect(told.slice(30).map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
		expect(acceptedBy('late')).toBe(2);
	});

	test('with Send Once sends what is missing once, although the killed one was without', async () => {
		const first = await withKilledRetry(rows, 14);
		const told = toldBy(await list.retry(first, { ...goingOn, parameters: withOnce }));
		expect(countsOf(told).unknown ?? 0).toBeLessThanOrEqual(10);
		for (const { item, outcome } of told)
			if (outcome !== 'unknown') expect([item, acceptedBy(idOf(item))]).toEqual([item, 1]);
		await list.retry(first, { ...goingOn, parameters: withOnce, rows: [...rows].reverse() });
		expect(Math.max(...acceptedOf(rows))).toBe(1);
		// What another execution sends again is only what this one had sent without Send Once.
		const sentWithKey = told.filter(
			({ details }) => !details.sentBefore && details.outcome === 'accepted',
		);
		const next = toldBy(await list.start({ ...orderOf(rows, withOnce), ...goingOn }));
		for (const { item } of sentWithKey) expect(next[item]?.outcome).toBe('skipped');
	});

	test('without Send Once is refused if the killed one was with it, and says what to do', async () => {
		const first = await withKilledRetry(rows, 14, withOnce);
		const before = sandbox.record.length;
		const off = await list.retry(first, { parameters });
		expect(off.error?.message).toMatch(/^Nothing more was sent: /);
		expect(off.error?.message).toContain('Turn on Send Once again and retry');
		expect(sandbox.record).toHaveLength(before);
		const on = toldBy(await list.retry(off, { ...goingOn, parameters: withOnce }));
		for (const { item, outcome } of on)
			if (outcome !== 'unknown') expect([item, acceptedBy(idOf(item))]).toEqual([item, 1]);
		expect(Math.max(...acceptedOf(rows))).toBe(1);
	});
});

describe('A retry of an execution that was refused something', () => {
	const rows = rowsOf(6);
	const refuseOnce = (row: number) =>
		sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(row) }, first: 1 });

	test('is refused with Send Once off if it had been on', async () => {
		refuseOnce(3);
		const first = await list.start(orderOf(rows, { ...withOnce, options: { concurrency: 1 } }));
		expect(acceptedOf(rows)).toEqual([1, 1, 1, 0, 0, 0]);
		const off = await list.retry(first, { parameters });
		expect(off.error?.message).toContain('Turn on Send Once again and retry');
		expect(acceptedOf(rows)).toEqual([1, 1, 1, 0, 0, 0]);
		expect((await list.retry(first)).error).toBeUndefined();
		expect(acceptedOf(rows)).toEqual(times(1, rows));
	});

	test('sends what is missing once with Send Once on if it had been off', async () => {
		refuseOnce(3);
		const first = await list.start(orderOf(rows, push({ concurrency: 1 })));
		expect(acceptedOf(rows)).toEqual([1, 1, 1, 0, 0, 0]);
		expect((await list.retry(first, { parameters: withOnce })).error).toBeUndefined();
		expect(acceptedOf(rows)).toEqual(times(1, rows));
		await list.retry(first, { parameters: withOnce });
		await list.retry(first);
		expect(acceptedOf(rows)).toEqual(times(1, rows));
	});
});

describe('In a loop', () => {
	const rows = rowsOf(24);
	const orderOfLoop = (more: Partial<LoopOrder> = {}): LoopOrder => ({
		...orderOf(rows),
		onError: 'continueRegularOutput',
		rowsPerRun: 6,
		...more,
	});

	test.each([
		['in the same portions', rows, 6],
		['in reverse', [...rows].reverse(), 6],
		['in other portions, with one more', [...rows.slice(9), { id: 'new' }, ...rows.slice(0, 9)], 5],
	])(
		'a retry reaches everybody else once after a kill, with the rows %s',
		async (_, changed, rowsPerRun) => {
			const { run: retryOf } = await executeInLoop(orderOfLoop({ fails: true }));
			await killedAfter(
				9,
				async (started) => await executeInLoop(orderOfLoop({ retryOf, started })),
			);
			const reached = acceptedOf(rows).filter((count) => count > 0).length;
			expect(reached).toBeGreaterThanOrEqual(8);
			expect(reached).toBeLessThan(24);
			await executeInLoop(orderOfLoop({ retryOf, rows: changed, rowsPerRun }));
			expect(Math.max(...acceptedOf(changed))).toBe(1);
			const missing = acceptedOf(changed).filter((count) => count === 0).length;
			expect(missing).toBeLessThanOrEqual(6);
			await executeInLoop(orderOfLoop({ retryOf }));
			expect(Math.max(...acceptedOf(changed))).toBe(1);
		},
	);

	test('several messages to the same recipient all go out, also if a run is tried again', async () => {
		const same = Array.from({ length: 9 }, (_, index) => ({ id: 'same', text: `Part ${index}` }));
		sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: 'Part 4' }, first: 1 });
		const { run } = await executeInLoop(
			orderOfLoop({ rows: same, rowsPerRun: 3, onError: undefined, retryOnFail: true }),
		);
		expect(run.data.resultData.error).toBeUndefined();
		expect(acceptedBy('same')).toBe(9);
	});
});

describe('Two executions that begin in the same millisecond', () => {
	freezeClock('2026-11-23T12:00:00Z');
	const rows = rowsOf(5);

	test('both send their rows, and their retries send what is missing of each', async () => {
		sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(2) }, first: 2 });
		const both = await Promise.all([list.start(orderOf(rows)), list.start(orderOf(rows))]);
		expect(both.map(({ error }) => error?.message)).toEqual([
			expect.stringContaining('item 2'),
			expect.stringContaining('item 2'),
		]);
		for (const one of both) expect((await list.retry(one)).error).toBeUndefined();
		expect(acceptedOf(rows)).toEqual(times(2, rows));
		for (const one of both) await list.retry(one);
		expect(acceptedOf(rows)).toEqual(times(2, rows));
	});

	test('reach everyone once with Send Once', async () => {
		const order = { ...orderOf(rows, withOnce), ...goingOn };
		await Promise.all([list.start(order), list.start(order)]);
		expect(acceptedOf(rows)).toEqual(times(1, rows));
	});
});
