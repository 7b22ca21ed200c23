import type { Run } from '../run/resolveRun';
import { writtenInstantMs } from '../schedule/format';
import { decide } from '../schedule/choice';
import type { Batch, Body, Delivery, SentRequest } from '../shared/delivery';
import { withReadableIntegers } from '../shared/exactJson';

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
export function buildBody(
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
	const body = buildBody({ deliveries: [delivery] }, run, nowMs);
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
