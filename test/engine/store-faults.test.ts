import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { type Order, untilNodeEnds } from './support/engine';
import { ExecutionList } from './support/executionList';
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
} from './support/sends';

let sandbox: Sandbox;
let store: MemoryStore;
let list: ExecutionList;
beforeEach(async () => {
	sandbox = await roomySandbox();
	store = useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

const without: INodeParameters = push({ concurrency: 1 });
const once: INodeParameters = { ...without, sendOnce: true };
const kinds = [
	['with Send Once', once],
	['without Send Once', without],
] as const;
const start = async (rowCount: number, more: Partial<Order> = {}) =>
	await list.start({
		parameters: once,
		rows: rowsOf(rowCount),
		credential: accountOf(sandbox),
		onError: 'continueErrorOutput',
		...more,
	});
/** How often the service accepted a push for each row. */
const accepted = (rowCount: number) =>
	rowsOf(rowCount).map(
		({ id }) =>
			(arrivalsByPush(sandbox.record).get(`web ${id}`) ?? []).filter((one) => one.accepted).length,
	);
const times = (count: number, rows: number) => Array.from({ length: rows }, () => count);
const fillers = (count: number, name = 'filler') =>
	Array.from({ length: count }, (_, entry) => `${name} ${entry}`);

describe('What a node remembers', () => {
	test('is not forgotten because of runs without Send Once', async () => {
		await start(130);
		// As many as a list of 4,830 people leaves.
		store.preset(...fillers(4_700));
		await start(0, { parameters: push(), rows: rowsOf(300, 'v') });
		expect(countsOf(toldBy(await start(130)))).toEqual({ skipped: 130 });
		expect(accepted(130)).toEqual(times(1, 130));
	});

	test('is not forgotten because of a run without Send Once after the list was full', async () => {
		await start(0, { rows: rowsOf(1, 'first') });
		store.preset(...fillers(1_000, 'early'));
		await start(50);
		store.preset(...fillers(99_800 - store.keys.size));
		await start(0, { rows: rowsOf(300, 'v') });
		expect(store.keys.size).toBeGreaterThan(99_900);
		expect(store.keys.size).toBeLessThanOrEqual(100_000);
		await start(0, { parameters: push(), rows: rowsOf(3, 'w') });
		expect(countsOf(toldBy(await start(50)))).toEqual({ skipped: 50 });
	});

	test('is 5,000 entries, or four times its messages, if it never used Send Once', async () => {
		store.preset(...fillers(20_000));
		await start(3, { parameters: push() });
		expect(store.keys.size).toBeGreaterThan(4_990);
		expect(store.keys.size).toBeLessThanOrEqual(5_000);
	});

	test.each([
		['with Send Once', once, 2],
		['without Send Once', without, 3],
	])(
		'grows by few entries for a message in a run of its own %s',
		async (_, parameters, mostEntries) => {
			const messages = 5;
			await start(0, { parameters, rows: rowsOf(1, 'first') });
			const before = store.keys.size;
			for (const row of rowsOf(messages)) await start(0, { parameters, rows: [row] });
			expect((store.keys.size - before) / messages).toBeLessThanOrEqual(mostEntries);
		},
	);
});

describe('A run ends and tells the truth', () => {
	test.each([
		[0, 1],
		[0, 3],
		[0, Infinity],
		[1, Infinity],
	])(
		'where it cannot write that the first of two equal rows was accepted: after %d removals, %d fail',
		async (after, failing) => {
			store.fail({ call: 'remove', when: 'beforeCommit', after, times: failing });
			const told = toldBy(await start(0, { rows: [...rowsOf(1), ...rowsOf(1)] }));
			expect(told.map(({ outcome }) => outcome)).toEqual(['accepted', 'skipped']);
			expect(accepted(1)).toEqual([1]);
		},
	);

	test.each(kinds)('where nothing can be removed from the store %s', async (_, parameters) => {
		store.fail({ call: 'remove', when: 'beforeCommit', after: parameters === once ? 0 : 1 });
		const told = toldBy(await start(120, { parameters }));
		expect(countsOf(told)).toEqual({ accepted: 120 });
		expect(accepted(120)).toEqual(times(1, 120));
		store.fail();
		const next = toldBy(await start(120));
		if (parameters === once) expect(Math.max(...accepted(120))).toBe(1);
		expect(next.some(({ outcome }) => outcome === 'notSent')).toBe(false);
	});

	test.each(kinds)('where one write of how messages ended is lost %s', async (_, parameters) => {
		store.fail({ call: 'remove', when: 'beforeCommit', after: 1, times: 1 });
		expect(countsOf(toldBy(await start(60, { parameters })))).toEqual({ accepted: 60 });
		if (parameters === once) expect(countsOf(toldBy(await start(60)))).toEqual({ skipped: 60 });
	});
});

describe('A claim whose answer is lost after its commit', () => {
	test.each(kinds)('makes nobody pending for ever %s', async (_, parameters) => {
		store.fail({ call: 'add', when: 'afterCommit', after: 1, times: 1 });
		expect(countsOf(toldBy(await start(40, { parameters })))).toEqual({ accepted: 40 });
		expect(accepted(40)).toEqual(times(1, 40));
		if (parameters === once) expect(countsOf(toldBy(await start(40)))).toEqual({ skipped: 40 });
	});

	test('is good where it is the first one of a run with Send Once', async () => {
		store.fail({ call: 'add', when: 'afterCommit', times: 1 });
		expect(countsOf(toldBy(await start(5)))).toEqual({ accepted: 5 });
		expect(countsOf(toldBy(await start(5)))).toEqual({ skipped: 5 });
	});

	test('reaches nobody twice where some of its messages were sent before', async () => {
		await start(5);
		store.fail({ call: 'add', when: 'afterCommit', times: 1 });
		await start(10);
		store.fail();
		const told = toldBy(await start(10));
		expect(Math.max(...accepted(10))).toBe(1);
		for (const { item, outcome } of told)
			if (outcome !== 'unknown') expect([item, accepted(10)[item]]).toEqual([item, 1]);
	});
});

describe('A first attempt without Send Once that cannot be recorded', () => {
	test('sends nothing and says why, and sends it once the store works', async () => {
		store.fail({ call: 'add', when: 'beforeCommit', message: 'disk full' });
		const first = await start(3, { parameters: without, onError: undefined });
		expect(sandbox.record).toEqual([]);
		expect(first.error?.message).toContain('could not store that it was about to be sent');
		expect(`${first.error?.message} ${first.error?.description}`).toContain('disk full');
		store.fail();
		expect((await list.retry(first)).error).toBeUndefined();
		expect(accepted(3)).toEqual([1, 1, 1]);
	});

	test('says so of each row where it goes on', async () => {
		store.fail({ call: 'add', when: 'beforeCommit', message: 'disk full' });
		const told = toldBy(await start(3, { parameters: without }));
		expect(told.map(({ outcome, details }) => [outcome, details.reason])).toEqual(
			rowsOf(3).map(() => ['notSent', 'notRecorded']),
		);
		expect(sandbox.record).toEqual([]);
	});

	test('sends the rest in a retry if the store fails in the middle', async () => {
		store.fail({ call: 'add', when: 'beforeCommit', after: 2, message: 'disk full' });
		const first = await start(30, { parameters: without, onError: undefined });
		expect(sandbox.record.length).toBeGreaterThan(0);
		expect(sandbox.record.length).toBeLessThan(30);
		store.fail();
		expect((await list.retry(first)).error).toBeUndefined();
		expect(accepted(30)).toEqual(times(1, 30));
	});

	test('is sent by Retry On Fail once the store works again', async () => {
		store.fail({ call: 'add', when: 'beforeCommit', times: 1 });
		const { error, output } = await start(3, {
			parameters: without,
			onError: undefined,
			retryOnFail: true,
		});
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.outcome)).toEqual(['accepted', 'accepted', 'accepted']);
		expect(accepted(3)).toEqual([1, 1, 1]);
	});

	test.each(['beforeCommit', 'afterCommit'] as const)(
		'is sent by a retry if the answer about its marks was lost %s',
		async (when) => {
			store.fail({ call: 'add', when, times: 1 });
			const first = await start(3, { parameters: without, onError: undefined });
			expect(sandbox.record).toEqual([]);
			expect((await list.retry(first)).error).toBeUndefined();
			expect(accepted(3)).toEqual([1, 1, 1]);
		},
	);
});

