import type { Outcome, Reply } from './types';

type WithoutAttempts<T> = T extends Outcome ? Omit<T, 'attempts'> : never;

/** An {@link Outcome} before the attempts are counted into it. */
export type Ending = WithoutAttempts<Outcome>;

export type Verdict =
	| { next: 'end'; ending: Ending }
	/** `unsure`: what to report if the run ends before the next attempt is answered. */
	| { next: 'sendAgain'; afterMs: number; unsure?: Ending }
	/** 429: it was not processed, and goes back into the queue. */
	| { next: 'queueAgain' };

/** Waits before the second, third and fourth attempt, in milliseconds. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];

/** No connection stood, so nothing can have been processed. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Either no connection stood or one fell silent; Node words the first as `connect ETIMEDOUT …`. */
const WHILE_CONNECTING = /^connect (ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** The TLS handshake was not finished, so the request never left; asking again would not help. */
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

/** What Node's TLS says when the two ends did not agree on how to talk. */
const HANDSHAKE = /wrong version number|handshake failure|unsupported protocol|alert protocol version/i;

/** How Node words a connection that was closed before its TLS handshake ended (code ECONNRESET). */
const CLOSED_IN_HANDSHAKE = 'before secure TLS connection was established';

/** Why nothing can have been processed, or undefined where that is not certain. */
function notSentBecause(code: string, message: string): 'noConnection' | 'certificate' | undefined {
	if (CERTIFICATE.has(code)) return 'certificate';
	if (code === 'EPROTO' && HANDSHAKE.test(message)) return 'certificate';
	if (NO_CONNECTION.has(code)) return 'noConnection';
	if (WHILE_CONNECTING.test(message)) return 'noConnection';
	if (code === 'ECONNRESET' && message.includes(CLOSED_IN_HANDSHAKE)) return 'noConnection';
	return undefined;
}

/** Whether the service may have counted the request: all but what surely never reached it. */
export function mayHaveArrived(reply: Reply): boolean {
	return reply.kind === 'answer' || (reply.kind === 'failure' && notSentBecause(reply.code, reply.message) === undefined);
}

/**
 * What follows from one reply. Sends are not idempotent, so only what cannot have been processed is
 * sent again, and what may have been only with `retryUnknown`. Status codes: spec §7; any other 4xx
 * and the 3xx (redirects are not followed) are a no, any 5xx may have been processed.
 *
 * @param failuresSoFar earlier attempts of this request that ended neither in an answer below 500
 * nor in a 429
 */
export function judge(
	reply: Reply,
	failuresSoFar: number,
	{ retryUnknown }: { retryUnknown: boolean },
): Verdict {
	const afterMs = RETRY_AFTER_MS[failuresSoFar];
	const again = (unsure?: Ending): Verdict | undefined =>
		afterMs === undefined ? undefined : { next: 'sendAgain', afterMs, unsure };
	const unknown = (unsure: Ending): Verdict =>
		(retryUnknown && again(unsure)) || { next: 'end', ending: unsure };

	if (reply.kind === 'withheld') return { next: 'end', ending: { outcome: 'notSent', reason: reply.reason } };
	if (reply.kind === 'failure') {
		const { code, message } = reply;
		const reason = notSentBecause(code, message);
		if (reason === undefined) return unknown({ outcome: 'unknown', code, message });
		const ending: Ending = { outcome: 'notSent', reason, code, message };
		return (reason === 'noConnection' && again()) || { next: 'end', ending };
	}
	const { statusCode, body: response } = reply;
	if (statusCode === 429) return { next: 'queueAgain' };
	if (statusCode >= 500) return unknown({ outcome: 'unknown', statusCode, response });
	if (statusCode < 200 || statusCode >= 300) {
		return { next: 'end', ending: { outcome: 'rejected', statusCode, response } };
	}
	const rateLimitRemaining = reply.remaining ?? null;
	return { next: 'end', ending: { outcome: 'accepted', statusCode, response, rateLimitRemaining } };
}
