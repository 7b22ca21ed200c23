import type { Step, WaitReason } from './pace/pace';
import { formatSpan } from '../shared/formatting';
import { MINUTE_MS } from '../shared/slices';
import type { Environment } from './interfaces';

/** From fewer messages, how long the others take cannot be told. */
const MIN_MEASURED = 10;

/** Shorter waits for the limit are normal and are not logged. */
const MIN_LOGGED_WAIT_MS = 1_000;

/** Tells n8n's log how a run goes. n8n shows nothing of a node until it ends. */
export class RunLog {
	private done = 0;
	private readonly startedAtMs: number;
	private toldAtMs: number;
	private readonly waitsTold = new Set<WaitReason>();

	constructor(
		private readonly environment: Pick<Environment, 'clock' | 'log'> & {
			writeTime: (ms: number) => string;
		},
		private readonly api: string,
	) {
		this.startedAtMs = this.toldAtMs = environment.clock.now();
	}

	/** Messages have ended. Says once a minute how far the run is; skipped messages do not count. */
	ended(messages: number, remaining: number): void {
		const nowMs = this.environment.clock.now();
		this.done += messages;
		if (nowMs - this.toldAtMs < MINUTE_MS || remaining <= 0) return;
		this.toldAtMs = nowMs;
		const done = `${this.done} of ${this.done + remaining} items done`;
		if (this.done < MIN_MEASURED) return this.environment.log(done);
		const leftMs = ((nowMs - this.startedAtMs) * remaining) / this.done;
		const end = this.environment.writeTime(nowMs + leftMs);
		this.environment.log(
			`${done}. The remaining ${remaining} take about ${formatSpan(leftMs)}, until ${end}`,
		);
	}

	waits({ untilMs, reason }: Extract<Step, { kind: 'wait' }>, nowMs: number): void {
		const waitMs = untilMs - nowMs;
		if (waitMs < MIN_LOGGED_WAIT_MS) return;
		if (reason === 'limit')
			this.tell(reason, `Waiting ${formatSpan(waitMs)} for the rate limit of the ${this.api} API`);
		if (reason === 'service')
			this.tell(reason, `The ${this.api} API fails, so sending pauses until it is back`, 'warn');
	}

	/** @param executions those that are sending what this one waits for */
	waitsForKeys(executions: readonly string[]): void {
		const some = executions.slice(0, 3).join(', ');
		this.tell('key', `Waiting for execution ${some}, which is sending the same messages`);
	}

	goesOn(): void {
		if (this.waitsTold.has('service'))
			this.environment.log(`The ${this.api} API is back, so sending goes on`);
		this.waitsTold.clear();
	}

	private tell(reason: WaitReason, message: string, level?: 'warn'): void {
		if (!this.waitsTold.has(reason)) this.environment.log(message, level);
		this.waitsTold.add(reason);
	}
}
