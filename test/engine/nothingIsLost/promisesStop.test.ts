import type { Arrival } from '../../../sandbox';
import { pause, skewToMinuteEnd, useFastClock } from '../support/clock';
import type { Course } from '../support/executionList';
import { useLogLines } from '../support/logLines';
import { useNode } from '../support/node';
import { countsOf, push, rowsOf, toldBy } from '../support/sends';

/** Half a second, and more on a busy machine. What these runs wait for would take a minute. */
const AT_ONCE_MS = 3_000;
const goingOn = { onError: 'continueRegularOutput' } as const;
const node = useNode({ rows: rowsOf(100), ...goingOn }, { isNewEachTest: true });

const lines = useLogLines();

async function runAndStop(moment: () => Promise<unknown>, order: Course = {}) {
	let stoppedMs = 0;
	const report = await node.stopAt(
		Promise.resolve()
			.then(moment)
			.then(() => (stoppedMs = Date.now())),
		async (course) => await node.start({ ...order, ...course }),
	);
	expect(Date.now() - stoppedMs).toBeLessThan(AT_ONCE_MS);
	// What is sent after Stop would arrive meanwhile.
	await pause(300);
	const late = node.sandbox.record.filter(({ time }) => time > stoppedMs);
	return { told: toldBy(report), late };
}

const itemsIn = (record: readonly Arrival[]) =>
	new Set(record.map(({ body }) => Number((body as { user_id: string }).user_id.slice(1))));

test('Stop accounts for every item of 300', async () => {
	node.sandbox.configure({ latencyMs: [20, 300] });
	const order = { parameters: push({ concurrency: 20 }), rows: rowsOf(300) };
	const { told, late } = await runAndStop(async () => await node.untilArrived(100), order);
	// On a busy machine, what was in flight may arrive late.
	expect(late.length).toBeLessThanOrEqual(20);
	expect(told.map(({ item }) => item)).toEqual([...Array(300).keys()]);
	const itemsOf = (outcome: string) =>
		told.filter((one) => one.outcome === outcome).map(({ item }) => item);
	const arrived = itemsIn(node.sandbox.record);
	const taken = itemsIn(node.sandbox.accepted());
	expect(itemsOf('notSent').filter((item) => arrived.has(item))).toEqual([]);
	expect(itemsOf('accepted').filter((item) => !taken.has(item))).toEqual([]);
	const { accepted = 0, notSent = 0, unknown = 0 } = countsOf(told);
	expect(accepted + notSent + unknown).toBe(300);
	expect(unknown).toBeLessThanOrEqual(20);
});

test('Stop ends a run that waits for the rate limit at once', async () => {
	node.sandbox.configure({ limits: { push: 20 }, clockSkewMs: skewToMinuteEnd(59_000) });
	const { told, late } = await runAndStop(async () => {
		await node.untilArrived(20);
		await pause(500);
	});
	expect(late).toEqual([]);
	expect(countsOf(told)).toEqual({ accepted: 20, notSent: 80 });
});

describe('While time is quick,', () => {
	useFastClock(10);

	test('Stop ends a run that waits for a failing service at once', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 503 });
		// The question after the next is 2 s off.
		const { told } = await runAndStop(async () => await pause(3_000));
		const { unknown = 0, notSent = 0 } = countsOf(told);
		expect(unknown).toBeLessThanOrEqual(15);
		expect(unknown + notSent).toBe(100);
		const left = told.filter(({ outcome }) => outcome === 'notSent');
		expect(new Set(left.map(({ details }) => details.reason))).toEqual(new Set(['stopped']));
	});
});

describe('Where the limit is used up,', () => {
	const send = async (maxWait: number, order: Course) =>
		await node.start({ parameters: push({ maxWait, concurrency: 10 }), ...order });
	const stops = { rows: rowsOf(61), onError: 'stopWorkflow' } as const;

	test('a run that would surely exceed Max Wait sends nothing and says so, and with a raised limit it sends everything', async () => {
		node.sandbox.configure({ limits: { push: 20 } });
		const refused = await send(1.9, stops);
		expect(node.sandbox.record).toEqual([]);
		expect(refused.error?.message).toContain(
			"Nothing was sent: 61 requests at 20 per minute wait for the rate limit for at least 2 min, but 'Max Wait' allows 1.9 min.",
		);

		node.sandbox.configure({ limits: { push: 1_000 } });
		const sent = await send(1.9, stops);
		expect(countsOf(toldBy(sent))).toEqual({ accepted: 61 });
	});

	test('a run that goes on after failures is told beforehand that Max Wait will end it', async () => {
		node.sandbox.configure({ limits: { push: 1 }, clockSkewMs: skewToMinuteEnd(50_000) });
		const report = await send(0, { rows: rowsOf(3) });
		expect(countsOf(toldBy(report))).toEqual({ accepted: 1, notSent: 2 });
		expect(report.hints.map(({ message }) => message)).toContain(
			"3 requests at 1 per minute wait for the rate limit for at least 1 min, but 'Max Wait' allows 0 min. Raise 'Max Wait' under Options, or send the list in parts with Loop Over Items. What is left then is not sent.",
		);
	});
});

test.each<[string, boolean, unknown]>([
	[
		'names the items that are missing, and what to do',
		false,
		`The run was stopped, by hand or by Timeout Workflow. Accepted: 11 of 30.
May have been delivered: 1, item 11 (counted from 0) on web.
Not sent: 18, items 12–29 (counted from 0) on web.
n8n keeps no items of this run. Start the workflow again with the items that were not sent, and no others.`,
	],
	[
		'with Send Once says to start it again with all items',
		true,
		expect.stringMatching(
			/\nn8n keeps no items of this run\. Start it again with the same items: what was sent is skipped\.$/,
		),
	],
])('In the log, the warning of a run that is stopped %s', async (_, sendOnce, text) => {
	node.sandbox.faults.add({ kind: 'delay', delayMs: 100, after: 11 });
	const order = { parameters: { ...push({ concurrency: 1 }), sendOnce }, rows: rowsOf(30) };
	const start = async (course: Course) =>
		await node.start({ ...order, onError: undefined, ...course });
	await node.stopAt(node.untilArrived(12), start);
	expect(node.sandbox.record).toHaveLength(12);
	expect(lines).toEqual([['warn', text]]);
});
