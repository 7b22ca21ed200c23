import type { INodeParameters } from 'n8n-workflow';

import { each, saidBy, useAttempts, wordsOf } from '../support/attempts';
import { idOf, push, rowsOf } from '../support/sends';

const use = useAttempts();
const ids = (rows: number) => rowsOf(rows).map(({ id }) => id);
const goingOn = { onError: 'continueErrorOutput' as const };
const plain = push({ concurrency: 1, maxWait: 1 });
const once: INodeParameters = { ...plain, sendOnce: true, sendOnceKey: 'spring sale' };

/** The service answers the first request that holds the text only after a while. */
const slow = (bodyText: string, delayMs: number) =>
	use().sandbox.faults.add({ kind: 'delay', match: { bodyText }, first: 1, delayMs });
const untilArrived = async (requests: number) =>
	await new Promise<void>((resolve) => {
		use().sandbox.subscribe(() => use().sandbox.record.length >= requests && resolve());
	});
/** What two runs say of each row. The second one may send what the first has not claimed yet. */
const pairsOf = (one: string[], other: string[]) =>
	one.map((said, row) => [said, other[row]].sort().join(', '));
const sentByOne = 'accepted, accepted before';

describe('Retry pressed twice', () => {
	test.each([
		['without Send Once', plain],
		['with Send Once', once],
	])('reaches everybody once, and the second waits for the first, %s', async (_, parameters) => {
		const first = await use().failBefore(use().order(parameters, rowsOf(12), goingOn));
		slow(idOf(3), 800);
		const arrived = untilArrived(4);
		const one = use().list.retry(first);
		await arrived;
		const other = use().list.retry(first);
		expect(pairsOf(saidBy(await one), saidBy(await other))).toEqual(each(sentByOne, 12));
		expect(use().accepted(ids(12))).toEqual(each(1, 12));
	});
});

describe('An execution that n8n took for dead', () => {
	test.each([
		['began before its retry, without Send Once', plain, 'goOn', 'retry'],
		['began before its retry, with Send Once', once, 'goOn', 'retry'],
		['begins after its retry, without Send Once', plain, 'retry', 'goOn'],
		['begins after its retry, with Send Once', once, 'retry', 'goOn'],
	] as const)('and that %s reaches everybody once', async (_, parameters, first, second) => {
		const execution = await use().failBefore(use().order(parameters, rowsOf(30), goingOn));
		slow(idOf(3), 800);
		const arrived = untilArrived(4);
		const one = use().list[first](execution);
		await arrived;
		const other = use().list[second](execution);
		expect(pairsOf(saidBy(await one), saidBy(await other))).toEqual(each(sentByOne, 30));
		expect(use().accepted(ids(30))).toEqual(each(1, 30));
	});
});

test('A retry whose claim fails does not call unsent what another retry has sent meanwhile', async () => {
	const short = push({ concurrency: 1, maxWait: 0.03 });
	const first = await use().failBefore(use().order(short, rowsOf(30), goingOn));
	slow(idOf(0), 3_000);
	const arrived = untilArrived(1);
	const one = use().list.retry(first);
	await arrived;
	// The other retry sends what the first one has not claimed yet.
	const others = untilArrived(21);
	const other = use().list.retry(first);
	await others;
	use().store.fail({ call: 'add', when: 'beforeCommit', message: 'disk full' });
	const said = saidBy(await one);
	expect(said.slice(0, 10)).toEqual(each('accepted', 10));
	expect(said.slice(10)).toEqual(each('unknown notRecorded', 20));
	await other;
	expect(use().accepted(ids(30))).toEqual(each(1, 30));

	use().store.fail();
	const last = saidBy(await use().list.retry(first));
	expect(last).toEqual(each('accepted before', 30));
	expect(use().accepted(ids(30))).toEqual(each(1, 30));
});

describe('What a retry calls unknown, the next one looks up again:', () => {
	const isSecond = (entry: string) => entry.endsWith(' ?');
	const isOfPair = (entry: string, _: number, all: readonly string[]) =>
		isSecond(entry) || all.includes(`${entry} ?`);

	test.each([
		['accepted, if that was noted meanwhile', isSecond, 'accepted before'],
		['sent, if it was noted meanwhile that it was not delivered', isOfPair, 'accepted'],
	])('%s', async (_, isGone, said) => {
		const { list, store } = use();
		const first = await use().killRetryAfter(14, use().order(plain, rowsOf(30)));
		const second = await list.retry(first);
		const [, doubtful = ''] = /May have been delivered: (\d+)/.exec(wordsOf(second)) ?? [];
		expect(Number(doubtful)).toBeGreaterThan(0);
		// The attempt goes on, on a worker that n8n took for dead.
		await store.remove([...store.keys].filter(isGone));
		const third = saidBy(await list.retry(second));
		expect(third.filter((one) => one === said).length).toBeGreaterThanOrEqual(Number(doubtful));
		expect(third.filter((one) => one !== said && one !== 'accepted before')).toEqual([]);
	});

	test('unknown, if nothing was noted, and it stops the workflow no more', async () => {
		const { list } = use();
		const first = await use().killRetryAfter(14, use().order(plain, rowsOf(30)));
		const third = await list.retry(await list.retry(first));
		expect(third.error).toBeUndefined();
		expect(saidBy(third)).toContain('unknown interrupted');
		expect(Math.max(...use().accepted(ids(30)))).toBe(1);
	});
});
