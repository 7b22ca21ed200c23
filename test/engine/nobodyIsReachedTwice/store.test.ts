import type { INodeParameters } from 'n8n-workflow';

import { pause, useFastClock } from '../support/clock';
import type { Course } from '../support/executionList';
import type { StoreFault } from '../support/memoryStore';
import { each, hintsIn, inShort, saidBy, useNode, wordsOf } from '../support/node';
import { trackEvent } from '../support/orders';
import { idOf, push, rowsOf, toldBy } from '../support/sends';

useFastClock(20);

/** A store that fails is waited for until then. */
const maxWait = 0.02;
const without = push({ concurrency: 1, maxWait });
const once: INodeParameters = { ...without, sendOnce: true };
const node = useNode({ parameters: once, onError: 'continueErrorOutput' });
const kinds: Array<[string, INodeParameters]> = [
	['with Send Once', once],
	['without Send Once', without],
];
const start = async (count: number, parameters = once, more: Course = {}) =>
	await node.start({ rows: rowsOf(count), parameters, ...more });
const said = async (count: number, parameters = once) => inShort(await start(count, parameters));
const others = async (count: number, prefix: string, parameters = once) =>
	await node.start({ rows: rowsOf(count, prefix), parameters });
const fail = (call: StoreFault['call'], more: Partial<StoreFault> = {}) =>
	node.store.fail({ call, ...more });
const size = () => node.store.keys.size;
/** Adds what other executions have left, up to a size. */
const fill = (entries: number, name = 'filler') =>
	node.store.preset(Array.from({ length: entries }, (_, entry) => `${name} ${entry}`));
const before = 'skipped sentBefore accepted';
const stops = { onError: undefined };

describe('What a node remembers', () => {
	test('is not forgotten because of a run without Send Once after the list was full', async () => {
		await others(1, 'first');
		fill(1_000, 'early');
		await start(50);
		fill(99_800 - size());
		await others(100, 'v');
		expect(size()).toBeGreaterThan(99_800);
		expect(size()).toBeLessThanOrEqual(100_000);
		await others(3, 'w', push());
		expect(await said(50)).toBe(`50 ${before}`);
	});

	test('comes to 5,000 entries, or four times its messages, without Send Once, and is never cut', async () => {
		const expectSize = (least: number, most: number) => {
			expect(size()).toBeGreaterThanOrEqual(least);
			expect(size()).toBeLessThanOrEqual(most);
		};
		fill(5_000);
		await start(3, push());
		expectSize(4_990, 5_000);
		await start(1_500, { ...trackEvent, userID: '={{ $json.id }}' });
		// How many are cut at once depends on when the batches are answered.
		expectSize(5_200, 6_000);
		// Others may need what is beyond.
		fill(20_000, 'of a large run');
		const full = size();
		await start(3, push());
		expect(size()).toBeGreaterThan(full);
	});

	test('is 100,000 keys of Send Once, of which the oldest are dropped', async () => {
		await start(1);
		fill(100_000);
		await others(1, 'someone');
		expect(size()).toBeLessThanOrEqual(100_000);
		expect(size()).toBeGreaterThan(99_990);
		expect(await said(1)).toBe('1 accepted');
	});

	test.each([
		['with Send Once', once, 5, 2],
		['without Send Once', without, 4, 1],
	])('grows by few entries for a message %s', async (_, parameters, alone, inList) => {
		const messages = 5;
		await others(1, 'first', parameters);
		const first = size();
		for (const row of rowsOf(messages)) await start(1, parameters, { rows: [row] });
		expect((size() - first) / messages).toBeLessThanOrEqual(alone);

		const beforeList = size();
		await others(100, 'v', parameters);
		// Beside the marks of its execution.
		expect((size() - beforeList - 7) / 100).toBeLessThanOrEqual(inList);
	});

	test('leaves the row of a node alone whose scope is the workflow, and a hint says what that means', async () => {
		await node.store.addToWorkflow(['order 1'], 'entries');
		await start(3);
		const second = await start(3);
		expect(inShort(second)).toBe(`3 ${before}`);
		expect(node.store.namesOfWorkflow).toEqual(['order 1']);
		expect(hintsIn(second)).toContain('Remove Duplicates');
		expect((await start(3, push())).hints).toEqual([]);
	});
});

