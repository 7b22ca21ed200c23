const MIN_CONCURRENCY = 10;
/** Each request in flight takes memory and a connection. */
const MAX_CONCURRENCY = 100;
/** With one request in flight for so many a minute, answers may take 1.2 s without slowing the run down. */
const REQUESTS_PER_PLACE = 50;

/** How many requests a run may have in flight if the option Concurrency is not set. */
export function defaultConcurrency(limitPerMinute: number): number {
	const wanted = Math.ceil(limitPerMinute / REQUESTS_PER_PLACE);
	return Math.min(Math.max(wanted, MIN_CONCURRENCY), MAX_CONCURRENCY);
}
