interface Row {
	mode: string;
	data: string[];
	/** How often it was written. */
	version?: number;
}

/** Thrown where n8n refuses a row that was stored with another mode. */
const INCOMPATIBLE =
	"Deduplication data was originally saved with an incompatible setting of the 'Keep Items Where' parameter.";

/**
 * n8n's store of processed items, with each of its SQL statements as a step of its own. Only a single
 * statement is atomic: of two INSERTs of a row, one fails, and an UPDATE writes a list back whole,
 * whatever other processes have written since it was read.
 */
export class N8nStore {
	/** How many writes replaced what another process had written since the list was read. */
	lostUpdates = 0;
	/** By context: empty for a workflow, and otherwise a node. */
	private readonly rows = new Map<string, Row>();

	/** What a row holds, for tests. */
	readData(context: string): readonly string[] {
		return this.rows.get(context)?.data ?? [];
	}

	put(context: string, row: Row): void {
		this.rows.set(context, row);
	}

	/** A store of its own with the same rows. */
	copy(): N8nStore {
		const copy = new N8nStore();
		for (const [context, row] of this.rows) copy.put(context, { ...row, data: [...row.data] });
		return copy;
	}

	/** @param step called before each statement; it never returns in a process that was killed */
	connect(step: () => Promise<void>) {
		const { rows } = this;
		const find = async (context: string): Promise<Row | undefined> => {
			await step();
			const row = rows.get(context);
			return row && { ...row, data: [...row.data] };
		};
		const update = async (context: string, row: Row): Promise<void> => {
			await step();
			const stored = rows.get(context);
			if (!stored) return;
			const version = stored.version ?? 0;
			if (version !== (row.version ?? 0) && context !== '') this.lostUpdates++;
			rows.set(context, { ...row, version: version + 1 });
		};
		return {
			async checkProcessedAndRecord(
				items: readonly string[],
				context: string,
				{ mode, maxEntries }: { mode: string; maxEntries?: number },
			) {
				const row = await find(context);
				if (row && row.mode !== mode) throw new Error(INCOMPATIBLE);
				if (!row) {
					await step();
					if (rows.has(context)) throw new Error('UNIQUE constraint failed: processed_data');
					rows.set(context, { mode, data: items.slice(-(maxEntries ?? items.length)) });
					return { new: [...items], processed: [] };
				}
				const known = new Set(row.data);
				const added = items.filter((item) => !known.has(item));
				row.data.push(...added);
				if (maxEntries) row.data.splice(0, row.data.length - maxEntries);
				await update(context, row);
				return { new: added, processed: items.filter((item) => known.has(item)) };
			},
			async removeProcessed(items: readonly string[], context: string): Promise<void> {
				const row = await find(context);
				if (!row) return;
				const removed = new Set(items);
				await update(context, { ...row, data: row.data.filter((entry) => !removed.has(entry)) });
			},
			async clearAllProcessedItems(context: string): Promise<void> {
				await step();
				rows.delete(context);
			},
			async getProcessedDataCount(
				context: string,
				{ mode } = { mode: 'entries' },
			): Promise<number> {
				const row = await find(context);
				return mode === 'entries' && row ? row.data.length : 0;
			},
		};
	}
}

/** One of several n8n processes, which can be killed before each statement. */
export class SimulatedProcess {
	private isKilled = false;
	private steps = 0;

	constructor(
		private readonly clock: { sleep(ms: number): Promise<void> },
		/** How long a statement takes to reach the database, in milliseconds. */
		private readonly delayMs: () => number,
		/** The statement before which the process is killed. */
		private readonly killedAt = Infinity,
		private readonly killed: () => void = () => undefined,
	) {}

	readonly step = async (): Promise<void> => {
		await this.clock.sleep(this.delayMs());
		if (++this.steps > this.killedAt) this.kill();
		await this.untilKilled();
	};

	kill(): void {
		if (this.isKilled) return;
		this.isKilled = true;
		this.killed();
	}

	/** Never returns once the process was killed. */
	async untilKilled(): Promise<void> {
		if (this.isKilled) await new Promise<never>(() => undefined);
	}
}
