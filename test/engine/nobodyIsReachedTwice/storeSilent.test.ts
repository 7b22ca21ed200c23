import type { INodeParameters } from 'n8n-workflow';

import { each, saidBy, useAttempts } from '../support/attempts';
import { untilNodeEnds } from '../support/engine';
import { useFastClock } from '../support/fastClock';
import { push, rowsOf } from '../support/sends';

useFastClock(10);

const use = useAttempts();
const rows = rowsOf(250);
const ids = rows.map(({ id }) => id);
const goingOn = { onError: 'continueErrorOutput' as const };
const plain = push({ concurrency: 10, maxWait: 5 });
const once: INodeParameters = { ...plain, sendOnce: true, sendOnceKey: 'spring sale' };
const kinds: Array<[string, INodeParameters]> = [
	['without Send Once', plain],
	['with Send Once', once],
];
/** Waits by the clock of the run. */
const pass = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
const start = async (parameters: INodeParameters, some = rows) =>
	await use().list.start(use().order(parameters, some, goingOn));

const releases: Array<() => void> = [];
// A list that does not answer is not asked again, so it must answer before the next test.
afterEach(async () => {
	for (const release of releases.splice(0)) release();
	await untilNodeEnds();
});

/** The store does not answer one call until it is released. What was asked is done then. */
function silence(method: 'add' | 'remove', call: number) {
	const { store } = use();
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	releases.push(release);
	let calls = 0;
	const original = store[method].bind(store) as (...args: unknown[]) => Promise<unknown>;
	Object.assign(store, {
		[method]: async (...args: unknown[]) => {
			if (++calls === call) await released;
			return await original(...args);
		},
	});
	return release;
}

/** Lets all calls of the store's list fail for a time. */
async function failFor(ms: number): Promise<void> {
	const faults = (['add', 'remove', 'count'] as const).map((call) => ({
		call,
		when: 'beforeCommit' as const,
	}));
	use().store.fail(...faults);
	await pass(ms);
	use().store.fail();
}
const untilArrived = async (requests: number) =>
	await new Promise<void>((resolve) => {
		use().sandbox.subscribe(() => use().sandbox.record.length >= requests && resolve());
	});

/** A service that takes a while, so that the store is needed all the time. */
beforeEach(() => use().sandbox.configure({ latencyMs: 200 }));

/** What is said of each row, and that it is true. */
function expectTruth(said: string[]): void {
	const arrived = use().accepted(ids);
	expect(Math.max(...arrived)).toBeLessThanOrEqual(1);
	for (const [row, words] of said.entries()) {
		if (words.startsWith('accepted')) expect([row, words, arrived[row]]).toEqual([row, words, 1]);
		if (words.startsWith('notSent')) expect([row, words, arrived[row]]).toEqual([row, words, 0]);
	}
}

describe('A store that never answers', () => {
	test.each<[string, INodeParameters, 'add' | 'remove', number]>([
		['the first claim', plain, 'add', 1],
		['a later claim', plain, 'add', 4],
		['a later claim with Send Once', once, 'add', 4],
		['how messages ended', plain, 'remove', 3],
		['how messages ended with Send Once', once, 'remove', 3],
	])('to %s ends no run for ever, and what cannot be noted is not sent', async (_, ...call) => {
		const [parameters, method, number] = call;
		silence(method, number);
		const said = saidBy(await start(parameters));
		expect(said).toHaveLength(250);
		expectTruth(said);
		expect([...new Set(said)].filter((words) => words !== 'accepted')).toEqual([
			'notSent notRecorded',
		]);
	});

	test('keeps no other workflow waiting, and the same one no longer than it is silent', async () => {
		const release = silence('add', 2);
		const arrived = untilArrived(10);
		const silent = start(plain);
		await arrived;
		await pass(1_000);
		const other = use().order(plain, rowsOf(5, 'o'), { ...goingOn, workflowId: 'other' });
		expect(saidBy(await use().list.start(other))).toEqual(each('accepted', 5));
		expect(saidBy(await silent)).toContain('notSent notRecorded');
		const second = saidBy(await start(plain, rowsOf(5, 'v')));
		expect(second).toEqual(each('notSent notRecorded', 5));
		release();
		await pass(5_000);
		const third = saidBy(await start(plain, rowsOf(5, 'w')));
		expect(third).toEqual(each('accepted', 5));
	});
});

test('An answer that comes after it was given up makes nobody get it twice', async () => {
	const release = silence('add', 4);
	const first = await start(once);
	expectTruth(saidBy(first));
	release();
	await pass(5_000);
	const next = saidBy(await start(once));
	expect(next.filter((words) => words.startsWith('notSent'))).toEqual([]);
	expectTruth(next);
	expect(next.filter((words) => words.startsWith('unknown')).length).toBeLessThanOrEqual(50);
});

describe('A store that fails', () => {
	test.each(kinds)(
		'for 2.5 s is waited for, and everybody is reached, %s',
		async (_, parameters) => {
			const arrived = untilArrived(30);
			const run = start(parameters);
			await arrived;
			await failFor(2_500);
			expect(saidBy(await run)).toEqual(each('accepted', 250));
			expect(use().accepted(ids)).toEqual(each(1, 250));
		},
	);

	test.each(kinds)(
		'for 40 s ends the run, and a later one sends the rest, %s',
		async (_, parameters) => {
			const arrived = untilArrived(30);
			const run = start(parameters);
			await arrived;
			await failFor(40_000);
			const said = saidBy(await run);
			expectTruth(said);
			expect(said).toContain('notSent notRecorded');
			const rest = rows.filter((_, row) => said[row] === 'notSent notRecorded');
			expect(saidBy(await start(parameters, rest))).toEqual(each('accepted', rest.length));
			expect(use().accepted(ids)).toEqual(each(1, 250));
		},
	);
});
