import type { Kind } from './serverLimit';

export const HEADERS = ['remaining', 'zero', 'constant', 'daily', 'growing'] as const;

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
};

/** The time of a request in both directions, and its part on the way to the service. */
export function trip({ latencyMs: { from, to } }: World, random: () => number) {
	const tripMs = from + (to - from) * random();
	return { tripMs, thereMs: tripMs * (0.3 + 0.4 * random()) };
}
