import { MINUTE_MS } from '../shared/apis';
import { type AnswerRule, n8nRefusal, notOurs, proxyRefusal, type Reply } from '../shared/result';
import type { NotSentCode, SentEnding } from '../shared/ending';
import type { State } from './record/entries';

/** What follows from a reply. */
interface Rule {
	/** How its messages ended; absent if they return to the queue, because they were not processed. */
	outcome?: 'accepted' | 'rejected' | 'unknown' | 'notSent';
	reason?: NotSentCode;
	/** Whether the service counted the request against the limit; `unanswered` if nobody knows. */
	limit: 'counted' | 'limited' | 'limitedOtherwise' | 'unanswered' | 'notCounted';
	/**
	 * What it says of the service. `declines`: it works, but may fail for all. `answers`: it is there, but takes nothing
	 * from this account. `fails`: one more failure in a row. `nothing`: neither.
	 */
	service: 'works' | 'declines' | 'answers' | 'fails' | 'nothing';
	/** Whether it is sent again in this run, after the waits of {@link Policy.waitBeforeRetry}. */
	again?: 'always' | 'withRetryUnknown';
	/** Whether the halves of a batch are sent, because a part of it may be accepted. */
	halves?: 'ofRows' | 'ofSize';
	/**
	 * Why it may end the run. `atOnce`: nothing more is sent. `ifConfirmed`: the same, if it was the first answer or
	 * the tenth in a row, and a health check is answered so too. `inARow`: after {@link MOST_DECLINED}. `lasting`:
	 * after {@link UNKNOWN_HOST_MS}, for runs without a success.
	 */
	ends?: Partial<Record<'atOnce' | 'ifConfirmed' | 'inARow' | 'lasting', RunEnd>>;
}

type RunEnd = 'credentialsRefused' | 'addressRefused' | 'serviceUnavailable' | 'noConnection';

const counted = { limit: 'counted' } as const;
const rejected = { outcome: 'rejected', ...counted } as const;
const unknown = { outcome: 'unknown', service: 'fails', again: 'withRetryUnknown' } as const;
const unconnected = { outcome: 'notSent', reason: 'noConnection', limit: 'notCounted' } as const;

/** What a reply can be, and what follows from it (spec §7 and §8). */
const rules = {
	accepted: { outcome: 'accepted', ...counted, service: 'works' },
	/** A 2xx that says it failed. It may be about this one person, and it may have been processed. */
	declined: {
		...{ outcome: 'unknown', ...counted, service: 'declines' },
		ends: { inARow: 'serviceUnavailable' },
	},
	/** A 2xx that rejects under the account's own rule. */
	declinedByRule: { ...rejected, service: 'declines', ends: { inARow: 'serviceUnavailable' } },
	/** A 2xx that the service did not write. */
	webPage: { ...unknown, ...counted, ends: { ifConfirmed: 'addressRefused' } },
	/** 5xx, or a status after which a POST may have been processed. */
	failed: { ...unknown, ...counted },
	/** No response came. */
	unanswered: { ...unknown, limit: 'unanswered' },
	/** The run ended before a response came. */
	brokenOff: { outcome: 'unknown', limit: 'unanswered', service: 'nothing' },
	/** Something is wrong with the content. */
	rejected: { ...rejected, service: 'works' },
	/** Something is wrong with the content of one of its messages. */
	invalid: { ...rejected, service: 'works', halves: 'ofRows' },
	tooLarge: { ...rejected, service: 'works', halves: 'ofSize' },
	unauthorized: { ...rejected, service: 'answers', ends: { atOnce: 'credentialsRefused' } },
	forbidden: { ...rejected, service: 'answers', ends: { ifConfirmed: 'credentialsRefused' } },
	/** The address takes no messages. Redirects are not followed. */
	notFound: { ...rejected, service: 'answers', ends: { ifConfirmed: 'addressRefused' } },
	/** 429: the account's limit for this minute. */
	limited: { limit: 'limited', service: 'nothing' },
	/** 429, but something remains of the minute: a limit of another kind, or of one row alone. */
	limitedOtherwise: { limit: 'limitedOtherwise', service: 'nothing' },
	/** No connection was established. */
	unconnected: { ...unconnected, service: 'fails', again: 'always' },
	/** DNS does not know the host. */
	unknownHost: {
		...{ ...unconnected, service: 'fails', again: 'always' },
		ends: { lasting: 'noConnection' },
	},
	/** n8n itself refused to connect. It says nothing about the service, and waiting would not help. */
	blocked: { ...unconnected, service: 'nothing' },
	certificate: { ...unconnected, reason: 'certificate', service: 'nothing' },
	/** The run did not send it, for a reason that the reply names. */
	notSent: { outcome: 'notSent', limit: 'notCounted', service: 'nothing' },
} as const satisfies Readonly<Record<string, Rule>>;
export type Verdict = keyof typeof rules;

