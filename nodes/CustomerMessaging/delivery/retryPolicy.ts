import type { Feedback } from '../rateLimit/feedback';
import type { Outcome } from '../shared/outcome';
import { proxyRefusal, type Reply, unnamedHost } from '../shared/reply';

type WithoutAttempts<T> = T extends Outcome ? Omit<T, 'attempts'> : never;

/** An {@link Outcome} without its number of attempts. */
export type Ending = WithoutAttempts<Outcome>;

export type Verdict =
	| { next: 'end'; ending: Ending }
	/** `unknown`: what to report unless a later attempt is accepted. */
	| { next: 'sendAgain'; afterMs: number; unknown?: Ending }
	/** 429: the request was not processed and returns to the queue. */
	| { next: 'queueAgain' };

/** Waits before the second, third and fourth attempt, in milliseconds. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];

/** Share of the wait by which a retry is randomly delayed, so that requests that failed together spread out. */
const RETRY_JITTER = 0.25;

/** @param random a number from 0 to 1 */
export function withJitter(waitMs: number, random: number): number {
	return waitMs * (1 + RETRY_JITTER * random);
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

/** Whether the service may have processed a request that it did not accept. */
function isPerhapsProcessed(statusCode: number): boolean {
	return statusCode >= 500 || PERHAPS_PROCESSED.has(statusCode);
}

/** Returns why nothing can have been processed, or undefined if that is not certain. */
function notSentBecause(code: string, message: string): 'noConnection' | 'certificate' | undefined {
	if (CERTIFICATE.has(code)) return 'certificate';
	if (code === 'EPROTO' && HANDSHAKE.test(message)) return 'certificate';
	if (NO_CONNECTION.has(code)) return 'noConnection';
	if (WHILE_CONNECTING.test(message) || NO_TUNNEL.test(message)) return 'noConnection';
	if (code === 'ECONNRESET' && message.includes(CLOSED_IN_HANDSHAKE)) return 'noConnection';
	return undefined;
}

/** Extracts what a reply says about the rate limit (spec §8). */
export function feedbackFrom(reply: Reply): Feedback {
	if (reply.kind === 'withheld') return { kind: 'notCounted' };
	if (reply.kind === 'failure') {
		return { kind: notSentBecause(reply.code, reply.message) ? 'notCounted' : 'unanswered' };
	}
	const { statusCode, remaining, dateMs, retryAfterMs } = reply;
	if (statusCode === 429) return { kind: 'refused', dateMs, retryAfterMs };
	// With other statuses, Retry-After does not concern the limit: with 503 it concerns an outage.
	return { kind: 'counted', remaining, dateMs };
}

/**
 * Decides what to do after a reply. Requests are not idempotent. By default, only requests that
 * cannot have been processed are sent again; with `retryUnknown`, also those that may have been.
 * Status codes (spec §7): after 5xx, and those of {@link PERHAPS_PROCESSED}, the request may have been
 * processed. Other 3xx (redirects are not followed) and 4xx are refusals.
 *
 * @param failuresSoFar number of earlier attempts that had no response, or one of the former statuses
 */
export function judge(
	reply: Reply,
	failuresSoFar: number,
	{ retryUnknown }: { retryUnknown: boolean },
): Verdict {
	const afterMs = RETRY_AFTER_MS[failuresSoFar];
	const again = (unknown?: Ending): Verdict | undefined =>
		afterMs === undefined ? undefined : { next: 'sendAgain', afterMs, unknown };
	const perhapsProcessed = (ending: Ending): Verdict =>
		(retryUnknown && again(ending)) || { next: 'end', ending };

	if (reply.kind === 'withheld') {
		return { next: 'end', ending: { outcome: 'notSent', reason: reply.reason } };
	}
	if (reply.kind === 'failure') {
		const { code, message } = reply;
		const reason = notSentBecause(code, message);
		if (reason === undefined) return perhapsProcessed({ outcome: 'unknown', code, message });
		const ending: Ending = { outcome: 'notSent', reason, code, message };
		return (reason === 'noConnection' && again()) || { next: 'end', ending };
	}
	const { statusCode, body, isTruncated } = reply;
	const response = { response: body, ...(isTruncated && { responseTruncated: isTruncated }) };
	if (statusCode === 429) return { next: 'queueAgain' };
	if (isPerhapsProcessed(statusCode))
		return perhapsProcessed({ outcome: 'unknown', statusCode, ...response });
	if (statusCode < 200 || statusCode >= 300) {
		return { next: 'end', ending: { outcome: 'rejected', statusCode, ...response } };
	}
	const rateLimitRemaining = reply.remaining ?? null;
	return {
		next: 'end',
		ending: { outcome: 'accepted', statusCode, ...response, rateLimitRemaining },
	};
}

/**
 * Whether parts of a request may be accepted although the whole was refused: one of its rows may be
 * invalid (400), or it may be too large (413).
 */
export function isSplittable(ending: Ending): ending is Extract<Ending, { outcome: 'rejected' }> {
	return ending.outcome === 'rejected' && [400, 413].includes(ending.statusCode);
}
