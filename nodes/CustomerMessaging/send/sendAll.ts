import type { SentRecords } from '../journal/reconcile';
import type { N8n } from '../n8n/context';
import { type Pace, type PacedRun, paceOf, type Permit, type Step } from '../pace/pace';
import { longWait, type Plan, repeatedIds } from '../plan/plan';
import { concurrencyOf } from '../run/options';
import type { Run } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';
import { count, errorMessage } from '../shared/formatting';
import type { NotSentReason, Outcome, Reply, RunReport } from '../shared/result';
import { type Ending, isSplittable, type Meaning, readReply, waitBeforeRetry } from './answer';
import { Outcomes } from './outcomes';
import { Batches, askService, sendRequest, writeTime } from './batches';
import { type Job, Queue, Source, WakeUp } from './queue';
import { RunLog } from './runLog';

type NotSent = Extract<Ending, { outcome: 'notSent' }>;

/** Someone waits for the answer to so few requests. */
const AWAITED_REQUESTS = 10;
/** n8n expects a stopped node to end within about half a second. */
const STOP_WITHIN_MS = 500;
/** The timeout of a request only starts once it is connected. */
const CONNECT_MS = 2_000;

/**
 * Sends all deliveries of a plan as fast as the rate limit allows, and reports the outcome of each. Never
 * throws: if a mistake of this node ends the run, what was sent is still reported.
 */
export async function sendAll(
	plan: Plan,
	run: Run,
	n8n: N8n,
	records: SentRecords,
	{ pace = paceFor(run), random = Math.random } = {},
): Promise<RunReport> {
	const { settings, operation } = run;
	const { deliveries } = plan;
	const { clock } = n8n;
	const { journal } = records;
	const outcomes = new Outcomes(records, run, n8n);
	const report: RunReport = { results: [], requests: 0, waitedMs: 0, remaining: null };
	try {
		const repeated = await repeatedIds(deliveries, operation, clock);
		const toSend = await outcomes.unsent(deliveries, repeated);
		const batches = new Batches(run, outcomes.earlierBatches);
		const size = batches.count(toSend.length);
		const warning = longWait(size, run)?.message;
		if (warning)
			n8n.log(
				settings.sendOnce ? `${warning}. What Send Once skips takes no time` : warning,
				'warn',
			);
		const sending = new Sending(toSend, size, batches, new Queue(repeated), {
			run,
			n8n,
			records,
			outcomes,
			pace,
			random,
		});
		const rest = await sending.toEnd();
		Object.assign(report, sending.report());
		// With Send Once, the warning counted messages that were then skipped.
		if (!settings.sendOnce || rest.reason === 'rateLimit') report.warning = warning;
		await n8n.untilStopped(sending.finish(rest));
		report.isUnlocked = settings.sendOnce && journal?.isLocked === false;
		report.results = outcomes.resultsOf(deliveries, { ...rest, attempts: 0 });
	} catch (error) {
		const message = errorMessage(error);
		n8n.log(`A mistake in this node ended the run: ${message}`, 'error');
		report.results = outcomes.afterInternalError(deliveries, message);
		// The mistake may be in what this needs, too.
		if (journal) await n8n.untilStopped(journal.finish()).catch(() => undefined);
	}
	return report;
}

function paceFor({ origin, account, target: { api } }: Run): Pace {
	return paceOf({ host: origin, identity: account.identity, api }, account.limits[api]);
}

/** What a run sends, what it waits for, and what came back. */
class Sending {
	private requests = 0;
	private readonly wakeUp: WakeUp;
	private readonly paced: PacedRun;
	private readonly log: RunLog;
	private readonly source: Source;
	/** Responses that arrived and have not been judged. */
	private readonly arrived: Array<{ permit: Permit; reply: Reply }> = [];
	/** `isOfLimit`: whether its answer also tells of the limit of this run's API. */
	private question?: { permit: Permit; isOfLimit: boolean };
	/** What failed or was refused last. The question goes to the same address. */
	private failed?: Delivery;
	/** The code of the last failure, if no connection was established. */
	private unreachable?: string;
	private readonly concurrency: number;
	private readonly answerWithinMs: number;

	constructor(
		private readonly toSend: readonly Delivery[],
		size: number,
		private readonly batches: Batches,
		private readonly queue: Queue,
		private readonly deps: {
			run: Run;
			n8n: N8n;
			records: SentRecords;
			outcomes: Outcomes;
			pace: Pace;
			/** 0 to 1. */
			random: () => number;
		},
	) {
		const { run, n8n, records, outcomes, pace } = deps;
		this.wakeUp = new WakeUp(n8n.clock);
		this.concurrency = concurrencyOf(run.settings, run.account.limits[run.target.api]);
		this.answerWithinMs = run.settings.requestTimeoutMs + CONNECT_MS;
		const isAwaited = n8n.isTool || size <= AWAITED_REQUESTS || run.history.startedByHand === true;
		this.paced = pace.register({
			concurrency: this.concurrency,
			size,
			maxWaitMs: run.settings.maxWaitMs,
			isAwaited,
			wake: this.wakeUp.wake,
		});
		this.log = new RunLog(n8n, run.target.api, toSend.length);
		this.source = new Source(toSend, records, batches, outcomes, n8n.clock, this.wakeUp.wake);
	}