export function ruleOf(verdict: Verdict): Rule {
	return rules[verdict];
}

/** Why nothing more of a run may leave. */
export type EndReason = RunEnd | 'rateLimit' | 'keyInUse';

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

/** After so many messages of a run that were declined in a row, all are: before its first success, and later. */
export const MOST_DECLINED = { first: 10, later: 50 };
/** After so many rejections in a row that may concern all messages, a health check tells whether they do. */
export const MANY_REJECTED = 10;
/** A name that DNS does not know for so long, through several tries, is wrong. */
export const UNKNOWN_HOST_MS = 4_000;

const MOST_REJECTED_ALONE = 100;
/** So many answers of 429 that concern a request alone, and it is not sent. */
const MOST_LIMITED_ALONE = 3;
/** If so many others were accepted since the last 429, a 429 concerns its row alone. */
export const OTHERS_ACCEPTED = 10;

/** Waits before the second, third and fourth attempt. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];
/** Share of the wait by which a retry is randomly delayed, so that requests that failed together spread out. */
const RETRY_JITTER = 0.25;

/** After so many 429s in a row that were to find out whether more is possible: before the next try. */
export function waitAfterLimited(times: number): number {
	return Math.min(1_000 * 2 ** times, MAX_WAIT_AFTER_LIMITED_MS);
}
export const MAX_WAIT_AFTER_LIMITED_MS = 15_000;

/** The longest `Retry-After` that is waited for, because the next run inherits the wait. */
export const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;

/** Less than 30 s, so that sending resumes within 30 s although the health check itself takes time. */
const LONGEST_DELAY_MS = 25_000;
/** The service answers health checks while messages fail, so each further trial costs a message. */
const MANY_FAILED_TRIALS = 10;

/** From one health check to the next. Every second delay is doubled. */
export function waitBeforeHealthCheck(delaysUsed: number, failedTrials: number): number {
	if (failedTrials >= MANY_FAILED_TRIALS) return MAX_RETRY_AFTER_MS;
	return Math.min(1_000 * 2 ** Math.floor(delaysUsed / 2), LONGEST_DELAY_MS);
}

/** Whether a 429 that is not the minute's concerns its row alone. The trial's never does. */
export function isLimitedAlone(isTrial: boolean, othersAccepted: number): boolean {
	return !isTrial && othersAccepted >= OTHERS_ACCEPTED;
}

/** What the policy of a run depends on. */
interface PolicyOptions {
	/** Whether the answers may be pages and anything else, as those to a custom request. */
	takesAnyAnswer?: boolean;
	/** The account's own rule for 2xx answers. */
	answerRule?: AnswerRule;
	/** Whether what may have been delivered is sent again. */
	retryUnknown: boolean;
	/** How many messages a request may carry; absent if each has a request of its own, which is then no batch. */
	batchSize?: number;
	/** Whether a message that was sent twice arrives twice. */
	mustNotRepeat?: boolean;
}

/** What a reply means. */
export interface Judgement {
	verdict: Verdict;
	/** That of its messages, if they ended. */
	ending?: SentEnding;
}

/** What a reply means, and what follows from it, for one run. All of it is decided here. */
export class Policy {
	constructor(private readonly options: PolicyOptions) {}

	get isBatched(): boolean {
		return this.options.batchSize !== undefined;
	}

	get rowsPerRequest(): number {
		return this.options.batchSize ?? 1;
	}

	/** Whether a request carries several messages that must not be repeated. */
	get risksBatches(): boolean {
		return this.isBatched && this.options.mustNotRepeat === true;
	}

	/** The approximate number of requests for a number of messages. */
	countRequests(messages: number): number {
		return Math.ceil(messages / this.rowsPerRequest);
	}

	judge(reply: Reply): Judgement {
		const { takesAnyAnswer = false, answerRule } = this.options;
		return judge(reply, takesAnyAnswer, answerRule);
	}

	/** Whether a message of which another attempt knows this is sent by this run. */
	sends(state: State | undefined): boolean {
		return state === undefined || (this.options.retryUnknown && state !== 'accepted');
	}

	/**
	 * How long to wait before a request is sent again; undefined if it is not.
	 *
	 * @param failures number of attempts that failed before the last one
	 * @param random 0 to 1
	 */
	waitBeforeRetry(verdict: Verdict, failures: number, random: number): number | undefined {
		const { again } = ruleOf(verdict);
		const waitMs = RETRY_AFTER_MS[failures];
		if (!again || (again === 'withRetryUnknown' && !this.options.retryUnknown)) return undefined;
		return waitMs === undefined ? undefined : waitMs * (1 + RETRY_JITTER * random);
	}

