import type { Departure } from './quotaEstimator';

/** A client's first requests may use the reserve, so that a short run does not wait for a long one. */
const PRIORITY_REQUESTS = 20;
/** A client with priority comes before others that have waited up to this much longer. */
const HEAD_START_MS = 2_000;

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
	waitsSinceMs: number;
}

/** Permission to send one request. It must be released exactly once. */
export interface Permit extends Departure {
	readonly client: Client;
}

export function hasPriority({ sent }: Client): boolean {
	return sent < PRIORITY_REQUESTS;
}

/** The clients of one limit, and which of them wait for it. */
export class ClientQueue {
	private readonly clients = new Set<Client>();
	private readonly waiting = new Set<Client>();

	get size(): number {
		return this.clients.size;
	}

	register(concurrency: number, wake: () => void, size: number): Client {
		const client: Client = {
			concurrency,
			wake,
			size,
			permits: new Set(),
			sent: 0,
			askedAtMs: -Infinity,
			waitsSinceMs: Infinity,
		};
		this.clients.add(client);
		return client;
	}

	unregister(client: Client): void {
		this.clients.delete(client);
		this.waiting.delete(client);
	}

	wait(client: Client, nowMs: number): void {
		if (this.waiting.has(client)) return;
		client.waitsSinceMs = nowMs;
		this.waiting.add(client);
	}

	stopWaiting(client: Client): void {
		this.waiting.delete(client);
	}

	/** The first of the waiting clients that meet a condition. */
	first(meets: (client: Client) => boolean = () => true): Client | undefined {
		let first: Client | undefined;
		for (const client of this.waiting) {
			if (first && rank(client) >= rank(first)) continue;
			if (meets(client)) first = client;
		}
		return first;
	}
}

function rank(client: Client): number {
	return client.waitsSinceMs - (hasPriority(client) ? HEAD_START_MS : 0);
}
