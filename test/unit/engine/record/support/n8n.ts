import type { IDataObject } from 'n8n-workflow';

import type { StoreCalls } from '../../../../../nodes/CustomerMessaging/engine/record/lock';
import type { N8n } from '../../../../../nodes/CustomerMessaging/n8n/context';
import { Limit } from '../../../../../nodes/CustomerMessaging/engine/pace/limit';
import { Quota } from '../../../../../nodes/CustomerMessaging/engine/pace/quota';
import { Pace } from '../../../../../nodes/CustomerMessaging/engine/pace/pace';
import { createMask } from '../../../../../nodes/CustomerMessaging/shared/mask';
import type { Reply } from '../../../../../nodes/CustomerMessaging/shared/result';
import { N8nStore } from '../../../../../simulation/n8nStore';
import type { VirtualClock } from '../../../../../simulation/virtualClock';

/** Never ends. What waits for it is as good as killed. */
export const never = async () => await new Promise<never>(() => undefined);

/** A worker of n8n. Everything that its runs wait for passes its gate, so it can be killed and stalled anywhere. */
export class Worker {
	isKilled = false;
	readonly whenKilled: Promise<void>;
	readonly pace = new Pace(new Limit(new Quota(500)));
	private stalledUntilMs = -Infinity;
	private tellKilled = () => {};

	/** @param offsetMs how far its clock is ahead */
	constructor(
		readonly name: string,
		private readonly clock: VirtualClock,
		readonly offsetMs: number,
	) {
		this.whenKilled = new Promise((resolve) => (this.tellKilled = resolve));
	}

	async gate(): Promise<void> {
		while (this.stalledUntilMs > this.clock.now())
			await this.clock.sleep(this.stalledUntilMs - this.clock.now());
		if (this.isKilled) await never();
	}

	stall(ms: number): void {
		this.stalledUntilMs = Math.max(this.stalledUntilMs, this.clock.now() + ms);
	}

	kill(): void {
		this.isKilled = true;
		this.tellKilled();
	}
}

/** What goes wrong with a call of n8n's store. */
export type Fate = 'none' | 'failsBefore' | 'failsAfter' | 'silentBefore' | 'silentAfter' | 'late';

/** What the world decides about each call of the store. */
export interface StoreFaults {
	fate: () => Fate;
	delayMs: () => number;
	/** Called before each statement: the worker may be killed or stalled there. */
	disturb: (worker: Worker) => void;
	/** How late the statements of a late call reach the database. */
	lateMs: () => number;
	/** Called where a call may leave names in doubt. */
	mayLeaveDoubt: (fate: Fate, worker: Worker) => void;
	breaks: (kind: string, text: string) => void;
	/** A call that would have committed after another worker had taken the lock over. */
	givesUp: (what: string) => void;
}

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
		const context = (scope: string) => (scope === 'workflow' ? '' : `n:${nodeId}`);
		return {
			checkProcessedAndRecord: async (items, scope, options) => {
				const names = items.map(String);
				return await this.call(worker, context(scope), async (calls) => {
					const result = await calls.checkProcessedAndRecord(names, context(scope), options);
					if (scope === 'workflow' && result.new.length > 0) this.changeOwner(worker);
					return result;
				});
			},
			removeProcessed: async (items, scope) => {
				const names = items.map(String);
				await this.call(
					worker,
					context(scope),
					async (calls) => await calls.removeProcessed(names, context(scope)),
				);
			},
			clearAllProcessedItems: async (scope) =>
				await this.call(
					worker,
					context(scope),
					async (calls) => {
						await calls.clearAllProcessedItems(context(scope));
						if (scope === 'workflow') this.changeOwner(undefined);
					},
					true,
				),
			getProcessedDataCount: async (scope, options) =>
				await this.call(
					worker,
					context(scope),
					async (calls) => await calls.getProcessedDataCount(context(scope), options),
				),
		};
	}

	private async call<T>(
		worker: Worker,
		context: string,
		run: (calls: ReturnType<N8nStore['connect']>) => Promise<T>,
		isRelease = false,
	): Promise<T> {
		const { faults, clock } = this;
		const isList = context !== '';
		const fate = faults.fate();
		const call = { worker, sinceMs: clock.now() };
		if (isList) this.checkHolder(worker);
		if (isList) this.open.add(call);
		const turn = this.turns;
		// A failed call of the lock leaves no name in doubt. While one is not answered, nothing can be looked up.
		if (fate !== 'none' && (isList || !fate.startsWith('fails')))
			faults.mayLeaveDoubt(fate, worker);
		let lateMs = fate === 'late' ? faults.lateMs() : 0;
		const step = async () => {
			await clock.sleep(faults.delayMs() + lateMs);
			lateMs = 0;
			faults.disturb(worker);
			await worker.gate();
			if (isList ? this.turns === turn : !isRelease || this.owner === worker) return;
			if (!this.isLocked || this.isQuick(call)) return;
			faults.givesUp('a call that commits after another worker has taken the lock over');
			throw new Error('The transaction was rolled back');
		};
		try {
			if (fate === 'failsBefore' || fate === 'silentBefore') await step();
			if (fate === 'failsBefore') throw new Error('The connection is lost');
			if (fate === 'silentBefore') return await never();
			const result = await run(this.rows.connect(step));
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
		const { owner, faults } = this;
		if (!owner) return faults.breaks('lock', `${worker.name} uses the list without a lock`);
		if (owner !== worker) {
			// Whoever takes the lock over waits until its holder gives up.
			if (this.isUsed) faults.breaks('lock', `${owner.name} and ${worker.name} have the lock`);
			return;
		}
		if (!this.isUsed) this.turns++;
		this.isUsed = true;
		for (const other of this.open)
			if (other.worker !== worker && !other.worker.isKilled && this.isQuick(other))
				faults.breaks('lock', `${other.worker.name} still uses the list`);
	}

	/** Longer ones were stalled, and are rolled back. */
	private isQuick({ sinceMs }: { sinceMs: number }): boolean {
		return this.clock.now() - sinceMs < 1_000;
	}
}

