import { longWait } from '../plan/longWait';
import type { Plan } from '../plan/plan';
import type { RunReport } from '../shared/result';
import type { Run } from '../run/resolveRun';
import type { N8n } from '../n8n/context';
import type { Outcome } from '../shared/outcome';
import { errorMessage, formatSpan } from '../shared/formatting';
import { Batches } from './batches';
import type { DispatchResult } from './dispatchOptions';
import { dispatch } from './dispatcher';
import { Outcomes } from './outcomes';
import { Progress } from './progress';
import { Followers, repeatedIds } from './repeatedIds';
import { type ApiRequest, hasPassed, writeJson, pickPart } from './requests';
import { recallRest, requestsByChunk } from './requestsByChunk';
import type { SentRecords } from './sentRecords';
import { defaultConcurrency } from '../rateLimit/defaultConcurrency';
import { circuitBreakerFor } from '../outage/circuitBreakerRegistry';
import { rateLimiterFor } from '../rateLimit/rateLimiterRegistry';
import { askService, writeTime } from './askService';

/**
 * A refused batch is split in half repeatedly to find the rows that cause the refusal. Once this many
 * single rows were refused and nothing was accepted, the rows are not the cause. Further splitting
 * would only use up the rate limit.
 */
const MAX_REFUSED_ALONE = 100;

/** Someone may be waiting for an agent, or for a run of so few requests: for a failing service, no longer than this. */
const AWAITED_REQUESTS = 10;
const AWAITED_MS = 30_000;

/**
 * Sends all deliveries of a plan as fast as the rate limit allows, and reports the outcome of each. Never
 * throws: if a mistake of this node ends the run, what was sent is still reported.
 */
export async function sendAll(
	plan: Plan,
	run: Run,
	n8n: N8n,
	records: SentRecords,
): Promise<RunReport> {
	const outcomes = new Outcomes(records, run.settings.retryUnknown, n8n.clock, n8n.cancelled);
	try {
		return await send(plan, run, n8n, records, outcomes);
	} catch (error) {
		// The mistake may be in what this needs, too.
		if (records.journal) await n8n.untilStopped(records.journal.finish()).catch(() => undefined);
		const message = errorMessage(error);
		n8n.log(`A mistake in this node ended the run: ${message}`);
		const results = outcomes.afterInternalError(plan.deliveries, message);
		return { results, requests: 0, waitedMs: 0, remaining: null };
	}
}

