import { DataDeduplicationService } from 'n8n-core';

import { N8nStore } from '../../../simulation/n8nStore';

const NODE = 'n:node';
const WORKFLOW = '';
type Rows = ReturnType<N8nStore['connect']>;
/** Of the node's entries, and any call of the row of the workflow. */
type Call = 'add' | 'remove' | 'count' | 'lock';

/** Calls of the store that fail, as when the connection to n8n's database is lost. */
interface StoreFault {
	call: Call;
	/** How many calls succeed before. */
	after?: number;
	message?: string;
}

/**
 * The simulated store of n8n, as one node of one workflow sees it. A crash is a moment after which nothing is written.
 * How a lock survives crashes is tested in a simulation.
 */
export class MemoryStore {
	isCrashed = false;
	private faults: Array<StoreFault & { seen: number }> = [];
	private hang = async (_call: Call) => {};
	private readonly store = new N8nStore();

	get keys(): ReadonlySet<string> {
		return new Set(this.store.readData(NODE));
	}

	get namesOfWorkflow(): readonly string[] {
		return this.store.readData(WORKFLOW);
	}

	/** Adds entries to those of the node, of which the newest are kept. */
	preset(entries: readonly string[], keep = Infinity): void {
		const data = [...this.store.readData(NODE), ...entries];
		this.store.put(NODE, { mode: 'entries', data: data.slice(-keep) });
	}

	fail(...faults: StoreFault[]): void {
		this.faults = faults.map((fault) => ({ ...fault, seen: 0 }));
	}

	/** From one call to another, counted from now, the store does not answer until it is released. */
	hangFrom(name: Call, first: number, last = Infinity) {
		let release = () => {};
		const released = new Promise<void>((resolve) => (release = resolve));
		let calls = 0;
		const hangs = new Promise<void>((noticed) => {
			this.hang = async (call) => {
				if (call !== name || ++calls < first || calls > last) return;
				noticed();
				await released;
			};
		});
		return { hangs, release };
	}

	async remove(items: string[]): Promise<void> {
		await this.call('remove', (rows) => rows.removeProcessed(items, NODE));
	}

	async clear(): Promise<void> {
		await this.call('lock', (rows) => rows.clearAllProcessedItems(WORKFLOW));
	}

	/** @throws as n8n does if the row was made with another mode */
	async addToWorkflow(items: string[], mode: string) {
		return await this.call('lock', (rows) =>
			rows.checkProcessedAndRecord(items, WORKFLOW, { mode }),
		);
	}

	/** Makes a call, unless it is to fail. Those of the lock are never lost. */
	async call<T>(name: Call, make: (rows: Rows) => Promise<T>): Promise<T> {
		await this.hang(name);
		const { faults } = this;
		const fault = faults.find((one) => one.call === name && one.seen++ >= (one.after ?? 0));
		if (fault) throw new Error(fault.message ?? 'Connection terminated unexpectedly');
		const store = this.isCrashed && name !== 'lock' ? this.store.copy() : this.store;
		return await make(store.connect(async () => {}));
	}
}

let current = new MemoryStore();
export const useNewStore = () => (current = new MemoryStore());

/** Gives n8n's engine a store, as n8n itself does when it starts. */
export async function installStore(): Promise<void> {
	await DataDeduplicationService.init({
		checkProcessedAndRecord: async (entries, scope, _data, options) => {
			const items = entries.map(String);
			return scope === 'workflow'
				? await current.addToWorkflow(items, options.mode)
				: await current.call('add', (rows) => rows.checkProcessedAndRecord(items, NODE, options));
		},
		removeProcessed: async (items) => await current.remove(items.map(String)),
		clearAllProcessedItems: async () => await current.clear(),
		getProcessedDataCount: async (scope) =>
			scope === 'workflow'
				? await current.call('lock', (rows) => rows.getProcessedDataCount(WORKFLOW))
				: await current.call('count', (rows) => rows.getProcessedDataCount(NODE)),
	});
}
