import type { Outcome } from '../shared/outcome';
import type { Chunk, Earlier, SharedLedger } from './sharedLedger';

interface OpenChunk {
	keys: readonly string[];
	outcomes: Map<string, Earlier>;
	left: number;
}

/** Notes what became of the chunks that a run has begun, each as soon as all of it has an outcome. */
export class ChunkNotes {
	private readonly chunkOf = new Map<string, string>();
	private readonly open = new Map<string, OpenChunk>();
	private settling: Promise<void> = Promise.resolve();

	/** @param failed called where n8n's store cannot be written; a later attempt then finds the chunk in doubt */
	constructor(
		private readonly ledger: SharedLedger,
		private readonly failed: (error: unknown) => void,
	) {}

	/** The run is about to send these deliveries of a chunk. */
	begun({ name, keys }: Chunk): void {
		if (keys.length === 0) return;
		for (const key of keys) this.chunkOf.set(key, name);
		this.open.set(name, { keys, outcomes: new Map(), left: keys.length });
	}

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

	/** Waits until all is written. */
	async finish(): Promise<void> {
		await this.settling;
	}
}
