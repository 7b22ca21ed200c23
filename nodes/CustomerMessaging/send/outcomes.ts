import type { Run } from '../run/resolveRun';
import { writtenInstantMs } from '../schedule/format';
import { decide } from '../schedule/choice';
import { withReadableIntegers } from '../shared/exactJson';
import type { Addressed, Batch, Body, Delivery, SentRequest } from '../shared/delivery';
import {
	hasFailed,
	internalFailure,
	type Result,
	type SentRecord,
	type SentResult,
	type SkippedResult,
	type Outcome,
	proxyRefusal,
	type Reply,
	unnamedHost,
} from '../shared/result';
import type { N8n } from '../n8n/context';
import { inSlices } from '../shared/slices';
import type { Claim, State } from '../journal/journal';
import type { Known } from '../journal/open';
import { makeRecord, makeResult, type SentRecords } from '../journal/reconcile';
import type { Followers } from '../plan/plan';
import type { Feedback } from '../pace/pace';

/** One request, with the deliveries it carries. */
export interface ApiRequest {
	url: string;
	deliveries: readonly Delivery[];
	/** Present if the operation sends batches. */
	batch?: Batch;
	/** When it was last sent, in epoch milliseconds. */
	sentAtMs?: number;
}

/**
 * Builds the JSON body of a request (spec §2 and §4).
 *
 * @param nowMs the time of sending, in epoch milliseconds
 */
