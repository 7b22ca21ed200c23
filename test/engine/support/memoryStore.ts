import { DataDeduplicationService } from 'n8n-core';
import type { DeduplicationItemTypes, IDeduplicationOutput } from 'n8n-workflow';

import { N8nStore } from '../../../simulation/n8nStore';

const NODE = 'n:node';
const WORKFLOW = '';
/** With `maxEntries`, n8n drops the oldest entries. */
type Limits = { maxEntries?: number };

/**
 * The simulated store of n8n, as one node of one workflow sees it. A crash is a moment after which nothing is written.
 * How a lock survives crashes is tested in a simulation.
 */
export class MemoryStore {
	isCrashed = false;
	/** If it is set, the next calls throw it. */
	failure?: Error;
	private readonly store = new N8nStore();

	/** The entries of the node. */
	get keys(): ReadonlySet<string> {
		return new Set(this.store.readData(NODE));
	}

	/** The names in the row of the workflow. */
	get namesOfWorkflow(): readonly string[] {
		return this.store.readData(WORKFLOW);
	}

	/** Adds entries to those of the node. */
	preset(...entries: string[]): void {
		this.store.put(NODE, { mode: 'entries', data: [...this.store.readData(NODE), ...entries] });
	}

	async add(items: DeduplicationItemTypes[], limits: Limits = {}): Promise<IDeduplicationOutput> {
		const options = { ...limits, mode: 'entries' };
		return await this.calls().checkProcessedAndRecord(items.map(String), NODE, options);
	}

	async remove(items: DeduplicationItemTypes[]) {
		await this.calls().removeProcessed(items.map(String), NODE);
	}

	/** @throws as n8n does if the row was made with another mode */
	async addToWorkflow(items: string[], mode: string): Promise<IDeduplicationOutput> {
		return await this.calls(false).checkProcessedAndRecord(items, WORKFLOW, { mode });
	}

	async clear(scope: string): Promise<void> {
		await this.calls(false).clearAllProcessedItems(scope === 'workflow' ? WORKFLOW : NODE);
	}

	async count(scope: string) {
		return await this.calls().getProcessedDataCount(scope === 'workflow' ? WORKFLOW : NODE);
	}

	private calls(isLost = this.isCrashed) {
		const store = isLost ? this.store.copy() : this.store;
		return store.connect(async () => {
			if (this.failure) throw this.failure;
		});
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
		checkProcessedAndRecord: async (items, scope, _data, { mode, maxEntries }) =>
			scope === 'workflow'
				? await current.addToWorkflow(items.map(String), mode)
				: await current.add(items, { maxEntries }),
		removeProcessed: async (items) => await current.remove(items),
		clearAllProcessedItems: async (scope) => await current.clear(scope),
		getProcessedDataCount: async (scope) => await current.count(scope),
	});
}
