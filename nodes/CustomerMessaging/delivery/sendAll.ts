import { longWait } from '../plan/longWait';
import type { Plan } from '../plan/plan';
import type { RunReport } from '../shared/result';
import type { Run } from '../run/resolveRun';
import { writtenInstantMs } from '../schedule/format';
import { createMask, maskOutcome } from '../shared/mask';
import type { N8n } from '../n8n/context';
import type { Outcome } from '../shared/outcome';
import { errorMessage, spanOf } from '../shared/formatting';
import { Batches } from './batches';
import { ChunkNotes } from './chunkNotes';
import { dispatch } from './dispatcher';
import { Outcomes } from './outcomes';
import { Progress } from './progress';
import { Followers, repeatedIds } from './repeatedIds';
import { type ApiRequest, jsonOf, partOf } from './requests';
import { recallRest, requestsByChunk } from './requestsByChunk';
import type { SentRecords } from './sentRecords';
import { defaultConcurrency } from '../rateLimit/defaultConcurrency';
import { rateLimiterFor } from '../rateLimit/rateLimiterRegistry';

/**
 * A refused batch is split in half repeatedly to find the rows that cause the refusal. Once this many
 * single rows were refused and nothing was accepted, the rows are not the cause. Further splitting
 * would only use up the rate limit.
 */
const MAX_REFUSED_ALONE = 100;

/** Sends all deliveries of a plan as fast as the rate limit allows, and reports the outcome of each. */
export async function sendAll(...args: Parameters<typeof send>): Promise<RunReport> {
	const [, , , { once }] = args;
	try {
		return await send(...args);
	} finally {
		await once?.finish();
	}
}

async function send(plan: Plan, run: Run, n8n: N8n, records: SentRecords): Promise<RunReport> {
	const { deliveries } = plan;
	const { origin, target, account, settings, operation } = run;
	const limitPerMinute = account.limits[target.api];
	const concurrency = settings.concurrency ?? defaultConcurrency(limitPerMinute);
	const limiter = rateLimiterFor({
		host: origin,
		identity: account.identity,
		api: target.api,
		limitPerMinute,
	});
	const { shared, once } = records;
	const notes =
		shared &&
		new ChunkNotes(shared, (error) => n8n.log(`Could not store what was sent: ${String(error)}`));
	const outcomes = new Outcomes(records, notes, settings.retryUnknown, n8n.clock);
	const repeated = await repeatedIds(deliveries, operation, n8n.clock);
	const toSend = new Set(
		await outcomes.unsent(deliveries, new Followers(repeated), (delivery) =>
			outcomes.recall(delivery),
		),
	);
	const batches = new Batches(run, outcomes.earlierBatches);
	const warning = longWait(batches.count(toSend.size), run)?.message;
	if (warning) n8n.log(warning);
	const progress = new Progress(toSend.size, n8n.clock.now(), (message) => n8n.log(message));
	const mask = createMask(account.secret);
	const sentAtMs = new Map<ApiRequest, number>();
	let accepted = 0;
	let refusedAlone = 0;
	let notRecorded: string | undefined;

	const hasPassed = ({ deliveries: [first] }: ApiRequest): boolean => {
		if (!first?.schedule || !operation.schedule) return false;
		const writtenMs = writtenInstantMs(first.schedule, operation.schedule, account.format);
		return writtenMs !== undefined && writtenMs < n8n.now();
	};

	const chunked = {
		plan,
		toSend,
		records,
		notes,
		outcomes,
		batches,
		followers: new Followers(repeated),
		// As many as may be in flight, or one batch.
		groupSize: operation.batchKey ? batches.maxDeliveries : Math.max(10, concurrency),
		mustRecord: run.history.isRetry,
		notRecorded: (error: unknown) => {
			notRecorded = errorMessage(error);
		},
	};
	const source = shared || once ? requestsByChunk(chunked) : batches.all([...toSend]);
	const { waitedMs, requests, endedBecause } = await dispatch<ApiRequest>(
		source,
		{
			limiter,
			clock: n8n.clock,
			random: Math.random,
			stopped: n8n.cancelled,
			ended: () => n8n.stopsOnFailure && outcomes.hasFailed,
			split: (request, statusCode) =>
				accepted === 0 && refusedAlone >= MAX_REFUSED_ALONE
					? undefined
					: batches.halves(request, statusCode),
			orderKeys: (request) =>
				request.deliveries.flatMap(({ userID = '' }) => (repeated.has(userID) ? [userID] : [])),
			waiting: ({ untilMs }) =>
				n8n.log(
					`Waiting ${spanOf(untilMs - n8n.clock.now())} for the rate limit of the ${target.api} API`,
				),
			async send(request) {
				if (hasPassed(request)) return { kind: 'withheld', reason: 'schedulePassed' };
				const nowMs = n8n.now();
				const json = jsonOf(request, run, nowMs);
				if (settings.includeRequest) sentAtMs.set(request, nowMs);
				outcomes.leaving(request);
				return await n8n.post(run.credentialType, request.url, json, settings.requestTimeoutMs);
			},
			settled(request, outcome) {
				progress.ended(request.deliveries.length, n8n.clock.now());
				if (outcome.outcome === 'accepted') accepted++;
				if (outcome.outcome === 'rejected' && request.deliveries.length === 1) refusedAlone++;
				const atMs = sentAtMs.get(request);
				outcomes.settle(
					request,
					maskOutcome(outcome, mask),
					atMs === undefined ? undefined : (delivery) => partOf(request, delivery, run, atMs),
				);
			},
		},
		{
			...settings,
			concurrency,
			size: batches.count(toSend.size),
			// The timeout of the request itself only starts once it is connected.
			answerWithinMs: settings.requestTimeoutMs + 2000,
		},
	);
	once?.close();
	// Wait for a chunk that is just being begun.
	await source.return(undefined);
	if (run.history.isRetry && notRecorded === undefined) {
		await recallRest(chunked, n8n.cancelled).catch((error: unknown) =>
			n8n.log(`Could not look up what other attempts sent: ${errorMessage(error)}`),
		);
	}
	outcomes.leaveOut(
		outcomes.without(toSend),
		notSent(endedBecause, run.history.isRetry || once ? notRecorded : undefined),
	);
	await notes?.finish();
	return {
		results: outcomes.of(deliveries),
		requests,
		waitedMs,
		remaining: limiter.remaining(n8n.clock.now()),
		warning,
	};
}

function notSent(endedBecause: 'stopped' | 'rateLimit' = 'stopped', notRecorded?: string): Outcome {
	return notRecorded === undefined
		? { outcome: 'notSent', reason: endedBecause, attempts: 0 }
		: { outcome: 'notSent', reason: 'notRecorded', message: notRecorded, attempts: 0 };
}