describe('A run ends and tells the truth', () => {
	test('where the store cannot be read, and sends nothing', async () => {
		const message = 'SQLITE_BUSY: database is locked';
		const calls = ['add', 'remove', 'count', 'lock'] as const;
		node.store.fail(...calls.map((call) => ({ call, message })));
		const { failed } = await start(2, { ...once, options: { maxWait: 0 } });
		expect(failed).toHaveLength(2);
		expect(failed[0]?.json.error).toMatch(/^n8n cannot read what was sent before.*locked/);
		expect(node.sandbox.record).toEqual([]);
		const first = await node.failBefore({ ...stops, parameters: push({ maxWait: 0 }) });
		node.store.fail(...calls.map((call) => ({ call, message })));
		const advice = "locked. Check n8n's database, then retry the execution again";
		expect((await node.retry(first)).error?.message).toContain(advice);
	});

	test.each(kinds)('where nothing can be removed from the store %s', async (_, parameters) => {
		const usesOnce = parameters === once;
		fail('remove', { after: usesOnce ? 0 : 1 });
		expect(await said(60, parameters)).toBe('60 accepted');
		expect(node.acceptedRows(60)).toEqual(each(1, 60));
		node.store.fail();
		const next = saidBy(await start(60));
		expect(Math.max(...node.acceptedRows(60))).toBe(usesOnce ? 1 : 2);
		expect(next.filter((words) => words.startsWith('notSent'))).toEqual([]);
	});
});

test.each([
	['sends nothing and says why, and sends it once the store works', 3, 0],
	['sends the rest in a retry if the store fails in the middle', 30, 2],
])('A first attempt without Send Once that cannot be recorded %s', async (_, count, after) => {
	fail('add', { after, message: 'disk full' });
	const first = await start(count, without, stops);
	const sent = node.sandbox.record.length;
	expect(sent > 0).toBe(after > 0);
	expect(sent).toBeLessThan(count);
	if (sent === 0)
		expect(first.error?.message).toContain('could not store that it was about to be sent');
	expect(wordsOf(first)).toContain('disk full');
	node.store.fail();
	expect((await node.retry(first)).error).toBeUndefined();
	expect(node.acceptedRows(count)).toEqual(each(1, count));
});

test('A row whose Send Once key another run holds is not sent after Max Wait, names the other execution, and delays no other row', async () => {
	node.sandbox.faults.add({ kind: 'hang', match: { bodyText: idOf(0) }, first: 1 });
	const second = node.untilArrived(1).then(async () => {
		const reached = node.untilArrived(5);
		const report = start(5);
		await reached;
		return await report;
	});
	await node.stopAt(second, async (course) => await start(1, once, course));
	const told = toldBy(await second);
	expect(told.map(({ outcome }) => outcome)).toEqual(['notSent', ...each('accepted', 4)]);
	expect(told[0]?.details.reason).toBe('keyInUse');
	expect(JSON.stringify(told[0]?.details)).toContain('execution 1 ');
	expect(node.sandbox.record).toHaveLength(5);
});

describe('A store beside a service that takes a while', () => {
	const plain = push({ concurrency: 10, maxWait: 5 });
	const ofSale: INodeParameters = { ...plain, sendOnce: true, sendOnceKey: 'spring sale' };
	const notNoted = 'notSent notRecorded';
	beforeEach(() => node.sandbox.configure({ latencyMs: 200 }));

	/** All calls of the store's list fail for a time, once some requests have arrived. */
	async function sayWhileFailing(parameters: INodeParameters, ms: number): Promise<string[]> {
		const arrived = node.untilArrived(30);
		const run = start(250, parameters);
		await arrived;
		const calls = ['add', 'remove', 'count'] as const;
		node.store.fail(...calls.map((call) => ({ call })));
		await pause(ms);
		node.store.fail();
		return saidBy(await run);
	}

	test('that never answers keeps no other workflow waiting, and the same one no longer than it is silent', async () => {
		const { release } = node.store.hangFrom('add', 2, 2);
		const arrived = node.untilArrived(10);
		const silent = start(250, plain);
		await arrived;
		await pause(1_000);
		const other = await start(5, plain, { rows: rowsOf(5, 'o'), workflowId: 'other' });
		expect(inShort(other)).toBe('5 accepted');
		expect(saidBy(await silent)).toContain(notNoted);
		expect(inShort(await others(5, 'v', plain))).toBe(`5 ${notNoted}`);
		release();
		await pause(5_000);
		expect(inShort(await others(5, 'w', plain))).toBe('5 accepted');
	});

	test('that fails for 40 s ends the run, and a later one sends the rest', async () => {
		const said = await sayWhileFailing(ofSale, 40_000);
		expect(said).toContain(notNoted);
		const arrived = node.acceptedRows(250);
		const became = (words: string, row: number) =>
			words.startsWith('accepted') ? 1 : words.startsWith('notSent') ? 0 : arrived[row];
		expect(arrived).toEqual(said.map(became));
		expect(Math.max(...arrived)).toBe(1);
		const rest = rowsOf(250).filter((_, row) => said[row] === notNoted);
		const later = await start(0, ofSale, { rows: rest });
		expect(saidBy(later)).toEqual(each('accepted', rest.length));
		expect(node.acceptedRows(250)).toEqual(each(1, 250));
	});
});
