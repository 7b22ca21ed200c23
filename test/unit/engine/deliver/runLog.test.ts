import { RunLog } from '../../../../nodes/CustomerMessaging/engine/runLog';

const START_MS = Date.parse('2026-03-02T09:00:00Z');

function tell() {
	const lines: string[] = [];
	let nowMs = START_MS;
	const clock = { now: () => nowMs, sleep: async () => {} };
	const log = new RunLog({ clock, log: (line) => void lines.push(line) }, 'push');
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
	expect(lines).toEqual(['200 of 600 items done. The remaining 400 take about 2 min 0 s']);
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
