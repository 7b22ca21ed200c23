import type { Outcome } from '../shared/outcome';
import type { Chunk, Earlier, SharedLedger } from './sharedLedger';

interface OpenChunk {
	keys: readonly string[];
	outcomes: Map<string, Earlier>;
	left: number;
}

/** Stores the outcomes of the chunks that a run has begun, each once all its deliveries have one. */
export class ChunkNotes {
	private readonly chunkOf = new Map<string, string>();
	private readonly open = new Map<string, OpenChunk>();
	private settling: Promise<void> = Promise.resolve();

	/**
	 * @param failed called if n8n's store cannot be written. A later attempt then treats the outcomes of
	 * the chunk as unknown.
	 */
	constructor(
		private readonly ledger: SharedLedger,
		private readonly failed: (error: unknown) => void,
	) {}

	/** Call this before the run sends these deliveries of a chunk. */
	begun({ name, keys }: Chunk): void {
		if (keys.length === 0) return;
		for (const key of keys) this.chunkOf.set(key, name);
		this.open.set(name, { keys, outcomes: new Map(), left: keys.length });
	}

	/** Whether the run sends a delivery, which has no outcome yet. */
	includes(key: string): boolean {
		return this.chunkOf.has(key);
	}

	/** Adds the outcome of one delivery. */
	note(key: string, { outcome }: Outcome): void {
		const name = this.chunkOf.get(key);
		const chunk = name === undefined ? undefined : this.open.get(name);
		if (name === undefined || !chunk) return;
		this.chunkOf.delete(key);
		if (outcome === 'accepted' || outcome === 'unknown') chunk.outcomes.set(key, outcome);
		if (--chunk.left > 0) return;
		this.open.delete(name);
		this.settling = this.settling
			.then(async () => await this.ledger.settle(name, chunk.outcomes, chunk.keys))
			.catch(this.failed);
	}

	/** Waits until everything is written. */
	async finish(): Promise<void> {
		await this.settling;
	}
}