async function send(
	plan: Plan,
	run: Run,
	n8n: N8n,
	records: SentRecords,
	outcomes: Outcomes,
): Promise<RunReport> {
	const { deliveries } = plan;
	const { origin, target, account, settings, operation } = run;
	const limitPerMinute = account.limits[target.api];
	const concurrency = settings.concurrency ?? defaultConcurrency(limitPerMinute);
	const accountApi = { host: origin, identity: account.identity, api: target.api };
	const limiter = rateLimiterFor({ ...accountApi, limitPerMinute });
	const { journal, isLocked } = records;
	const { sendOnce } = settings;
	const repeated = await repeatedIds(deliveries, operation, n8n.clock);
	const toSend = new Set(
		await outcomes.unsent(deliveries, new Followers(repeated), (delivery) =>
			outcomes.recall(delivery),
		),
	);
	const batches = new Batches(run, outcomes.earlierBatches);
	const warning = longWait(batches.count(toSend.size), run)?.message;
	if (warning) n8n.log(sendOnce ? `${warning}. What Send Once skips takes no time` : warning);
	const isAwaited = n8n.isTool || batches.count(toSend.size) <= AWAITED_REQUESTS;
	const progress = new Progress(toSend.size, n8n.clock.now(), (message) => n8n.log(message));
	const sentAtMs = new Map<ApiRequest, number>();
	let accepted = 0;
	let refusedAlone = 0;
	let notRecorded: string | undefined;

	const claimed = {
		toSend,
		records,
		outcomes,
		batches,
		isRetry: run.history.isRetry,
		mustRecord: run.history.isRetry || sendOnce,
		notRecorded: (error: unknown) => {
			notRecorded = errorMessage(error);
		},
	};
	const source = journal ? requestsByChunk(claimed) : batches.all([...toSend]);
	const { waitedMs, pausedMs, requests, endedBecause, retryAt } = await dispatch<ApiRequest>(
		source,
		{
			limiter,
			breaker: circuitBreakerFor(accountApi),
			clock: n8n.clock,
			random: Math.random,
			stop: n8n.stop,
			ended: () => n8n.stopsOnFailure && outcomes.hasFailed,
			split: (request, statusCode) =>
				accepted === 0 && refusedAlone >= MAX_REFUSED_ALONE
					? undefined
					: batches.halves(request, statusCode),
			orderKeys: (request) =>
				request.deliveries.flatMap(({ userID = '' }) => (repeated.has(userID) ? [userID] : [])),
			waiting: ({ untilMs }) =>
				n8n.log(
					`Waiting ${formatSpan(untilMs - n8n.clock.now())} for the rate limit of the ${target.api} API`,
				),
			paused: () => n8n.log(`The ${target.api} API fails, so sending pauses until it is back`),
			resumed: () => n8n.log(`The ${target.api} API is back, so sending goes on`),
			writeTime: (ms) => writeTime(ms, n8n),
			ask: async ({ deliveries: [failed] }) => await askService(failed, run, n8n),
			async send(request) {
				const nowMs = n8n.now();
				let json: string;
				try {
					if (hasPassed(request, run, nowMs)) return { kind: 'withheld', reason: 'schedulePassed' };
					json = writeJson(request, run, nowMs);
				} catch (error) {
					n8n.log(`A mistake in this node withheld a request: ${errorMessage(error)}`);
					return { kind: 'withheld', reason: 'internalError' };
				}
				if (settings.includeRequest) sentAtMs.set(request, nowMs);
				outcomes.begin(request);
				return await n8n.post({
					credential: run.credential,
					url: request.url,
					json,
					timeoutMs: settings.requestTimeoutMs,
					maxAnswerBytes: operation.maxAnswerBytes,
				});
			},
			settled(request, outcome) {
				progress.ended(request.deliveries.length, n8n.clock.now());
				if (outcome.outcome === 'accepted') accepted++;
				if (outcome.outcome === 'rejected' && request.deliveries.length === 1) refusedAlone++;
				const atMs = sentAtMs.get(request);
				outcomes.settle(
					request,
					outcome,
					atMs === undefined ? undefined : (delivery) => pickPart(request, delivery, run, atMs),
				);
			},
		},
		{
			...settings,
			concurrency,
			maxOutageWaitMs: isAwaited ? AWAITED_MS : Infinity,
			size: batches.count(toSend.size),
			// The timeout of the request itself only starts once it is connected.
			answerWithinMs: settings.requestTimeoutMs + 2000,
		},
	);
	journal?.close();
	const finish = async () => {
		// Wait for a chunk that is just being begun.
		await source.return(undefined);
		if (run.history.isRetry && notRecorded === undefined) {
			await recallRest(claimed, n8n.cancelled).catch((error: unknown) =>
				n8n.log(`Could not look up what other attempts sent: ${errorMessage(error)}`),
			);
		}
		outcomes.leaveOut(
			outcomes.without(toSend),
			notSent({ endedBecause, retryAt }, claimed.mustRecord ? notRecorded : undefined),
		);
		await journal?.finish();
	};
	await n8n.untilStopped(finish());
	return {
		results: outcomes.of(deliveries, notSent({ endedBecause, retryAt })),
		requests,
		waitedMs,
		pausedMs,
		remaining: limiter.remaining(n8n.clock.now()),
		isUnlocked: sendOnce && isLocked?.() === false,
		// With Send Once, the warning counted messages that were then skipped.
		warning: sendOnce && endedBecause !== 'rateLimit' ? undefined : warning,
	};
}

function notSent(
	{ endedBecause = 'stopped', retryAt }: Pick<DispatchResult, 'endedBecause' | 'retryAt'>,
	notRecorded?: string,
): Outcome {
	return notRecorded === undefined
		? { outcome: 'notSent', reason: endedBecause, ...(retryAt && { retryAt }), attempts: 0 }
		: { outcome: 'notSent', reason: 'notRecorded', message: notRecorded, attempts: 0 };
}
