import { pause, skewToMinuteEnd, useFastClock } from '../support/clock';
import type { Course } from '../support/executionList';
import { useLogLines } from '../support/logLines';
import { each, hintsOf, inShort, useNode, wordsOf } from '../support/node';
import { countsOf, idOf, push, rowsOf, toldBy } from '../support/sends';

/** Half a second, and more on a busy machine. What these runs wait for would take a minute. */
const AT_ONCE_MS = 3_000;
const node = useNode(
	{ rows: rowsOf(100), onError: 'continueRegularOutput' },
	{ isNewEachTest: true },
);
const lines = useLogLines();

async function runAndStop(moment: Promise<unknown>, order: Course = {}) {
	let stoppedMs = 0;
	const report = await node.stopAt(
		moment.then(() => (stoppedMs = Date.now())),
		async (course) => await node.start({ ...order, ...course }),
	);
	expect(Date.now() - stoppedMs).toBeLessThan(AT_ONCE_MS);
	// What is sent after Stop would arrive meanwhile.
	await pause(300);
	const late = node.sandbox.record.filter(({ time }) => time > stoppedMs);
	return { told: toldBy(report), late };
}

test('Stop accounts for every item of 300', async () => {
	node.sandbox.configure({ latencyMs: [20, 300] });
	const order = { parameters: push({ concurrency: 20 }), rows: rowsOf(300) };
	const { told, late } = await runAndStop(node.untilArrived(100), order);
	// On a busy machine, what was in flight may arrive late.
	expect(late.length).toBeLessThanOrEqual(20);
	expect(told.map(({ item }) => item)).toEqual([...Array(300).keys()]);
	const of = (outcome: string) =>
		told.filter((one) => one.outcome === outcome).map(({ item }) => idOf(item));
	const arrived = new Set(node.arrived('user_id'));
	expect(of('notSent').filter((id) => arrived.has(id))).toEqual([]);
	expect(node.accepted(of('accepted'))).toEqual(of('accepted').map(() => 1));
	expect([...of('accepted'), ...of('notSent'), ...of('unknown')]).toHaveLength(300);
	expect(of('unknown').length).toBeLessThanOrEqual(20);
});

test('Stop ends a run that waits for the rate limit at once', async () => {
	node.sandbox.configure({ limits: { push: 20 }, clockSkewMs: skewToMinuteEnd(59_000) });
	const limited = node.untilArrived(20).then(async () => await pause(500));
	const { told, late } = await runAndStop(limited);
	expect(late).toEqual([]);
	expect(countsOf(told)).toEqual({ accepted: 20, notSent: 80 });
});

describe('While time is quick,', () => {
	useFastClock(10);

	test('Stop ends a run that waits for a failing service at once', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 503 });
		// The question after the next is 2 s off.
		const paused = node.untilArrived(1).then(async () => await pause(3_000));
		const { told } = await runAndStop(paused);
		const left = told.filter(({ outcome }) => outcome !== 'unknown');
		expect(told).toHaveLength(100);
		expect(left.length).toBeGreaterThanOrEqual(85);
		expect(left.map(({ details }) => details.reason)).toEqual(each('stopped', left.length));
	});
});

test('A run that would surely exceed Max Wait sends nothing and says so, and with a raised limit it sends everything', async () => {
	const order = { parameters: push({ maxWait: 1.9 }), rows: rowsOf(61), onError: undefined };
	node.sandbox.configure({ limits: { push: 20 } });
	expect((await node.start(order)).error?.message).toContain(
		"Nothing was sent: 61 requests at 20 per minute wait for the rate limit for at least 2 min, but 'Max Wait' allows 1.9 min.",
	);
	expect(node.sandbox.record).toEqual([]);
	node.sandbox.configure({ limits: { push: 1_000 } });
	expect(await node.says(order)).toBe('61 accepted');
});

test('A run that goes on after failures is told beforehand that Max Wait will end it', async () => {
	node.sandbox.configure({ limits: { push: 1 }, clockSkewMs: skewToMinuteEnd(50_000) });
	const report = await node.start({ parameters: push({ maxWait: 0 }), rows: rowsOf(3) });
	expect(countsOf(toldBy(report))).toEqual({ accepted: 1, notSent: 2 });
	expect(hintsOf(report)).toContain(
		"3 requests at 1 per minute wait for the rate limit for at least 1 min, but 'Max Wait' allows 0 min. Raise 'Max Wait' under Options, or send the list in parts with Loop Over Items. What is left then is not sent.",
	);
});

test.each([
	[false, 'Start the workflow again with the items that were not sent, and no others.'],
	[true, 'Start it again with the same items: what was sent is skipped.'],
])('In the log, a run that is stopped names what is missing (Send Once %s): %s', async (...one) => {
	const [sendOnce, advice] = one;
	node.sandbox.faults.add({ kind: 'delay', delayMs: 100, after: 11 });
	const parameters = { ...push({ concurrency: 1 }), sendOnce };
	const order = { parameters, rows: rowsOf(30), onError: undefined };
	const run = async (course: Course) => await node.start({ ...order, ...course });
	await node.stopAt(node.untilArrived(12), run);
	expect(node.sandbox.record).toHaveLength(12);
	const text = `The run was stopped, by hand or by Timeout Workflow. Accepted: 11 of 30.
May have been delivered: 1, item 11 (counted from 0) on web.
Not sent: 18, items 12–29 (counted from 0) on web.
n8n keeps no items of this run. ${advice}`;
	expect(lines).toEqual([['warn', text]]);
});

test("A colleague's credential with a wrong key and a limit of 1 does not slow the right one of the same brand", async () => {
	node.sandbox.configure({ latencyMs: 20, sendRateLimitHeader: false });
	const parameters = push({ concurrency: 5, maxWait: 0.02 });
	const arrived = node.untilArrived(20);
	const right = node.says({ parameters, rows: rowsOf(100) });
	await arrived;
	const account = { apiKey: 'wrong', pushLimit: 1 };
	const wrong = node.says({ parameters, rows: rowsOf(3, 'w'), account });
	expect(await right).toBe('100 accepted');
	expect(await wrong).toBe('1 rejected, 2 notSent credentialsRefused');
	expect(node.acceptedRows(100)).toEqual(each(1, 100));
});

test.each(['continueRegularOutput', 'stopWorkflow'] as const)(
	'On Error %s: Stop while the rows are checked sends nothing, and checks no further',
	async (onError) => {
		let stop = () => {};
		let reads = 0;
		/** They take a while to read, as rows with long texts do. */
		const rows = rowsOf(1_000).map(({ id }) => ({
			get id() {
				const untilMs = Date.now() + 3;
				while (Date.now() < untilMs);
				// It comes from outside, so the run has to let others work.
				if (++reads === 100) setTimeout(() => stop());
				return id;
			},
		}));
		const started = (press: () => void) => (stop = press);
		const report = await node.run(push(), { rows, onError, started });
		expect(node.sandbox.record).toEqual([]);
		expect(reads).toBeLessThan(200);
		if (onError === 'stopWorkflow')
			expect(wordsOf(report)).toContain('Not sent: 1000, items 0–999 on web.');
		else expect(inShort(report)).toBe('1000 notSent stopped');
	},
);
