import type { NodeMemory } from '../n8n/memory';
import { messagesSent, type Scope } from '../plan/counts';
import type { Run } from '../run/resolveRun';
import { MINUTE_MS } from '../shared/apis';
import type { Job } from './queue';

/** How many messages to single people may still leave, and how fast. A push to several platforms is one. */
export class MessageBrakes {
	private readonly departed = new Set<number>();
	private readonly mayLeave: number;
	private readonly intervalMs: number;
	private readonly memory: NodeMemory;

	constructor(
		private readonly run: Run,
		scope: Scope,
		/** The items of messages that other attempts have sent. */
		private readonly found: ReadonlySet<number>,
	) {
		const { maxMessages, maxPerMinute } = run.settings;
		const { rounds, attempts } = messagesSent(scope);
		this.memory = scope.context;
		this.mayLeave = maxMessages - rounds - attempts;
		this.intervalMs = maxPerMinute === undefined ? 0 : MINUTE_MS / maxPerMinute;
	}

	isUsedUp(job: Job): boolean {
		return this.isNew(job) && this.departed.size + this.found.size >= this.mayLeave;
	}

	/**
	 * When a message may leave, also after that of an earlier round of a loop. That one may have left by the clock of
	 * another process, which says nothing here, so no message waits longer than one interval.
	 */
	dueMs(job: Job, nowMs: number): number {
		if (this.intervalMs === 0 || !this.isNew(job)) return 0;
		return Math.min(this.memory.lastMessageMs ?? -Infinity, nowMs) + this.intervalMs;
	}

	depart(job: Job, nowMs: number): void {
		if (!this.isNew(job)) return;
		for (const { itemIndex } of job.request.deliveries) this.departed.add(itemIndex);
		if (this.intervalMs > 0) this.memory.lastMessageMs = nowMs;
	}

	private isNew({ request: { deliveries } }: Job): boolean {
		const [first] = deliveries;
		const isToPerson = this.run.operation.isMessage && first?.audience === undefined;
		return isToPerson === true && !first?.test && !this.departed.has(first?.itemIndex ?? 0);
	}
}
