import type { Client, Decision, Permit } from '../rateLimit/rateLimiter';
import { errorMessage } from '../shared/formatting';
import type { Reply } from '../shared/reply';
import type {
	DispatchDeps,
	DispatchOptions,
	DispatchResult,
	EndReason,
	QuestionReply,
} from './dispatchOptions';
import { feedbackFrom } from './retryPolicy';
import { RunWaits } from './runWaits';
import { ServiceWatch } from './serviceWatch';

/** A question that takes longer has failed, even if `requestTimeout` is longer. */
const QUESTION_MS = 10_000;

/** What a run does next: send a message or ask the question with this permit, wait, or end. */
export type Step =
	| { kind: 'send' | 'ask'; permit: Permit }
	| { kind: 'wait'; untilMs: number }
	| { kind: 'end'; reason: EndReason; retryAtMs?: number };

type Refusal = Exclude<Decision, { permit: Permit }>;

/** Where the requests of one run leave: once both the rate limit and the state of the service allow it. */
export class Gate<T> {
	/** Requests that left, questions included. */
	requests = 0;
	private readonly service: ServiceWatch<T>;
	private readonly client: Client;
	private readonly waits: RunWaits;

	constructor(
		private readonly deps: Pick<
			DispatchDeps<T>,
			'limiter' | 'breaker' | 'clock' | 'ask' | 'waiting' | 'paused' | 'resumed'
		>,
		{ concurrency, size, ...options }: DispatchOptions,
		private readonly wake: () => void,
	) {
		this.waits = new RunWaits(deps, options);
		this.client = deps.limiter.register(concurrency, wake, size);
		this.service = new ServiceWatch(deps.breaker, concurrency, wake);
	}

	/** Decides for the request that is sent next. While others of the run are in flight, no wait counts. */
	next(hasInFlight: boolean): Step {
		const nowMs = this.deps.clock.now();
		const leave = this.service.decide(nowMs);
		if (leave.kind === 'end') return this.unavailable();
		if (leave.kind === 'wait') {
			if (hasInFlight) return leave;
			const untilMs = this.waits.waitForService(leave.untilMs, nowMs);
			return untilMs === undefined ? this.unavailable() : { kind: 'wait', untilMs };
		}
		const decision = this.deps.limiter.tryAcquire(this.client, nowMs);
		if (!('permit' in decision)) return this.waitForLimit(decision, hasInFlight, nowMs);
		if (leave.kind === 'send') this.waits.end(nowMs);
		return { kind: leave.kind, permit: decision.permit };
	}

	/** @param row the same object for each attempt of a request */
	depart(permit: Permit, row: object): void {
		this.requests++;
		this.service.depart(permit, row);
	}

	/** Takes in the reply to a message. */
	receive(permit: Permit, request: T, reply: Reply): void {
		const nowMs = this.deps.clock.now();
		this.deps.limiter.release(permit, feedbackFrom(reply), nowMs);
		if (reply.kind === 'withheld') this.requests--;
		this.service.receive(permit, request, reply, nowMs);
	}

	/** Asks whether the service would answer a request, without sending it. */
	async ask(permit: Permit, request: T): Promise<void> {
		const { clock, limiter } = this.deps;
		this.requests++;
		const { reply, feedback } = await this.askWithin(this.service.ask(clock.now()) ?? request);
		limiter.release(permit, feedback, clock.now());
		this.service.answer(reply, clock.now());
		this.wake();
	}

	/** Why the service would refuse all further messages of the run, if it would. */
	get refusal(): EndReason | undefined {
		return this.service.refusal;
	}

	/** No more requests leave. Waits that have begun end. */
	endWaits(): void {
		this.waits.stop(this.deps.clock.now());
	}

	close(): void {
		this.deps.limiter.unregister(this.client, this.deps.clock.now());
		this.service.leave();
	}

	waited(): Pick<DispatchResult, 'waitedMs' | 'pausedMs'> {
		const nowMs = this.deps.clock.now();
		return { waitedMs: this.waits.limitMs(nowMs), pausedMs: this.waits.outageMs(nowMs) };
	}

	private waitForLimit(refusal: Refusal, hasInFlight: boolean, nowMs: number): Step {
		const { askAgainAtMs, reason } = refusal;
		const isTold = reason === 'retryAfter';
		if (hasInFlight || (reason !== 'limit' && !isTold)) {
			return { kind: 'wait', untilMs: askAgainAtMs };
		}
		// A wait that the service itself asks for cannot end early, so it is known beforehand.
		const untilMs = this.waits.waitForLimit(askAgainAtMs, isTold, nowMs);
		return untilMs === undefined
			? { kind: 'end', reason: 'rateLimit', retryAtMs: askAgainAtMs }
			: { kind: 'wait', untilMs };
	}

	private unavailable(): Step {
		return { kind: 'end', reason: 'serviceUnavailable', retryAtMs: this.service.retryAtMs() };
	}

	private async askWithin(request: T): Promise<QuestionReply> {
		const failed = (code: string, message: string): QuestionReply => ({
			reply: { kind: 'failure', code, message },
			feedback: { kind: 'unanswered' },
		});
		const timeout = this.deps.clock
			.sleep(QUESTION_MS)
			.then(() => failed('ETIMEDOUT', 'The question was not answered'));
		const answer = this.deps
			.ask(request)
			.catch((error: unknown) => failed('UNEXPECTED', errorMessage(error)));
		return await Promise.race([answer, timeout]);
	}
}
