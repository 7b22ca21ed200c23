interface Row {
	mode: string;
	data: readonly string[];
	/** How often it was written. */
	version?: number;
	/** The same entries, of the row as it is stored: lists of thousands are searched many times. */
	index?: Set<string>;
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
		for (const [context, { mode, data }] of this.rows) copy.put(context, { mode, data });
		return copy;
	}

	/** @param step called before each statement; it never returns in a process that was killed */
	connect(step: () => Promise<void>) {
		const { rows } = this;
		const find = async (context: string): Promise<Row | undefined> => {
			await step();
			return rows.get(context);
		};
		/** Only what differs from the row as it was read is passed, to keep the index. */
		const update = async (
			context: string,
			read: Row,
			data: readonly string[],
			added: readonly string[],
			removed: readonly string[],
		): Promise<void> => {
			await step();
			const stored = rows.get(context);
			if (!stored) return;
			const { mode, index } = read;
			const version = stored.version ?? 0;
			const isLost = version !== (read.version ?? 0);
			if (isLost && context !== '') this.lostUpdates++;
			for (const entry of added) index?.add(entry);
			for (const entry of removed) index?.delete(entry);
			rows.set(context, { mode, data, version: version + 1, index: isLost ? undefined : index });
		};
		const indexOf = (row: Row): Set<string> => (row.index ??= new Set(row.data));
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
				const known = indexOf(row);
				const processed = items.filter((item) => known.has(item));
				const added = items.filter((item) => !known.has(item));
				const data = [...row.data, ...added];
				const dropped = maxEntries ? data.splice(0, Math.max(0, data.length - maxEntries)) : [];
				await update(context, row, data, added, dropped);
				return { new: added, processed };
			},
			async removeProcessed(items: readonly string[], context: string): Promise<void> {
				const row = await find(context);
				if (!row) return;
				const removed = items.filter((item) => indexOf(row).has(item));
				const data = [...row.data];
				// What is removed is mostly among the newest entries.
				for (const item of removed) data.splice(data.lastIndexOf(item), 1);
				await update(context, row, data, [], removed);
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
