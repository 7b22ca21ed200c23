import { createHash } from 'node:crypto';

import { Gate } from './gate';
import type { Api } from './types';

export interface GateOwner {
	host: string;
	/** Brand ID or access token; only its hash is kept. */
	identity: string;
	api: Api;
	limitPerMinute: number;
}

/** Gates out of use that are remembered, so that a process of many accounts does not grow. */
const IDLE_GATES_KEPT = 200;

/** One gate per host, identity and API, since that is what the service counts by (spec §8). */
export class Gates {
	private readonly gates = new Map<string, Gate>();

	get size(): number {
		return this.gates.size;
	}

	/** The gate of this owner, with the limit brought up to date. */
	gateFor({ host, identity, api, limitPerMinute }: GateOwner): Gate {
		const key = createHash('sha256')
			.update(JSON.stringify([host, identity, api]))
			.digest('hex');
		const gate = this.gates.get(key) ?? new Gate(limitPerMinute);
		gate.limitPerMinute = limitPerMinute;
		// Put last, so that the map is in order of use and the first idle ones are the oldest.
		this.gates.delete(key);
		this.forgetOldest();
		this.gates.set(key, gate);
		return gate;
	}

	private forgetOldest(): void {
		for (const [key, gate] of this.gates) {
			if (this.gates.size < IDLE_GATES_KEPT) return;
			if (!gate.inUse) this.gates.delete(key);
		}
	}
}

/** In the module, because all executions of a process share one limit. */
const shared = new Gates();

/** The gate that every execution of this process shares for this host, identity and API. */
export function gateFor(owner: GateOwner): Gate {
	return shared.gateFor(owner);
}
