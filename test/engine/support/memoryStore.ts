import { DataDeduplicationService } from 'n8n-core';
import type { DeduplicationItemTypes, IDeduplicationOutput } from 'n8n-workflow';

/** n8n's store of what was processed, in memory. A crash is a moment after which nothing is written. */
export class MemoryStore {
	readonly keys = new Set<string>();
	isCrashed = false;
	/** If it is set, the next calls throw it. */
	failure?: Error;

	async add(items: DeduplicationItemTypes[], maxEntries = Infinity): Promise<IDeduplicationOutput> {
		this.check();
		const processed = items.filter((item) => this.keys.has(String(item)));
		const added = items.filter((item) => !this.keys.has(String(item)));
		if (!this.isCrashed) for (const item of added) this.keys.add(String(item));
		for (const key of this.keys) {
			if (this.keys.size <= maxEntries) break;
			this.keys.delete(key);
		}
		return { new: added, processed };
	}

	async remove(items: DeduplicationItemTypes[]) {
		this.check();
		if (!this.isCrashed) for (const item of items) this.keys.delete(String(item));
	}

	async clear(): Promise<void> {
		this.keys.clear();
	}

	async count() {
		this.check();
		return this.keys.size;
	}

	private check(): void {
		if (this.failure) throw this.failure;
	}
}

let current = new MemoryStore();

/** Gives n8n's engine a new, empty store. */
export function useNewStore(): MemoryStore {
	current = new MemoryStore();
	return current;
}

/** Gives n8n's engine a store, as n8n itself does when it starts. */
export async function installStore(): Promise<void> {
	await DataDeduplicationService.init({
		checkProcessedAndRecord: async (items, _scope, _data, options) =>
			await current.add(items, options.maxEntries),
		removeProcessed: async (items) => await current.remove(items),
		clearAllProcessedItems: async () => await current.clear(),
		getProcessedDataCount: async () => await current.count(),
	});
}
