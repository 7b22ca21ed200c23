import {
	type NotSentCode,
	type SentEnding,
	n8nRefusal,
	notOurs,
	proxyRefusal,
} from '../shared/ending';
import type { Mask } from '../shared/mask';
import { type AnswerRule, type Policy, ruleOf, type Verdict } from './policy';

/** The result of one attempt to send one request. */
export type Reply =
	| {
			kind: 'answer';
			statusCode: number;
			/** The body as the service sent it: parsed JSON, otherwise text, otherwise null. Null also if it stopped arriving. */
			body: unknown;
			/** Set if the body was longer. What is kept is then text. */
			isTruncated?: true;
			/** The longer body, to learn what it says; absent if it was too long to be read. It may hold a secret. */
			whole?: unknown;
			isWebPage?: boolean;
			redirectsTo?: string;
			/** The `X-RateLimit-Remaining` header (spec §8), if it is a whole number. */
			remaining?: number;
			/** The `Date` header in epoch milliseconds, if it can be parsed. */
			dateMs?: number;
			/** The wait that the `Retry-After` header asks for, in milliseconds, if it can be parsed. */
			retryAfterMs?: number;
	  }
	/** No response. `code` is the error code of Node.js or axios; `message` is for people. */
	| { kind: 'failure'; code: string; message: string }
	/** The sender decided not to send the request. */
	| { kind: 'notSent'; reason: NotSentCode };

type Answer = Extract<Reply, { kind: 'answer' }>;

/**
 * The meaning of a reply, and the ending of its messages; undefined if they have not ended.
 *
 * @param policy absent for a health check, to which any JSON is an answer, whatever the account's rule
 */
export function judge(reply: Reply, policy?: Policy) {
	const verdict = verdictOf(reply, policy);
	return { verdict, ending: endingOf(reply, verdict) };
}

function endingOf(reply: Reply, verdict: Verdict): SentEnding | undefined {
	const { outcome, reason } = ruleOf(verdict);
	if (reply.kind === 'notSent') return { kind: 'notSent', code: reply.reason };
	if (reply.kind === 'failure') {
		const values = { code: reply.code, message: reply.message };
		return reason ? { kind: 'notSent', code: reason, values } : { kind: 'unknown', values };
	}
	if (!outcome || outcome === 'notSent') return undefined;
	const { statusCode, body, isTruncated, redirectsTo, remaining = null } = reply;
	const values = {
		statusCode,
		...(redirectsTo && { redirectsTo }),
		response: body,
		...(isTruncated && { responseTruncated: isTruncated }),
	};
	return outcome === 'accepted'
		? { kind: outcome, values: { ...values, rateLimitRemaining: remaining } }
		: { kind: outcome, values };
}

function verdictOf(reply: Reply, policy?: Policy): Verdict {
	if (reply.kind === 'notSent') return 'notSent';
	if (reply.kind === 'failure') return verdictOfFailure(reply.code, reply.message);
	const { takesAnyAnswer, answerRule } = policy?.options ?? {};
	const verdict = verdictOfStatus(reply.statusCode);
	if (verdict === 'accepted' && !takesAnyAnswer) return verdictOfBody(reply, answerRule);
	return verdict === 'limited' && reply.remaining ? 'limitedOtherwise' : verdict;
}

/** Statuses that do not mean what the others of their hundred mean (spec §7). */
const statuses: Readonly<Record<number, Verdict>> = {
	302: 'failed',
	303: 'failed',
	400: 'invalid',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'notFound',
	405: 'notFound',
	407: 'notFound',
	408: 'failed',
	413: 'tooLarge',
	422: 'invalid',
	429: 'limited',
};

function verdictOfStatus(status: number): Verdict {
	if (status >= 500) return 'failed';
	return statuses[status] ?? (status < 300 ? 'accepted' : status < 400 ? 'notFound' : 'rejected');
}

/** Reads a 2xx answer before it is cut. */
function verdictOfBody({ body, whole = body, isWebPage }: Answer, rule?: AnswerRule): Verdict {
	if (isWebPage) return 'webPage';
	if (!rule) return reportsFailure(whole) ? 'declined' : 'accepted';
	const { field, accepted } = rule;
	if (field === '') return 'accepted';
	if (typeof whole !== 'object' || whole === null) return 'declined';
	const value = field.split('.').reduce<unknown>((inside, key) => {
		const isOpen = typeof inside === 'object' && inside !== null && Object.hasOwn(inside, key);
		return isOpen ? (inside as Record<string, unknown>)[key] : undefined;
	}, whole);
	if (accepted.length === 0) return isEmptyError(value) ? 'accepted' : 'declinedByRule';
	if (value === undefined || value === null) return 'declined';
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return accepted.includes(text) ? 'accepted' : 'declinedByRule';
}

