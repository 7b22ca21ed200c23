import { toJsonText } from '../shared/exactJson';
import { count, errorMessage, oneLine, placeOfMistake } from '../shared/formatting';
import type { NotSentCode, SentEnding } from '../shared/ending';
import { MINUTE_MS } from '../shared/apis';
import { Slice } from '../shared/slices';
import { Alarm } from './alarm';
import { Batches } from './batches';
import { Claims } from './claims';
import type { Message, Request, Environment, Wire } from './message';
import type { Outcomes } from './outcomes';
import type { Pace, PacedRun, Permit, Step } from './pace/pace';
import { type Judgement, judgeHealthCheck, type Policy, ruleOf } from './policy';
import { type Job, Queue } from './queue';
import type { Sent } from './record/sent';
import type { Reply } from './replies';
import { RunLog } from './runLog';
import { SafetyLimits } from './safetyLimits';

type NotSent = Extract<SentEnding, { kind: 'notSent' }>;

/** Length of the quote of the answer that ended a run. */
const MAX_QUOTE = 300;
/** Someone waits for the answer to so few requests. */
const AWAITED_REQUESTS = 10;
/** n8n expects a stopped node to end within about half a second. */
const STOP_WITHIN_MS = 500;
/** Shorter than other slices, because n8n also takes in all responses that arrived meanwhile. */
const SLICE_MS = 5;
/** The timeout of a request only starts once it is connected. */
const CONNECT_MS = 2_000;

interface Limits {
	/** Number of messages to single people that may still leave. */
	maxMessages: number;
	/** Number of requests that may be in flight. */
	concurrency: number;
	requestTimeoutMs: number;
	/** The longest wait in all. */
	maxWaitMs: number;
	/** Someone waits for the answer, however many requests there are. */
	isAwaited: boolean;
	/** The key or token. A rejection of it ends only runs that send with the same one. */
	key: string;
}

export interface SendOptions<R extends Message, M extends R> extends Environment {
	wire: Wire<M>;
	policy: Policy;
	sent: Sent<R>;
	pace: Pace;
	limits: Limits;
	/** The API's name, for n8n's log. */
	api: string;
	/** Writes a time of the clock, for people. */
	writeTime: (ms: number) => string;
	/** Other attempts of the execution may have sent the same. */
	isRetry: boolean;
	/** 0 to 1. */
	random: () => number;
}

/** The end of a run. */
export interface Ended {
	/** The ending of messages that had no outcome when the run ended. */
	rest: SentEnding;
	/** Number of requests. */
	requests: number;
	/** Time spent waiting for the rate limit, and for a failing service. */
	waitedMs: number;
	pausedMs: number;
	/** Calls left in the current minute; null if the service did not say. */
	remaining: number | null;
	/** Other processes of n8n were kept out. */
	isLocked: boolean;
	/** n8n runs an interrupted execution again from its start, so that nothing was sent. */
	ranAgain: boolean;
}

/** A reply that arrived, and the request that it answers; a health check has none. */
interface Arrival<M extends Message> {
	permit: Permit;
	reply: Reply;
	job?: Job<M>;
	judgement: Judgement;
}

/** The next thing to do. `end`: nothing more may leave. `yield`: n8n may do other work first. */
type Next<M extends Message> =
	| { kind: 'end'; rest: SentEnding }
	| { kind: 'yield' }
	| { kind: 'skipHeldKeys' }
	| { kind: 'wait'; untilMs: number }
	| { kind: 'healthCheck'; permit: Permit; about?: M }
	| { kind: 'send'; permit: Permit; job: Job<M> };

/** Sends the messages of one run. */
export class Sending<R extends Message, M extends R> {
	private requests = 0;
	private readonly paced: PacedRun;
	private readonly claims: Claims<R, M>;
	private readonly queue: Queue<M>;
	private readonly batches: Batches<M>;
	private readonly log: RunLog;
	/** Number of messages that had an outcome before. */
	private readonly knownBefore: number;
	private readonly answerWithinMs: number;
	private readonly alarm: Alarm;
	private readonly safety: SafetyLimits<M>;
	/** Responses that have not been judged. */
	private readonly arrived: Array<Pick<Arrival<M>, 'permit' | 'reply'>> = [];
	/** The answer to the health check also tells of the limit of this run's API. */
	private isCheckOfLimit = false;
	/** The message that failed or was rejected last. The health check goes to the same address. */
	private failed?: M;
	/** The last answer that said by itself that it failed. */
	private declined = '';
	/** The code of the last failure, if no connection was established. */
	private unreachable?: string;

