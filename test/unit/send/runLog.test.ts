import { RunLog } from '../../../nodes/CustomerMessaging/send/runLog';

const START_MS = Date.parse('2026-03-02T09:00:00Z');

function tell(total: number) {
	const lines: string[] = [];
	let nowMs = START_MS;
	const clock = { now: () => nowMs, sleep: async () => {} };
	const log = new RunLog({ clock, log: (line) => void lines.push(line) }, 'push', total);
	const endAt = (ms: number, deliveries: number) => {
		nowMs = START_MS + ms;
		log.ended(deliveries);
	};
	return { log, lines, endAt };
}

it('A long run says once a minute how far it is', () => {
	const { lines, endAt } = tell(1_000);
	endAt(30_000, 100);
	endAt(60_000, 100);
	endAt(61_000, 100);
	endAt(300_000, 700);
	expect(lines).toEqual(['200 of 1000 items done. The remaining 800 take about 4 min 0 s']);
});

it('A wait is told once, and once more after sending went on', () => {
	const { log, lines } = tell(10);
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
