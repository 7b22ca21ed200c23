import { MINUTE_MS, Slice } from '../shared/slices';
import type { EndingOf, SentEnding } from '../shared/ending';
import { toJsonText } from '../shared/exactJson';
import { count, errorMessage, oneLine, placeOfMistake } from '../shared/formatting';
import { Alarm } from './alarm';
import { Batches, inGroups, lanesOf } from './batches';
import { Claims } from './claims';
import type { Environment, Message, Request, Wire } from './interfaces';
import { Outcomes } from './outcomes';
import { type Feedback, MOST_LIMITED_ALONE } from './pace/limit';
import type { Pace, PacedRun, Permit, Step } from './pace/pace';
import { type Policy, ruleOf, type Verdict } from './policy';
import { type Job, Queue } from './queue';
import type { Sent } from './record/sent';
import { judge, type Reply } from './replies';
import { RunLog } from './runLog';

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

interface Limits extends Omit<Parameters<Pace['register']>[0], 'size' | 'isBatch' | 'wake'> {
	/** Number of messages to single people that may still leave. */
	maxMessages: number;
	requestTimeoutMs: number;
}

interface Options<R extends Message, M extends R> extends Environment {
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
}

interface Ended {
	requests: number;
	/** The ending of messages that had no outcome when the run ended. */
	rest: SentEnding;
	pausedMs: number;
	/** Other processes of n8n were kept out. */
	isLocked: boolean;
	/** n8n runs an interrupted execution again from its start, so that nothing was sent. */
	ranAgain: boolean;
}

/**
 * Delivers each message that was not sent before, as fast as the limit allows, and says how each ended, in the same
 * order. Never throws: if a mistake of this node ends the run, what was sent is still reported.
 *
 * @param starts called before the first request, with how many there will be about
 */
export async function deliver<R extends Message, M extends R>(
	messages: readonly M[],
	options: Options<R, M>,
	starts: (requests: number) => void = () => undefined,
): Promise<Ended & { results: ReturnType<Outcomes<R, M>['resultsOf']> }> {
	const { sent, wire, policy, clock, untilStopped, log } = options;
	const outcomes = new Outcomes(sent, wire, policy, clock);
	try {
		await untilStopped(sent.ledger.joinEqualCalls(messages));
		const lanes = await lanesOf(messages, wire.laneOf, clock);
		const toSend = inGroups(await outcomes.unsent(messages, lanes), lanes, wire);
		starts(policy.countRequests(toSend.length));
		const ended = await new Sending(toSend, lanes, options, outcomes).run();
		return { ...ended, results: outcomes.resultsOf(messages, ended.rest) };
	} catch (error) {
		log(`Internal error in this node ended the run: ${placeOfMistake(error)}`, 'error');
		const results = outcomes.afterInternalError(messages, errorMessage(error));
		// The mistake may be in what this needs, too.
		await untilStopped(sent.journal.finish()).catch(() => undefined);
		const rest = notSent('stopped');
		return { rest, requests: 0, pausedMs: 0, isLocked: true, ranAgain: false, results };
	} finally {
		sent.ledger.leaveEqualCalls();
	}
}

