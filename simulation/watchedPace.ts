import type { Feedback, Limit } from '../nodes/CustomerMessaging/engine/pace/limit';
import {
	Pace,
	type PacedRun,
	type Permit,
	type Step,
} from '../nodes/CustomerMessaging/engine/pace/pace';
import { ruleOf } from '../nodes/CustomerMessaging/engine/policy';
import { CircuitBreaker } from '../nodes/CustomerMessaging/engine/pace/circuitBreaker';

/** A pause as seen from outside. */
export interface Pause {
	fromMs: number;
	toMs: number;
	/** Messages in flight when it began, without the failure that began it. */
	inFlight: number;
	failedTrials: number;
}

/** A pace that counts what the bounds speak of. */
export class WatchedPace extends Pace {
	/** Maximum number of requests in flight after the newest response said that none are left. */
	maxProbes = 0;
	readonly pauses: Pause[] = [];
	private readonly runsSeen = new Set<PacedRun>();
	private readonly trials = new Set<Permit>();
	private isUsedUp = false;
	private newest = 0;
	private readonly probes = new Set<Permit>();

	constructor(
		limit: Limit,
		private readonly state = new CircuitBreaker(),
	) {
		super(limit, state);
	}

	override register(options: Parameters<Pace['register']>[0]): PacedRun {
		const run = super.register(options);
		this.runsSeen.add(run);
		return run;
	}

	override mayLeave(run: PacedRun, nowMs: number): Step {
		const step = super.mayLeave(run, nowMs);
		if (step.kind === 'send' && step.isTrial) this.trials.add(step.permit);
		if (this.isUsedUp && 'permit' in step) {
			this.probes.add(step.permit);
			this.maxProbes = Math.max(this.maxProbes, this.probes.size);
		}
		return step;
	}

	override completed(permit: Permit, feedback: Feedback, nowMs: number): boolean {
		this.watchLimit(permit, feedback);
		const wasSending = this.state.isClosed;
		const isOfRow = super.completed(permit, feedback, nowMs);
		const pause = this.pauses.at(-1);
		if (wasSending && !this.state.isClosed) {
			let inFlight = 0;
			for (const run of this.runsSeen) inFlight += run.permits.size;
			this.pauses.push({ fromMs: nowMs, toMs: Infinity, inFlight, failedTrials: 0 });
		} else if (pause && this.state.isClosed && pause.toMs === Infinity) pause.toMs = nowMs;
		else if (pause && this.trials.has(permit) && !this.state.isClosed) pause.failedTrials++;
		return isOfRow;
	}

	override unregister(run: PacedRun, nowMs: number): void {
		for (const permit of run.permits) {
			this.probes.delete(permit);
			const pause = this.pauses.at(-1);
			if (pause && this.trials.has(permit)) pause.failedTrials++;
		}
		super.unregister(run, nowMs);
	}

	private watchLimit(permit: Permit, { verdict, isOfOtherLimit, remaining }: Feedback): void {
		const limit = isOfOtherLimit ? 'unanswered' : ruleOf(verdict).limit;
		this.probes.delete(permit);
		const isAnswer = limit !== 'unanswered' && limit !== 'notCounted';
		if (!isAnswer || permit.seq <= this.newest) return;
		// A request that left later and was counted shows that more was left.
		const isUsedUp = limit === 'limited';
		const left = isUsedUp ? 0 : (remaining ?? (this.isUsedUp ? 1 : undefined));
		if (left === undefined) return;
		this.newest = permit.seq;
		this.isUsedUp = left <= 0;
	}
}