	/** @param lanes messages that leave one after another */
	constructor(
		private readonly toSend: readonly M[],
		lanes: ReadonlyMap<string, M[]>,
		private readonly options: SendOptions<R, M>,
		private readonly outcomes: Outcomes<R, M>,
	) {
		const { clock, wire, policy, sent, limits, pace, api } = options;
		const { concurrency, maxMessages, maxWaitMs, key } = limits;
		const size = policy.countRequests(toSend.length);
		this.alarm = new Alarm(clock);
		const { wake } = this.alarm;
		this.safety = new SafetyLimits<M>(maxMessages, (message) => sent.counts(message), sent.found);
		this.answerWithinMs = limits.requestTimeoutMs + CONNECT_MS;
		const batches = new Batches(wire, policy, outcomes.earlierBatches);
		this.batches = batches;
		this.claims = new Claims(toSend, { sent, policy, batches, outcomes, clock, wake });
		const hasEnded = (message: M) => outcomes.has(message);
		this.queue = new Queue(this.claims, batches, { lanes, laneOf: wire.laneOf, hasEnded });
		this.log = new RunLog(options, api);
		this.knownBefore = outcomes.count;
		const isAwaited = limits.isAwaited || size <= AWAITED_REQUESTS;
		const isBatch = policy.risksBatches;
		this.paced = pace.register({ concurrency, size, maxWaitMs, isAwaited, isBatch, key, wake });
	}

	/** Sends all that may leave, and waits until the record holds how everything ended. Call it once. */
	async run(): Promise<Ended> {
		const { stop, pace, clock, sent, untilStopped } = this.options;
		const { wake } = this.alarm;
		stop?.addEventListener('abort', wake);
		let rest: SentEnding;
		try {
			rest = await this.send();
		} finally {
			stop?.removeEventListener('abort', wake);
			pace.unregister(this.paced, clock.now());
			sent.journal.close();
		}
		const ranAgain = this.claims.failure?.ranAgain === true;
		const nowMs = clock.now();
		const { limit: waitedMs, service: pausedMs } = this.paced.waited(nowMs);
		const remaining = pace.remaining(nowMs);
		const isLocked = (await untilStopped(this.finish(rest))) ?? true;
		return { rest, requests: this.requests, waitedMs, pausedMs, remaining, isLocked, ranAgain };
	}

	/** Sends until nothing more may leave. Returns the ending of messages that then have no outcome. */
	private async send(): Promise<SentEnding> {
		const { clock } = this.options;
		const slice = new Slice(clock, SLICE_MS);
		for (;;) {
			const nowMs = clock.now();
			this.takeIn(nowMs);
			const next = this.decideNext(nowMs, slice);
			if (next.kind === 'end') return await this.drain(next.rest);
			if (next.kind === 'yield') await slice.next();
			else if (next.kind === 'wait') await this.sleepUntil(next.untilMs);
			else if (next.kind === 'skipHeldKeys') this.claims.skipHeldKeys();
			else if (next.kind === 'healthCheck') this.checkHealth(next.permit, next.about);
			else this.depart(next.job, next.permit);
		}
	}

	private decideNext(nowMs: number, slice: Slice): Next<M> {
		const { queue } = this;
		const { pace, limits, cancelled, stopsOnFailure } = this.options;
		if (cancelled() || (stopsOnFailure && this.outcomes.hasFailed))
			return { kind: 'end', rest: notSent('stopped') };
		queue.releaseExcess();
		queue.fill(limits.concurrency, nowMs);
		const job = queue.next(nowMs, pace.mayRepeatLimited());
		if (!job)
			return queue.isEmpty ? { kind: 'end', rest: this.notRecorded() } : this.waitForJob(nowMs);
		if (slice.isOver) return { kind: 'yield' };
		const { messages } = job.request;
		if (this.safety.isUsedUp(messages)) return { kind: 'end', rest: notSent('maxMessages') };
		const step = pace.mayLeave(this.paced, nowMs);
		if (step.kind === 'wait') return this.waitFor(step, nowMs);
		if (step.kind === 'end') return this.endBy(step);
		const { permit } = step;
		if (step.kind === 'healthCheck')
			return { kind: 'healthCheck', permit, about: this.failed ?? messages[0] };
		if (!step.isTrial) this.log.goesOn();
		// A row that was not sent before tells the service from rows that fail.
		const best = (step.isTrial && queue.newest(nowMs)) || job;
		return { kind: 'send', permit, job: queue.cut(best, step.maxRows) };
	}

	/** No request is ready: waits for a response, a retry or a key. */
	private waitForJob(nowMs: number): Next<M> {
		const { holders, nextLookMs } = this.claims;
		if (holders.length === 0 || this.queue.unfinished > 0)
			return this.waitFor({ kind: 'wait', untilMs: nextLookMs }, nowMs);
		this.log.waitsForKeys(holders);
		const step = this.options.pace.waitForKey(this.paced, nowMs);
		if (step.kind !== 'wait') return { kind: 'skipHeldKeys' };
		return this.waitFor({ ...step, untilMs: Math.min(step.untilMs, nextLookMs) }, nowMs);
	}