class Sending<R extends Message, M extends R> {
	private requests = 0;
	private readonly paced: PacedRun;
	private readonly claims: Claims<R, M>;
	private readonly queue: Queue<M>;
	private readonly batches: Batches<M>;
	private readonly log: RunLog;
	/** Number of messages, with those that had an outcome before. */
	private readonly total: number;
	private readonly answerWithinMs: number;
	private readonly alarm: Alarm;
	/** The items of messages to single people that have left. A push to several platforms is one. */
	private readonly departedItems = new Set<number>();
	/** Responses that have not been judged. */
	private readonly arrived: Array<{ permit: Permit; reply: Reply }> = [];
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
		private readonly options: Options<R, M>,
		private readonly outcomes: Outcomes<R, M>,
	) {
		const { clock, wire, policy, sent, limits, pace, api } = options;
		const size = policy.countRequests(toSend.length);
		this.alarm = new Alarm(clock);
		const { wake } = this.alarm;
		this.answerWithinMs = limits.requestTimeoutMs + CONNECT_MS;
		const batches = new Batches(wire, policy, outcomes.earlierBatches);
		this.batches = batches;
		this.claims = new Claims(toSend, { sent, policy, batches, outcomes, clock, wake });
		const hasEnded = (message: M) => outcomes.has(message);
		this.queue = new Queue(this.claims, batches, { lanes, laneOf: wire.laneOf, hasEnded });
		this.log = new RunLog(options, api);
		this.total = toSend.length + outcomes.count;
		const isAwaited = limits.isAwaited || size <= AWAITED_REQUESTS;
		this.paced = pace.register({ ...limits, size, isAwaited, isBatch: policy.risksBatches, wake });
	}

	/** Sends all that may leave, and waits until the record holds how everything ended. Call it once. */
	async run(): Promise<Ended> {
		const { stop, pace, clock, sent, untilStopped } = this.options;
		const { wake } = this.alarm;
		stop?.addEventListener('abort', wake);
		let rest: SentEnding;
		try {
			rest = await this.send();
			await this.drain(rest);
		} finally {
			stop?.removeEventListener('abort', wake);
			pace.unregister(this.paced, clock.now());
			sent.journal.close();
		}
		const ranAgain = this.claims.failure?.ranAgain === true;
		const pausedMs = this.paced.waited(clock.now()).service;
		const isLocked = (await untilStopped(this.finish(rest))) ?? true;
		return { rest, requests: this.requests, pausedMs, isLocked, ranAgain };
	}

	/** Sends until nothing more may leave. Returns the ending of messages that then have no outcome. */
	private async send(): Promise<SentEnding> {
		const { queue, options, paced } = this;
		const { clock, pace, limits } = options;
		const slice = new Slice(clock, SLICE_MS);
		for (;;) {
			const nowMs = clock.now();
			this.takeIn(nowMs);
			if (options.cancelled() || (options.stopsOnFailure && this.outcomes.hasFailed))
				return notSent('stopped');
			queue.releaseExcess();
			queue.fill(limits.concurrency, nowMs);
			const job = queue.next(nowMs, pace.mayRepeatLimited());
			if (!job) {
				if (queue.isEmpty) return this.endOfAll();
				await this.waitForJob(nowMs);
			} else if (slice.isOver) {
				await slice.next();
			} else if (this.isUsedUp(job)) {
				return notSent('maxMessages');
			} else {
				const step = pace.mayLeave(paced, nowMs);
				if (step.kind === 'end') return this.endBy(step);
				if (step.kind === 'wait') await this.wait(step, nowMs);
				else if (step.kind === 'healthCheck') this.checkHealth(step.permit, job);
				else this.depart(job, step, nowMs);
			}
		}
	}

	/** Waits for a response, a retry or a key. */
	private async waitForJob(nowMs: number): Promise<void> {
		const { holders, nextLookMs } = this.claims;
		if (holders.length === 0 || this.queue.unfinished > 0)
			return await this.wait({ kind: 'wait', untilMs: nextLookMs }, nowMs);
		this.log.waitsForKeys(holders);
		const step = this.options.pace.waitForKey(this.paced, nowMs);
		if (step.kind !== 'wait') return this.claims.skipHeldKeys();
		await this.wait({ ...step, untilMs: Math.min(step.untilMs, nextLookMs) }, nowMs);
	}

	private async wait(step: Extract<Step, { kind: 'wait' }>, nowMs: number): Promise<void> {
		this.log.waits(step, nowMs);
		await this.sleepUntil(Math.min(step.untilMs, this.queue.nextDueMs(nowMs)));
	}

	/** Sleeps until a time, until it is woken, or until the oldest request in flight is overdue. */
	private async sleepUntil(ms: number): Promise<void> {
		const [{ sentMs = Infinity } = {}] = this.paced.permits;
		await this.alarm.sleepUntil(Math.min(ms, sentMs + this.answerWithinMs));
	}

	/** As many messages to single people have left as may. */
	private isUsedUp({ request: { messages } }: Job<M>): boolean {
		const { sent, limits } = this.options;
		const [first] = messages;
		if (!first || !sent.identity.counts(first) || this.departedItems.has(first.itemIndex))
			return false;
		return this.departedItems.size + sent.found.size >= limits.maxMessages;
	}

	private depart(next: Job<M>, step: Extract<Step, { kind: 'send' }>, nowMs: number): void {
		const { queue, options } = this;
		const { permit, isTrial, maxRows } = step;
		if (!isTrial) this.log.goesOn();
		// A row that was not sent before tells the service from rows that fail.
		const job = queue.cut((isTrial && queue.newest(nowMs)) || next, maxRows);
		for (const message of job.request.messages)
			if (options.sent.identity.counts(message)) this.departedItems.add(message.itemIndex);
		queue.depart(job, permit);
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
		this.requests++;
		this.outcomes.begin(request);
		return await wire.post(first, body);
	}

	private checkHealth(permit: Permit, { request: { messages } }: Job<M>): void {
		const { reply, isOfLimit } = this.options.wire.checkHealth(this.failed ?? messages[0]);
		this.isCheckOfLimit = isOfLimit;
		this.requests++;
		void this.track(permit, reply);
	}

	private async track(permit: Permit, response: Promise<Reply>): Promise<void> {
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

	/** Judges the responses that arrived, and settles their requests or sends them again. */
	private takeIn(nowMs: number): void {
		const { paced, queue, options } = this;
		this.endOverdue(nowMs);
		for (const { permit, reply } of this.arrived.splice(0)) {
			// It may have exceeded its time before.
			if (!paced.permits.has(permit)) continue;
			const job = queue.land(permit);
			const { verdict, ending } = judge(reply, job && options.policy);
			this.learn(reply, verdict, job);
			const feedback = this.feedbackOf(reply, verdict, job);
			const isLimitedAlone = options.pace.completed(permit, feedback, nowMs);
			if (!job) continue;
			if (isLimitedAlone) job.limitedAlone++;
			if (ending) this.takeEnding(job, verdict, ending, nowMs);
			else if (job.limitedAlone < MOST_LIMITED_ALONE) queue.retry(job);
			else {
				const retryAt = options.writeTime(nowMs + (feedback.retryAfterMs ?? MINUTE_MS));
				this.settle(job, notSent('rateLimit', { retryAt }));
			}
		}
	}

	/** Keeps what a health check and the end of the run need. */
	private learn(reply: Reply, verdict: Verdict, job?: Job<M>): void {
		const { limit, service } = ruleOf(verdict);
		const isUnreachable = reply.kind === 'failure' && limit === 'notCounted';
		this.unreachable = isUnreachable ? reply.code : undefined;
		if (!job) return;
		if (reply.kind === 'notSent') job.attempts--;
		if (service !== 'works' && service !== 'nothing') this.failed = job.request.messages[0];
		if (service === 'declines' && reply.kind === 'answer')
			this.declined = oneLine(toJsonText(reply.body), MAX_QUOTE);
	}

	private feedbackOf(reply: Reply, verdict: Verdict, job?: Job<M>): Feedback {
		const { policy, cancelled } = this.options;
		const headers = reply.kind === 'answer' ? reply : undefined;
		return {
			// n8n breaks off requests in flight when the execution is stopped.
			verdict: verdict === 'unanswered' && cancelled() ? 'brokenOff' : verdict,
			isOfOtherLimit: !job && !this.isCheckOfLimit,
			row: job?.row,
			rows: policy.risksBatches ? job?.request.messages.length : 1,
			remaining: headers?.remaining,
			dateMs: headers?.dateMs,
			retryAfterMs: headers?.retryAfterMs,
		};
	}

	/** Sends a request again, splits it, or settles it. */
	private takeEnding(job: Job<M>, verdict: Verdict, ending: SentEnding, nowMs: number): void {
		const { policy, random } = this.options;
		const waitMs = policy.waitBeforeRetry(verdict, job.failures, random());
		if (waitMs !== undefined) {
			job.failures++;
			if (ending.kind === 'unknown') job.unknown = ending;
			return this.queue.retry(job, nowMs + waitMs);
		}
		const parts = job.unknown ? undefined : this.batches.halves(job.request, verdict);
		if (parts) this.queue.sendNext(parts);
		else this.settle(job, ending);
	}

	private settle({ request, unknown, attempts }: Job<M>, own: SentEnding): void {
		// "Not sent" and "rejected" mean that nothing was delivered, but an earlier attempt may have been.
		const ending = own.kind === 'accepted' ? own : (unknown ?? own);
		this.batches.settle(request, ending);
		this.outcomes.settle(request, { ending, attempts });
		this.log.ended(request.messages.length, this.total - this.outcomes.count);
	}

	/** Waits for responses to requests in flight, but after Stop only briefly. The others may have been delivered. */
	private async drain(rest: SentEnding): Promise<void> {
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
	}

	/** Gives the rest its outcome, and waits until the record holds how everything ended. Returns true if it was locked. */
	private async finish(rest: SentEnding): Promise<boolean> {
		const { sent, log } = this.options;
		await this.claims.settled();
		this.outcomes.leaveOut(this.toSend, rest);
		const { inDoubt, writeError, isLocked } = await sent.journal.finish();
		const what = `Could not store how ${count(inDoubt, 'message')} ended, so they stay in doubt`;
		if (inDoubt > 0) log(`${what}: ${errorMessage(writeError)}`, 'warn');
		return isLocked;
	}

	private endBy({ reason, retryAtMs }: Extract<Step, { kind: 'end' }>): SentEnding {
		if (this.paced.ending === 'serviceUnavailable')
			return notSent(reason, { message: this.declined });
		const code = this.paced.hasSuccess ? undefined : this.unreachable;
		const retryAt = retryAtMs === undefined ? undefined : this.options.writeTime(retryAtMs);
		return notSent(reason, { ...(code && { code }), ...(retryAt && { retryAt }) });
	}

	/** Nothing is left to send but what could not be recorded. Other attempts may have sent that. */
	private endOfAll(): SentEnding {
		const { failure } = this.claims;
		if (!failure) return notSent('stopped');
		const values = { message: failure.message };
		return this.options.isRetry
			? { kind: 'unknown', code: 'notRecorded', values }
			: notSent('notRecorded', values);
	}
}

type NotSent = EndingOf<'notSent'>;

function notSent(code: NotSent['code'], values?: NotSent['values']): NotSent {
	return { kind: 'notSent', code, ...(values && { values }) };
}
