import type { ProcessedStore } from '../n8n/processedStore';

/** Minimum number of keys to store; a run with many rows stores more. A key takes about 27 bytes. */
const MIN_STORED_ENTRIES = 2_000;

/** What another attempt did with a delivery. */
export type Earlier =
	/** The service accepted it. */
	| 'accepted'
	/** It was in flight when that attempt ended, or still is, so it may have been delivered. */
	| 'unknown';

/** Deliveries that are stored together, under a name that is the same in every attempt. */
export interface Chunk {
	name: string;
	keys: readonly string[];
}

/**
 * Stores in n8n's store what all attempts of one execution sent. The execution's own memory is not
 * enough. A retry starts with the data of the execution that it retries, so it does not know what
 * other retries sent, and n8n stores no data of an execution that was stopped or killed.
 *
 * A chunk is begun before its first request is sent. That adds two keys: `begun` remains, and `open`
 * is removed once the whole chunk is accepted. If only part of a chunk was delivered, its rows are
 * stored one by one in the same way. n8n's store cannot look up a key without adding it. Because of
 * `open`, a key that a crash leaves behind can only mean that something may have been delivered.
 */
export class SharedLedger {
	/** Chunks whose rows are stored one by one. */
	private readonly divided = new Set<string>();

	/**
	 * @param scope identifies the execution; all its attempts have the same scope
	 * @param maxEntries the maximum number of keys that the run needs
	 * @param isFirst whether no earlier attempt can have stored anything
	 */
	constructor(
		private readonly store: ProcessedStore,
		private readonly scope: string,
		private readonly maxEntries: number,
		private readonly isFirst: boolean,
	) {}

	/**
	 * Begins a chunk that is about to be sent.
	 *
	 * @param isWhole whether the keys are all deliveries of the chunk; some may have been made before
	 * @returns the deliveries that must not be sent again
	 */
	async begin({ name, keys }: Chunk, isWhole: boolean): Promise<Map<string, Earlier>> {
		const [begun, open] = this.pair(name);
		const existing = await this.add([begun, open]);
		if (existing.has(begun)) {
			if (!existing.has(open)) await this.store.remove([open]);
			return outcomesOf(keys, existing.has(open));
		}
		const rows = this.isFirst ? new Map<string, Earlier>() : await this.rowsOf(keys);
		if (rows.size > 0 || !isWhole) this.divided.add(name);
		// Nothing of this chunk remains to be sent.
		if (rows.size === keys.length) await this.store.remove([begun, open]);
		return rows;
	}

	/** Stores the outcomes of a chunk that this run has begun. Keys without an outcome were not delivered. */
	async settle(
		chunk: string,
		outcomes: ReadonlyMap<string, Earlier>,
		keys: readonly string[],
	): Promise<void> {
		const [begun, open] = this.pair(chunk);
		const isAccepted = keys.every((key) => outcomes.get(key) === 'accepted');
		if (isAccepted && !this.divided.has(chunk)) return await this.store.remove([open]);
		const delivered = keys.filter((key) => outcomes.has(key));
		const openRows = (outcome: Earlier) =>
			keys.filter((key) => outcomes.get(key) === outcome).map((key) => this.pair(`row ${key}`)[1]);
		await this.add([...delivered.map((key) => this.pair(`row ${key}`)[0]), ...openRows('unknown')]);
		await this.store.remove([begun, open, ...openRows('accepted')]);
	}

	/** Looks up what other attempts did with deliveries that are not about to be sent. */
	async lookUp(chunk: Chunk): Promise<Map<string, Earlier>> {
		const pair = this.pair(chunk.name);
		const existing = await this.add(pair);
		const isSettled = existing.has(pair[0]);
		// The lookup has added the keys that were missing.
		await this.store.remove(pair.filter((key) => !existing.has(key)));
		if (!isSettled) return await this.rowsOf(chunk.keys);
		return outcomesOf(chunk.keys, existing.has(pair[1]));
	}

	private async rowsOf(keys: readonly string[]): Promise<Map<string, Earlier>> {
		const pairs = keys.map((key) => ({ key, pair: this.pair(`row ${key}`) }));
		const existing = await this.add(pairs.flatMap(({ pair }) => pair));
		const rows = pairs.filter(({ pair: [begun] }) => existing.has(begun));
		await this.store.remove(pairs.flatMap(({ pair }) => pair).filter((key) => !existing.has(key)));
		return new Map(
			rows.map(({ key, pair: [, open] }) => [key, existing.has(open) ? 'unknown' : 'accepted']),
		);
	}

	private async add(keys: string[]): Promise<Set<string>> {
		return keys.length === 0
			? new Set()
			: await this.store.add(keys, Math.max(MIN_STORED_ENTRIES, this.maxEntries));
	}

	private pair(name: string): [begun: string, open: string] {
		return [`${this.scope} ${name} begun`, `${this.scope} ${name} open`];
	}
}

function outcomesOf(keys: readonly string[], isOpen: boolean): Map<string, Earlier> {
	return new Map(keys.map((key) => [key, isOpen ? 'unknown' : 'accepted']));
}
