import type { OnError } from 'n8n-workflow';

import type { Arrival, Sandbox } from '../../../sandbox';
import { execute, type Order } from '../support/engine';
import {
	accountOf,
	countsOf,
	listedAs,
	pause,
	push,
	roomySandbox,
	rowsOf,
	skewToMinuteEnd,
	toldBy,
} from '../support/sends';

// Thousands of rows, and the end of a real minute.
jest.setTimeout(60_000);

/** Half a second, and more on a busy machine. What these runs wait for would take a minute. */
const AT_ONCE_MS = 3_000;
const rows = rowsOf(600);
let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await roomySandbox();
});

afterEach(() => sandbox.close());

/** Runs the rows, presses Stop once a number of requests has arrived, and returns when that was. */
async function runAndStop(arrivals: number, order: Partial<Order> = {}) {
	let stop = () => {};
	let stoppedMs = Infinity;
	const unsubscribe = sandbox.subscribe(() => {
		if (sandbox.record.length < arrivals || stoppedMs < Infinity) return;
		stoppedMs = Date.now();
		stop();
	});
	const report = await execute({
		parameters: push({ concurrency: 20 }),
		rows,
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
		started: (press) => (stop = press),
		...order,
	});
	const tookMs = Date.now() - stoppedMs;
	unsubscribe();
	return { report, stoppedMs, tookMs };
}

function itemsIn(arrivals: readonly Arrival[]): Set<number> {
	const ids = arrivals.map(({ body }) => (body as { user_id: string }).user_id);
	return new Set(ids.map((id) => Number(id.slice(1))));
}

test.each<OnError>(['continueRegularOutput', 'stopWorkflow'])(
	'On Error %s: Stop in the middle of 600 sends, and every item is accounted for',
	async (onError) => {
		sandbox.configure({ latencyMs: [20, 300] });
		const { report, stoppedMs, tookMs } = await runAndStop(100, { onError });
		await pause(1_500);

		expect(tookMs).toBeLessThan(AT_ONCE_MS);
		// On a busy machine, what was in flight may arrive late.
		expect(sandbox.record.filter(({ time }) => time > stoppedMs).length).toBeLessThanOrEqual(20);
		expect(sandbox.record.filter(({ time }) => time > stoppedMs + AT_ONCE_MS)).toEqual([]);

		const told = toldBy(report);
		const itemsOf = (outcome: string, heading: string) =>
			onError === 'stopWorkflow'
				? listedAs(heading, report.error)
				: told.filter((one) => one.outcome === outcome).map(({ item }) => item);
		const notSent = itemsOf('notSent', 'Not sent');
		const unknown = itemsOf('unknown', 'May have been delivered');
		const missing = new Set([...notSent, ...unknown]);
		const accepted = rows.map((_, row) => row).filter((row) => !missing.has(row));
		const taken = itemsIn(sandbox.accepted());
		const arrived = itemsIn(sandbox.record);

		expect(notSent.filter((item) => arrived.has(item))).toEqual([]);
		expect(accepted.filter((item) => !taken.has(item))).toEqual([]);
		expect(missing.size).toBe(notSent.length + unknown.length);
		expect(unknown.length).toBeLessThanOrEqual(20);
		if (onError === 'stopWorkflow') {
			expect(report.error?.message).toContain(`. ${accepted.length} accepted, `);
		} else {
			expect(told).toHaveLength(600);
			expect(countsOf(told).accepted).toBe(accepted.length);
		}
	},
);

test('Stop ends a run that waits for the rate limit at once', async () => {
	sandbox.configure({ limits: { push: 20 }, clockSkewMs: skewToMinuteEnd(59_000) });
	let stop = () => {};
	const running = execute({
		parameters: push(),
		rows: rowsOf(100),
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
		started: (press) => (stop = press),
	});
	while (sandbox.record.length < 20) await pause(20);
	await pause(500);
	const stoppedMs = Date.now();
	stop();
	const report = await running;
	const tookMs = Date.now() - stoppedMs;
	await pause(1_500);

	expect(tookMs).toBeLessThan(AT_ONCE_MS);
	expect(sandbox.record.filter(({ time }) => time > stoppedMs)).toEqual([]);
	expect(countsOf(toldBy(report))).toEqual({ accepted: 20, notSent: 80 });
});

test('Stop ends a run that waits for a failing service at once', async () => {
	sandbox.faults.add({ kind: 'status', status: 503 });
	let stop = () => {};
	const running = execute({
		parameters: push(),
		rows: rowsOf(100),
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
		started: (press) => (stop = press),
	});
	// The question after the next is 2 s off.
	await pause(3_000);
	const stoppedMs = Date.now();
	stop();
	const told = toldBy(await running);

	expect(Date.now() - stoppedMs).toBeLessThan(AT_ONCE_MS);
	const { unknown = 0, notSent = 0 } = countsOf(told);
	expect(unknown).toBeLessThanOrEqual(15);
	expect(unknown + notSent).toBe(100);
	const left = told.filter(({ outcome }) => outcome === 'notSent');
	expect(new Set(left.map(({ details }) => details.reason))).toEqual(new Set(['stopped']));
});

test.each([0, 0.01])('With a Max Wait of %s minutes the rest is left unsent', async (maxWait) => {
	sandbox.configure({ limits: { push: 20 }, clockSkewMs: skewToMinuteEnd(59_000) });
	const report = await execute({
		parameters: push({ maxWait }),
		rows: rowsOf(100),
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
	});

	const told = toldBy(report);
	expect(countsOf(told)).toEqual({ accepted: 20, notSent: 80 });
	expect(
		told.filter(({ outcome }) => outcome === 'notSent').map(({ details }) => details.reason),
	).toEqual(Array.from({ length: 80 }, () => 'rateLimit'));
	expect(sandbox.accepted()).toHaveLength(20);
});

test('A run that would surely exceed Max Wait sends nothing and says so, and with a raised limit it sends everything', async () => {
	sandbox.configure({ limits: { push: 20 } });
	const order = { rows: rowsOf(61), parameters: push({ maxWait: 1.9 }) };
	const refused = await execute({ ...order, credential: accountOf(sandbox) });
	expect(sandbox.record).toEqual([]);
	expect(refused.error?.message).toContain(
		"Nothing was sent: 61 requests at 20 per minute wait for the rate limit for at least 2 min, but 'Max Wait' allows 1.9 min.",
	);

	sandbox.configure({ limits: { push: 1_000 } });
	const sent = await execute({ ...order, credential: accountOf(sandbox) });
	expect(countsOf(toldBy(sent))).toEqual({ accepted: 61 });
});

test('A run that goes on after failures is told beforehand that Max Wait will end it', async () => {
	sandbox.configure({ limits: { push: 1 }, clockSkewMs: skewToMinuteEnd(50_000) });
	const report = await execute({
		parameters: push({ maxWait: 0, concurrency: 1 }),
		rows: rowsOf(3),
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
	});

	expect(countsOf(toldBy(report))).toEqual({ accepted: 1, notSent: 2 });
	expect(report.hints.map(({ message }) => message)).toContain(
		"3 requests at 1 per minute wait for the rate limit for at least 1 min, but 'Max Wait' allows 0 min. Raise 'Max Wait' under Options, or send the list in parts with Loop Over Items. What is left then is not sent.",
	);
});
