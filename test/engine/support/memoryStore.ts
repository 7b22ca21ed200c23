import { DataDeduplicationService } from 'n8n-core';
import type { DeduplicationItemTypes, IDeduplicationOutput } from 'n8n-workflow';

import { N8nStore } from '../../../simulation/n8nStore';

const NODE = 'n:node';
const WORKFLOW = '';

/** Calls of the store that fail, as when the connection to n8n's database is lost. */
export interface StoreFault {
	/** `add`, `remove` and `count` are of the node's entries, `lock` and `unlock` of the row of the workflow. */
	call: 'add' | 'remove' | 'count' | 'lock' | 'unlock';
	when: 'beforeCommit' | 'afterCommit';
	after?: number;
	/** How many calls fail; by default all that follow. */
	times?: number;
	message?: string;
}

/**
 * The simulated store of n8n, as one node of one workflow sees it. A crash is a moment after which nothing is written.
 * How a lock survives crashes is tested in a simulation.
 */
export class MemoryStore {
	isCrashed = false;
	private faults: Array<StoreFault & { seen: number }> = [];
	private crash = { call: 0, crashed: () => {} };
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

	/** Crashes before a call, counted from now. Nothing is written any more, and `crashed` is called. */
	crashBefore(call: number, crashed: () => void): void {
		this.crash = { call, crashed };
	}

	fail(...faults: StoreFault[]): void {
		this.faults = faults.map((fault) => ({ ...fault, seen: 0 }));
	}

	before(
		method: 'add' | 'remove' | 'count' | 'addToWorkflow' | 'clear',
		step: (call: number) => unknown,
	): void {
		const original = this[method].bind(this) as (...args: unknown[]) => Promise<unknown>;
		let calls = 0;
		Object.assign(this, {
			[method]: async (...args: unknown[]) => {
				await step(++calls);
				return await original(...args);
			},
		});
	}

	/** From one call to another, counted from now, the store does not answer until it is released. */
	hangFrom(method: 'add' | 'remove' | 'count', call: number, last = Infinity) {
		let release = () => {};
		const released = new Promise<void>((resolve) => (release = resolve));
		const hangs = new Promise<void>((noticed) => {
			this.before(method, async (number) => {
				if (number < call || number > last) return;
				noticed();
				await released;
			});
		});
		return { hangs, release };
	}

	/** With `maxEntries`, n8n drops the oldest entries. */
	async add(items: DeduplicationItemTypes[], maxEntries?: number): Promise<IDeduplicationOutput> {
		const options = { maxEntries, mode: 'entries' };
		return await this.may('add', () =>
			this.calls().checkProcessedAndRecord(items.map(String), NODE, options),
		);
	}

	async remove(items: DeduplicationItemTypes[]) {
		await this.may('remove', () => this.calls().removeProcessed(items.map(String), NODE));
	}

	/** @throws as n8n does if the row was made with another mode */
	async addToWorkflow(items: string[], mode: string): Promise<IDeduplicationOutput> {
		return await this.may('lock', () =>
			this.calls(false).checkProcessedAndRecord(items, WORKFLOW, { mode }),
		);
	}

	async clear(scope: string): Promise<void> {
		const context = scope === 'workflow' ? WORKFLOW : NODE;
		await this.may('unlock', () => this.calls(false).clearAllProcessedItems(context));
	}

	async count(scope: string) {
		const count = () => this.calls().getProcessedDataCount(scope === 'workflow' ? WORKFLOW : NODE);
		return scope === 'workflow' ? await count() : await this.may('count', count);
	}

	private async may<T>(name: StoreFault['call'], call: () => Promise<T>): Promise<T> {
		const fault = this.faults.find((one) => one.call === name && this.isDue(one));
		const { message = 'Connection terminated unexpectedly' } = fault ?? {};
		if (fault?.when === 'beforeCommit') throw new Error(message);
		const result = await call();
		if (fault) throw new Error(message);
		return result;
	}

	private isDue(fault: StoreFault & { seen: number }): boolean {
		const { after = 0, times = Infinity } = fault;
		const index = fault.seen++ - after;
		return index >= 0 && index < times;
	}

	private calls(mayBeLost = true) {
		if (--this.crash.call === 0) {
			this.isCrashed = true;
			this.crash.crashed();
		}
		const store = mayBeLost && this.isCrashed ? this.store.copy() : this.store;
		return store.connect(async () => {});
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
				: await current.add(items, maxEntries),
		removeProcessed: async (items) => await current.remove(items),
		clearAllProcessedItems: async (scope) => await current.clear(scope),
		getProcessedDataCount: async (scope) => await current.count(scope),
	});
}
