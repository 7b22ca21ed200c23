import { RunLog } from '../../../../nodes/CustomerMessaging/engine/runLog';

const START_MS = Date.parse('2026-03-02T09:00:00Z');
const writeTime = (ms: number) => new Date(ms).toISOString().slice(11, 19);

function tell() {
	const lines: string[] = [];
	let nowMs = START_MS;
	const clock = { now: () => nowMs, sleep: async () => {} };
	const log = new RunLog({ clock, log: (line) => void lines.push(line), writeTime }, 'push');
	const endAt = (ms: number, deliveries: number, remaining: number) => {
		nowMs = START_MS + ms;
		log.ended(deliveries, remaining);
	};
	return { log, lines, endAt };
}

it('A long run says once a minute how far it is, without what was skipped', () => {
	const { lines, endAt } = tell();
	endAt(30_000, 100, 900);
	endAt(60_000, 100, 400);
	endAt(61_000, 100, 300);
	endAt(300_000, 300, 0);
	expect(lines).toEqual([
		'200 of 600 items done. The remaining 400 take about 2 min 0 s, until 09:03:00',
	]);
});

it('After a wait with few items done, it does not guess when the run ends', () => {
	const { lines, endAt } = tell();
	endAt(61_000, 1, 397);
	endAt(62_000, 9, 388);
	endAt(122_000, 10, 378);
	expect(lines).toEqual([
		'1 of 398 items done',
		'20 of 398 items done. The remaining 378 take about 38 min 26 s, until 09:40:27',
	]);
});

it('A wait is told once, and once more after sending went on', () => {
	const { log, lines } = tell();
	const untilMs = START_MS + 5_000;
	for (const reason of ['limit', 'limit', 'service'] as const)
		log.waits({ kind: 'wait', untilMs, reason }, START_MS);
	log.goesOn();
	log.waits({ kind: 'wait', untilMs: START_MS + 999, reason: 'limit' }, START_MS);
	log.waits({ kind: 'wait', untilMs, reason: 'limit' }, START_MS);
	expect(lines).toEqual([
		'Waiting 5 s for the rate limit of the push API',
		'The push API fails, so sending pauses until it is back',
		'The push API is back, so sending goes on',
		'Waiting 5 s for the rate limit of the push API',
	]);
});
