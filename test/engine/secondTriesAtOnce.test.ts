import type { INodeParameters } from 'n8n-workflow';

import { each, saidBy, useAttempts } from './support/attempts';
import { idOf, push, rowsOf } from './support/sends';

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
