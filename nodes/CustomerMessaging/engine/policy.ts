import type { NotSentCode, SentEnding } from '../shared/ending';
import type { State } from './record/entries';
import { type Reading, type Reply, type Verdict, verdictOf } from './replies';

/** Consequences of a reply. */
interface Rule {
	/** The ending of its messages; absent if they return to the queue, because they were not processed. */
	outcome?: 'accepted' | 'rejected' | 'unknown' | 'notSent';
	reason?: NotSentCode;
	/** The service may have counted the request against the limit; `unanswered` if nobody knows. */
	limit: 'counted' | 'limited' | 'limitedOtherwise' | 'unanswered' | 'notCounted';
	/**
	 * The service. `declines`: it works, but may fail for all. `answers`: it is there, but takes nothing
	 * from this account. `fails`: one more failure in a row. `nothing`: neither.
	 */
	service: 'works' | 'declines' | 'answers' | 'fails' | 'nothing';
	/** It is sent again in this run, after the waits of {@link Policy.waitBeforeRetry}. */
	again?: 'always' | 'withRetryUnknown';
	/** The halves of a batch are sent, because a part of it may be accepted. */
	halves?: 'ofRows' | 'ofSize';
	/**
	 * It may end the run. `atOnce`: nothing more is sent. `ifConfirmed`: the same, if it was the first answer or one of
	 * many in a row, and a health check is answered so too. `inARow`: after many in a row. `lasting`: after a while, for
	 * runs without a success. The thresholds are those of `pace/pace.ts`.
	 */
	ends?: { when: 'atOnce' | 'ifConfirmed' | 'inARow' | 'lasting'; as: RunEnd };
}

type RunEnd = 'credentialsRefused' | 'addressRefused' | 'serviceUnavailable' | 'noConnection';

/** Why nothing more of a run may leave. */
export type EndReason = RunEnd | 'rateLimit' | 'keyInUse';

const counted = { limit: 'counted' } as const;
const rejected = { outcome: 'rejected', ...counted } as const;
const unknown = { outcome: 'unknown', service: 'fails', again: 'withRetryUnknown' } as const;
const unconnected = { outcome: 'notSent', reason: 'noConnection', limit: 'notCounted' } as const;
const declinesAll = { when: 'inARow', as: 'serviceUnavailable' } as const;
const wrongAddress = { when: 'ifConfirmed', as: 'addressRefused' } as const;

/** The consequences of each verdict (spec §7 and §8). */
const rules: Readonly<Record<Verdict, Rule>> = {
	accepted: { outcome: 'accepted', ...counted, service: 'works' },
	declined: { outcome: 'unknown', ...counted, service: 'declines', ends: declinesAll },
	declinedByRule: { ...rejected, service: 'declines', ends: declinesAll },
	webPage: { ...unknown, ...counted, ends: wrongAddress },
	failed: { ...unknown, ...counted },
	unanswered: { ...unknown, limit: 'unanswered' },
	brokenOff: { outcome: 'unknown', limit: 'unanswered', service: 'nothing' },
	rejected: { ...rejected, service: 'works' },
	invalid: { ...rejected, service: 'works', halves: 'ofRows' },
	tooLarge: { ...rejected, service: 'works', halves: 'ofSize' },
	unauthorized: {
		...rejected,
		service: 'answers',
		ends: { when: 'atOnce', as: 'credentialsRefused' },
	},
	forbidden: {
		...rejected,
		service: 'answers',
		ends: { when: 'ifConfirmed', as: 'credentialsRefused' },
	},
	notFound: { ...rejected, service: 'answers', ends: wrongAddress },
	limited: { limit: 'limited', service: 'nothing' },
	limitedOtherwise: { limit: 'limitedOtherwise', service: 'nothing' },
	unconnected: { ...unconnected, service: 'fails', again: 'always' },
	unknownHost: {
		...unconnected,
		service: 'fails',
		again: 'always',
		ends: { when: 'lasting', as: 'noConnection' },
	},
	blocked: { ...unconnected, service: 'nothing' },
	certificate: { ...unconnected, reason: 'certificate', service: 'nothing' },
	notSent: { outcome: 'notSent', limit: 'notCounted', service: 'nothing' },
};

export function ruleOf(verdict: Verdict): Rule {
	return rules[verdict];
}

const MOST_REJECTED_ALONE = 100;
/** A request is given up after so many 429s that concern it alone. */
const MOST_LIMITED_ALONE = 3;

/** Waits before the second, third and fourth attempt. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];
/** Share of the wait by which a retry is randomly delayed, so that requests that failed together spread out. */
const RETRY_JITTER = 0.25;

interface PolicyOptions extends Reading {
	/** Messages that may have been delivered are sent again. */
	retryUnknown: boolean;
	/** Number of messages that a request may carry; absent if each has a request of its own, which is then no batch. */
	batchSize?: number;
	/** A message that was sent twice arrives twice. */
	mustNotRepeat?: boolean;
}

/** A verdict with the ending of its messages. */
export interface Judgement {
	verdict: Verdict;
	/** Absent if they have not ended. */
	ending?: SentEnding;
}

/** Decides what follows from replies, for one run. */
export class Policy {
	constructor(private readonly options: PolicyOptions) {}

	get isBatched(): boolean {
		return this.options.batchSize !== undefined;
	}

	get rowsPerRequest(): number {
		return this.options.batchSize ?? 1;
	}

	/** A request carries several messages that must not be repeated. */
	get risksBatches(): boolean {
		return this.isBatched && this.options.mustNotRepeat === true;
	}

	/** The approximate number of requests for a number of messages. */
	countRequests(messages: number): number {
		return Math.ceil(messages / this.rowsPerRequest);
	}

	judge(reply: Reply): Judgement {
		return judge(reply, this.options);
	}

	/** This run sends a message that another attempt left in this state. */
	sends(state: State | undefined): boolean {
		return state === undefined || (this.options.retryUnknown && state !== 'accepted');
	}

	/**
	 * The wait before a request is sent again; undefined if it is not.
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
	 * The rule by which a rejected batch is halved, to find the messages that cause it. Once many were rejected in
	 * requests of their own and nothing was accepted, the messages are not the cause, and more halves would only use up
	 * the rate limit.
	 */
	halves(verdict: Verdict, rejectedAlone: number): Rule['halves'] {
		return rejectedAlone < MOST_REJECTED_ALONE ? ruleOf(verdict).halves : undefined;
	}

	/** A request that was answered 429 for itself alone so many times is given up. */
	givesUpLimited(times: number): boolean {
		return times >= MOST_LIMITED_ALONE;
	}
}

/** To a health check, any JSON is an answer, whatever the account's rule. */
export function judgeHealthCheck(reply: Reply): Judgement {
	return judge(reply, {});
}

function judge(reply: Reply, reading: Reading): Judgement {
	const verdict = verdictOf(reply, reading);
	const { outcome, reason } = ruleOf(verdict);
	if (reply.kind === 'notSent') return { verdict, ending: { kind: 'notSent', code: reply.reason } };
	if (reply.kind === 'failure') {
		const { code, message } = reply;
		const values = { code, message };
		const ending: SentEnding =
			outcome === 'notSent' && reason
				? { kind: outcome, code: reason, values }
				: { kind: 'unknown', values };
		return { verdict, ending };
	}
	if (outcome === undefined || outcome === 'notSent') return { verdict };
	const { statusCode, body, isTruncated, redirectsTo, remaining } = reply;
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
