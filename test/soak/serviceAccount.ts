import type { Arrival, Sandbox } from '../../sandbox/index';
import { nameOf } from './story';

/** What the service accepted, by message. The sandbox's own record would grow too large in an hour. */
export class ServiceAccount {
	private readonly accepted = new Map<string, number>();
	/** When the last request of a story came, in epoch milliseconds. */
	private readonly lastAtMs = new Map<number, number>();

	constructor(sandbox: Sandbox) {
		sandbox.subscribe((arrival) => this.take(arrival));
	}

	times(message: string): number {
		return this.accepted.get(message) ?? 0;
	}

	lastRequestMs(story: number): number {
		return this.lastAtMs.get(story) ?? -Infinity;
	}

	private take({ rawBody, time, accepted, platform }: Arrival): void {
		for (const reference of new Set(rawBody.match(/k\d+-\d+k/g))) {
			this.lastAtMs.set(Number(/\d+/.exec(reference)?.[0]), time);
			const message = nameOf(reference, platform);
			if (accepted) this.accepted.set(message, this.times(message) + 1);
		}
	}
}
