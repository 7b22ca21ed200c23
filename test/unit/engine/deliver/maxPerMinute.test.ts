import { SafetyLimits } from '../../../../nodes/CustomerMessaging/engine/safetyLimits';
import type { Plan } from '../../../../simulation/pacedRun';
import { simulatePace } from '../../../../simulation/simulatePace';
import { PLAIN } from '../../../../simulation/world';

const world = { ...PLAIN, kind: 'clock', limit: 500, seed: 1 } as const;
const plan = { startMs: 0, concurrency: 10, process: 0 };
const slow: Plan = { ...plan, requests: 60, maxPerMinute: 120, maxWaitMs: 1_000 };
const fast: Plan = { ...plan, requests: 200 };

const simulate = async (...plans: Plan[]) => (await simulatePace(world, plans)).runs;
const gaps = (times: number[]) => times.slice(1).map((time, index) => time - Number(times[index]));

test('60 messages at 120 a minute take 30 seconds, evenly spread, whatever Max Wait is', async () => {
	const [run] = await simulate(slow);
	expect(gaps(run?.leftAtMs ?? [])).toEqual(Array(59).fill(500));
	expect(run?.waited).toEqual({ limit: 0, service: 0, key: 0 });
	const endings = [...(run?.settled.values() ?? [])];
	expect(endings.filter(({ ending }) => ending.outcome === 'accepted')).toHaveLength(60);
});

test('A run beside it on the same account takes no longer than alone', async () => {
	const [alone] = await simulate(fast);
	const [beside, spread] = await simulate(fast, slow);
	const took = (run = alone) => Number(run?.endMs) - Number(run?.startMs);
	expect(took(beside)).toBeLessThanOrEqual(took() + 1_000);
	expect(Math.min(...gaps(spread?.leftAtMs ?? []))).toBeGreaterThanOrEqual(400);
});

test('A run is never faster than the limit of the account', async () => {
	const [run] = await simulate({ ...plan, requests: 1_100, maxPerMinute: 3_000 });
	expect(Number(run?.endMs) - Number(run?.startMs)).toBeGreaterThan(60_000);
});

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
