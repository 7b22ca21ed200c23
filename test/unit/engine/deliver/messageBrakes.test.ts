import { MessageBrakes } from '../../../../nodes/CustomerMessaging/engine/safetyLimits';
import type { Job } from '../../../../nodes/CustomerMessaging/engine/queue';
import type { Run } from '../../../../nodes/CustomerMessaging/run/resolveRun';

const job = { request: { deliveries: [{ itemIndex: 0 }] } } as unknown as Job;
const run = {
	settings: { maxMessages: 10, maxPerMinute: 60 },
	operation: { isMessage: true },
} as unknown as Run;

test.each([
	['nothing left before', undefined, -Infinity],
	['a message left half a second ago', 9_500, 10_500],
	['a message left long ago', 1_000, 2_000],
	['a message left by the clock of a process that started earlier', 900_000, 11_000],
])('At 60 a minute, a message waits at most a second: %s', (_, lastMessageMs, dueMs) => {
	const brakes = new MessageBrakes(run, { context: { lastMessageMs }, runIndex: 0 }, new Set());
	expect(brakes.dueMs(job, 10_000)).toBe(dueMs);
});
