import type { N8n } from '../n8n/context';
import { healthCheckFor } from '../operations/healthCheck';
import type { Run } from '../run/resolveRun';
import { writtenInstantMs } from '../schedule/format';
import { decide } from '../schedule/choice';
import type { Batch, Body, Delivery, SentRequest } from '../shared/delivery';
import { toJsonText, withReadableIntegers } from '../shared/exactJson';
import { errorMessage } from '../shared/formatting';
import type { Reply } from '../shared/result';

/** One request, with the deliveries it carries. */
export interface ApiRequest {
	url: string;
	deliveries: readonly Delivery[];
	/** Present if the operation sends batches. */
	batch?: Batch;
	/** When it was last sent, in epoch milliseconds. */
	sentAtMs?: number;
}

/** Builds the JSON body of a request that is sent at `nowMs` (spec §2 and §4). */
export function writeBody(
	{ deliveries }: Pick<ApiRequest, 'deliveries'>,
	run: Pick<Run, 'operation' | 'account'>,
	nowMs: number,
): Body | unknown[] {
	const { batchKey } = run.operation;
	const [first] = deliveries;
	if (!batchKey) return first ? buildElement(first, run, nowMs) : {};
	const elements = deliveries.map((delivery) => buildElement(delivery, run, nowMs));
	return { [batchKey]: elements, ...first?.envelope };
}

/** The part of a request that concerns one delivery: of a batch, only its own element of the list. */
export function pickPart(
	{ url }: Pick<ApiRequest, 'url'>,
	delivery: Delivery,
	run: Run,
	nowMs: number,
): SentRequest {
	const body = writeBody({ deliveries: [delivery] }, run, nowMs);
	return { method: 'POST', url, body: withReadableIntegers(body) };
}

/** The body of a request for one delivery, or its element in the list of a batch. */
export function buildElement(
	{ buildBody, schedule }: Delivery,
	{ operation, account }: Pick<Run, 'operation' | 'account'>,
	nowMs: number,
): Body | unknown[] {
	const body = buildBody();
	if (!schedule || !operation.schedule) return body;
	return { ...body, ...operation.schedule.fields(decide(schedule, nowMs), account.format, nowMs) };
}

/** Whether the time that a message is scheduled for, as the service reads it, has passed. */
export function hasPassed(
	{ deliveries: [first] }: Pick<ApiRequest, 'deliveries'>,
	{ operation, account }: Pick<Run, 'operation' | 'account'>,
	nowMs: number,
): boolean {
	if (!first?.schedule || !operation.schedule) return false;
	const writtenMs = writtenInstantMs(first.schedule, operation.schedule, account.format);
	return writtenMs !== undefined && writtenMs < nowMs;
}

/**
 * Sends a request once. It is withheld if its scheduled time has passed, or if this node cannot write it.
 *
 * @param begin called before it leaves
 */
export async function sendRequest(
	request: ApiRequest,
	run: Run,
	n8n: N8n,
	begin: (request: ApiRequest) => void,
): Promise<Reply> {
	const nowMs = n8n.now();
	let body: Buffer;
	try {
		if (hasPassed(request, run, nowMs)) return { kind: 'withheld', reason: 'schedulePassed' };
		// A request in flight keeps no more than this in memory.
		body = Buffer.from(toJsonText(writeBody(request, run, nowMs)));
	} catch (error) {
		n8n.log(`Internal error in this node withheld a request: ${errorMessage(error)}`, 'error');
		return { kind: 'withheld', reason: 'internalError' };
	}
	request.sentAtMs = nowMs;
	begin(request);
	return await n8n.post({
		credential: run.credential,
		url: request.url,
		body,
		timeoutMs: run.settings.requestTimeoutMs,
		maxAnswerBytes: run.operation.maxAnswerBytes,
	});
}

/** Only its status counts. */
const MAX_ANSWER_BYTES = 1_000;

/** Asks the address of a delivery, by a request that reaches nobody, whether the service is back. */
export function checkHealth(
	delivery: Delivery | undefined,
	{ account, credential, origin, settings, target }: Run,
	n8n: N8n,
): { reply: Promise<Reply>; isOfLimit: boolean } {
	const { path, body, api } = healthCheckFor(target, delivery?.path ?? '', account.eventPath);
	const reply = n8n.post({
		credential,
		url: origin + path,
		body: Buffer.from(toJsonText(body)),
		timeoutMs: settings.requestTimeoutMs,
		maxAnswerBytes: MAX_ANSWER_BYTES,
	});
	// The header of another API says nothing about the limit of this one.
	return { reply, isOfLimit: api === target.api };
}
