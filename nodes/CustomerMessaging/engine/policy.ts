import type { NotSentCode } from '../shared/ending';
import type { State } from './record/names';

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
	ends?: { when: 'atOnce' | 'ifConfirmed' | 'inARow' | 'lasting'; as: NotSentCode };
}

const counted = { limit: 'counted' } as const;
const rejected = { outcome: 'rejected', ...counted } as const;
const unknown = { outcome: 'unknown', service: 'fails', again: 'withRetryUnknown' } as const;
const unsent = { outcome: 'notSent', limit: 'notCounted' } as const;
const withheld = { ...unsent, service: 'nothing' } as const;
const unconnected: Rule = { ...unsent, reason: 'noConnection', service: 'fails', again: 'always' };
const declinesAll = { when: 'inARow', as: 'serviceUnavailable' } as const;
const wrongAddress = { when: 'ifConfirmed', as: 'addressRefused' } as const;
const wrongKey = { when: 'atOnce', as: 'credentialsRefused' } as const;

/** The kinds of replies, and the consequences of each (spec §7 and §8). `replies.ts` tells them apart. */
const rules = {
	accepted: { outcome: 'accepted', ...counted, service: 'works' },
	/** A 2xx that says it failed. It may be about this one person, and it may have been processed. */
	declined: { outcome: 'unknown', ...counted, service: 'declines', ends: declinesAll },
	/** A 2xx that rejects under the account's own rule. */
	declinedByRule: { ...rejected, service: 'declines', ends: declinesAll },
	/** A 2xx that the service did not write. */
	webPage: { ...unknown, ...counted, ends: wrongAddress },
	/** 5xx, or a status after which a POST may have been processed. */
	failed: { ...unknown, ...counted },
	unanswered: { ...unknown, limit: 'unanswered' },
	/** The run ended before a response came. */
	brokenOff: { outcome: 'unknown', limit: 'unanswered', service: 'nothing' },
	/** Something is wrong with the content. */
	rejected: { ...rejected, service: 'works' },
	/** The same, perhaps with one message of a batch. */
	invalid: { ...rejected, service: 'works', halves: 'ofRows' },
	tooLarge: { ...rejected, service: 'works', halves: 'ofSize' },
	unauthorized: { ...rejected, service: 'answers', ends: wrongKey },
	forbidden: { ...rejected, service: 'answers', ends: { ...wrongKey, when: 'ifConfirmed' } },
	/** The address takes no messages. Redirects are not followed. */
	notFound: { ...rejected, service: 'answers', ends: wrongAddress },
	/** 429: the account's limit for this minute. */
	limited: { limit: 'limited', service: 'nothing' },
	/** 429, but something remains of the minute: a limit of another kind, or of one row alone. */
	limitedOtherwise: { limit: 'limitedOtherwise', service: 'nothing' },
	unconnected,
	/** DNS does not know the host. */
	unknownHost: { ...unconnected, ends: { when: 'lasting', as: 'noConnection' } },
	/** n8n itself refused to connect. It says nothing about the service, and waiting would not help. */
	blocked: { ...withheld, reason: 'noConnection' },
	certificate: { ...withheld, reason: 'certificate' },
	/** The run did not send it, for a reason that the reply names. */
	notSent: withheld,
} satisfies Record<string, Rule>;

export type Verdict = keyof typeof rules;

export function ruleOf(verdict: Verdict): Rule {
	return rules[verdict];
}

/** Waits before the second, third and fourth attempt. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];
/** Share of the wait by which a retry is randomly delayed, so that requests that failed together spread out. */
const RETRY_JITTER = 0.25;

/** The account's own sign that a request was accepted, from the credential's Custom Answers. */
export interface AnswerRule {
	/** A path such as `data.code`; empty if every 2xx answer accepts. */
	field: string;
	/** Its values that accept, as text; none if it must be absent or empty. */
	accepted: readonly string[];
}

interface PolicyOptions {
	/** Answers may be pages and anything else, as those to a custom request. */
	takesAnyAnswer?: boolean;
	answerRule?: AnswerRule;
	/** Messages that may have been delivered are sent again. */
	retryUnknown: boolean;
	/** Number of messages that a request may carry; absent if each has a request of its own, which is then no batch. */
	batchSize?: number;
	/** A message that was sent twice arrives twice. */
	mustNotRepeat?: boolean;
}

/** Decides what follows from replies, for one run. */
export class Policy {
	constructor(readonly options: PolicyOptions) {}

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
}
