import type { Sent } from '../engine/record/sent';
import type { N8n } from '../n8n/context';
import { type Pace, type PacedRun, paceOf, type Permit, type Step } from '../engine/pace/pace';
import { messageScope } from '../plan/counts';
import type { Plan } from '../plan/plan';
import { concurrencyOf, longWait } from '../run/options';
import type { Run } from '../run/resolveRun';
import { MINUTE_MS } from '../shared/apis';
import type { Delivery } from '../shared/delivery';
import { toJsonText } from '../shared/exactJson';
import { count, errorMessage, oneLine } from '../shared/formatting';
import type { Ending, NotSentReason, Outcome, Problem, Reply, RunReport } from '../shared/result';
import { Slice } from '../shared/slices';
import { Alarm } from '../engine/alarm';
import { type Meaning, readReply, waitBeforeRetry, writeTime } from '../engine/policy';
import { Batches, countRequests, inGroups, repeatedIds } from '../engine/batches';
import { checkHealth, sendRequest } from './wire';
import { MessageBrakes } from '../engine/safetyLimits';
import { Outcomes } from '../engine/outcomes';
import { type Job, Queue } from '../engine/queue';
import { RunLog } from '../engine/runLog';

type NotSent = Extract<Ending, { outcome: 'notSent' }>;

/** After so many answers of 429 that concern a request alone, it is not sent. */
const MAX_REFUSED_ALONE = 3;
/** How much is kept of the answer that ended a run. */
const MAX_QUOTE = 300;
/** Someone waits for the answer to so few requests. */
const AWAITED_REQUESTS = 10;
/** n8n expects a stopped node to end within about half a second. */
const STOP_WITHIN_MS = 500;
/** Shorter than other slices, because n8n takes in what has arrived meanwhile at once, too. */
const SLICE_MS = 5;
/** The timeout of a request only starts once it is connected. */
const CONNECT_MS = 2_000;

/** What the runs of a process share of the limit, and 0 to 1 for the waits before retries. */
export interface Pacing {
	pace?: Pace;
	random?: () => number;
}

/**
 * Sends all deliveries of a plan as fast as the rate limit allows, and reports the outcome of each. Never
 * throws: if a mistake of this node ends the run, what was sent is still reported.
 */
export async function sendAll(
	plan: Plan,
	run: Run,
	n8n: N8n,
	sent: Sent,
	{ pace = paceFor(run), random = Math.random }: Pacing = {},
): Promise<RunReport> {
	const { deliveries } = plan;
	const { sendOnce } = run.settings;
	const outcomes = new Outcomes(sent, run, n8n);
	const report: RunReport = { results: [], requests: 0, waitedMs: 0, remaining: null };
	try {
		if (!run.settings.sendDuplicates)
			await n8n.untilStopped(sent.ledger.joinEqualCalls(deliveries));
		const repeated = await repeatedIds(deliveries, run.operation, n8n.clock);
		const toSend = inGroups(await outcomes.unsent(deliveries, repeated), repeated);
		const warning = longWait(
			countRequests(toSend.length, run),
			run.perMinute,
			run.settings,
		)?.message;
		if (warning)
			n8n.log(sendOnce ? `${warning}. What Send Once skips takes no time` : warning, 'warn');
		const sending = new Sending(toSend, repeated, run, n8n, sent, outcomes, pace, random);
		const rest = await sending.toEnd();
		report.refused = sending.refused;
		Object.assign(report, sending.report());
		// With Send Once, the warning counted messages that were then skipped.
		const isAtLimit = rest.outcome === 'notSent' && rest.reason === 'rateLimit';
		if (!sendOnce || isAtLimit) report.warning = warning;
		const finished = await n8n.untilStopped(sending.finish(rest));
		const mustBeLocked =
			sendOnce || deliveries.some(({ ownKeys, audience }) => ownKeys && audience !== undefined);
		report.isUnlocked = mustBeLocked && finished?.isLocked === false;
		report.results = outcomes.resultsOf(deliveries, { ...rest, attempts: 0 });
	} catch (error) {
		const message = errorMessage(error);
		n8n.log(`Internal error in this node ended the run: ${message}`, 'error');
		report.results = outcomes.afterInternalError(deliveries, message);
		// The mistake may be in what this needs, too.
		await n8n.untilStopped(sent.finish()).catch(() => undefined);
	} finally {
		sent.ledger.leaveEqualCalls();
	}
	return report;
}