	private waitFor(step: Extract<Step, { kind: 'wait' }>, nowMs: number): Next<M> {
		this.log.waits(step, nowMs);
		return { kind: 'wait', untilMs: Math.min(step.untilMs, this.queue.nextDueMs(nowMs)) };
	}

	/** Judges and settles the responses that arrived. */
	private takeIn(nowMs: number): void {
		const { paced, queue, options } = this;
		this.endOverdue(nowMs);
		for (const { permit, reply } of this.arrived.splice(0)) {
			// It may have exceeded its time before.
			if (!paced.permits.has(permit)) continue;
			const job = queue.land(permit);
			const judgement = job ? options.policy.judge(reply) : judgeHealthCheck(reply);
			const isLimitedAlone = this.tellPace({ permit, reply, judgement, job }, nowMs);
			if (!job) continue;
			if (reply.kind === 'notSent') {
				this.requests--;
				job.attempts--;
			}
			const { service } = ruleOf(judgement.verdict);
			if (service !== 'works' && service !== 'nothing') this.failed = job.request.messages[0];
			if (service === 'declines' && reply.kind === 'answer')
				this.declined = oneLine(toJsonText(reply.body), MAX_QUOTE);
			if (isLimitedAlone && this.giveUpLimited(job, reply, nowMs)) continue;
			this.judge(job, judgement, nowMs);
		}
	}

	/** @returns true if a request was answered 429 for itself alone */
	private tellPace(
		{ permit, reply, judgement: { verdict }, job }: Arrival<M>,
		nowMs: number,
	): boolean {
		const { policy, pace, cancelled } = this.options;
		const hasNotLeft = ruleOf(verdict).limit === 'notCounted';
		this.unreachable = hasNotLeft && reply.kind === 'failure' ? reply.code : undefined;
		// n8n breaks off requests in flight when the execution is stopped.
		const isBrokenOff = verdict === 'unanswered' && cancelled();
		const headers = reply.kind === 'answer' ? reply : undefined;
		return pace.completed(
			permit,
			{
				verdict: isBrokenOff ? 'brokenOff' : verdict,
				isOfOtherLimit: !job && !this.isCheckOfLimit,
				row: job?.row,
				rows: policy.risksBatches ? job?.request.messages.length : 1,
				remaining: headers?.remaining,
				dateMs: headers?.dateMs,
				retryAfterMs: headers?.retryAfterMs,
			},
			nowMs,
		);
	}

	/** Sends a request again, splits it, or settles it. */
	private judge(job: Job<M>, { verdict, ending }: Judgement, nowMs: number): void {
		const { queue } = this;
		const { policy, random } = this.options;
		if (!ending) return queue.retry(job);
		const waitMs = policy.waitBeforeRetry(verdict, job.failures, random());
		if (waitMs !== undefined) {
			job.failures++;
			if (ending.kind === 'unknown') job.unknown = ending;
			return queue.retry(job, nowMs + waitMs);
		}
		const parts = job.unknown ? undefined : this.batches.halves(job.request, verdict);
		if (parts) queue.sendNext(parts);
		else this.settle(job, ending);
	}

	/** Settles a request that was answered 429 for itself alone too often. */
	private giveUpLimited(job: Job<M>, reply: Reply, nowMs: number): boolean {
		job.limitedAlone = (job.limitedAlone ?? 0) + 1;
		const { policy, writeTime } = this.options;
		if (!policy.givesUpLimited(job.limitedAlone)) return false;
		const { retryAfterMs = MINUTE_MS } = reply.kind === 'answer' ? reply : {};
		this.settle(job, notSent('rateLimit', { retryAt: writeTime(nowMs + retryAfterMs) }));
		return true;
	}

	private settle({ request, unknown, attempts }: Job<M>, own: SentEnding): void {
		// "Not sent" and "rejected" mean that nothing was delivered, but an earlier attempt may have been.
		const ending = own.kind === 'accepted' ? own : (unknown ?? own);
		this.batches.settle(request, ending);
		this.outcomes.settle(request, { ending, attempts });
		const known = this.outcomes.count - this.knownBefore;
		this.log.ended(request.messages.length, this.toSend.length - known);
	}

	private depart(job: Job<M>, permit: Permit): void {
		this.safety.depart(job.request.messages);
		this.queue.depart(job, permit);
		void this.track(permit, this.post(job.request));
	}

