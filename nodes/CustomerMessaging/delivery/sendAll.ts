import { longWait } from '../plan/longWait';
import type { Plan } from '../plan/plan';
import type { RunReport } from '../shared/result';
import type { Run } from '../run/resolveRun';
import type { N8n } from '../n8n/context';
import type { Outcome } from '../shared/outcome';
import { count, errorMessage, formatSpan } from '../shared/formatting';
import { circuitBreakerFor } from '../outage/circuitBreakerRegistry';
import { defaultConcurrency } from '../rateLimit/defaultConcurrency';
import { rateLimiterFor } from '../rateLimit/rateLimiterRegistry';
import { askService, writeTime } from './askService';
import { Batches } from './batches';
import { ClaimedRequests } from './claimedRequests';
import type { DispatchDeps, DispatchResult } from './dispatchOptions';
import { dispatch } from './dispatcher';
import { Outcomes } from './outcomes';
import { Progress } from './progress';
import { Followers, repeatedIds } from './repeatedIds';
import { type ApiRequest, pickPart } from './requests';
import { sendRequest } from './sendRequest';
import type { SentRecords } from './sentRecords';

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
		if (records.opened)
			await n8n.untilStopped(records.opened.journal.finish()).catch(() => undefined);
		const message = errorMessage(error);
		n8n.log(`A mistake in this node ended the run: ${message}`, 'error');
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
	const { sendOnce } = settings;
	const { opened } = records;
	const repeated = await repeatedIds(deliveries, operation, n8n.clock);
	const toSend = new Set(
		await outcomes.unsent(deliveries, new Followers(repeated), (delivery) =>
			outcomes.recall(delivery),
		),
	);
	const batches = new Batches(run, outcomes.earlierBatches);
	const size = batches.count(toSend.size);
	const warning = longWait(size, run)?.message;
	if (warning)
		n8n.log(sendOnce ? `${warning}. What Send Once skips takes no time` : warning, 'warn');
	const progress = new Progress(toSend.size, n8n.clock.now(), (message) => n8n.log(message));

	const claimed =
		opened && new ClaimedRequests(toSend, opened, outcomes, batches, n8n, settings.maxWaitMs);
	const requests =
		claimed?.all() ?? batches.all(records.unrecorded === undefined ? [...toSend] : []);
	const accountApi = { host: origin, identity: account.identity, api: target.api };
	const limitPerMinute = account.limits[target.api];
	const limiter = rateLimiterFor({ ...accountApi, limitPerMinute });
	const dispatched = await dispatch<ApiRequest>(
		requests,
		{
			limiter,
			breaker: circuitBreakerFor(accountApi),
			clock: n8n.clock,
			random: Math.random,
			stop: n8n.stop,
			ended: () => n8n.stopsOnFailure && outcomes.hasFailed,
			split: (request, statusCode) => batches.halves(request, statusCode),
			orderKeys: (request) =>
				request.deliveries.flatMap(({ userID = '' }) => (repeated.has(userID) ? [userID] : [])),
			...waits(target.api, n8n),
			writeTime: (ms) => writeTime(ms, n8n),
			ask: async ({ deliveries: [failed] }) => await askService(failed, run, n8n),
			send: async (request) => await sendRequest(request, run, n8n, outcomes),
			settled(request, outcome) {
				progress.ended(request.deliveries.length, n8n.clock.now());
				batches.settle(request, outcome);
				const { sentAtMs } = request;
				outcomes.settle(
					request,
					outcome,
					settings.includeRequest && sentAtMs !== undefined
						? (delivery) => pickPart(request, delivery, run, sentAtMs)
						: undefined,
				);
			},
		},
		{
			...settings,
			concurrency: settings.concurrency ?? defaultConcurrency(limitPerMinute),
			maxOutageWaitMs: n8n.isTool || size <= AWAITED_REQUESTS ? AWAITED_MS : Infinity,
			size,
			// The timeout of the request itself only starts once it is connected.
			answerWithinMs: settings.requestTimeoutMs + 2000,
		},
	);
	opened?.journal.close();
	const finish = async () => {
		// Wait for a chunk that is just being begun.
		await requests.return(undefined);
		const storeError = claimed?.storeError;
		outcomes.leaveOut(
			outcomes.without(toSend),
			notSent(dispatched, storeError ?? records.unrecorded),
		);
		await opened?.journal.finish();
		const { inDoubt = 0, writeError } = opened?.journal ?? {};
		if (inDoubt > 0)
			n8n.log(
				`Could not store how ${count(inDoubt, 'message')} ended, so they stay in doubt: ${errorMessage(writeError)}`,
				'warn',
			);
	};
	await n8n.untilStopped(finish());
	return {
		results: outcomes.of(deliveries, notSent(dispatched)),
		requests: dispatched.requests,
		waitedMs: dispatched.waitedMs,
		pausedMs: dispatched.pausedMs,
		remaining: limiter.remaining(n8n.clock.now()),
		isUnlocked: sendOnce && opened?.journal.isLocked === false,
		// With Send Once, the warning counted messages that were then skipped.
		warning: sendOnce && dispatched.endedBecause !== 'rateLimit' ? undefined : warning,
	};
}

/** Says in n8n's log when and why nothing is sent for a while. */
function waits(
	api: string,
	n8n: N8n,
): Pick<DispatchDeps<ApiRequest>, 'waiting' | 'paused' | 'resumed'> {
	return {
		waiting: ({ untilMs }) =>
			n8n.log(
				`Waiting ${formatSpan(untilMs - n8n.clock.now())} for the rate limit of the ${api} API`,
			),
		paused: () => n8n.log(`The ${api} API fails, so sending pauses until it is back`, 'warn'),
		resumed: () => n8n.log(`The ${api} API is back, so sending goes on`),
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
