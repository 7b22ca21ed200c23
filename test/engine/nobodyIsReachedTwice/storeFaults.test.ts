import type { INodeParameters } from 'n8n-workflow';
import { each, useAttempts } from '../support/attempts';
import { type Order, untilNodeEnds } from '../support/engine';
import { accountOf, countsOf, idOf, push, rowsOf, toldBy } from '../support/sends';

const use = useAttempts();

/** A store that fails is waited for until then. */
const maxWait = 0.02;
const without: INodeParameters = push({ concurrency: 1, maxWait });
const once: INodeParameters = { ...without, sendOnce: true };
const kinds = [
	['with Send Once', once],
	['without Send Once', without],
] as const;
const start = async (rowCount: number, more: Partial<Order> = {}) =>
	await use().list.start({
		parameters: once,
		rows: rowsOf(rowCount),
		credential: accountOf(use().sandbox),
		onError: 'continueErrorOutput',
		...more,
	});
const fillers = (count: number, name = 'filler') =>
	Array.from({ length: count }, (_, entry) => `${name} ${entry}`);

describe('What a node remembers', () => {
	test('is not forgotten because of a run without Send Once after the list was full', async () => {
		await start(0, { rows: rowsOf(1, 'first') });
		use().store.preset(fillers(1_000, 'early'));
		await start(50);
		use().store.preset(fillers(99_800 - use().store.keys.size));
		await start(0, { rows: rowsOf(100, 'v') });
		expect(use().store.keys.size).toBeGreaterThan(99_800);
		expect(use().store.keys.size).toBeLessThanOrEqual(100_000);
		await start(0, { parameters: push(), rows: rowsOf(3, 'w') });
		expect(countsOf(toldBy(await start(50)))).toEqual({ skipped: 50 });
	});

	test('comes to 5,000 entries, or four times its messages, without Send Once, and is never cut', async () => {
		use().store.preset(fillers(5_000));
		await start(3, { parameters: push() });
		expect(use().store.keys.size).toBeGreaterThan(4_990);
		expect(use().store.keys.size).toBeLessThanOrEqual(5_000);
		// Others may need what is beyond.
		use().store.preset(fillers(20_000, 'of a large run'));
		const before = use().store.keys.size;
		await start(3, { parameters: push() });
		expect(use().store.keys.size).toBe(before);
	});

	test.each([
		['with Send Once', once, 5, 2],
		['without Send Once', without, 4, 1],
	])('grows by few entries for a message %s', async (_, parameters, alone, inList) => {
		const messages = 20;
		await start(0, { parameters, rows: rowsOf(1, 'first') });
		const before = use().store.keys.size;
		for (const row of rowsOf(messages)) await start(0, { parameters, rows: [row] });
		expect((use().store.keys.size - before) / messages).toBeLessThanOrEqual(alone);

		const beforeList = use().store.keys.size;
		await start(0, { parameters, rows: rowsOf(200, 'v') });
		// Beside the marks of its execution.
		expect((use().store.keys.size - beforeList - 7) / 200).toBeLessThanOrEqual(inList);
	});
});

describe('A run ends and tells the truth', () => {
	test.each(kinds)('where nothing can be removed from the store %s', async (_, parameters) => {
		use().store.fail({ call: 'remove', when: 'beforeCommit', after: parameters === once ? 0 : 1 });
		const told = toldBy(await start(60, { parameters }));
		expect(countsOf(told)).toEqual({ accepted: 60 });
		expect(use().acceptedRows(60)).toEqual(each(1, 60));
		use().store.fail();
		const next = toldBy(await start(60));
		if (parameters === once) expect(Math.max(...use().acceptedRows(60))).toBe(1);
		expect(next.some(({ outcome }) => outcome === 'notSent')).toBe(false);
	});

	test.each(kinds)('where one write of how messages ended is lost %s', async (_, parameters) => {
		use().store.fail({ call: 'remove', when: 'beforeCommit', after: 1, times: 1 });
		expect(countsOf(toldBy(await start(60, { parameters })))).toEqual({ accepted: 60 });
		if (parameters === once) expect(countsOf(toldBy(await start(60)))).toEqual({ skipped: 60 });
	});
});

