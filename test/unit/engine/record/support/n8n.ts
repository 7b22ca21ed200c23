import type { StoreCalls } from '../../../../../nodes/CustomerMessaging/engine/record/lock';
import type { N8n } from '../../../../../nodes/CustomerMessaging/n8n/context';
import { Limit } from '../../../../../nodes/CustomerMessaging/engine/pace/limit';
import { Quota } from '../../../../../nodes/CustomerMessaging/engine/pace/quota';
import { Pace } from '../../../../../nodes/CustomerMessaging/engine/pace/pace';
import { fakeN8n } from '../../../../../simulation/fakeN8n';
import { N8nStore } from '../../../../../simulation/n8nStore';
import type { VirtualClock } from '../../../../../simulation/virtualClock';
import type { Judge } from './judge';

/** Never ends. What waits for it is as good as killed. */
const never = async () => await new Promise<never>(() => undefined);

let workers = 0;

/** A worker of n8n. Everything that its runs wait for passes its gate, so it can be killed and stalled anywhere. */
export class Worker {
	/** It differs in all histories, because they share the memory of one process. */
	readonly name = `w${++workers}`;
	isKilled = false;
	readonly pace = new Pace(new Limit(new Quota(500)));
	/** How many of its messages have not reached the service yet. */
	onTheWay = 0;
	private stalledUntilMs = -Infinity;
	private tellKilled = (_: 'killed') => {};
	readonly whenKilled = new Promise<'killed'>((resolve) => (this.tellKilled = resolve));
	/** Lets the runs that were killed go on. What waits for ever stays in the memory of this process. */
	revive = () => {};
	private readonly whenRevived = new Promise<void>((resolve) => (this.revive = resolve));

	/** @param offsetMs how far its clock is ahead */
	constructor(
		private readonly clock: VirtualClock,
		readonly offsetMs: number,
	) {}

	async gate(): Promise<void> {
		while (this.stalledUntilMs > this.clock.now())
			await this.clock.sleep(this.stalledUntilMs - this.clock.now());
		if (this.isKilled) await this.whenRevived;
	}

	stall(ms: number): void {
		this.stalledUntilMs = Math.max(this.stalledUntilMs, this.clock.now() + ms);
	}

	kill(): void {
		this.isKilled = true;
		this.tellKilled('killed');
	}
}

/** What the world decides about each call of the store. */
export interface StoreFaults {
	judge: Pick<Judge, 'breaks'>;
	fateOfCall(): 'none' | 'failsBefore' | 'failsAfter' | 'silentBefore' | 'silentAfter' | 'late';
	delayMs(): number;
	/** How late the statements of a late call reach the database. */
	lateMs(): number;
	/** Called before each statement: the worker may be killed or stalled there. */
	disturb(worker: Worker): void;
	/** Called where a call may leave names in doubt. */
	leaveDoubt(fate: string, worker: Worker): void;
}

type Scope = Parameters<StoreCalls['getProcessedDataCount']>[0];
type RowCall<T> = (calls: ReturnType<N8nStore['connect']>, row: string) => Promise<T>;

/** n8n's store of processed items, whose calls fail, get lost and come late, and which knows who has the lock. */
export class FaultyStore {
	readonly rows = new N8nStore();
	/** Who wrote the row of the lock last, and whether it has used the lock since. */
	private owner?: Worker;
	private isUsed = false;
	/** How often the list came to be used by another owner of the lock. */
	private turns = 0;
	/** The calls for the list that have not ended. */
	private readonly open = new Set<{ worker: Worker; sinceMs: number }>();

	constructor(
		private readonly clock: VirtualClock,
		private readonly faults: StoreFaults,
		private readonly isLocked: boolean,
	) {}

	/** Whether nobody uses the list, so that other executions may. */
	get isFree(): boolean {
		return this.open.size === 0 && this.rows.readData('').length === 0;
	}

	connect(worker: Worker, nodeId: string): StoreCalls {
		const call = async <T>(scope: Scope, run: RowCall<T>, isRelease = false) =>
			await this.call(worker, scope === 'workflow' ? '' : `n:${nodeId}`, run, isRelease);
		return {
			checkProcessedAndRecord: async (items, scope, options) =>
				await call(scope, async (calls, row) => {
					const result = await calls.checkProcessedAndRecord(items.map(String), row, options);
					if (row === '' && result.new.length > 0) this.changeOwner(worker);
					return result;
				}),
			removeProcessed: async (items, scope) =>
				await call(scope, async (calls, row) => {
					await calls.removeProcessed(items.map(String), row);
				}),
			clearAllProcessedItems: async (scope) => {
				const clear: RowCall<void> = async (calls, row) => {
					await calls.clearAllProcessedItems(row);
					if (row === '') this.changeOwner(undefined);
				};
				await call(scope, clear, true);
			},
			getProcessedDataCount: async (scope, options) =>
				await call(scope, async (calls, row) => await calls.getProcessedDataCount(row, options)),
		};
	}

