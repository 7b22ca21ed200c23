import { dispatch } from '../../../../nodes/CustomerMessaging/delivery/dispatcher';
import type {
	DispatchDeps,
	DispatchOptions,
	DispatchResult,
} from '../../../../nodes/CustomerMessaging/delivery/dispatchOptions';
import { RateLimiter } from '../../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import type { Outcome } from '../../../../nodes/CustomerMessaging/shared/outcome';
import type { Reply } from '../../../../nodes/CustomerMessaging/shared/reply';
import { VirtualClock } from '../../../../simulation/virtualClock';
import { workingService } from '../../../../simulation/workingService';

export const START_MS = 1_000_000 * 60_000;
export const HOUR_MS = 3_600_000;
export const answer = (statusCode: number, remaining?: number): Reply => ({
	kind: 'answer',
	statusCode,
	body: null,
	remaining,
});
export const failure = (code: string): Reply => ({ kind: 'failure', code, message: code });

export interface Setting<T> extends Partial<DispatchDeps<T>>, Partial<DispatchOptions> {
	clock?: VirtualClock;
	/** The replies, each after 100 ms. */
	answers?(request: T, nth: number): Reply;
}

/** Aborts so many milliseconds after the start. */
export function stopAt(clock: VirtualClock, afterMs: number): AbortSignal {
	const controller = new AbortController();
	void clock.sleep(afterMs).then(() => controller.abort());
	return controller.signal;
}

/** Runs `dispatch` on a virtual clock, and returns what was sent when, and how it ended. */
export async function run<T>(requests: Iterable<T> | AsyncIterable<T>, setting: Setting<T> = {}) {
	const clock = setting.clock ?? new VirtualClock(START_MS);
	const sent: Array<{ request: T; atMs: number }> = [];
	const ended: Array<{ request: T; outcome: Outcome; atMs: number }> = [];
	let result: DispatchResult | undefined;
	let thrown: unknown;
	const work = dispatch(
		requests,
		{
			...workingService<T>(),
			limiter: new RateLimiter(1_000_000),
			random: () => 0,
			settled: (request, outcome) => {
				ended.push({ request, outcome, atMs: clock.now() - START_MS });
			},
			...setting,
			clock,
			async send(request) {
				sent.push({ request, atMs: clock.now() - START_MS });
				if (setting.send) return await setting.send(request);
				await clock.sleep(100);
				return setting.answers?.(request, sent.length) ?? answer(200);
			},
		},
		{ concurrency: 2, maxWaitMs: HOUR_MS, retryUnknown: false, ...setting },
	).then(
		(value) => {
			result = value;
		},
		(error: unknown) => {
			thrown = error;
		},
	);
	await clock.run(work, START_MS + 24 * HOUR_MS);
	return { sent, ended, result, thrown, tookMs: clock.now() - START_MS };
}

export const outcomes = (ended: Array<{ outcome: Outcome }>) =>
	ended.map(({ outcome }) => outcome.outcome);
