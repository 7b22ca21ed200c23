import { SafetyLimits } from '../../../../nodes/CustomerMessaging/engine/safetyLimits';

test.each([
	['nothing left before', undefined, -Infinity],
	['a message left half a second ago', 9_500, 10_500],
	['a message left long ago', 1_000, 2_000],
	['a message left by the clock of a process that started earlier', 900_000, 11_000],
])('At 60 a minute, a message waits at most a second: %s', (_, lastMessageMs, dueMs) => {
	const safety = { maxMessages: 10, maxPerMinute: 60, memory: { lastMessageMs } };
	const limits = new SafetyLimits(safety, () => true, new Set());
	expect(limits.dueMs([{ itemIndex: 0 }], 10_000)).toBe(dueMs);
});