/** The parameters of the node as they are stored, with their expressions. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface Called {
	items: ReadonlyArray<{ json: Readonly<Record<string, string>> }>;
	parameters: Parameters;
	/** As an agent's tool, the arguments of the call. */
	isTool: boolean;
	execution: N8n['execution'];
	memory: { context: IDataObject; runIndex: number };
	stops: boolean;
	maxTries: number;
	brandId: string;
}

/** What the node sees of n8n in a worker. */
export function simulateN8n(
	{ items, parameters, isTool, execution, memory, stops, maxTries, brandId }: Called,
	worker: Worker,
	clock: VirtualClock,
	store: StoreCalls,
	post: (path: string, body: unknown) => Promise<Reply>,
	{ mayLock, logsMistake }: { mayLock: boolean; logsMistake: (message: string) => void },
): N8n {
	const unused = () => {
		throw new Error('The simulation has no such thing');
	};
	const nowMs = () => clock.now() + worker.offsetMs;
	const valueOf = (code: string, index: number): string => {
		const [, column] = /^\s*\$(?:json|\('Rows'\)\.first\(\)\.json)\.(\w+)\s*$/.exec(code) ?? [];
		if (column !== undefined) return items[index]?.json[column] ?? '';
		const now = new Date(nowMs()).toISOString();
		return code.includes('$today') ? now.slice(0, 10) : now;
	};
	const evaluate = (raw: unknown, index: number): unknown => {
		if (typeof raw === 'string' && raw.startsWith('='))
			return raw.slice(1).replace(/\{\{(.*?)\}\}/g, (_, code: string) => valueOf(code, index));
		if (Array.isArray(raw)) return raw.map((entry) => evaluate(entry, index));
		if (typeof raw !== 'object' || raw === null) return raw;
		return Object.fromEntries(
			Object.entries(raw).map(([key, entry]) => [key, evaluate(entry, index)]),
		);
	};
	return {
		node: {
			id: execution.nodeId,
			name: 'Send',
			type: 'customerMessaging',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		read: (name, index) => evaluate(parameters[name] ?? null, index),
		raw: (name) => parameters[name] ?? null,
		evaluate: valueOf,
		getCredential: async (type) => {
			const host = 'https://api.example.com';
			const hosts = { baseUrl: host, pushUrl: host, mailUrl: host };
			const data = { ...hosts, brandId, apiKey: 'an-api-key' };
			return await Promise.resolve({ id: '1', name: 'Account', type, data });
		},
		mask: createMask([]),
		stopsOnFailure: stops,
		hasErrorOutput: false,
		execution,
		maxTries,
		isTool,
		isReview: false,
		workflowZone: 'UTC',
		clock: {
			now: nowMs,
			sleep: async (ms) => {
				await clock.sleep(ms);
				await worker.gate();
			},
		},
		now: nowMs,
		post: async ({ url, body }) => await post(new URL(url).pathname, JSON.parse(String(body))),
		stop: undefined,
		cancelled: () => false,
		untilStopped: async (work) => await work,
		// Each worker has names and turns of its own, although they lie in one process here.
		store: () => ({
			calls: store,
			workflow: worker.name,
			node: `${worker.name} ${execution.nodeId}`,
			mayLock,
		}),
		memory: () => ({ ...memory, execution: execution.id }),
		branch: () => undefined,
		log: (message, level) => {
			if (level === 'error') logsMistake(message);
		},
		showHints: () => undefined,
		answerUrl: unused,
		pathOfN8n: unused,
		waitForAnswer: unused,
	};
}
