import { Policy, type Wire } from '../engine';
import type { N8n } from '../n8n/context';
import { healthCheckFor } from '../operations/limits';
import type { KnownRun, Run } from './resolveRun';
import { decide } from '../schedule/choice';
import { decideWritten, writtenInstantMs } from '../schedule/format';
import type { Body, Delivery } from '../shared/delivery';
import { toJsonText, withReadableIntegers } from '../shared/exactJson';

/** Only the status of an answer to a health check counts. */
const MAX_HEALTH_ANSWER_BYTES = 1_000;

/** The time of sending hardly changes the size of a body. */
const anyTimeMs = 0;

/** Makes requests of the deliveries of a run (spec §2 and §4). */
export function wireFor(run: Run, n8n: Pick<N8n, 'post'>): Wire<Delivery> {
	const { origin, operation, account, credential, settings, target } = run;
	const post = async (path: string, body: Buffer, maxAnswerBytes?: number) => {
		const timeoutMs = settings.requestTimeoutMs;
		return await n8n.post({ credential, url: origin + path, body, timeoutMs, maxAnswerBytes });
	};
	return {
		// Rows of one user leave in order if the last one counts.
		laneOf: ({ userID }) => (operation.lastRowWins ? userID : undefined),
		groupOf: ({ envelope }) => (envelope ? JSON.stringify(envelope) : ''),
		bodyBytes: (deliveries) => countBytes(writeBody(deliveries, run, anyTimeMs)),
		elementBytes: (delivery) => countBytes(buildElement(delivery, run, anyTimeMs)),
		hasPassed: ({ schedule }, nowMs) => {
			if (!schedule || !operation.schedule) return false;
			const writtenMs = writtenInstantMs(schedule, operation.schedule, account.format);
			return writtenMs !== undefined && writtenMs < nowMs;
		},
		write: (deliveries, nowMs) => Buffer.from(toJsonText(writeBody(deliveries, run, nowMs))),
		post: async ({ path }, body) => await post(path, body, operation.maxAnswerBytes),
		decidedTime({ schedule }, sentAtMs) {
			const decided =
				schedule && decideWritten(schedule, operation.schedule, account.format, sentAtMs);
			return decided === schedule ? undefined : decided;
		},
		checkHealth(delivery) {
			const { path, body, api } = healthCheckFor(target, delivery?.path ?? '', account.eventPath);
			const reply = post(path, Buffer.from(toJsonText(body)), MAX_HEALTH_ANSWER_BYTES);
			// The header of another API says nothing about the limit of this one.
			return { reply, isOfLimit: api === target.api };
		},
	};
}

/** The part of a request for one delivery: of a batch, only its own element. */
export function pickPart(delivery: Delivery, run: Run, nowMs: number) {
	const body = withReadableIntegers(writeBody([delivery], run, nowMs));
	return { url: run.origin + delivery.path, body };
}

/** The JSON body of a request that is sent at `nowMs`. */
function writeBody(deliveries: readonly Delivery[], run: Run, nowMs: number): Body | unknown[] {
	const { batchKey } = run.operation;
	const [first] = deliveries;
	if (!batchKey) return first ? buildElement(first, run, nowMs) : {};
	const elements = deliveries.map((delivery) => buildElement(delivery, run, nowMs));
	return { [batchKey]: elements, ...first?.envelope };
}

/** The body of a request for one delivery, or its element in the list of a batch. */
function buildElement(
	{ buildBody, schedule }: Delivery,
	{ operation, account }: Run,
	nowMs: number,
): Body | unknown[] {
	const body = buildBody();
	if (!schedule || !operation.schedule) return body;
	return { ...body, ...operation.schedule.fields(decide(schedule, nowMs), account.format, nowMs) };
}

/** Approximate size: large integers count as text, which is longer. */
function countBytes(json: object): number {
	return Buffer.byteLength(JSON.stringify(json));
}

/** The policy of a run: the meaning of replies, what may be sent again, and the size of batches. */
export function policyFor({ operation, account, settings }: KnownRun): Policy {
	return new Policy({
		// A custom request may get any answer, web pages included.
		takesAnyAnswer: operation !== undefined && operation.path === undefined,
		answerRule: account?.answerRule,
		retryUnknown: settings?.retryUnknown === true,
		batchSize: operation?.batchKey === undefined ? undefined : (settings?.batchSize ?? 1),
		mustNotRepeat: operation?.isIdempotent !== true,
	});
}