function paceFor({ origin, account: { brandId, secret }, target: { api }, perMinute }: Run): Pace {
	return paceOf({ host: origin, identity: brandId ?? secret, api }, perMinute);
}

/** What a run sends, what it waits for, and what came back. */
class Sending {
	private requests = 0;
	private readonly paced: PacedRun;
	private readonly queue: Queue;
	private readonly batches: Batches;
	private readonly log: RunLog;
	/** How many deliveries had an outcome before. */
	private readonly knownBefore: number;
	private readonly concurrency: number;
	private readonly answerWithinMs: number;
	private readonly alarm: Alarm;
	private readonly brakes: MessageBrakes;
	/** Responses that arrived and have not been judged. */
	private readonly arrived: Array<{ permit: Permit; reply: Reply }> = [];
	/** Whether the answer to the health check also tells of the limit of this run's API. */
	private isCheckOfLimit = false;
	/** What failed or was refused last. The health check goes to the same address. */
	private failed?: Delivery;
	/** The last answer that said by itself that it failed. */
	private declined = '';
	/** The code of the last failure, if no connection was established. */
	private unreachable?: string;

	/**
	 * @param repeated the rows of users with several, which leave in order
	 * @param random returns 0 to 1
	 */
	constructor(
		private readonly toSend: readonly Delivery[],
		repeated: ReadonlyMap<string, Delivery[]>,
		private readonly run: Run,
		private readonly n8n: N8n,
		private readonly sent: Sent,
		private readonly outcomes: Outcomes,
		private readonly pace: Pace,
		private readonly random: () => number,
	) {
		const { requestTimeoutMs, maxWaitMs } = run.settings;
		const size = countRequests(toSend.length, run);
		this.alarm = new Alarm(n8n.clock);
		this.brakes = new MessageBrakes(run, messageScope(n8n), sent.found);
		const { wake } = this.alarm;
		this.concurrency = concurrencyOf(run.settings, run.perMinute);
		this.answerWithinMs = requestTimeoutMs + CONNECT_MS;
		this.batches = new Batches(run, outcomes.earlierBatches);
		this.queue = new Queue(toSend, repeated, sent, this.batches, outcomes, n8n.clock, wake);
		this.log = new RunLog(n8n, run.target.api);
		this.knownBefore = outcomes.count;
		const isAwaited = n8n.isTool || size <= AWAITED_REQUESTS || run.history.startedByHand === true;
		this.paced = pace.register({
			concurrency: this.concurrency,
			key: run.account.secret,
			isBatch: run.operation.batchKey !== undefined && !run.operation.overwrites,
			...{ size, maxWaitMs, isAwaited, wake },
		});
	}

	/** @returns what to say of deliveries that have no outcome, because the run ended early */
	async toEnd(): Promise<Ending> {
		const { n8n } = this;
		const { wake } = this.alarm;
		n8n.stop?.addEventListener('abort', wake);
		try {
			return await this.send();
		} finally {
			n8n.stop?.removeEventListener('abort', wake);
			this.pace.unregister(this.paced, n8n.clock.now());
			this.sent.stopClaiming();
		}
	}

	private async send(): Promise<Ending> {
		const { n8n, pace, paced, queue, brakes } = this;
		const slice = new Slice(n8n.clock, SLICE_MS);
		for (;;) {
			const nowMs = n8n.clock.now();
			this.takeIn(nowMs);
			if (n8n.cancelled() || (n8n.stopsOnFailure && this.outcomes.hasFailed))
				return await this.drain(notSent('stopped'));
			queue.giveBackTooMany();
			queue.fill(this.concurrency, nowMs);
			const job = queue.next(nowMs, pace.mayRepeatRefused());
			if (!job && queue.isEmpty) return notRecorded(queue, this.run);
			if (job && slice.isOver) {
				await slice.next();
				continue;
			}
			if (job && brakes.isUsedUp(job)) return await this.drain(notSent('maxMessages'));
			const dueMs = job ? brakes.dueMs(job, nowMs) : nowMs;
			const step: Step =
				dueMs > nowMs
					? { kind: 'wait', untilMs: dueMs }
					: job
						? pace.mayLeave(paced, nowMs)
						: this.waitForJob(nowMs);
			if (step.kind === 'wait') {
				this.log.waits(step, nowMs);
				await this.sleepUntil(Math.min(step.untilMs, queue.nextDueMs(nowMs)));
			} else if (step.kind === 'end') {
				if (step.reason !== 'keyInUse') return await this.drain(this.leftOver(step));
				queue.leaveOutInUse();
			} else if (!job || step.kind === 'healthCheck') {
				this.checkHealth(step.permit, this.failed ?? job?.request.deliveries[0]);
			} else {
				if (!step.isTrial) this.log.goesOn();
				// A row that was not sent before tells the service from rows that fail.
				const best = (step.isTrial && queue.newest(nowMs)) || job;
				this.depart(queue.cut(best, step.maxRows), step.permit);
			}
		}
	}

