import type { Run } from './openRun';
import type { Plan } from './plan';
import type { Delivery } from './operations/operation';
import { type ApiRequest, bodyOf, requestMaker } from './requests';
import { hasFailed, type Result } from './results/result';
import { dispatch } from './delivery/dispatcher';
import { rateLimiterFor } from './rateLimit/rateLimiterRegistry';
import { type Kept, openLedger } from './sending/ledger';
import { withoutSecret } from './sending/mask';
import type { N8n } from './sending/transport';
import { spanOf } from './wording';

export interface SentAll {
	/** How many left, or would leave. */
	requests: number;
	/** One for each delivery, in their order. */
	results: Result[];
	waitedMs: number;
	/** Calls left in the current minute, where the service said. */
	remaining: number | null;
}

/**
 * A batch that the service refuses is halved to find the rows at fault. Once it has refused so many
 * alone and accepted none, the fault is not in the rows, and asking for each is a waste of the limit.
 */
const mostRefusedAlone = 100;

/** Sends all deliveries through the gate of their limit and says what became of each. */
export async function sendAll(
	{ deliveries, invalid }: Plan,
	run: Run,
	n8n: N8n,
): Promise<SentAll> {
	const { origin, target, account, settings } = run;
	const limiter = rateLimiterFor({
		host: origin,
		identity: account.identity,
		api: target.api,
		limitPerMinute: account.limits[target.api],
	});
	const ledger = openRunLedger(n8n);
	const results = new Map<Delivery, Result>();
	let hasEnded = false;
	let accepted = 0;
	let refusedAlone = 0;

	const sent = new Map<ApiRequest, Kept['request']>();
	const keep = (delivery: Delivery, result: Extract<Result, { kind: 'sent' }>) => {
		results.set(delivery, result);
		hasEnded ||= n8n.stopsOnFailure && hasFailed(result);
	};

	let keptBatches = 0;
	for (const delivery of deliveries) {
		const kept = ledger.find(delivery);
		if (!kept) continue;
		keep(delivery, { kind: 'sent', delivery, ...kept });
		keptBatches = Math.max(keptBatches, (kept.batch?.index ?? -1) + 1);
	}
	const maker = requestMaker(run, keptBatches);
	const toSend = deliveries.filter((delivery) => !results.has(delivery));

	const { waitedMs, requests, endedBecause } = await dispatch<ApiRequest>(
		maker.requests(toSend),
		{
			limiter,
			clock: n8n.clock,
			random: Math.random,
			stopped: n8n.cancelled,
			ended: () => hasEnded,
			split: (request) =>
				accepted === 0 && refusedAlone >= mostRefusedAlone ? undefined : maker.halves(request),
			waiting: ({ untilMs }) =>
				n8n.log(
					`Waiting ${spanOf(untilMs - n8n.clock.now())} for the rate limit of the ${target.api} API`,
				),
			async send(request) {
				const body = bodyOf(request, run, n8n.clock.now());
				if (settings.includeRequest) sent.set(request, { method: 'POST', url: request.url, body });
				const reply = await n8n.post(run.credentialType, request.url, body, settings.requestTimeoutMs);
				return withoutSecret(reply, account.secret);
			},
			settled(request, outcome) {
				if (outcome.outcome === 'accepted') accepted++;
				if (outcome.outcome === 'rejected' && request.deliveries.length === 1) refusedAlone++;
				const kept = { outcome, batch: request.batch, request: sent.get(request) };
				for (const delivery of request.deliveries) {
					ledger.record(delivery, kept);
					keep(delivery, { kind: 'sent', delivery, ...kept });
				}
			},
		},
		{
			...settings,
			size: maker.count(toSend.length),
			// The request's own timeout begins only once it is connected.
			answerWithinMs: settings.requestTimeoutMs + 2000,
		},
	);
	if (endedBecause) {
		const outcome = { outcome: 'notSent', reason: endedBecause, attempts: 0 } as const;
		for (const delivery of toSend) {
			if (!results.has(delivery)) keep(delivery, { kind: 'sent', delivery, outcome });
		}
	}
	const all = deliveries.flatMap((delivery) => results.get(delivery) ?? []);
	// n8n runs the node again for a row that was never sent, too.
	if (invalid.length === 0 && !all.some(hasFailed)) ledger.forget(deliveries);

	return {
		results: all,
		requests,
		waitedMs,
		remaining: limiter.remaining(n8n.clock.now()),
	};
}

/**
 * What earlier tries of this run delivered: those of Retry On Fail, and those of a failed execution
 * that is retried from the list of executions, for which n8n keeps it.
 */
function openRunLedger(n8n: N8n) {
	const { context, runIndex } = n8n.memory();
	// As a tool, the node gets another run index with every try, so its calls share one ledger and
	// are told apart by what they send.
	const ledger = openLedger(context, n8n.isTool ? 0 : runIndex);
	const keyOf = ({ itemIndex, path, body, envelope, schedule }: Delivery) =>
		n8n.isTool ? JSON.stringify([path, body, envelope, schedule]) : `${itemIndex} ${path}`;
	return {
		find: (delivery: Delivery) => ledger.find(keyOf(delivery)),
		record: (delivery: Delivery, kept: Kept) => ledger.record(keyOf(delivery), kept),
		forget: (all: readonly Delivery[]) => all.forEach((delivery) => ledger.forget(keyOf(delivery))),
	};
}