	/** @returns what to say of deliveries that have no outcome, because the run ended early */
	async toEnd(): Promise<NotSent> {
		const { n8n, pace, records } = this.deps;
		const { wake } = this.wakeUp;
		n8n.stop?.addEventListener('abort', wake);
		try {
			return await this.send();
		} finally {
			n8n.stop?.removeEventListener('abort', wake);
			pace.unregister(this.paced, n8n.clock.now());
			records.journal?.close();
		}
	}

	private async send(): Promise<NotSent> {
		const { queue, source, paced } = this;
		const { n8n, pace, outcomes } = this.deps;
		for (;;) {
			const nowMs = n8n.clock.now();
			this.takeIn(nowMs);
			if (n8n.cancelled() || (n8n.stopsOnFailure && outcomes.hasFailed))
				return await this.drain(notSent('stopped'));
			this.makeRequests(nowMs);
			const job = queue.next(nowMs);
			if (!job && queue.unfinished === 0 && source.isExhausted) return notRecorded(source);
			const step = job ? pace.mayLeave(paced, nowMs) : this.waitForJob(nowMs);
			if (step.kind === 'wait') {
				this.log.waits(step, nowMs);
				await this.sleepUntil(Math.min(step.untilMs, queue.nextDueMs(nowMs)));
			} else if (step.kind === 'end') {
				if (step.reason !== 'keyInUse') return await this.drain(this.leftOver(step));
				source.leaveOutInUse();
			} else if (!job || step.kind === 'ask') {
				this.ask(step.permit, this.failed ?? job?.request.deliveries[0]);
			} else {
				this.log.goesOn(step.isTry);
				// A row that was not sent before tells the service from rows that fail.
				this.depart((step.isTry && queue.newest(nowMs)) || job, step.permit);
			}
		}
	}

	/** Judges and settles what came back. */
	private takeIn(nowMs: number): void {
		const { run, n8n, pace } = this.deps;
		this.endOverdue(nowMs);
		for (const { permit, reply } of this.arrived.splice(0)) {
			const job = this.queue.inFlight.get(permit);
			// It may have exceeded its time before.
			if (!job && permit !== this.question?.permit) continue;
			const mayFetchPage = job !== undefined && run.resource === 'customRequest';
			const { feedback, ...meaning } = readReply(reply, mayFetchPage);
			if (!job && !this.question?.isOfLimit) feedback.limit = 'unanswered';
			// n8n breaks off what is in flight when the execution is stopped.
			if (reply.kind === 'failure' && n8n.cancelled()) feedback.sign = 'none';
			pace.cameBack(permit, { ...feedback, row: job }, nowMs);
			const hasNotLeft = feedback.limit === 'notCounted';
			this.unreachable = hasNotLeft && reply.kind === 'failure' ? reply.code : undefined;
			if (!job) {
				this.question = undefined;
				continue;
			}
			this.queue.inFlight.delete(permit);
			if (reply.kind === 'withheld') {
				this.requests--;
				job.attempts--;
			}
			if (feedback.sign !== 'success' && feedback.sign !== 'none')
				this.failed = job.request.deliveries[0];
			this.judge(job, meaning, nowMs);
		}
	}

	/** Sends a request again, splits it, or settles it. */
	private judge(job: Job, { ending, mayRepeat }: Omit<Meaning, 'feedback'>, nowMs: number): void {
		const { run, random } = this.deps;
		if (!ending) return this.queue.sendAgain(job);
		const repeats =
			mayRepeat === 'always' || (mayRepeat !== undefined && run.settings.retryUnknown);
		const waitMs = repeats ? waitBeforeRetry(job.failures, random()) : undefined;
		if (waitMs !== undefined) {
			job.failures++;
			if (ending.outcome === 'unknown') job.unknown = ending;
			return this.queue.sendAgain(job, nowMs + waitMs);
		}
		const parts =
			!job.unknown && isSplittable(ending)
				? this.batches.halves(job.request, ending.statusCode)
				: undefined;
		if (parts) this.queue.split(job, parts);
		else this.settle(job, ending, nowMs);
	}

	private settle(job: Job, ending: Ending, nowMs = this.deps.n8n.clock.now()): void {
		const { request } = job;
		job.hasEnded = true;
		// "Not sent" and "rejected" mean that nothing was delivered, but an earlier attempt may have been.
		const reported = ending.outcome === 'accepted' ? ending : (job.unknown ?? ending);
		const outcome: Outcome = { ...reported, attempts: job.attempts };
		this.log.ended(request.deliveries.length, nowMs);
		this.batches.settle(request, outcome);
		this.deps.outcomes.settle(request, outcome);
	}