	/** Judges and settles what came back. */
	private takeIn(nowMs: number): void {
		const { n8n, paced, queue } = this;
		this.endOverdue(nowMs);
		for (const { permit, reply } of this.arrived.splice(0)) {
			// It may have exceeded its time before.
			if (!paced.permits.has(permit)) continue;
			const job = queue.inFlight.get(permit);
			queue.inFlight.delete(permit);
			const isCustom = job !== undefined && this.run.resource === 'customRequest';
			const { feedback, ...meaning } = readReply(
				reply,
				isCustom,
				// To a health check, any JSON is an answer.
				job && this.run.account.answerRule,
			);
			if (!job && !this.isCheckOfLimit) feedback.limit = 'unanswered';
			// n8n breaks off what is in flight when the execution is stopped.
			if (reply.kind === 'failure' && n8n.cancelled()) feedback.sign = 'none';
			const rows = this.paced.options.isBatch ? job?.request.deliveries.length : 1;
			const isRefusedAlone = this.pace.completed(
				permit,
				{ ...feedback, row: job?.row, rows },
				nowMs,
			);
			const hasNotLeft = feedback.limit === 'notCounted';
			this.unreachable = hasNotLeft && reply.kind === 'failure' ? reply.code : undefined;
			if (!job) continue;
			if (reply.kind === 'withheld') {
				this.requests--;
				job.attempts--;
			}
			if (feedback.sign !== 'success' && feedback.sign !== 'none')
				this.failed = job.request.deliveries[0];
			if (feedback.sign === 'declined' && reply.kind === 'answer')
				this.declined = oneLine(toJsonText(reply.body), MAX_QUOTE);
			if (isRefusedAlone && this.refuseAlone(job, feedback.retryAfterMs, nowMs)) continue;
			this.judge(job, meaning, nowMs);
		}
	}

	/** Sends a request again, splits it, or settles it. */
	private judge(job: Job, { ending, mayRepeat }: Omit<Meaning, 'feedback'>, nowMs: number): void {
		const { queue, run } = this;
		if (!ending) return queue.sendAgain(job);
		const repeats =
			mayRepeat === 'always' || (mayRepeat !== undefined && run.settings.retryUnknown);
		const waitMs = repeats ? waitBeforeRetry(job.failures, this.random()) : undefined;
		if (waitMs !== undefined) {
			job.failures++;
			if (ending.outcome === 'unknown') job.unknown = ending;
			return queue.sendAgain(job, nowMs + waitMs);
		}
		const parts = job.unknown ? undefined : this.batches.halves(job.request, ending);
		if (parts) queue.sendNext(parts);
		else this.settle(job, ending);
	}

	/** Settles a request that was answered 429 for itself alone too often. */
	private refuseAlone(job: Job, retryAfterMs: number | undefined, nowMs: number): boolean {
		job.refusedAlone = (job.refusedAlone ?? 0) + 1;
		if (job.refusedAlone < MAX_REFUSED_ALONE) return false;
		const retryAt = writeTime(nowMs + (retryAfterMs ?? MINUTE_MS), this.n8n);
		this.settle(job, { ...notSent('rateLimit'), retryAt });
		return true;
	}