describe('A row whose Send Once key another run holds', () => {
	/** Starts a run that sends row 0 and gets no answer before it is stopped. */
	async function hold() {
		sandbox.faults.add({ kind: 'hang', match: { bodyText: idOf(0) }, first: 1 });
		const arrived = new Promise<void>((resolve) => sandbox.subscribe(() => resolve()));
		let stop = () => {};
		const execution = start(1, { started: (press) => (stop = press) });
		await arrived;
		return {
			end: async () => {
				stop();
				await execution;
				await untilNodeEnds();
			},
		};
	}

	test('is not sent after Max Wait, names the other execution, and delays no other row', async () => {
		const holder = await hold();
		const reached = new Promise<void>((resolve) =>
			sandbox.subscribe(() => sandbox.record.length === 5 && resolve()),
		);
		const second = start(5, { parameters: { ...once, options: { maxWait: 0.02 } } });
		await reached;
		const told = toldBy(await second);
		expect(told.map(({ outcome }) => outcome)).toEqual([
			'notSent',
			...times(1, 4).map(() => 'accepted'),
		]);
		expect(told[0]?.details.reason).toBe('keyInUse');
		expect(JSON.stringify(told[0]?.details)).toContain('execution 1 ');
		expect(sandbox.record).toHaveLength(5);
		await holder.end();
	});

	test('is sent once by a later run', async () => {
		const holder = await hold();
		await start(2, { parameters: { ...once, options: { maxWait: 0 } } });
		await holder.end();
		expect(countsOf(toldBy(await start(2)))).toEqual({ unknown: 1, skipped: 1 });
	});
});
