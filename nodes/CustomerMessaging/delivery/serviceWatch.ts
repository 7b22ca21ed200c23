import type { Flight, Leave, Member } from '../outage/circuitBreaker';
import type { Permit } from '../rateLimit/rateLimiter';
import type { AccountRefusal } from '../shared/outcome';
import type { Reply } from '../shared/reply';
import type { Breaker } from './dispatchOptions';
import { readSign, readQuestionSign } from './serviceSign';

/** Refusals that concern either one row, such as an unknown user, or the whole account or address. */
const AMBIGUOUS_REFUSALS: ReadonlyMap<number, AccountRefusal> = new Map([
	[403, 'credentialsRefused'],
	[404, 'addressRefused'],
]);

/** What one run learns about the service: whether it fails, and whether it refuses the whole account. */
export class ServiceWatch<T> {
	/** Why nothing more of this run would be accepted. */
	refusal?: AccountRefusal;
	private readonly member: Member;
	private readonly flights = new Map<Permit, Flight>();
	private hasAccepted = false;
	/** The refusal that the question is to explain. It is asked at most once in a run. */
	private doubt?: { statusCode: number; step: 'toAsk' | 'asked' | 'answered' };
	private lastFailed?: T;

	constructor(
		private readonly breaker: Breaker,
		concurrency: number,
		wake: () => void,
	) {
		this.member = breaker.join(concurrency, wake);
	}

	leave(): void {
		this.breaker.leave(this.member);
	}

	/** What the run may do now. */
	decide(nowMs: number): Leave {
		const { doubt } = this;
		if (doubt && doubt.step !== 'answered' && !this.hasAccepted) {
			// One of those in flight may be accepted, and then the question is not needed.
			const mayAsk = doubt.step === 'toAsk' && this.flights.size === 0;
			return mayAsk ? { kind: 'ask' } : { kind: 'wait', untilMs: Infinity };
		}
		return this.breaker.decide(this.member, nowMs);
	}

	/** When it is worth sending again what an outage left over. */
	retryAtMs(): number {
		return this.breaker.retryAtMs();
	}

	/** @param row the same object for each attempt of a request */
	depart(permit: Permit, row: object): void {
		this.flights.set(permit, this.breaker.depart(this.member, row, permit.sentMs));
	}

	/** Takes in the reply to a message. */
	receive(permit: Permit, request: T, reply: Reply, nowMs: number): void {
		const flight = this.flights.get(permit);
		this.flights.delete(permit);
		const sign = readSign(reply);
		const retryAfterMs = 'retryAfterMs' in reply ? reply.retryAfterMs : undefined;
		if (flight) this.breaker.end(flight, sign, nowMs, retryAfterMs);
		if (sign === 'fails' || sign === 'refuses') this.lastFailed = request;
		if (reply.kind !== 'answer') return;
		const { statusCode } = reply;
		this.hasAccepted ||= statusCode >= 200 && statusCode < 300;
		if (statusCode === 401) this.refusal = 'credentialsRefused';
		else if (AMBIGUOUS_REFUSALS.has(statusCode) && !this.hasAccepted) {
			this.doubt ??= { statusCode, step: 'toAsk' };
		}
	}

	/** The question leaves. Returns the request whose address it is asked at, if one failed. */
	ask(nowMs: number): T | undefined {
		if (this.doubt?.step === 'toAsk' && !this.hasAccepted) this.doubt.step = 'asked';
		else this.breaker.ask(this.member, nowMs);
		return this.lastFailed;
	}

	/** Takes in the reply to the question. */
	answer(reply: Reply, nowMs: number): void {
		const { doubt } = this;
		if (doubt?.step !== 'asked') {
			const retryAfterMs = 'retryAfterMs' in reply ? reply.retryAfterMs : undefined;
			this.breaker.answer(this.member, readQuestionSign(reply), nowMs, retryAfterMs);
			return;
		}
		doubt.step = 'answered';
		if (reply.kind !== 'answer' || this.hasAccepted) return;
		if (reply.statusCode === 401) this.refusal = 'credentialsRefused';
		else if (reply.statusCode === doubt.statusCode) {
			this.refusal = AMBIGUOUS_REFUSALS.get(doubt.statusCode);
		}
	}
}
