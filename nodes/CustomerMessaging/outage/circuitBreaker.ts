import { MINUTE_MS } from '../shared/time';
import type { Flight, HalfOpen, Leave, Member, Sign, State } from './breakerState';
import { FailureStreak } from './failureStreak';
import { cappedRetryAfterMs, isLongestDelay, questionDelayMs } from './questionDelay';

export type { Flight, Leave, Member, Sign } from './breakerState';

/** The service has recovered after so many messages, or after as many as all runs may have in flight. */
const MIN_WORKED = 8;
/** A run ends when its messages fail so many times in a row right after the service seemed to be back. */
const MAX_SETBACKS = 2;
/** How long after the last question it is worth sending again what an outage left over. */
const RETRY_AFTER_QUESTION_MS = 15 * MINUTE_MS;

/**
 * Stops all runs that use an account's API while the service fails, and lets them go on when it is back.
 * To find out, one run at a time asks a question that reaches nobody. There is no clock and no timer
 * inside: times are epoch milliseconds, passed in.
 */
export class CircuitBreaker {
	private state: State = { kind: 'closed' };
	private readonly members = new Set<Member>();
	/** The last message that has left, and the last one that left before the service was back. */
	private lastSeq = 0;
	private outageSeq = 0;
	/** How many questions and first messages in a row failed. */
	private failedQuestions = 0;
	private lastQuestionMs = -Infinity;

	constructor(private readonly streak = new FailureStreak()) {}

	/** Whether a run is registered. */
	get inUse(): boolean {
		return this.members.size > 0;
	}

	/** @param wake called when the run should ask again earlier than it was told */
	join(concurrency: number, wake: () => void = () => {}): Member {
		const member: Member = { concurrency, wake, inFlight: new Set(), setbacks: 0 };
		this.members.add(member);
		return member;
	}

	/** Ends a run. If it was asking the question, another one asks it. */
	leave(member: Member): void {
		for (const flight of member.inFlight) this.end(flight, 'nothing', -Infinity);
		this.members.delete(member);
		if (this.state.kind === 'open' && this.state.asker === member) this.state.asker = undefined;
		this.wakeAll();
	}

	/** What a run that has a message to send may do now. */
	decide(member: Member, nowMs: number): Leave {
		const { state } = this;
		if (member.setbacks >= MAX_SETBACKS) return { kind: 'end' };
		if (state.kind === 'closed') return { kind: 'send' };
		if (state.kind === 'halfOpen') {
			return state.trials.size <= state.worked
				? { kind: 'send' }
				: { kind: 'wait', untilMs: Infinity };
		}
		if (state.asker) return { kind: 'wait', untilMs: Infinity };
		return nowMs < state.askAtMs ? { kind: 'wait', untilMs: state.askAtMs } : { kind: 'ask' };
	}

	/** When it is worth sending again what the outage left over. */
	retryAtMs(): number {
		return this.lastQuestionMs + RETRY_AFTER_QUESTION_MS;
	}

	/** A message leaves. `row` is the same object when it is sent again. */
	depart(member: Member, row: object, nowMs: number): Flight {
		const flight: Flight = { member, row, seq: ++this.lastSeq, sentMs: nowMs };
		member.inFlight.add(flight);
		if (this.state.kind === 'halfOpen') this.state.trials.add(flight);
		return flight;
	}

	/** Takes in how a message ended. */
	end(flight: Flight, sign: Sign, nowMs: number, retryAfterMs = 0): void {
		if (!flight.member.inFlight.delete(flight)) return;
		const { state } = this;
		if (state.kind === 'halfOpen') state.trials.delete(flight);
		// What left before the service was back belongs to the outage.
		if (sign !== 'nothing' && flight.seq > this.outageSeq) {
			if (state.kind === 'closed') this.endMessage(flight, sign, nowMs, retryAfterMs);
			else if (state.kind === 'open') this.endLate(flight, sign);
			else this.endTrial(flight, sign, state, nowMs, retryAfterMs);
		}
		if (state.kind === 'halfOpen') this.wakeAll();
	}

	/** A run asks the question. */
	ask(member: Member, nowMs: number): void {
		this.lastQuestionMs = nowMs;
		if (this.state.kind === 'open') this.state.asker = member;
	}

	/** Takes in how the question was answered. */
	answer(member: Member, sign: Sign, nowMs: number, retryAfterMs = 0): void {
		if (this.state.kind !== 'open' || this.state.asker !== member) return;
		// If the service keeps refusing the question, only a message can tell whether it is back.
		if (sign === 'works' || (sign === 'refuses' && isLongestDelay(this.failedQuestions))) {
			this.outageSeq = this.lastSeq;
			this.streak.end();
			const none = { trials: new Set<Flight>(), failedBy: new Set<Member>(), worked: 0 };
			this.state = { kind: 'halfOpen', answer: sign, ...none };
		} else {
			this.failedQuestions++;
			this.open(this.lastQuestionMs, nowMs + cappedRetryAfterMs(retryAfterMs));
		}
		this.wakeAll();
	}

	private endMessage(flight: Flight, sign: Sign, nowMs: number, retryAfterMs: number): void {
		if (sign !== 'fails') return this.streak.answered(flight);
		this.streak.failed(flight, this.lastSeq, nowMs);
		if (!this.streak.isOutage) return;
		this.lastQuestionMs = nowMs;
		this.open(nowMs, nowMs + cappedRetryAfterMs(retryAfterMs));
	}

	/** Before the first question, the answer to a message that left during the streak is as good as one. */
	private endLate(flight: Flight, sign: Sign): void {
		if (sign === 'fails' || this.failedQuestions > 0) return;
		this.streak.answered(flight);
		if (!this.streak.isOutage) this.close();
	}

	private endTrial(
		flight: Flight,
		sign: Sign,
		state: HalfOpen,
		nowMs: number,
		retryAfterMs: number,
	): void {
		if (sign === 'works' || (sign === 'refuses' && state.answer === 'works')) {
			this.streak.answered(flight);
			state.worked++;
			if (state.worked >= Math.max(MIN_WORKED, this.concurrency())) this.close();
			return;
		}
		state.failedBy.add(flight.member);
		this.streak.failed(flight, this.lastSeq, nowMs);
		if (state.worked > 0 && !this.streak.isOutage) return;
		for (const member of state.failedBy) member.setbacks++;
		this.failedQuestions++;
		this.open(nowMs, nowMs + cappedRetryAfterMs(retryAfterMs));
	}

	/** @param notBeforeMs what a `Retry-After` asks for */
	private open(sinceMs: number, notBeforeMs: number): void {
		const dueMs = sinceMs + questionDelayMs(this.failedQuestions);
		this.state = { kind: 'open', askAtMs: Math.max(dueMs, notBeforeMs) };
	}

	private close(): void {
		this.state = { kind: 'closed' };
		this.failedQuestions = 0;
		this.streak.end();
		for (const member of this.members) member.setbacks = 0;
		this.wakeAll();
	}

	private concurrency(): number {
		let sum = 0;
		for (const { concurrency } of this.members) sum += concurrency;
		return sum;
	}

	private wakeAll(): void {
		for (const { wake } of this.members) wake();
	}
}
