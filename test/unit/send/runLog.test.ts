import { RunLog } from '../../../nodes/CustomerMessaging/send/runLog';

const START_MS = Date.parse('2026-03-02T09:00:00Z');

function tell(total: number) {
	const lines: string[] = [];
	const clock = { now: () => START_MS, sleep: async () => {} };
	const log = new RunLog({ clock, log: (line) => void lines.push(line) }, 'push', total);
	return { log, lines };
}

it('A long run says once a minute how far it is', () => {
	const { log, lines } = tell(1_000);
	log.ended(100, START_MS + 30_000);
	log.ended(100, START_MS + 60_000);
	log.ended(100, START_MS + 61_000);
	log.ended(700, START_MS + 300_000);
	expect(lines).toEqual(['200 of 1000 items done. The remaining 800 take about 4 min 0 s']);
});

it('A wait is told once, and once more after sending went on', () => {
	const { log, lines } = tell(10);
	const untilMs = START_MS + 5_000;
	for (const reason of ['limit', 'limit', 'service'] as const)
		log.waits({ kind: 'wait', untilMs, reason }, START_MS);
	log.goesOn(true);
	log.goesOn(false);
	log.waits({ kind: 'wait', untilMs: START_MS + 999, reason: 'limit' }, START_MS);
	log.waits({ kind: 'wait', untilMs, reason: 'limit' }, START_MS);
	expect(lines).toEqual([
		'Waiting 5 s for the rate limit of the push API',
		'The push API fails, so sending pauses until it is back',
		'The push API is back, so sending goes on',
		'Waiting 5 s for the rate limit of the push API',
	]);
});
