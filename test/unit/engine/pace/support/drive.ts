import { type Feedback, Limit } from '../../../../../nodes/CustomerMessaging/engine/pace/limit';
import { Quota } from '../../../../../nodes/CustomerMessaging/engine/pace/quota';
import {
	Pace,
	type PacedRun,
	type Permit,
	type Step,
} from '../../../../../nodes/CustomerMessaging/engine/pace/pace';
import type { Verdict } from '../../../../../nodes/CustomerMessaging/engine/policy';
import { MINUTE_MS } from '../../../../../nodes/CustomerMessaging/shared/apis';

/** Ten seconds after a full minute. */
export const START_MS = 1_000_000 * MINUTE_MS + 10_000;

/** Drives one pace step by step. Times are milliseconds since the start. */
export class Drive {
	readonly pace: Pace;
	nowMs = 0;

	constructor(limitPerMinute = 1_000_000) {
		this.pace = new Pace(new Limit(new Quota(limitPerMinute)));
	}

	register(options: Partial<Parameters<Pace['register']>[0]> = {}): PacedRun {
		return this.pace.register({
			concurrency: 100,
			size: Infinity,
			maxWaitMs: Infinity,
			isAwaited: false,
			wake: () => {},
			...options,
		});
	}

	/** The next step, with times since the start. */
	step(run: PacedRun): Step {
		const step = this.pace.mayLeave(run, START_MS + this.nowMs);
		if (step.kind === 'wait') return { ...step, untilMs: step.untilMs - START_MS };
		if (step.kind !== 'end' || step.retryAtMs === undefined) return step;
		return { ...step, retryAtMs: step.retryAtMs - START_MS };
	}

	permit(run: PacedRun, kind: 'send' | 'healthCheck' = 'send'): Permit {
		const step = this.step(run);
		if (step.kind !== kind) throw new Error(`Not ${kind}: ${step.kind}`);
		return step.permit;
	}

	end(permit: Permit, verdict: Verdict, more: Partial<Feedback> = {}): void {
		const row = permit.isHealthCheck ? undefined : {};
		this.pace.completed(permit, { verdict, row, ...more }, START_MS + this.nowMs);
	}

	/** Sends a message, or asks, and takes in how that ended at the same time. */
	send(run: PacedRun, verdict: Verdict, more: Partial<Feedback> = {}): void {
		this.end(this.permit(run), verdict, more);
	}

	checkHealth(run: PacedRun, verdict: Verdict): void {
		this.end(this.permit(run, 'healthCheck'), verdict);
	}
}