	private async call<T>(worker: Worker, row: string, run: RowCall<T>, isRelease: boolean) {
		const { faults, clock } = this;
		const isList = row !== '';
		const fate = faults.fateOfCall();
		const call = { worker, sinceMs: clock.now() };
		if (isList) this.checkHolder(worker);
		if (isList) this.open.add(call);
		const turn = this.turns;
		// A failed call of the lock leaves no name in doubt. While one is not answered, nothing can be looked up.
		if (fate !== 'none' && (isList || !fate.startsWith('fails'))) faults.leaveDoubt(fate, worker);
		let lateMs = fate === 'late' ? faults.lateMs() : 0;
		const step = async () => {
			await clock.sleep(faults.delayMs() + lateMs);
			lateMs = 0;
			faults.disturb(worker);
			await worker.gate();
			if (isList ? this.turns === turn : !isRelease || this.owner === worker) return;
			// What commits after another worker has taken the lock over is given up.
			if (this.isLocked && !this.isQuick(call)) throw new Error('The transaction was rolled back');
		};
		try {
			if (fate === 'failsBefore' || fate === 'silentBefore') await step();
			if (fate === 'failsBefore') throw new Error('The connection is lost');
			if (fate === 'silentBefore') return await never();
			const result = await run(this.rows.connect(step), row);
			if (fate === 'silentAfter') return await never();
			if (fate === 'failsAfter') throw new Error('The connection was lost');
			await worker.gate();
			return result;
		} finally {
			this.open.delete(call);
		}
	}

	private changeOwner(worker: Worker | undefined): void {
		this.owner = worker;
		this.isUsed = false;
	}

	/** Whether a worker that reads or writes the list may believe that it has the lock. */
	private checkHolder(worker: Worker): void {
		if (!this.isLocked) return;
		const { owner } = this;
		const breaks = (text: string) => this.faults.judge.breaks('lock', text);
		if (!owner) return breaks(`${worker.name} uses the list without a lock`);
		if (owner !== worker) {
			// Whoever takes the lock over waits until its holder gives up.
			if (this.isUsed) breaks(`${owner.name} and ${worker.name} have the lock`);
			return;
		}
		if (!this.isUsed) this.turns++;
		this.isUsed = true;
		for (const other of this.open)
			if (other.worker !== worker && !other.worker.isKilled && this.isQuick(other))
				breaks(`${other.worker.name} still uses the list`);
	}

	/** Longer ones were stalled, and are rolled back. */
	private isQuick({ sinceMs }: { sinceMs: number }): boolean {
		return this.clock.now() - sinceMs < 1_000;
	}
}

interface Called extends Partial<N8n> {
	items: ReadonlyArray<{ json: Readonly<Record<string, string>> }>;
	/** Of the node as they are stored, with their expressions. */
	parameters: Readonly<Record<string, unknown>>;
	brandId: string;
	nodeId: string;
}

/** What the node sees of n8n in a worker. */
export function simulateN8n(
	{ items, parameters, brandId, nodeId, ...called }: Called,
	worker: Worker,
	clock: VirtualClock,
): N8n {
	const nowMs = () => clock.now() + worker.offsetMs;
	const valueOf = (code: string, index: number): string => {
		const [, column] = /^\s*\$(?:json|\('Rows'\)\.first\(\)\.json)\.(\w+)\s*$/.exec(code) ?? [];
		if (column !== undefined) return items[index]?.json[column] ?? '';
		const now = new Date(nowMs()).toISOString();
		if (code.includes('$today')) return now.slice(0, 10);
		return code.includes('toFormat') ? now.slice(11, 23) : now;
	};
	const evaluate = (raw: unknown, index: number): unknown =>
		JSON.parse(JSON.stringify(raw), (_, value: unknown) => {
			if (typeof value !== 'string' || !value.startsWith('=')) return value;
			return value.slice(1).replace(/\{\{(.*?)\}\}/g, (_, code: string) => valueOf(code, index));
		});
	const host = 'https://api.example.com';
	const data = { baseUrl: host, pushUrl: host, mailUrl: host, brandId, apiKey: 'an-api-key' };
	const sleep = async (ms: number) => {
		await clock.sleep(ms);
		await worker.gate();
	};
	const fake = fakeN8n(clock, never);
	return {
		...fake,
		...called,
		node: { ...fake.node, id: nodeId },
		read: (name, index) => evaluate(parameters[name] ?? null, index),
		raw: (name) => parameters[name] ?? null,
		evaluate: valueOf,
		getCredential: async (type) => await Promise.resolve({ id: '1', name: 'Account', type, data }),
		clock: { now: nowMs, sleep },
		now: nowMs,
		showHints: () => undefined,
	};
}