export function buildBody(
	{ deliveries }: Pick<ApiRequest, 'deliveries'>,
	run: Pick<Run, 'operation' | 'account'>,
	nowMs: number,
): Body | unknown[] {
	const { batchKey } = run.operation;
	const [first] = deliveries;
	if (batchKey) {
		const elements = deliveries.map((delivery) => buildElement(delivery, run, nowMs));
		return { [batchKey]: elements, ...first?.envelope };
	}
	return first ? buildElement(first, run, nowMs) : {};
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

/** Collects the outcome of each delivery of a run, and stores it for later attempts. */
export class Outcomes {
	/** Whether a delivery of this attempt was not accepted. */
	hasFailed = false;
	/** Number of batches that earlier attempts sent. */
	earlierBatches = 0;
	/** Deliveries whose requests may have reached the service. */
	private readonly dispatched = new Set<Delivery>();
	private readonly results = new Map<Delivery, SentResult | SkippedResult>();
	/** Deliveries that an earlier attempt may have made, and that 'Retry Unknown' sends again. */
	private readonly unknown = new Map<Delivery, Outcome>();

	constructor(
		private readonly records: SentRecords,
		private readonly run: Run,
		private readonly n8n: Pick<N8n, 'clock' | 'cancelled'>,
	) {}

	/** The deliveries of `rows` that are not known to be sent, and those that have to follow them. */
	async unsent(rows: readonly Delivery[], followers: Followers): Promise<Delivery[]> {
		const unsent: Delivery[] = [];
		await inSlices(rows, { clock: this.n8n.clock }, (delivery) => {
			this.recall(delivery);
			const result = this.results.get(delivery);
			if (result && !followers.includes(delivery)) return;
			// What is known of it counts no more, because it is sent once more.
			this.results.delete(delivery);
			if (result?.kind === 'sent') this.noteUnknown(delivery, result.outcome);
			followers.add(delivery);
			unsent.push(delivery);
		});
		return unsent;
	}

	/** Adopts the outcome from an earlier attempt of this execution, unless it must be sent again. */
	private recall(delivery: Delivery): void {
		const record = this.records.ledger.find(delivery);
		const known = this.records.recalled?.get(delivery as Addressed);
		if (record) {
			this.earlierBatches = Math.max(this.earlierBatches, (record.batch?.index ?? -1) + 1);
			this.takeOver(delivery, record);
		} else if (known) this.recallKnown(delivery, known);
	}

	/** Adopts what the journal says of deliveries. Returns those to be sent now. */
	takeClaimed({ claimed, repeated, known }: Claim): readonly Delivery[] {
		for (const [delivery, state] of known)
			this.recallKnown(delivery, { state, byKey: delivery.onceKey !== undefined });
		for (const delivery of repeated) this.noteUnknown(delivery, makeRecord('unknown').outcome);
		return claimed;
	}

	/** Adopts what the journal knows of a delivery, unless it must be sent again. */
	private recallKnown(delivery: Delivery, { state, byKey }: Known): void {
		if (!byKey || state === 'pending' || (state === 'unknown' && this.run.settings.retryUnknown))
			return this.takeOver(delivery, makeRecord(state));
		this.results.set(delivery, {
			kind: 'skipped',
			delivery,
			reason: 'sentBefore',
			earlierOutcome: state,
		});
	}

	private takeOver(delivery: Delivery, record: SentRecord): void {
		if (record.outcome.outcome === 'unknown' && this.run.settings.retryUnknown)
			this.noteUnknown(delivery, record.outcome);
		else this.results.set(delivery, makeResult(delivery, record));
	}

	private noteUnknown(delivery: Delivery, outcome: Outcome): void {
		if (outcome.outcome === 'unknown') this.unknown.set(delivery, outcome);
	}

	/** Call this before sending a request. */
	begin({ deliveries }: ApiRequest): void {
		for (const delivery of deliveries) {
			this.records.ledger.begin(delivery);
			this.dispatched.add(delivery);
		}
	}

	settle(request: ApiRequest, outcome: Outcome): void {
		const { deliveries, batch, sentAtMs } = request;
		const { run } = this;
		// All deliveries of a batch share one record, which saves memory.
		const shared: SentRecord = { outcome, batch };
		for (const delivery of deliveries) {
			const { schedule } = delivery;
			let record = shared;
			if (sentAtMs !== undefined && run.settings.includeRequest)
				record = { ...record, request: pickPart(request, delivery, run, sentAtMs) };
			if (sentAtMs !== undefined && schedule?.kind === 'within')
				record = { ...record, scheduled: decide(schedule, sentAtMs) };
			this.record(delivery, record);
		}
	}

	/** Sets the outcome of the deliveries that have none because the run ended early. */
	leaveOut(deliveries: readonly Delivery[], outcome: Outcome): void {
		for (const delivery of deliveries)
			if (!this.results.has(delivery)) this.record(delivery, { outcome });
	}

	/**
	 * The results after a mistake of this node ended the run. What has an outcome keeps it. What left, or
	 * may have left in an earlier attempt, is unknown.
	 */
	afterInternalError(deliveries: readonly Delivery[], message: string): Result[] {
		return deliveries.map((delivery) => {
			const known = this.results.get(delivery);
			if (known) return known;
			const mayHaveLeft = this.dispatched.has(delivery) || this.unknown.has(delivery);
			const result = internalFailure(delivery, message, mayHaveLeft);
			try {
				this.store(delivery, { outcome: result.outcome });
			} catch {
				// The mistake may be in what this needs, too.
			}
			return result;
		});
	}

	/** @param rest the outcome of deliveries that have none yet, because Stop ended the wait for n8n's store */
	resultsOf(deliveries: readonly Delivery[], rest: Outcome): Array<SentResult | SkippedResult> {
		return deliveries.map(
			(delivery) => this.results.get(delivery) ?? { kind: 'sent', delivery, outcome: rest },
		);
	}

	/** It may have been delivered before, even if this attempt was refused or not sent. */
	private record(delivery: Delivery, record: SentRecord): void {
		const before = this.unknown.get(delivery);
		const isUnknown = before !== undefined && record.outcome.outcome !== 'accepted';
		this.store(delivery, isUnknown ? { ...record, outcome: before } : record);
	}

	private store(delivery: Delivery, record: SentRecord): void {
		const result: SentResult = { kind: 'sent', delivery, ...record };
		this.results.set(delivery, result);
		this.hasFailed ||= hasFailed(result);
		this.records.ledger.record(delivery, record);
		this.records.journal?.settle(delivery, this.stateAfter(record.outcome));
	}

	private stateAfter({ outcome }: Outcome): State | undefined {
		// n8n shows no output of a stopped execution, so a later run reports what may have been delivered.
		if (outcome === 'unknown') return this.n8n.cancelled() ? 'pending' : 'unknown';
		return outcome === 'accepted' ? 'accepted' : undefined;
	}
}

type WithoutAttempts<T> = T extends Outcome ? Omit<T, 'attempts'> : never;

/** An {@link Outcome} without its number of attempts. */
export type Ending = WithoutAttempts<Outcome>;

/** What a reply means: for the request, and for the limit and the service. */
export interface Meaning {
	/** How the request ended; undefined for 429: it was not processed, and returns to the queue. */
	ending?: Ending;
	/** Whether it may be sent again, by default only where it surely was not processed. */
	mayRepeat?: 'always' | 'withRetryUnknown';
	feedback: Feedback;
}

/** Waits before the second, third and fourth attempt, in milliseconds. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];

/** Share of the wait by which a retry is randomly delayed, so that requests that failed together spread out. */
const RETRY_JITTER = 0.25;

/**
 * How long to wait before a request is sent again; undefined if it is not worth another attempt.
 *
 * @param failures number of attempts that failed before the last one
 * @param random a number from 0 to 1
 */
export function waitBeforeRetry(failures: number, random: number): number | undefined {
	const waitMs = RETRY_AFTER_MS[failures];
	return waitMs === undefined ? undefined : waitMs * (1 + RETRY_JITTER * random);
}

/** Codes that mean that no connection was established, so nothing can have been processed. */
const NO_CONNECTION = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'ERR_INVALID_URL',
	proxyRefusal,
	unnamedHost,
]);

/** Messages of the proxy agent that n8n uses, when the proxy gave no usable answer to CONNECT. */
const NO_TUNNEL = /\bCONNECT response\b/;

/**
 * These codes can also mean that an established connection stopped responding. Only while connecting
 * does Node.js write `connect ETIMEDOUT …`.
 */
