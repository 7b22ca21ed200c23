import { saidBy, useAttempts, wordsOf } from '../support/attempts';
import type { Order } from '../support/engine';
import { executeInLoop, type LoopOrder } from '../support/loop';
import * as order from '../support/orders';
import { freezeClock } from '../support/service';
import { accountOf, idOf, push, toldBy } from '../support/sends';

freezeClock('2026-10-28T23:00:00Z');

const use = useAttempts();

const orderOf = (...rows: number[]): Order => ({
	parameters: { ...push({ concurrency: 1 }), sendOnce: true, sendOncePeriod: 'day' },
	rows: rows.map((row) => ({ id: idOf(row) })),
	credential: accountOf(use().sandbox),
	timezone: 'UTC',
});

test('A retry after midnight counts for the day on which its execution began', async () => {
	use().sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(1) }, first: 1 });
	const first = await use().list.start(orderOf(0, 1, 2, 3));
	expect(first.error?.message).toContain('item 1');
	await use().list.start(orderOf(2));

	jest.setSystemTime(new Date('2026-10-29T01:00:00Z'));
	const retried = await use().list.retry(first);
	expect(toldBy(retried).map(({ outcome }) => outcome)).toEqual([
		'accepted',
		'accepted',
		'skipped',
		'accepted',
	]);

	const today = await use().list.start(orderOf(0, 1, 2, 3));
	expect(toldBy(today).map(({ outcome }) => outcome)).toEqual(Array(4).fill('accepted'));
	expect(use().sandbox.record.filter(({ status }) => status === 200)).toHaveLength(8);
});

const at = (iso: string) => jest.setSystemTime(new Date(iso));
const outcomesOf = (said: string[]) => said.map((words) => words.split(' ')[0]);
const failOnce = (bodyText: string) =>
	use().sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText }, first: 1 });

test('A retry counts for the day on which the node ran first, not for that of a slow node before it', async () => {
	at('2026-10-28T23:50:00Z');
	await use().list.start(orderOf(3));
	failOnce(idOf(1));
	Object.defineProperty(use().list, 'sourceFails', {
		get: () => {
			at('2026-10-29T00:10:00Z');
			return false;
		},
	});
	const first = await use().list.start(orderOf(0, 1, 2, 3));
	expect(first.error?.message).toContain('item 1');
	expect(saidBy(await use().list.start(orderOf(2)))).toEqual(['accepted']);

	at('2026-10-30T01:00:00Z');
	expect(saidBy(await use().list.retry(first))).toEqual([
		'accepted before',
		'accepted',
		'skipped sentBefore accepted',
		'accepted',
	]);
	// Of the message 3, one on each of two days.
	expect(use().acceptedRows(4)).toEqual([1, 1, 1, 2]);
});

test('A retry that does not remember a try counts for the day on which its execution began', async () => {
	at('2026-10-28T23:50:00Z');
	const first = await use().failBefore(orderOf(0, 1, 2));
	at('2026-10-28T23:55:00Z');
	await use().list.start(orderOf(1));
	at('2026-10-29T01:00:00Z');
	expect(saidBy(await use().list.retry(first))).toEqual([
		'accepted',
		'skipped sentBefore accepted',
		'accepted',
	]);
	at('2026-10-29T02:00:00Z');
	expect(saidBy(await use().list.start(orderOf(0, 1, 2)))).toEqual([
		'accepted',
		'accepted',
		'accepted',
	]);
});

test('In a loop that waits a day between rounds, each round counts for the day of its own first try', async () => {
	const nextDay = () => jest.setSystemTime(Date.now() + 24 * 3_600_000);
	const inLoop = async (more: Partial<LoopOrder> = {}) => {
		// Each round's request takes until the next day.
		const unsubscribe = use().sandbox.subscribe(nextDay);
		const parameters = { ...push(), message: '={{ $json.text }}', sendOncePeriod: 'day' };
		const { run, runs } = await executeInLoop({
			parameters: { ...parameters, sendOnce: true, sendOnceKey: 'newsletter' },
			rows: ['one', 'two', 'three', 'four'].map((text) => ({ id: idOf(0), text })),
			credential: accountOf(use().sandbox),
			rowsPerRun: 1,
			...more,
		});
		unsubscribe();
		const outputs = runs.map(({ data }) => data?.main?.[0] ?? []);
		const said = outputs.flatMap((output) => saidBy({ output, failed: [] }));
		return { run, said, error: run.data.resultData.error };
	};
	at('2026-10-28T12:00:00Z');
	failOnce('two');
	const first = await inLoop();
	expect(first.said).toEqual(['accepted']);
	expect(first.error?.message).toContain('404');
	nextDay();
	const second = await inLoop({ retryOf: first.run });
	expect(second.error).toBeUndefined();
	expect(second.said).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
	expect(use().accepted(['one', 'two', 'three', 'four'])).toEqual([1, 1, 1, 1]);
});

test.each([
	['Send Once with a period', { ...push(), sendOnce: true, sendOncePeriod: 'week' }, 'webhook'],
	['a broadcast by hand', { ...order.pushToAll, testRuns: 'send' }, 'manual'],
] as const)(
	'In an unknown timezone of the workflow, %s is refused, and what to do is said',
	async (_, parameters, mode) => {
		const rows = [{ id: idOf(0) }];
		const unknown = use().order(parameters, rows, { timezone: 'Mars/Olympus', mode });
		const refused = await use().list.start(unknown);
		expect(wordsOf(refused)).toContain(
			"Nothing was sent: The workflow's timezone 'Mars/Olympus' is not known, so the node cannot tell on which day this goes out. Choose one in the workflow's settings, e.g. Europe/Berlin",
		);
		const corrected = await use().list.retry(refused, { timezone: 'Europe/Berlin' });
		expect(outcomesOf(saidBy(corrected))).toEqual(['accepted']);
		jest.setSystemTime(Date.now() + 60_000);
		const ever = { ...push(), sendOnce: true };
		const more = { timezone: 'Mars/Olympus' };
		expect(saidBy(await use().list.start(use().order(ever, rows, more)))).toEqual(['accepted']);
	},
);
