import type { N8n } from '../n8n/context';
import { formatIso } from '../schedule/localTime';
import type { Feedback } from './pace/pace';
import type { AnswerRule } from '../run/account';
import {
	type Ending,
	isEmptyError,
	n8nRefusal,
	notOurs,
	proxyRefusal,
	type Reply,
	reportsFailure,
} from '../shared/result';

/** What a reply means: for the request, and for the limit and the service. */
export interface Meaning {
	/** How the request ended; undefined for 429: it was not processed, and returns to the queue. */
	ending?: Ending;
	/** Whether it may be sent again, by default only where it definitely was not processed. */
	mayRepeat?: 'always' | 'withRetryUnknown';
	feedback: Feedback;
}

/** Waits before the second, third and fourth attempt. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];
/** Share of the wait by which a retry is randomly delayed, so that requests that failed together spread out. */
const RETRY_JITTER = 0.25;

/**
 * How long to wait before a request is sent again; undefined if it is not worth another attempt.
 *
 * @param failures number of attempts that failed before the last one
 * @param random 0 to 1
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
	'ERR_SOCKET_CONNECTION_TIMEOUT',
	n8nRefusal,
	notOurs,
	proxyRefusal,
]);

/** Messages of the proxy agent that n8n uses, when the proxy gave no usable answer to CONNECT. */
const NO_TUNNEL = /\bCONNECT response\b/;

/**
 * An established connection can fail with the same codes. Only while connecting does Node.js write
 * `connect ETIMEDOUT …`, once for each address of the host.
 */
const WHILE_CONNECTING = /^connect E[A-Z]+\b/;

/** Codes of a failed TLS handshake. The request was not sent, and a retry would not help. */
const CERTIFICATE =
	/^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_)/;

/** Messages of Node.js when client and server do not agree on a TLS protocol. */
const HANDSHAKE =
	/wrong version number|handshake failure|unsupported protocol|alert protocol version/i;

/** Message of Node.js for a connection closed during the TLS handshake (code ECONNRESET). */
const CLOSED_IN_HANDSHAKE = 'before secure TLS connection was established';

/** Returns why nothing can have been processed, or undefined if that is not certain. */
function notSentBecause(code: string, message: string): 'noConnection' | 'certificate' | undefined {
	if (CERTIFICATE.test(code)) return 'certificate';
	if (code === 'EPROTO' && HANDSHAKE.test(message)) return 'certificate';
	if (NO_CONNECTION.has(code)) return 'noConnection';
	if (WHILE_CONNECTING.test(message) || NO_TUNNEL.test(message)) return 'noConnection';
	if (code === 'ECONNRESET' && message.includes(CLOSED_IN_HANDSHAKE)) return 'noConnection';
	return undefined;
}

/** What an answer means for its request, for a repetition and for the service. */
const meanings = {
	accepted: { outcome: 'accepted', sign: 'success' },
	/** A 2xx that says it failed. It may be about this one person, and it may have been processed. */
	declined: { outcome: 'unknown', sign: 'declined' },
	/** A 2xx that refuses under the account's own rule. */
	refusedWithin: { outcome: 'rejected', sign: 'declined' },
	/** A 2xx that the service did not write. */
	webPage: { outcome: 'unknown', sign: 'webPage', mayRepeat: 'withRetryUnknown' },
	failed: { outcome: 'unknown', sign: 'failure', mayRepeat: 'withRetryUnknown' },
	/** Something is wrong with the content. */
	refused: { outcome: 'rejected', sign: 'success' },
	unauthorized: { outcome: 'rejected', sign: 'unauthorized' },
	forbidden: { outcome: 'rejected', sign: 'forbidden' },
	/** The address takes no messages. Redirects are not followed. */
	notFound: { outcome: 'rejected', sign: 'notFound' },
} as const;

/** Statuses that do not mean what the others of their hundred mean (spec §7). */
const statuses: Readonly<Record<number, keyof typeof meanings>> = {
	// A redirect may follow a POST that was processed, or the service timed out in one.
	302: 'failed',
	303: 'failed',
	408: 'failed',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'notFound',
	405: 'notFound',
	407: 'notFound',
};

/** @param isCustom whether a custom request asked for it, which may fetch a page and anything else */
function kindOf(
	{ statusCode, body, whole = body, isWebPage }: Extract<Reply, { kind: 'answer' }>,
	isCustom: boolean,
	rule: AnswerRule | undefined,
): keyof typeof meanings {
	if (statusCode >= 500) return 'failed';
	if (statusCode >= 300) return statuses[statusCode] ?? (statusCode < 400 ? 'notFound' : 'refused');
	if (isCustom) return 'accepted';
	if (isWebPage) return 'webPage';
	if (!rule) return reportsFailure(whole) ? 'declined' : 'accepted';
	return readCustomAnswer(whole, rule);
}

/** What a 2xx answer says under the account's own rule; declined if that is not to be seen in it. */
function readCustomAnswer(
	body: unknown,
	{ field, accepted }: AnswerRule,
): 'accepted' | 'refusedWithin' | 'declined' {
	if (field === '') return 'accepted';
	if (typeof body !== 'object' || body === null) return 'declined';
	const value = field.split('.').reduce<unknown>((inside, key) => {
		const isOpen = typeof inside === 'object' && inside !== null && Object.hasOwn(inside, key);
		return isOpen ? (inside as Record<string, unknown>)[key] : undefined;
	}, body);
	if (accepted.length === 0) return isEmptyError(value) ? 'accepted' : 'refusedWithin';
	if (value === undefined || value === null) return 'declined';
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return accepted.includes(text) ? 'accepted' : 'refusedWithin';
}

/**
 * Says what a reply means (spec §7 and §8).
 *
 * @param rule the account's own for 2xx answers
 */
export function readReply(reply: Reply, isCustom = false, rule?: AnswerRule): Meaning {
	if (reply.kind === 'withheld') {
		const ending: Ending = { outcome: 'notSent', reason: reply.reason };
		return { ending, feedback: { limit: 'notCounted', sign: 'none' } };
	}
	if (reply.kind === 'failure') return readFailure(reply);
	const { statusCode, body, isTruncated, redirectsTo, remaining, dateMs, retryAfterMs } = reply;
	if (statusCode === 429)
		return { feedback: { limit: 'refused', sign: 'none', remaining, dateMs, retryAfterMs } };
	const { sign, outcome, ...repeat } = meanings[kindOf(reply, isCustom, rule)];
	const response = { response: body, ...(isTruncated && { responseTruncated: isTruncated }) };
	const ending: Ending =
		outcome === 'accepted'
			? { outcome, statusCode, ...response, rateLimitRemaining: remaining ?? null }
			: { outcome, statusCode, ...(redirectsTo && { redirectsTo }), ...response };
	const feedback = { limit: 'counted', remaining, dateMs, retryAfterMs, sign } as const;
	return { ending, ...repeat, feedback };
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
	// It says nothing about the service, and waiting for that would not help.
	if (reason === 'certificate' || code === n8nRefusal)
		return { ending, feedback: { limit: 'notCounted', sign: 'none' } };
	const sign = code === 'ENOTFOUND' ? 'unknownHost' : 'failure';
	return { ending, mayRepeat: 'always', feedback: { limit: 'notCounted', sign } };
}

/** Writes a time of n8n's steady clock in the workflow's zone, with its offset, rounded up to seconds. */
export function writeTime(ms: number, { clock, now, workflowZone }: N8n): string {
	return formatIso(Math.ceil((now() + ms - clock.now()) / 1_000) * 1_000, workflowZone);
}