/** Values by which services say that a request failed. */
const FAILED_STATUS = new Set(['error', 'fail', 'failed', 'failure']);
const NO_ERROR = new Set(['', '0', 'false', 'none', 'null']);
const NO = new Set(['false', '0']);

/** An answer may say by itself that the request failed, whatever its status. Spec §4 shows no body. */
function reportsFailure(body: unknown): boolean {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
	const { success, ok, status, result, error, errors } = body as Record<string, unknown>;
	if ([success, ok].some((value) => NO.has(asText(value)))) return true;
	const told = asText(status);
	if ([told, asText(result)].some((text) => FAILED_STATUS.has(text))) return true;
	if (/^[45]\d\d$/.test(told)) return true;
	if (success === true || ok === true || told === 'ok' || told === 'success') return false;
	return [error, errors].some((named) => !isEmptyError(named));
}

/** A text, number or boolean as text in lower case; empty for anything else. */
function asText(value: unknown): string {
	const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
	return isPlain ? String(value).trim().toLowerCase() : '';
}

/** A field that names errors names none. */
function isEmptyError(errors: unknown): boolean {
	if (typeof errors === 'object' && errors !== null) return Object.keys(errors).length === 0;
	return NO_ERROR.has(asText(errors));
}

/**
 * Recognizes a web page, such as that of a proxy, by what it begins with after comments and an XML declaration.
 * The content type does not tell, because JSON may have any.
 */
export function isWebPage(body: unknown): boolean {
	if (typeof body !== 'string') return false;
	let at = 0;
	for (;;) {
		at += body.slice(at).search(/\S|$/);
		const closing = body.startsWith('<!--', at) ? '-->' : body.startsWith('<?xml', at) ? '?>' : '';
		const end = closing ? body.indexOf(closing, at) : -1;
		if (end < 0) break;
		at = end + closing.length;
	}
	return /^<(!doctype\s+html|html|head|body|script|meta|title)\b/i.test(body.slice(at, at + 100));
}

/**
 * The target of a redirect, without what may be a secret: a user name, a query. Undefined if it does not say. It is
 * masked before it is parsed, which changes how it is written, and afterwards, because that may join parts.
 */
export function redirectTarget(url: string, location: unknown, mask: Mask): string | undefined {
	if (typeof location !== 'string') return undefined;
	try {
		const { protocol, host, pathname } = new URL(mask.text(location), url);
		return host === '' ? undefined : mask.text(`${protocol}//${host}${pathname}`);
	} catch {
		return undefined;
	}
}

/** Codes that mean one thing. Where no connection was established, nothing can have been processed. */
const codes: ReadonlyMap<string, Verdict> = new Map([
	[n8nRefusal, 'blocked'],
	[notOurs, 'unconnected'],
	[proxyRefusal, 'unconnected'],
	['ENOTFOUND', 'unknownHost'],
	['EAI_AGAIN', 'unconnected'],
	['ECONNREFUSED', 'unconnected'],
	['ERR_INVALID_URL', 'unconnected'],
	['ERR_SOCKET_CONNECTION_TIMEOUT', 'unconnected'],
]);

/** Codes and messages of a failed TLS handshake. */
const refusedCertificate =
	/^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_)/;
const noCommonProtocol =
	/wrong version number|handshake failure|unsupported protocol|alert protocol version/i;

/** The meaning of other codes, if the message fits too. */
const failures: ReadonlyArray<[Verdict, code: RegExp, message: RegExp]> = [
	// The TLS handshake failed, so the request was not sent, and a retry would not help.
	['certificate', refusedCertificate, /^/],
	['certificate', /^EPROTO$/, noCommonProtocol],
	// An established connection can fail with the same codes. Only while connecting, Node.js writes this.
	['unconnected', /^/, /^connect E[A-Z]+\b/],
	// The proxy agent that n8n uses got no usable answer to CONNECT.
	['unconnected', /^/, /\bCONNECT response\b/],
	['unconnected', /^ECONNRESET$/, /before secure TLS connection was established/],
];

function verdictOfFailure(code: string, message: string): Verdict {
	const found = failures.find(
		([, byCode, byMessage]) => byCode.test(code) && byMessage.test(message),
	);
	return codes.get(code) ?? found?.[0] ?? 'unanswered';
}