	/** Makes as many requests as may be in flight. */
	private makeRequests(nowMs: number): void {
		const { queue, source } = this;
		while (queue.unfinished < this.concurrency) {
			const next = source.next();
			if (!next) return source.claimMore(nowMs);
			queue.add(next);
		}
	}

	/** What the run does that has no request ready. */
	private waitForJob(nowMs: number): Step {
		const { holders, lookAgainMs: untilMs = Infinity } = this.source;
		if (holders.length === 0 || this.queue.unfinished > 0) return { kind: 'wait', untilMs };
		this.log.waitsForKeys(holders);
		const step = this.deps.pace.waitForKey(this.paced, nowMs);
		return step.kind === 'wait' ? { ...step, untilMs: Math.min(step.untilMs, untilMs) } : step;
	}

	private depart(job: Job, permit: Permit): void {
		const { run, n8n, outcomes } = this.deps;
		this.queue.depart(job, permit);
		this.requests++;
		void this.await(permit, sendRequest(job.request, run, n8n, outcomes));
	}

	private ask(permit: Permit, about: Delivery | undefined): void {
		const { run, n8n } = this.deps;
		const { reply, isOfLimit } = askService(about, run, n8n);
		this.question = { permit, isOfLimit };
		this.requests++;
		void this.await(permit, reply);
	}

	private async await(permit: Permit, response: Promise<Reply>): Promise<void> {
		let reply: Reply;
		try {
			reply = await response;
		} catch (error) {
			reply = { kind: 'failure', code: 'UNEXPECTED', message: errorMessage(error) };
		}
		this.arrived.push({ permit, reply });
		this.wakeUp.wake();
	}

	/** Ends what has waited too long for a response, in case n8n does not end it itself. */
	private endOverdue(nowMs: number): void {
		if (nowMs < this.overdueMs) return;
		for (const permit of [this.question?.permit, ...this.queue.inFlight.keys()]) {
			if (!permit || permit.sentMs + this.answerWithinMs > nowMs) continue;
			const message = `No answer within ${Math.round(this.answerWithinMs / 1_000)} s`;
			this.arrived.push({ permit, reply: { kind: 'failure', code: 'ETIMEDOUT', message } });
		}
	}

	/** When the oldest request in flight has waited too long; infinite if none is in flight. */
	private get overdueMs(): number {
		const [oldest] = this.queue.inFlight.keys();
		const sentMs = Math.min(oldest?.sentMs ?? Infinity, this.question?.permit.sentMs ?? Infinity);
		return sentMs + this.answerWithinMs;
	}

	private async sleepUntil(untilMs: number): Promise<void> {
		await this.wakeUp.sleepUntil(Math.min(untilMs, this.overdueMs));
	}

	/**
	 * Sends nothing more, and waits for the responses to what is in flight: only briefly once the execution was
	 * stopped. Requests that are then still in flight may have been delivered.
	 */
	private async drain(rest: NotSent): Promise<NotSent> {
		const { queue } = this;
		const { clock, cancelled } = this.deps.n8n;
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
		queue.inFlight.clear();
		return rest;
	}

	/** Gives the rest its outcome, and waits until the journal has noted how everything ended. */
	async finish(rest: Ending): Promise<void> {
		const { records, outcomes, n8n } = this.deps;
		const { journal } = records;
		await this.source.claiming;
		outcomes.leaveOut(this.toSend, { ...rest, attempts: 0 });
		await journal?.finish();
		const { inDoubt = 0, writeError } = journal ?? {};
		if (inDoubt > 0)
			n8n.log(
				`Could not store how ${count(inDoubt, 'message')} ended, so they stay in doubt: ${errorMessage(writeError)}`,
				'warn',
			);
	}

	report(): Partial<RunReport> {
		const { pace, n8n } = this.deps;
		const nowMs = n8n.clock.now();
		const { limit, service } = this.paced.waited(nowMs);
		const remaining = pace.remaining(nowMs);
		return { requests: this.requests, waitedMs: limit, pausedMs: service, remaining };
	}

	/** What to say of the rows that are left when nothing more may leave. */
	private leftOver({ reason, retryAtMs }: Extract<Step, { kind: 'end' }>): NotSent {
		const { n8n } = this.deps;
		const code = this.paced.hasSuccess ? undefined : this.unreachable;
		return {
			...notSent(reason),
			...(code !== undefined && { code }),
			...(retryAtMs !== undefined && { retryAt: writeTime(retryAtMs, n8n) }),
		};
	}
}

function notSent(reason: NotSentReason): NotSent {
	return { outcome: 'notSent', reason };
}

/** What is left if a run ends by itself is what could not be recorded. */
function notRecorded({ unrecorded: message }: Source): NotSent {
	return message === undefined ? notSent('stopped') : { ...notSent('notRecorded'), message };
}