	/**
	 * Whether the halves of a rejected batch are sent, to find the messages that cause it. Once many were rejected in
	 * requests of their own and nothing was accepted, the messages are not the cause, and more halves would only use up
	 * the rate limit.
	 */
	halves(verdict: Verdict, rejectedAlone: number): Rule['halves'] {
		return rejectedAlone < MOST_REJECTED_ALONE ? ruleOf(verdict).halves : undefined;
	}

	/** Whether a request is given up that was answered 429 for itself alone so many times. */
	givesUpLimited(times: number): boolean {
		return times >= MOST_LIMITED_ALONE;
	}
}

/** To a health check, any JSON is an answer, whatever the account's rule. */
export function judgeHealthCheck(reply: Reply): Judgement {
	return judge(reply, false);
}

function judge(reply: Reply, takesAnyAnswer: boolean, answerRule?: AnswerRule): Judgement {
	if (reply.kind === 'notSent')
		return { verdict: 'notSent', ending: { kind: 'notSent', code: reply.reason } };
	if (reply.kind === 'failure') {
		const { code, message } = reply;
		const verdict = verdictOfFailure(code, message);
		const { outcome, reason } = ruleOf(verdict);
		const values = { code, message };
		const ending: SentEnding =
			outcome === 'notSent' && reason
				? { kind: outcome, code: reason, values }
				: { kind: 'unknown', values };
		return { verdict, ending };
	}
	const { statusCode, body, isTruncated, redirectsTo, remaining } = reply;
	const ofStatus = verdictOfStatus(statusCode);
	let verdict = ofStatus;
	if (verdict === 'accepted' && !takesAnyAnswer) verdict = verdictOfBody(reply, answerRule);
	if (verdict === 'limited' && remaining) verdict = 'limitedOtherwise';
	const { outcome } = ruleOf(verdict);
	if (outcome === undefined || outcome === 'notSent') return { verdict };
	const response = { response: body, ...(isTruncated && { responseTruncated: isTruncated }) };
	const ending: SentEnding =
		outcome === 'accepted'
			? {
					kind: outcome,
					values: { statusCode, ...response, rateLimitRemaining: remaining ?? null },
				}
			: { kind: outcome, values: { statusCode, ...(redirectsTo && { redirectsTo }), ...response } };
	return { verdict, ending };
}

/** What a 2xx answer says, which is read before it is cut. */
function verdictOfBody(
	{ body, whole = body, isWebPage }: Extract<Reply, { kind: 'answer' }>,
	rule: AnswerRule | undefined,
): Verdict {
	if (isWebPage) return 'webPage';
	if (!rule) return reportsFailure(whole) ? 'declined' : 'accepted';
	const { field, accepted } = rule;
	if (field === '') return 'accepted';
	// It is not to be seen in it.
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

/** Values by which services say whether a request failed. */
const FAILED_STATUS = new Set(['error', 'fail', 'failed', 'failure']);
const NO_ERROR = new Set<unknown>([undefined, null, false, 0, '', '0', 'false', 'none', 'null']);
const NO = new Set(['false', '0']);

/** Whether an answer says by itself that the request failed, whatever its status. Spec §4 shows no body. */
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

/** Whether a field that names errors names none. */
function isEmptyError(errors: unknown): boolean {
	if (typeof errors === 'object' && errors !== null) return Object.keys(errors).length === 0;
	return NO_ERROR.has(typeof errors === 'string' ? errors.trim().toLowerCase() : errors);
}

/** Codes that mean that no connection was established, so nothing can have been processed. */
const NO_CONNECTION = new Set([
	'ECONNREFUSED',
	'EAI_AGAIN',
	'ERR_INVALID_URL',
	'ERR_SOCKET_CONNECTION_TIMEOUT',
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

function verdictOfFailure(code: string, message: string): Verdict {
	if (code === n8nRefusal) return 'blocked';
	if (CERTIFICATE.test(code)) return 'certificate';
	if (code === 'EPROTO' && HANDSHAKE.test(message)) return 'certificate';
	if (code === 'ENOTFOUND') return 'unknownHost';
	if (NO_CONNECTION.has(code)) return 'unconnected';
	if (WHILE_CONNECTING.test(message) || NO_TUNNEL.test(message)) return 'unconnected';
	if (code === 'ECONNRESET' && message.includes(CLOSED_IN_HANDSHAKE)) return 'unconnected';
	return 'unanswered';
}
