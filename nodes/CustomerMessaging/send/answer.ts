import type { Feedback } from '../pace/pace';
import { type Outcome, proxyRefusal, type Reply, unnamedHost } from '../shared/result';

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
	proxyRefusal,
	unnamedHost,
]);

/** Messages of the proxy agent that n8n uses, when the proxy gave no usable answer to CONNECT. */
const NO_TUNNEL = /\bCONNECT response\b/;

/** An established connection can fail with these codes too. Only while connecting does Node.js write `connect ETIMEDOUT …`. */
const WHILE_CONNECTING = /^connect (ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** Codes of a failed TLS handshake. The request was not sent, and a retry would not help. */
const CERTIFICATE =
	/^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_)/;

/** Messages of Node.js when client and server do not agree on a TLS protocol. */
const HANDSHAKE =
	/wrong version number|handshake failure|unsupported protocol|alert protocol version/i;

/** Message of Node.js for a connection closed during the TLS handshake (code ECONNRESET). */
const CLOSED_IN_HANDSHAKE = 'before secure TLS connection was established';

/** As after 5xx: a redirect may follow a POST that was processed (302, 303), or the service timed out in one (408). */
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
	if (CERTIFICATE.test(code)) return 'certificate';
	if (code === 'EPROTO' && HANDSHAKE.test(message)) return 'certificate';
	if (NO_CONNECTION.has(code)) return 'noConnection';
	if (WHILE_CONNECTING.test(message) || NO_TUNNEL.test(message)) return 'noConnection';
	if (code === 'ECONNRESET' && message.includes(CLOSED_IN_HANDSHAKE)) return 'noConnection';
	return undefined;
}

/**
 * Says what a reply means (spec §7 and §8). Other 3xx than those of {@link PERHAPS_PROCESSED} (redirects are
 * not followed) and 4xx are refusals. A web page with 2xx does not come from the service.
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
