import type { Run } from './openRun';
import type { Delivery } from './operations/operation';
import { type ApiRequest, bodyOf, requestMaker } from './requests';
import { spanOf } from './results/hints';
import { hasFailed, type Result } from './results/result';
import { dispatch } from './sending/dispatch';
import { gateFor } from './sending/gates';
import { openLedger } from './sending/ledger';
import type { N8n } from './sending/transport';
import type { Outcome } from './sending/types';

export interface SentAll {
	/** How many left, or would leave. */
	requests: number;
	/** One for each delivery, in their order. */
	results: Result[];
	waitedMs: number;
	/** Calls left in the current minute, where the service said. */
	remaining: number | null;
}

/** Sends all deliveries through the gate of their limit and says what became of each. */
export async function sendAll(
	deliveries: readonly Delivery[],
	run: Run,
	n8n: N8n,
): Promise<SentAll> {
	const { origin, target, account, settings } = run;
	const gate = gateFor({
		host: origin,
		identity: account.identity,
		api: target.api,
		limitPerMinute: account.limits[target.api],
	});
	const maker = requestMaker(run);
	const ledger = openRunLedger(n8n);
	const results = new Map<Delivery, Result>();
	let hasEnded = false;

	const bodies = new Map<ApiRequest, unknown>();
	const keep = (delivery: Delivery, result: Extract<Result, { kind: 'sent' }>) => {
		results.set(delivery, result);
		hasEnded ||= n8n.stopsOnFailure && hasFailed(result);
	};

	for (const delivery of deliveries) {
		const outcome = ledger.find(delivery);
		if (outcome) keep(delivery, { kind: 'sent', delivery, outcome });
	}

	const { waitedMs, requests } = await dispatch<ApiRequest>(
		maker.requests(deliveries.filter((delivery) => !results.has(delivery))),
		{
			gate,
			clock: n8n.clock,
			random: Math.random,
			stopped: () => hasEnded || n8n.cancelled(),
			split: (request) => maker.halves(request),
			waiting: ({ untilMs }) =>
				n8n.log(
					`Waiting ${spanOf(untilMs - n8n.clock.now())} for the rate limit of the ${target.api} API`,
				),
			async send(request) {
				const body = bodyOf(request, run, n8n.clock.now());
				if (settings.includeRequest) bodies.set(request, body);
				return await n8n.post(run.credentialType, request.url, body, settings.requestTimeoutMs);
			},
			settled(request, outcome) {
				const body = bodies.get(request);
				for (const delivery of request.deliveries) {
					ledger.record(delivery, outcome);
					keep(delivery, {
						kind: 'sent',
						delivery,
						outcome,
						batch: request.batch,
						request: body === undefined ? undefined : { method: 'POST', url: request.url, body },
					});
				}
			},
		},
		settings,
	);

	return {
		results: deliveries.flatMap((delivery) => results.get(delivery) ?? []),
		requests,
		waitedMs,
		remaining: gate.remaining(n8n.clock.now()),
	};
}

/** Where earlier tries of this run left what they delivered, if n8n may run the node again. */
function openRunLedger(n8n: N8n) {
	if (!n8n.retriesOnFail) return { find: () => undefined, record: () => undefined };
	const { context, runIndex } = n8n.memory();
	// As a tool, the node gets another run index with every try, so its calls share one ledger and
	// are told apart by what they send.
	const ledger = openLedger(context, n8n.isTool ? 0 : runIndex);
	const keyOf = ({ itemIndex, platform, path, body }: Delivery) =>
		n8n.isTool ? JSON.stringify([path, body]) : `${itemIndex} ${platform ?? ''}`;
	return {
		find: (delivery: Delivery) => ledger.find(keyOf(delivery)),
		record: (delivery: Delivery, outcome: Outcome) => ledger.record(keyOf(delivery), outcome),
	};
}
