import { DataDeduplicationService } from 'n8n-core';
import type { IDeduplicationOutput } from 'n8n-workflow';

import { N8nStore } from '../../../simulation/n8nStore';

const NODE = 'n:node';
const WORKFLOW = '';
type Calls = ReturnType<N8nStore['connect']>;

/** Calls of the store that fail, as when the connection to n8n's database is lost. */
interface StoreFault {
	/** `add`, `remove` and `count` are of the node's entries, `lock` is any call of the row of the workflow. */
	call: 'add' | 'remove' | 'count' | 'lock';
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
	hangFrom(method: 'add' | 'remove' | 'count', call: number, last = Infinity) {
		let release = () => {};
		const released = new Promise<void>((resolve) => (release = resolve));
		const original = this[method].bind(this) as (...args: unknown[]) => Promise<unknown>;
		let calls = 0;
		const hangs = new Promise<void>((noticed) => {
			Object.assign(this, {
				[method]: async (...args: unknown[]) => {
					const number = ++calls;
					if (number >= call && number <= last) {
						noticed();
						await released;
					}
					return await original(...args);
				},
			});
		});
		return { hangs, release };
	}

	/** With `maxEntries`, n8n drops the oldest entries. */
	async add(items: string[], maxEntries?: number): Promise<IDeduplicationOutput> {
		const options = { maxEntries, mode: 'entries' };
		return await this.may('add', (calls) => calls.checkProcessedAndRecord(items, NODE, options));
	}

	async remove(items: string[]) {
		await this.may('remove', (calls) => calls.removeProcessed(items, NODE));
	}

	/** @throws as n8n does if the row was made with another mode */
	async addToWorkflow(items: string[], mode: string): Promise<IDeduplicationOutput> {
		return await this.may('lock', (calls) =>
			calls.checkProcessedAndRecord(items, WORKFLOW, { mode }),
		);
	}

	async clear(): Promise<void> {
		await this.may('lock', (calls) => calls.clearAllProcessedItems(WORKFLOW));
	}

	async count(scope: string) {
		const [call, row] =
			scope === 'workflow' ? (['lock', WORKFLOW] as const) : (['count', NODE] as const);
		return await this.may(call, (calls) => calls.getProcessedDataCount(row));
	}

	/** Makes a call, unless it is to fail. Those of the lock are never lost. */
	private async may<T>(name: StoreFault['call'], call: (calls: Calls) => Promise<T>): Promise<T> {
		const { faults } = this;
		const fault = faults.find((one) => one.call === name && one.seen++ >= (one.after ?? 0));
		if (fault) throw new Error(fault.message ?? 'Connection terminated unexpectedly');
		const store = this.isCrashed && name !== 'lock' ? this.store.copy() : this.store;
		return await call(store.connect(async () => {}));
	}
}

let current = new MemoryStore();

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
				: await current.add(items.map(String), maxEntries),
		removeProcessed: async (items) => await current.remove(items.map(String)),
		clearAllProcessedItems: async () => await current.clear(),
		getProcessedDataCount: async (scope) => await current.count(scope),
	});
}