const WHILE_CONNECTING = /^connect (ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** Codes of a failed TLS handshake. The request was not sent, and a retry would not help. */
const CERTIFICATE = new Set([
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'CERT_REVOKED',
	'CERT_UNTRUSTED',
	'CERT_REJECTED',
	'CERT_SIGNATURE_FAILURE',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'HOSTNAME_MISMATCH',
	'INVALID_CA',
	'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Messages of Node.js when client and server do not agree on a TLS protocol. */
const HANDSHAKE =
	/wrong version number|handshake failure|unsupported protocol|alert protocol version/i;

/** Message of Node.js for a connection closed during the TLS handshake (code ECONNRESET). */
const CLOSED_IN_HANDSHAKE = 'before secure TLS connection was established';

/**
 * Statuses after which the request may have been processed, in addition to 5xx: a redirect may follow
 * a POST that was processed (302, 303), and the service may time out in the middle of one (408).
 */
const PERHAPS_PROCESSED = new Set([302, 303, 408]);

/** Refusals of an account or an address, besides redirects, and not of a request's content. */
const ACCOUNT_REFUSALS: ReadonlyMap<number, Feedback['sign']> = new Map([
	[401, 'unauthorized'],
	[403, 'forbidden'],
	[404, 'notFound'],
	[405, 'notFound'],
	[407, 'notFound'],
]);

/** Returns why nothing can have been processed, or undefined if that is not certain. */
function notSentBecause(code: string, message: string): 'noConnection' | 'certificate' | undefined {
	if (CERTIFICATE.has(code)) return 'certificate';
	if (code === 'EPROTO' && HANDSHAKE.test(message)) return 'certificate';
	if (NO_CONNECTION.has(code)) return 'noConnection';
	if (WHILE_CONNECTING.test(message) || NO_TUNNEL.test(message)) return 'noConnection';
	if (code === 'ECONNRESET' && message.includes(CLOSED_IN_HANDSHAKE)) return 'noConnection';
	return undefined;
}

/**
 * Says what a reply means. Status codes: spec §7 and §8. After 5xx, and those of {@link PERHAPS_PROCESSED},
 * the request may have been processed. Other 3xx (redirects are not followed) and 4xx are refusals. A web page
 * with 2xx does not come from the service.
 *
 * @param mayFetchPage whether a web page may be what was asked for
 */
export function readReply(reply: Reply, mayFetchPage = false): Meaning {
	if (reply.kind === 'withheld') {
		const ending: Ending = { outcome: 'notSent', reason: reply.reason };
		return { ending, feedback: { limit: 'notCounted', sign: 'none' } };
	}
	if (reply.kind === 'failure') return readFailure(reply);
	const { statusCode, body, isTruncated, remaining, dateMs, retryAfterMs } = reply;
	if (statusCode === 429)
		return { feedback: { limit: 'refused', sign: 'none', dateMs, retryAfterMs } };
	const counted = { limit: 'counted', remaining, dateMs, retryAfterMs } as const;
	const response = { response: body, ...(isTruncated && { responseTruncated: isTruncated }) };
	const isAccepted = statusCode >= 200 && statusCode < 300;
	const isPage = isAccepted && reply.isWebPage === true && !mayFetchPage;
	if (isPage || statusCode >= 500 || PERHAPS_PROCESSED.has(statusCode))
		return {
			ending: { outcome: 'unknown', statusCode, ...response },
			mayRepeat: 'withRetryUnknown',
			feedback: { ...counted, sign: isPage ? 'webPage' : 'failure' },
		};
	if (isAccepted)
		return {
			ending: {
				outcome: 'accepted',
				statusCode,
				...response,
				rateLimitRemaining: remaining ?? null,
			},
			feedback: { ...counted, sign: 'success' },
		};
	const isRedirect = statusCode >= 300 && statusCode < 400;
	const sign = isRedirect ? 'notFound' : (ACCOUNT_REFUSALS.get(statusCode) ?? 'success');
	return {
		ending: { outcome: 'rejected', statusCode, ...response },
		feedback: { ...counted, sign },
	};
}

function readFailure({ code, message }: Extract<Reply, { kind: 'failure' }>): Meaning {
	const reason = notSentBecause(code, message);
	if (reason === undefined)
		return {
			ending: { outcome: 'unknown', code, message },
			mayRepeat: 'withRetryUnknown',
			feedback: { limit: 'unanswered', sign: 'failure' },
		};
	const ending: Ending = { outcome: 'notSent', reason, code, message };
	if (reason === 'certificate') return { ending, feedback: { limit: 'notCounted', sign: 'none' } };
	const sign = code === 'ENOTFOUND' ? 'unknownHost' : 'failure';
	return { ending, mayRepeat: 'always', feedback: { limit: 'notCounted', sign } };
}

/**
 * Whether parts of a request may be accepted although the whole was refused: one of its rows may be
 * invalid (400), or it may be too large (413).
 */
export function isSplittable(ending: Ending): ending is Extract<Ending, { outcome: 'rejected' }> {
	return ending.outcome === 'rejected' && [400, 413].includes(ending.statusCode);
}
