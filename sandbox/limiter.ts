import { apis, forEachApi, type Api } from './terms';
import { WindowLog, type Window } from './windowLog';

export type Limits = Record<Api, number>;

/** Spec §8. */
export const defaultLimits: Limits = { ...forEachApi(() => 500), user: 100, reporting: 50 };

export interface Gauge {
	identity: string;
	api: Api;
	limit: number;
	used: number;
	remaining: number;
	/** Responses with 429. */
	refused: number;
	msToNextWindow: number;
}

interface Counter {
	log: WindowLog;
	refused: number;
}

/** Counts per identity and API. */
export class Limiter {
	private readonly counters = new Map<string, Counter>();

	/** @param rules read at each request, so that settings may change */
	constructor(
		private readonly rules: () => { limits: Limits; window: Window; clockSkewMs?: number },
		private readonly nowMs: () => number,
	) {}

	/** The whole limit if the identity is unknown. */
	remaining(identity: string | null, api: Api): number {
		const { limits, window, clockSkewMs } = this.rules();
		if (identity === null) return limits[api];
		const { log } = this.counter(identity, api);
		return Math.max(0, limits[api] - log.used(window, this.nowMs(), clockSkewMs));
	}

	/** Counts `requests` requests and returns how many are left. */
	take(identity: string, api: Api, requests = 1): number {
		const { log } = this.counter(identity, api);
		for (let taken = 0; taken < requests; taken++) log.add(this.rules().window, this.nowMs());
		return this.remaining(identity, api);
	}

	refuse(identity: string, api: Api): void {
		this.counter(identity, api).refused++;
	}

	gauges(identities: string[]): Gauge[] {
		return identities.flatMap((identity) => apis.map((api) => this.gauge(identity, api)));
	}

	reset(): void {
		this.counters.clear();
	}

	private gauge(identity: string, api: Api): Gauge {
		const { limits, window, clockSkewMs } = this.rules();
		const { log, refused } = this.counter(identity, api);
		const now = this.nowMs();
		return {
			identity,
			api,
			limit: limits[api],
			used: log.used(window, now, clockSkewMs),
			remaining: this.remaining(identity, api),
			refused,
			msToNextWindow: log.msToNext(window, now, clockSkewMs),
		};
	}

	private counter(identity: string, api: Api): Counter {
		const key = `${api} ${identity}`;
		let counter = this.counters.get(key);
		if (counter === undefined) {
			counter = { log: new WindowLog(), refused: 0 };
			this.counters.set(key, counter);
		}
		return counter;
	}
}
