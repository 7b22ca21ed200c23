import { createHash } from 'node:crypto';

/** One API of one account. */
export interface AccountApi {
	host: string;
	/** What the service knows the account by; only its hash is kept. */
	identity: string;
	/** The part of the service that has a limit of its own. */
	api: string;
}

/** Unused entries to remember, so that a process with many accounts does not grow without end. */
const MAX_IDLE = 200;

/** Holds one object for each account and API. The least recently used are forgotten, unless they are in use. */
export class AccountRegistry<T extends { readonly inUse: boolean }> {
	private readonly entries = new Map<string, T>();

	get size(): number {
		return this.entries.size;
	}

	/** @param create called if there is none yet */
	get({ host, identity, api }: AccountApi, create: () => T): T {
		const key = createHash('sha256')
			.update(JSON.stringify([host, identity, api]))
			.digest('hex');
		const entry = this.entries.get(key) ?? create();
		// Adding it again at the end keeps the map in order of use, with the least recent first.
		this.entries.delete(key);
		this.removeIdle();
		this.entries.set(key, entry);
		return entry;
	}

	private removeIdle(): void {
		for (const [key, entry] of this.entries) {
			if (this.entries.size < MAX_IDLE) return;
			if (!entry.inUse) this.entries.delete(key);
		}
	}
}