describe('A claim whose answer is lost after its commit', () => {
	test.each(kinds)('makes nobody pending for ever %s', async (_, parameters) => {
		use().store.fail({ call: 'add', when: 'afterCommit', after: 1, times: 1 });
		expect(countsOf(toldBy(await start(40, { parameters })))).toEqual({ accepted: 40 });
		expect(use().acceptedRows(40)).toEqual(each(1, 40));
		if (parameters === once) expect(countsOf(toldBy(await start(40)))).toEqual({ skipped: 40 });
	});

	test('sends nothing again that was sent before, where the list is full', async () => {
		use().store.preset(fillers(1_000, 'early'));
		await start(5);
		use().store.preset(fillers(100_000 - use().store.keys.size));
		use().store.fail({ call: 'add', when: 'afterCommit', times: 1 });
		expect(countsOf(toldBy(await start(5)))).toEqual({ notSent: 5 });
		const told = toldBy(await start(5));
		expect(told.map(({ details }) => details.earlierOutcome)).toEqual(each('unknown', 5));
		expect(use().acceptedRows(5)).toEqual(each(1, 5));
	});
});

describe('A first attempt without Send Once that cannot be recorded', () => {
	test('sends nothing and says why, and sends it once the store works', async () => {
		use().store.fail({ call: 'add', when: 'beforeCommit', message: 'disk full' });
		const first = await start(3, { parameters: without, onError: undefined });
		expect(use().sandbox.record).toEqual([]);
		expect(first.error?.message).toContain('could not store that it was about to be sent');
		expect(`${first.error?.message} ${first.error?.description}`).toContain('disk full');
		use().store.fail();
		expect((await use().list.retry(first)).error).toBeUndefined();
		expect(use().acceptedRows(3)).toEqual([1, 1, 1]);
	});

	test('sends the rest in a retry if the store fails in the middle', async () => {
		use().store.fail({ call: 'add', when: 'beforeCommit', after: 2, message: 'disk full' });
		const first = await start(30, { parameters: without, onError: undefined });
		expect(use().sandbox.record.length).toBeGreaterThan(0);
		expect(use().sandbox.record.length).toBeLessThan(30);
		use().store.fail();
		expect((await use().list.retry(first)).error).toBeUndefined();
		expect(use().acceptedRows(30)).toEqual(each(1, 30));
	});

	test.each(['beforeCommit', 'afterCommit'] as const)(
		'is sent at once if only one answer of the store was lost %s',
		async (when) => {
			use().store.fail({ call: 'add', when, times: 1 });
			const { error, output } = await start(3, { parameters: without, onError: undefined });
			expect(error).toBeUndefined();
			expect(output.map(({ json }) => json.outcome)).toEqual(['accepted', 'accepted', 'accepted']);
			expect(use().acceptedRows(3)).toEqual([1, 1, 1]);
		},
	);
});

describe('A row whose Send Once key another run holds', () => {
	/** Starts a run that sends row 0 and gets no answer before it is stopped. */
	async function hold() {
		use().sandbox.faults.add({ kind: 'hang', match: { bodyText: idOf(0) }, first: 1 });
		const arrived = new Promise<void>((resolve) => use().sandbox.subscribe(() => resolve()));
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
			use().sandbox.subscribe(() => use().sandbox.record.length === 5 && resolve()),
		);
		const second = start(5, { parameters: { ...once, options: { maxWait: 0.02 } } });
		await reached;
		const told = toldBy(await second);
		expect(told.map(({ outcome }) => outcome)).toEqual(['notSent', ...each('accepted', 4)]);
		expect(told[0]?.details.reason).toBe('keyInUse');
		expect(JSON.stringify(told[0]?.details)).toContain('execution 1 ');
		expect(use().sandbox.record).toHaveLength(5);
		await holder.end();
	});
});