	private settle({ request, unknown, attempts }: Job, ending: Ending): void {
		// "Not sent" and "rejected" mean that nothing was delivered, but an earlier attempt may have been.
		const reported = ending.outcome === 'accepted' ? ending : (unknown ?? ending);
		const outcome: Outcome = { ...reported, attempts };
		this.batches.settle(request, outcome);
		this.outcomes.settle(request, outcome);
		const known = this.outcomes.count - this.knownBefore;
		this.log.ended(request.deliveries.length, this.toSend.length - known);
	}

	/** What the run does that has no request ready. */
	private waitForJob(nowMs: number): Step {
		const { holders, lookAgainMs: untilMs = Infinity, unfinished } = this.queue;
		if (holders.length === 0 || unfinished > 0) return { kind: 'wait', untilMs };
		this.log.waitsForKeys(holders);
		const step = this.pace.waitForKey(this.paced, nowMs);
		return step.kind === 'wait' ? { ...step, untilMs: Math.min(step.untilMs, untilMs) } : step;
	}

	private depart(job: Job, permit: Permit): void {
		this.brakes.depart(job, permit.sentMs);
		this.queue.depart(job, permit);
		void this.track(
			permit,
			sendRequest(job.request, this.run, this.n8n, (request) => this.outcomes.begin(request)),
		);
	}

	private checkHealth(permit: Permit, about: Delivery | undefined): void {
		const { reply, isOfLimit } = checkHealth(about, this.run, this.n8n);
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

	/** Ends what has waited too long for a response, in case n8n does not end it itself. */
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
	 * Sends nothing more, and waits for the responses to what is in flight: only briefly once the execution was
	 * stopped. Requests that are then still in flight may have been delivered.
	 */
	private async drain(rest: NotSent): Promise<NotSent> {
		const { queue } = this;
		const { clock, cancelled } = this.n8n;
		for (let endMs = Infinity; ;) {
			const nowMs = clock.now();
			this.takeIn(nowMs);
			for (const job of queue.takeWaiting()) this.settle(job, rest);
			if (cancelled()) endMs = Math.min(endMs, nowMs + STOP_WITHIN_MS);
			if (queue.inFlight.size === 0 || nowMs >= endMs) break;
			await this.sleepUntil(endMs);
		}
		const message = 'The execution ended before the response arrived';
		for (const job of queue.inFlight.values())
			this.settle(job, { outcome: 'unknown', code: 'STOPPED', message });
		return rest;
	}

	/** Gives the rest its outcome, and waits until the journal has noted how everything ended. */
	async finish(rest: Ending) {
		await this.queue.claiming;
		this.outcomes.leaveOut(this.toSend, { ...rest, attempts: 0 });
		const finished = await this.sent.finish();
		const { inDoubt, writeError } = finished;
		if (inDoubt === 0) return finished;
		const what = `Could not store how ${count(inDoubt, 'message')} ended, so they stay in doubt`;
		this.n8n.log(`${what}: ${errorMessage(writeError)}`, 'warn');
		return finished;
	}

	/** Why the whole run must not send anything. */
	get refused(): Problem | undefined {
		return this.queue.refused;
	}

	report(): Partial<RunReport> {
		const nowMs = this.n8n.clock.now();
		const { limit, service } = this.paced.waited(nowMs);
		const remaining = this.pace.remaining(nowMs);
		return { requests: this.requests, waitedMs: limit, pausedMs: service, remaining };
	}

	/** What to say of the rows that are left when nothing more may leave. */
	private leftOver({ reason, retryAtMs }: Extract<Step, { kind: 'end' }>): NotSent {
		const code = this.paced.hasSuccess ? undefined : this.unreachable;
		if (this.paced.ending === 'serviceUnavailable')
			return { ...notSent(reason), message: this.declined };
		const retryAt = retryAtMs === undefined ? undefined : writeTime(retryAtMs, this.n8n);
		return { ...notSent(reason), ...(code && { code }), ...(retryAt && { retryAt }) };
	}
}

function notSent(reason: NotSentReason): NotSent {
	return { outcome: 'notSent', reason };
}

/** What is left if a run ends by itself is what could not be recorded. */
function notRecorded({ unrecorded: message }: Queue, { history }: Run): Ending {
	if (message === undefined) return notSent('stopped');
	// Other attempts may have sent it.
	return history.isRetry
		? { outcome: 'unknown', reason: 'notRecorded', message }
		: { ...notSent('notRecorded'), message };
}
