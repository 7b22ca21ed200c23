import type { Feedback } from '../rateLimit/feedback';
import type { Outcome } from '../shared/outcome';
import type { Reply } from '../shared/reply';

type WithoutAttempts<T> = T extends Outcome ? Omit<T, 'attempts'> : never;

/** An {@link Outcome} before the attempts are counted into it. */
export type Ending = WithoutAttempts<Outcome>;

export type Verdict =
	| { next: 'end'; ending: Ending }
	/** `unsure`: what to report if the run ends before there is a reply to the next attempt. */
	| { next: 'sendAgain'; afterMs: number; unsure?: Ending }
	/** 429: it was not processed, and goes back into the queue. */
	| { next: 'queueAgain' };

/** Waits before the second, third and fourth attempt, in milliseconds. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];

/** No connection was established, so nothing can have been processed. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** These codes also mean that an established connection went silent. Only before that does Node write `connect ETIMEDOUT …`. */
const WHILE_CONNECTING = /^connect (ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** The TLS handshake did not finish, so the request never left. Trying again would not help. */
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

/** Messages of Node's TLS when client and server do not agree on a protocol. */
const HANDSHAKE =
	/wrong version number|handshake failure|unsupported protocol|alert protocol version/i;

/** Node's message for a connection closed before the end of its TLS handshake (code ECONNRESET). */
const CLOSED_IN_HANDSHAKE = 'before secure TLS connection was established';

/** Why nothing can have been processed, or undefined if that is not certain. */
function notSentBecause(code: string, message: string): 'noConnection' | 'certificate' | undefined {
	if (CERTIFICATE.has(code)) return 'certificate';
	if (code === 'EPROTO' && HANDSHAKE.test(message)) return 'certificate';
	if (NO_CONNECTION.has(code)) return 'noConnection';
	if (WHILE_CONNECTING.test(message)) return 'noConnection';
	if (code === 'ECONNRESET' && message.includes(CLOSED_IN_HANDSHAKE)) return 'noConnection';
	return undefined;
}

/** What a reply says about the rate limit. */
export function feedbackFrom(reply: Reply): Feedback {
	if (reply.kind === 'withheld') return { kind: 'notCounted' };
	if (reply.kind === 'failure') {
		return { kind: notSentBecause(reply.code, reply.message) ? 'notCounted' : 'unanswered' };
	}
	const { statusCode, remaining, dateMs, retryAfterMs } = reply;
	if (statusCode === 429) return { kind: 'refused', dateMs, retryAfterMs };
	// Other statuses use Retry-After for other things, such as when a redirect is worth following.
	return {
		kind: 'counted',
		remaining,
		dateMs,
		retryAfterMs: statusCode === 503 ? retryAfterMs : undefined,
	};
}

/**
 * Decides what follows from one reply. Requests are not idempotent, so only what cannot have been
 * processed is sent again by default; with `retryUnknown`, also what may have been. Status codes
 * (spec §7): any 4xx and any 3xx (redirects are not followed) is a refusal, and a request answered
 * with any 5xx may have been processed.
 *
 * @param failuresSoFar earlier attempts that failed: without a response, or with a 5xx one
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

	if (reply.kind === 'withheld') {
		return { next: 'end', ending: { outcome: 'notSent', reason: reply.reason } };
	}
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
