import type { INodeParameters } from 'n8n-workflow';

import { pause, useFastClock } from '../support/clock';
import type { Course, Execution } from '../support/executionList';
import { useLogLines } from '../support/logLines';
import { each, inShort, saidBy, useNode, wordsOf } from '../support/node';
import { trackEvent } from '../support/orders';
import { idOf, push, rowsOf } from '../support/sends';

useFastClock(3);
const lines = useLogLines();
const plain = push({ concurrency: 1, maxWait: 1 });
const once: INodeParameters = { ...plain, sendOnce: true, sendOnceKey: 'spring sale' };
const node = useNode({ parameters: plain, rows: rowsOf(30), onError: 'continueErrorOutput' });

const ten = 'May have been delivered: 10, items 0–9';

test.each<[string, number, INodeParameters, string]>([
	['another row is refused', 10, plain, ten],
	['it is refused, for its title', 10, { ...plain, title: '={{ $itemIndex || "" }}' }, ten],
	['it is sent by the other one, but what that one left', 0, plain, 'Not sent: 9, items 1–9 '],
])('A retry calls nothing unsent that another sends, if %s', async (_, row, parameters, said) => {
	const first = await node.failBefore({ onError: undefined });
	for (let times = 0; times < 2; times++) node.refuseOnce(idOf(row));
	node.sandbox.configure({ latencyMs: 4_000 });
	const one = node.retry(first);
	await node.untilArrived(1);
	node.sandbox.configure({ latencyMs: 0 });
	expect(wordsOf(await node.retry(first, { parameters }))).toContain(said);
	await one;
	expect((await node.retry(first)).error).toBeUndefined();
	expect(node.acceptedRows(30)).toEqual(each(1, 30));
});

const isSecond = (entry: string) => entry.endsWith(' ?');
const isOfPair = (entry: string, _: number, all: readonly string[]) =>
	isSecond(entry) || all.includes(`${entry} ?`);

test.each([
	['accepted, if that was noted meanwhile', isSecond, 'accepted before'],
	['sent, if it was noted meanwhile that it was not delivered', isOfPair, 'accepted'],
	['unknown, if nothing was noted, and it stops no more', () => false, 'unknown interrupted'],
])('What a retry calls unknown, the next one looks up again: %s', async (_, isGone, words) => {
	const first = await node.killRetryAfter(14, { onError: undefined });
	const second = await node.retry(first);
	const doubtful = Number(/May have been delivered: (\d+)/.exec(wordsOf(second))?.[1]);
	expect(doubtful).toBeGreaterThan(0);
	// The attempt goes on, on a worker that n8n took for dead.
	await node.store.remove([...node.store.keys].filter(isGone));
	const third = await node.retry(second);
	expect(third.error).toBeUndefined();
	const said = saidBy(third);
	expect(said.filter((one) => one === words).length).toBeGreaterThanOrEqual(doubtful);
	expect(said.filter((one) => one !== words && one !== 'accepted before')).toEqual([]);
	expect(Math.max(...node.acceptedRows(30))).toBe(words === 'accepted' ? 2 : 1);
});

/** Stops an execution while a call of the store does not answer. */
async function stopLookUp(
	[method, call]: readonly ['add' | 'count' | 'remove', number],
	run: (course: Course) => Promise<Execution>,
) {
	const { hangs, release } = node.store.hangFrom(method, call);
	let stoppedMs = 0;
	const moment = hangs.then(async () => {
		await pause(100);
		stoppedMs = Date.now();
	});
	const stopped = await node.stopAt(moment, run);
	// The store would hold the run up until it is released.
	expect(Date.now() - stoppedMs).toBeLessThan(3_000);
	const sent = node.sandbox.record.length;
	release();
	await pause(300);
	expect(node.sandbox.record).toHaveLength(sent);
	return stopped;
}

const pushes = push({ concurrency: 2 });
const options = { batchSize: 1, concurrency: 2 };
const events = { ...trackEvent, userID: '={{ $json.id }}', options };

test.each([
	['of pushes, by its question', pushes, ['count', 1]],
	['of events', events, ['add', 2]],
	['with Send Once', { ...pushes, sendOnce: true }, ['add', 2]],
] as const)('A retry that is stopped at its look-up calls nothing unsent, %s', async (...one) => {
	const [, parameters, call] = one;
	const first = await node.killRetryAfter(33, { parameters, rows: rowsOf(40) });
	lines.splice(0);
	const stopped = await stopLookUp(call, async (course) => await node.retry(first, course));
	const place = parameters === events ? '' : ' on web';
	const text = `The run was stopped, by hand or by Timeout Workflow. Accepted: 0 of 40.
May have been delivered: 40, items 0–39${place}.
What other attempts sent was not looked up yet. Retry the execution again: it sends only what was not sent.`;
	expect(lines).toEqual([['warn', text]]);
	expect(inShort(stopped)).toBe('40 unknown stopped');

	const before = node.acceptedRows(40);
	const { said } = node.expectTruth(await node.retry(first), before, 20);
	const known = said.filter((words) => words === 'accepted before');
	expect(known.length).toBeGreaterThanOrEqual(20);
});

test('A first attempt that is stopped before it has sent anything calls nothing doubtful', async () => {
	const order = { parameters: push(), onError: undefined };
	await stopLookUp(['count', 1], async (course) => await node.start({ ...order, ...course }));
	expect(lines[0]?.[1]).toContain('Not sent: 30, items 0–29 on web.');
});

test('A second try of Retry On Fail that is stopped names who was accepted by the first', async () => {
	node.refuseOnce(idOf(20), 400);
	let answer = () => {};
	const looksUp = node.untilArrived(21).then(async () => {
		const { hangs, release } = node.store.hangFrom('count', 1);
		answer = release;
		await hangs;
	});
	const order = { parameters: plain, onError: undefined, retryOnFail: true };
	await node.stopAt(looksUp, async (course) => await node.start({ ...order, ...course }));
	answer();
	expect(node.sandbox.accepted()).toHaveLength(20);
	const text = 'Accepted: 20 of 30, 20 of them in an earlier attempt.\nNot sent: 10, items 20–29';
	expect(lines.at(-1)?.[1]).toContain(text);
});

test.each([
	['add', 3],
	['remove', 2],
] as const)('Stop ends a run that waits for the store: %s, call %d', async (...call) => {
	const order = { parameters: { ...once, options: { concurrency: 2 } } };
	await stopLookUp(call, async (course) => await node.start({ ...order, ...course }));
	const next = saidBy(await node.start(order));
	const accepted = node.acceptedRows(30);
	expect(Math.max(...accepted)).toBe(1);
	expect(next.filter((words) => words.includes('unknown')).length).toBeLessThanOrEqual(10);
	const missed = next.filter((_, row) => accepted[row] === 0);
	expect(missed.filter((words) => !words.includes('unknown'))).toEqual([]);
});
