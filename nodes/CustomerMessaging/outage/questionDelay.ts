import { MINUTE_MS } from '../shared/time';

const FIRST_MS = 1_000;
/** Less than 30 s, so that sending resumes within 30 s although the question itself takes time. */
const MAX_MS = 25_000;
const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;

/** How long to wait before the next question: 1, 2, 4, 8, 16, 25, 25 … seconds. */
export function questionDelayMs(failedQuestions: number): number {
	return Math.min(FIRST_MS * 2 ** failedQuestions, MAX_MS);
}

/** Whether the delay no longer grows. */
export function isLongestDelay(failedQuestions: number): boolean {
	return questionDelayMs(failedQuestions) === MAX_MS;
}

/** A `Retry-After` as far as it is respected. */
export function cappedRetryAfterMs(retryAfterMs: number): number {
	return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
}
