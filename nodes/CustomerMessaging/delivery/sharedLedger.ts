import { CONFIRMED_AT_FIRST } from '../n8n/otherProcesses';
import { MAX_ENTRIES, type ProcessedStore } from '../n8n/processedStore';

/** The number of keys to keep for a run of so many items. */
export function entriesKept(itemCount: number): number {
	return Math.min(MAX_ENTRIES, Math.max(5_000, 4 * itemCount));
}

/** How many chunks are looked up with one call. A crash at that moment makes them unknown. */
const LOOKED_UP_AT_ONCE = 10;

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
 * stored one by one in the same way, and `divided` says so. n8n's store cannot look up a key without
 * adding it. Because of `open`, a key that a crash leaves behind can only mean that something may have
 * been delivered.
 */
export class SharedLedger {
	/** A chunk that `mark` has begun already. */
	private begunWithMarks?: string;
	/** Chunks of which rows are noted one by one. */
	private readonly divided = new Set<string>();
	/**
	 * What this run has noted. It is written again with every call, because another worker may have
	 * overwritten it: n8n reads and writes its list as a whole.
	 */
	private readonly noted = new Set<string>();
	private confirmed = 0;

	/**
	 * @param scope identifies the execution; all its attempts have the same scope
	 * @param maxEntries the number of keys that the store keeps
	 * @param isFirst whether no earlier attempt can have stored anything
	 */
	constructor(
		private readonly store: ProcessedStore,
		private readonly scope: string,
		private readonly maxEntries: number,
		private readonly isFirst: boolean,
	) {}

	/**
	 * Notes that the run has begun and, with the same call, its first chunk.
	 *
	 * @returns the marks that were there before
	 */
	async mark(marks: readonly string[], chunk: string): Promise<Set<string>> {
		const pair = this.pair(chunk);
		const known = await this.add([...marks, ...pair]);
		// Nothing is removed here: another worker could bring it back, and it would look like its own.
		if (!pair.some((key) => known.has(key))) {
			this.begunWithMarks = chunk;
			await this.confirm([...marks, ...pair]);
		}
		return known;
	}

	/**
	 * Begins a chunk that is about to be sent. Deliveries in the result are not to be sent again.
	 *
	 * @param isWhole whether the keys are all deliveries of the chunk; some may have been made before
	 * @returns the deliveries that must not be sent again
	 */
	async begin({ name, keys }: Chunk, isWhole: boolean): Promise<Map<string, Earlier>> {
		const [begun, open] = this.pair(name);
		const isBegun = this.begunWithMarks === name;
		const known = isBegun ? new Set<string>() : await this.add([begun, open]);
		this.begunWithMarks = undefined;
		if (known.has(begun)) {
			if (!known.has(open)) await this.remove([open]);
			return outcomesOf(keys, known.has(open));
		}
		if (!isBegun) await this.confirm([begun, open]);
		const rows = this.isFirst ? new Map<string, Earlier>() : await this.rowsOf(keys);
		if (rows.size > 0 || !isWhole) this.divided.add(name);
		// Other attempts have sent all of it, so the chunk is not begun.
		if (rows.size === keys.length) await this.remove([begun, open]);
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
		if (isAccepted && !this.divided.has(chunk)) return await this.remove([open]);
		const delivered = keys.filter((key) => outcomes.has(key));
		const openRows = (outcome: Earlier) =>
			keys.filter((key) => outcomes.get(key) === outcome).map((key) => this.pair(`row ${key}`)[1]);
		const begunRows = delivered.map((key) => this.pair(`row ${key}`)[0]);
		const mark = delivered.length > 0 ? [this.dividedMark(chunk)] : [];
		await this.add([...begunRows, ...openRows('unknown'), ...mark]);
		await this.remove([begun, open, ...openRows('accepted')]);
	}

	/** Looks up what other attempts did with deliveries that are not about to be sent. */
	async lookUp(
		chunks: readonly Chunk[],
		isStopped: () => boolean = () => false,
	): Promise<Map<string, Earlier>> {
		const found: Array<[string, Earlier]> = [];
		for (let start = 0; start < chunks.length && !isStopped(); start += LOOKED_UP_AT_ONCE) {
			found.push(...(await this.lookUpFew(chunks.slice(start, start + LOOKED_UP_AT_ONCE))));
		}
		return new Map(found);
	}

	private async lookUpFew(chunks: readonly Chunk[]): Promise<Array<[string, Earlier]>> {
		const marks = chunks.flatMap(({ name }) => [...this.pair(name), this.dividedMark(name)]);
		const known = await this.add(marks);
		// The lookup has also added the keys that were missing.
		await this.remove(marks.filter((key) => !known.has(key)));
		const found: Array<[string, Earlier]> = [];
		for (const { name, keys } of chunks) {
			const [begun, open] = this.pair(name);
			if (known.has(begun)) found.push(...outcomesOf(keys, known.has(open)));
			else if (known.has(this.dividedMark(name))) found.push(...(await this.rowsOf(keys)));
		}
		return found;
	}

	private async rowsOf(keys: readonly string[]): Promise<Map<string, Earlier>> {
		const pairs = keys.map((key) => ({ key, pair: this.pair(`row ${key}`) }));
		const known = await this.add(pairs.flatMap(({ pair }) => pair));
		const rows = pairs.filter(({ pair: [begun] }) => known.has(begun));
		await this.remove(pairs.flatMap(({ pair }) => pair).filter((key) => !known.has(key)));
		return new Map(
			rows.map(({ key, pair: [, open] }) => [key, known.has(open) ? 'unknown' : 'accepted']),
		);
	}

	/** Adds keys, and says which of them had been there. */
	private async add(keys: readonly string[]): Promise<Set<string>> {
		if (keys.length === 0) return new Set();
		const all = [...new Set([...this.noted, ...keys])];
		const known = await this.store.add(all, this.maxEntries);
		if ([...this.noted].some((key) => !known.has(key))) this.store.others.areNoticed = true;
		for (const key of keys) if (!known.has(key)) this.noted.add(key);
		return known;
	}

	/** Makes sure that other workers have not overwritten the entries, if there may be others. */
	private async confirm(keys: string[]): Promise<void> {
		if (++this.confirmed > CONFIRMED_AT_FIRST && !this.store.others.areNoticed) return;
		await this.store.confirm(keys, this.maxEntries);
	}

	private async remove(keys: string[]): Promise<void> {
		for (const key of keys) this.noted.delete(key);
		await this.store.remove(keys);
	}

	/** Says that rows of a chunk may be noted one by one. */
	private dividedMark(chunk: string): string {
		return `${this.scope} ${chunk} divided`;
	}

	private pair(name: string): [begun: string, open: string] {
		return [`${this.scope} ${name} begun`, `${this.scope} ${name} open`];
	}
}

function outcomesOf(keys: readonly string[], isOpen: boolean): Map<string, Earlier> {
	return new Map(keys.map((key) => [key, isOpen ? 'unknown' : 'accepted']));
}