	/** Sends a request, unless its scheduled time has passed, or this node cannot write it. */
	private async post(request: Request<M>): Promise<Reply> {
		const { wire, now, log } = this.options;
		const { messages } = request;
		const [first] = messages;
		const wallMs = now();
		let body: Buffer;
		try {
			if (!first || wire.hasPassed(first, wallMs))
				return { kind: 'notSent', reason: 'schedulePassed' };
			// A request in flight keeps no more than this in memory.
			body = wire.write(messages, wallMs);
		} catch (error) {
			log(`Internal error in this node withheld a request: ${placeOfMistake(error)}`, 'error');
			return { kind: 'notSent', reason: 'internalError' };
		}
		request.sentAtMs = wallMs;
		this.outcomes.begin(request);
		return await wire.post(first, body);
	}

	private checkHealth(permit: Permit, about: M | undefined): void {
		const { reply, isOfLimit } = this.options.wire.checkHealth(about);
		this.isCheckOfLimit = isOfLimit;
		void this.track(permit, reply);
	}

	private async track(permit: Permit, response: Promise<Reply>): Promise<void> {
		this.requests++;
		const reply = await response.catch((error: unknown): Reply => {
			return { kind: 'failure', code: 'UNEXPECTED', message: errorMessage(error) };
		});
		this.arrived.push({ permit, reply });
		this.alarm.wake();
	}

	/** Ends requests that have waited too long for a response, in case n8n does not end them itself. */
	private endOverdue(nowMs: number): void {
		for (const permit of this.paced.permits) {
			if (permit.sentMs + this.answerWithinMs > nowMs) break;
			const message = `No answer within ${Math.round(this.answerWithinMs / 1_000)} s`;
			this.arrived.push({ permit, reply: { kind: 'failure', code: 'ETIMEDOUT', message } });
		}
	}

	/** Sleeps until a time, until it is woken, or until the oldest request in flight is overdue. */
	private async sleepUntil(ms: number): Promise<void> {
		const [{ sentMs = Infinity } = {}] = this.paced.permits;
		await this.alarm.sleepUntil(Math.min(ms, sentMs + this.answerWithinMs));
	}

	/**
	 * Sends nothing more, and waits for responses to requests in flight: only briefly once the execution was
	 * stopped. Requests that are then still in flight may have been delivered.
	 */
	private async drain(rest: SentEnding): Promise<SentEnding> {
		const { queue } = this;
		const { clock, cancelled } = this.options;
		for (let endMs = Infinity; ;) {
			const nowMs = clock.now();
			this.takeIn(nowMs);
			for (const job of queue.takeWaiting()) this.settle(job, rest);
			if (cancelled()) endMs = Math.min(endMs, nowMs + STOP_WITHIN_MS);
			if (queue.inFlight.length === 0 || nowMs >= endMs) break;
			await this.sleepUntil(endMs);
		}
		const message = 'The execution ended before the response arrived';
		for (const job of queue.inFlight)
			this.settle(job, { kind: 'unknown', values: { code: 'STOPPED', message } });
		return rest;
	}

	/** Gives the rest its outcome, and waits until the record holds how everything ended. Returns true if it was locked. */
	private async finish(rest: SentEnding): Promise<boolean> {
		const { sent, log } = this.options;
		await this.claims.settled();
		this.outcomes.leaveOut(this.toSend, { ending: rest, attempts: 0 });
		const { inDoubt, writeError, isLocked } = await sent.journal.finish();
		const what = `Could not store how ${count(inDoubt, 'message')} ended, so they stay in doubt`;
		if (inDoubt > 0) log(`${what}: ${errorMessage(writeError)}`, 'warn');
		return isLocked;
	}

	/** The pace lets nothing more leave. */
	private endBy({ reason, retryAtMs }: Extract<Step, { kind: 'end' }>): Next<M> {
		if (reason === 'keyInUse') return { kind: 'skipHeldKeys' };
		if (this.paced.ending === 'serviceUnavailable')
			return { kind: 'end', rest: notSent(reason, { message: this.declined }) };
		const code = this.paced.hasSuccess ? undefined : this.unreachable;
		const retryAt = retryAtMs === undefined ? undefined : this.options.writeTime(retryAtMs);
		const values = { ...(code && { code }), ...(retryAt && { retryAt }) };
		return { kind: 'end', rest: notSent(reason, values) };
	}

	/** A run that ends by itself leaves only what could not be recorded. */
	private notRecorded(): SentEnding {
		const { failure } = this.claims;
		if (!failure) return notSent('stopped');
		const { message } = failure;
		// Other attempts may have sent it.
		return this.options.isRetry
			? { kind: 'unknown', code: 'notRecorded', values: { message } }
			: notSent('notRecorded', { message });
	}
}

function notSent(code: NotSentCode, values?: NotSent['values']): NotSent {
	return { kind: 'notSent', code, ...(values && { values }) };
}
