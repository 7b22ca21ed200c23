import { execute } from '../support/engine';
import {
	accountOf,
	countsOf,
	pause,
	push,
	roomySandbox,
	rowsOf,
	skewToMinuteEnd,
	toldBy,
} from '../support/sends';

// These tests wait for the end of a real minute.
jest.setTimeout(60_000);

test('Five runs at once share one limit: almost no request is refused, and every run gets its share', async () => {
	const limit = 450;
	const sandbox = await roomySandbox({
		limits: { push: limit },
		clockSkewMs: skewToMinuteEnd(5_000),
	});
	const prefixes = ['a', 'b', 'c', 'd', 'e'];
	const reports = await Promise.all(
		prefixes.map((prefix) =>
			execute({
				parameters: push({ concurrency: 20 }),
				rows: rowsOf(100, prefix),
				credential: accountOf(sandbox),
				onError: 'continueRegularOutput',
			}),
		),
	);

	for (const report of reports) expect(countsOf(toldBy(report))).toEqual({ accepted: 100 });
	const accepted = sandbox.accepted();
	expect(accepted).toHaveLength(500);
	const refused = sandbox.record.length - accepted.length;
	expect(refused / sandbox.record.length).toBeLessThan(0.01);

	const firstMinute = accepted.slice(0, limit);
	for (const prefix of prefixes) {
		const share = firstMinute.filter(({ rawBody }) =>
			rawBody.includes(`"user_id":"${prefix}`),
		).length;
		expect([prefix, share > limit / prefixes.length / 2]).toEqual([prefix, true]);
	}
	await sandbox.close();
});

test('Twenty sends do not wait behind a large run that has used the limit up', async () => {
	const sandbox = await roomySandbox({
		limits: { push: 500 },
		latencyMs: [10, 100],
		clockSkewMs: skewToMinuteEnd(55_000),
	});
	const minuteEndsMs = Date.now() + 55_000;
	const credential = accountOf(sandbox);
	let stop = () => {};
	const large = execute({
		parameters: push({ concurrency: 50 }),
		// It takes ten minutes either way. With 5,000, it could spare no place.
		rows: rowsOf(4_750, 'l'),
		credential,
		onError: 'continueRegularOutput',
		started: (press) => (stop = press),
	});
	while (sandbox.record.length < 470) await pause(20);
	await pause(1_000);

	const startedMs = Date.now();
	const small = await execute({ parameters: push(), rows: rowsOf(20, 's'), credential });
	stop();
	await large;

	expect(small.output).toHaveLength(20);
	const waits = sandbox
		.accepted()
		.filter(({ rawBody }) => rawBody.includes('"user_id":"s'))
		.map(({ time }) => time - startedMs)
		.sort((one, other) => one - other);
	expect(waits).toHaveLength(20);
	// Usually within 2 s. Behind the long run, they would wait for the next minute.
	expect(waits[18]).toBeLessThan(minuteEndsMs - startedMs);
	await sandbox.close();
});

test.each([
	['ahead', 3_600_000],
	['back', -3_600_000],
])(
	'A clock that is set an hour %s neither ends nor delays a run that waits for the limit',
	async (_, byMs) => {
		const sandbox = await roomySandbox({
			limits: { push: 5 },
			clockSkewMs: skewToMinuteEnd(2_500),
		});
		const rightNow = Date.now;
		try {
			const run = execute({
				parameters: push(),
				rows: rowsOf(10),
				credential: accountOf(sandbox),
				onError: 'continueRegularOutput',
			});
			while (sandbox.record.length < 5) await pause(20);
			await pause(500);
			Date.now = () => rightNow() + byMs;
			expect(countsOf(toldBy(await run))).toEqual({ accepted: 10 });
		} finally {
			Date.now = rightNow;
		}
		await sandbox.close();
	},
);
