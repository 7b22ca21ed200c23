import type { Departure } from './quotaEstimator';

/** A client's first requests may use the reserve, so that a short run does not wait for a long one. */
const PRIORITY_REQUESTS = 20;
/** A client that has waited this long is no longer overtaken by those with priority. */
const MAX_OVERTAKEN_MS = 2_000;
/** A waiting client that has not asked for this long does not hold up others. */
const MAX_SILENCE_MS = 1_000;

/** One run that sends requests under a shared limit. */
export interface Client {
	readonly concurrency: number;
	/** Called when it is worth asking again. */
	readonly wake: () => void;
	/** How many requests it will send; infinite if that is not known. */
	readonly size: number;
	readonly permits: Set<Permit>;
	sent: number;
	askedAtMs: number;
	waitsSinceMs?: number;
}

/** Permission to send one request. It must be released exactly once. */
export interface Permit extends Departure {
	readonly client: Client;
}

export function hasPriority({ sent }: Client): boolean {
	return sent < PRIORITY_REQUESTS;
}

/** The clients of one limit, and those that wait for it in the order in which they began to. */
export class ClientQueue {
	private readonly clients = new Set<Client>();
	private readonly waiting = new Set<Client>();

	get isEmpty(): boolean {
		return this.clients.size === 0;
	}

	register(concurrency: number, wake: () => void, size: number): Client {
		const permits = new Set<Permit>();
		const client: Client = { concurrency, wake, size, permits, sent: 0, askedAtMs: -Infinity };
		this.clients.add(client);
		return client;
	}

	unregister(client: Client): void {
		this.clients.delete(client);
		this.waiting.delete(client);
	}

	wait(client: Client, nowMs: number): void {
		client.waitsSinceMs ??= nowMs;
		this.waiting.add(client);
	}

	stopWaiting(client: Client): void {
		client.waitsSinceMs = undefined;
		this.waiting.delete(client);
	}

	/** Whether a waiting client that may go now comes before this one; if so, wakes it. */
	isBehind(client: Client, nowMs: number, mayGo: (other: Client) => boolean): boolean {
		let isEarlier = true;
		for (const other of this.waiting) {
			if (other === client) isEarlier = false;
			else if (comesFirst(other, client, isEarlier, nowMs)) {
				if (nowMs - other.askedAtMs > MAX_SILENCE_MS || !mayGo(other)) continue;
				other.wake();
				return true;
			}
		}
		return false;
	}

	/** Wakes the client that has waited longest, and the first one with priority. */
	wakeNext(): void {
		let isFirst = true;
		for (const client of this.waiting) {
			const priority = hasPriority(client);
			if (isFirst || priority) client.wake();
			if (priority) return;
			isFirst = false;
		}
	}
}

function comesFirst(other: Client, client: Client, isEarlier: boolean, nowMs: number): boolean {
	if (hasPriority(other) === hasPriority(client)) return isEarlier;
	const overtaken = hasPriority(other) ? client : other;
	const overtakenForMs = nowMs - (overtaken.waitsSinceMs ?? nowMs);
	return overtakenForMs < MAX_OVERTAKEN_MS ? hasPriority(other) : isEarlier;
}
