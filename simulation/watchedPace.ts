import type { Limit } from '../nodes/CustomerMessaging/pace/limit';
import {
	type Feedback,
	Pace,
	type PacedRun,
	type Permit,
	type RunOptions,
	type Step,
} from '../nodes/CustomerMessaging/pace/pace';
import { Service } from '../nodes/CustomerMessaging/pace/service';

/** A pause as seen from outside. */
export interface Pause {
	fromMs: number;
	toMs: number;
	/** Messages in flight when it began, without the failure that began it. */
	inFlight: number;
	failedTries: number;
}

/** A pace that counts what the bounds speak of. */
export class WatchedPace extends Pace {
	/** Maximum number of requests in flight after the newest response said that none are left. */
	maxProbes = 0;
	readonly pauses: Pause[] = [];
	private readonly runsSeen = new Set<PacedRun>();
	private readonly tries = new Set<Permit>();
	private isUsedUp = false;
	private newest = 0;
	private readonly probes = new Set<Permit>();

	constructor(
		limit: Limit,
		private readonly state = new Service(),
	) {
		super(limit, state);
	}

	override register(options: RunOptions): PacedRun {
		const run = super.register(options);
		this.runsSeen.add(run);
		return run;
	}

	override mayLeave(run: PacedRun, nowMs: number): Step {
		const step = super.mayLeave(run, nowMs);
		if (step.kind === 'send' && step.isTry) this.tries.add(step.permit);
		if (this.isUsedUp && 'permit' in step) {
			this.probes.add(step.permit);
			this.maxProbes = Math.max(this.maxProbes, this.probes.size);
		}
		return step;
	}

	override cameBack(permit: Permit, feedback: Feedback, nowMs: number): void {
		this.watchLimit(permit, feedback);
		const wasSending = this.state.isSending;
		super.cameBack(permit, feedback, nowMs);
		const pause = this.pauses.at(-1);
		if (wasSending && !this.state.isSending) {
			let inFlight = 0;
			for (const run of this.runsSeen) inFlight += run.permits.size;
			this.pauses.push({ fromMs: nowMs, toMs: Infinity, inFlight, failedTries: 0 });
		} else if (pause && this.state.isSending && pause.toMs === Infinity) pause.toMs = nowMs;
		else if (pause && this.tries.has(permit) && !this.state.isSending) pause.failedTries++;
	}

	override unregister(run: PacedRun, nowMs: number): void {
		for (const permit of run.permits) {
			this.probes.delete(permit);
			const pause = this.pauses.at(-1);
			if (pause && this.tries.has(permit)) pause.failedTries++;
		}
		super.unregister(run, nowMs);
	}

	private watchLimit(permit: Permit, { limit, remaining }: Feedback): void {
		this.probes.delete(permit);
		const isAnswer = limit === 'counted' || limit === 'refused';
		if (!isAnswer || permit.seq <= this.newest) return;
		// A request that left later and was counted shows that more was left.
		const left = limit === 'refused' ? 0 : (remaining ?? (this.isUsedUp ? 1 : undefined));
		if (left === undefined) return;
		this.newest = permit.seq;
		this.isUsedUp = left <= 0;
	}
}
