import type { Kind } from './serverLimit';

export const HEADERS = ['remaining', 'zero', 'constant', 'daily'] as const;

/** A time in which the service fails, in milliseconds from the start of the simulation. */
export interface Outage {
	fromMs: number;
	toMs: number;
	/** What becomes of a request that arrives meanwhile. `status`: it is answered 503. */
	kind:
		| 'status'
		| 'refused'
		| 'reset'
		| 'hang'
		| 'webPage'
		| 'unknownHost'
		| 'unauthorized'
		| 'forbidden'
		| 'notFound';
	/** The share of requests that fail; all if absent. */
	share?: number;
}

/** How long a client waits for a response. */
export const TIMEOUT_MS = 30_000;

/** Everything about the service and the network that a simulation can vary. */
export interface World {
	kind: Kind;
	limit: number;
	/** Requests of other clients per minute, as a share of the limit. */
	others: number;
	/** The service's clock minus ours, in milliseconds. */
	skewMs: number;
	/** Share of responses without `X-RateLimit-Remaining`. */
	headerMissing: number;
	/** The value of `X-RateLimit-Remaining`: the requests left, or an unrelated number. */
	header: (typeof HEADERS)[number];
	dateMissing: boolean;
	/** The time for both directions. */
	latencyMs: { from: number; to: number };
	/** Shares of requests that never arrive, that get no response, and that are answered 500. */
	faults: { refused: number; broken: number; serverError: number };
	/** Every n-th request is answered 500; 0 for none. */
	failsEvery: number;
	/** In the order of time, without overlap. */
	outages: readonly Outage[];
	/** Whether health checks are answered although messages fail. */
	answersHealthChecks: boolean;
	/** Rows of the first run that the service always answers 500. */
	badRows?: { from: number; count: number };
	/** Rows of the first run that it always answers 429. */
	refusedRows?: { from: number; count: number };
	/** How many requests it takes in a second, besides the limit by the minute. */
	perSecond?: number;
	seed: number;
}

/** No other clients, no clock skew, all headers present, no faults. */
export const PLAIN: Omit<World, 'kind' | 'limit' | 'seed'> = {
	others: 0,
	skewMs: 0,
	headerMissing: 0,
	header: 'remaining',
	dateMissing: false,
	latencyMs: { from: 20, to: 800 },
	faults: { refused: 0, broken: 0, serverError: 0 },
	failsEvery: 0,
	outages: [],
	answersHealthChecks: false,
};

/** The time of a request in both directions, and its part on the way to the service. */
export function trip({ latencyMs: { from, to } }: World, random: () => number) {
	const tripMs = from + (to - from) * random();
	return { tripMs, thereMs: tripMs * (0.3 + 0.4 * random()) };
}
