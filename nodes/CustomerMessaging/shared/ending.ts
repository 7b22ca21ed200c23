import type { Sentence } from './sentence';

/** The service's answer. */
interface Answered {
	response: unknown;
	/** Only the beginning of the response was kept. */
	responseTruncated?: true;
}

/** The end of a message: what happened to it, why, and what is known of it. */
export type Ending =
	/** `statusCode` is absent if another attempt of the same execution sent the request. */
	| {
			kind: 'accepted';
			code?: undefined;
			values: Answered & { statusCode?: number; rateLimitRemaining: number | null };
	  }
	| {
			kind: 'rejected';
			code?: undefined;
			values: Answered & { statusCode: number; redirectsTo?: string };
	  }
	/** Certainly not delivered. */
	| { kind: 'notSent'; code: NotSentCode; values?: Failed }
	/** Sent, and possibly processed: there was no response, none of the service, or one that says it failed. */
	| { kind: 'unknown'; code?: UnknownCode; values?: InDoubt }
	/** Sent before, or left out by a safety limit. */
	| { kind: 'skipped'; code: SkipCode; values?: Skipped }
	/** Not sent, because of what was entered. */
	| { kind: 'invalid'; code?: undefined; values: Invalid }
	/** Only shown. */
	| { kind: 'preview'; code?: undefined; values: Previewed };

/** The ending of a message that was to be sent. */
export type SentEnding = EndingOf<'accepted' | 'rejected' | 'notSent' | 'unknown'>;

/** The endings of some kinds. */
export type EndingOf<Kind extends Ending['kind']> = Extract<Ending, { kind: Kind }>;

interface Failed {
	/** The network error code, if there was one. */
	code?: string;
	message?: string;
	/** When it is worth sending it again, with the offset of the workflow's zone; absent if waiting does not help. */
	retryAt?: string;
}

interface InDoubt extends Partial<Answered>, Omit<Failed, 'retryAt'> {
	statusCode?: number;
	redirectsTo?: string;
}

export interface Skipped {
	/** Ending of an earlier attempt. */
	earlierOutcome?: 'accepted' | 'unknown';
	/** Another message of this run with the same key says something else. */
	differs?: true;
	/** The item whose message is the same. */
	firstItem?: number;
}

/** Invalid input: the parameter's name, and a sentence that says what is wrong and how to fix it. */
export interface Problem extends Sentence {
	field: string;
	/** No row may be sent because of it, although only some have it. */
	concernsAll?: true;
}

interface Invalid {
	problems: Problem[];
}

export interface Previewed {
	url: string;
	body: unknown;
	/** Text lengths and their limits. A very long text has no count. */
	measured?: {
		characters: Readonly<Record<string, { count?: number; limit?: number }>>;
		sms?: { parts?: number };
	};
	/** The message as its recipients will see it, as an HTML page. */
	page?: string;
}

export type NotSentCode =
	/** The service does not accept the brand and key, or the token. */
	| 'credentialsRefused'
	/** Nothing is found at the address. */
	| 'addressRefused'
	/** DNS resolution failed, or no connection was established. */
	| 'noConnection'
	/** The TLS handshake failed. */
	| 'certificate'
	/** Waiting for this exceeded `maxWait`. `keyInUse`: another run was sending its key of Send Once. */
	| 'rateLimit'
	| 'serviceUnavailable'
	| 'keyInUse'
	/** The execution was stopped or timed out, or an earlier failure ended the run. */
	| 'stopped'
	/** The scheduled time passed while the request waited for the rate limit. */
	| 'schedulePassed'
	/** n8n could not store that the request was about to be sent, so a retry might have repeated it. */
	| 'notRecorded'
	/** With Send Once: the execution has sent as many messages to single people as it may. */
	| 'maxMessages'
	/** A mistake of this node prevented it. */
	| 'internalError';

/**
 * Why the outcome is not known: a kill, a mistake of this node, or n8n's store, which could not say whether another
 * attempt has sent it, or not before the execution was stopped.
 */
export type UnknownCode = 'interrupted' | 'internalError' | 'notRecorded' | 'stopped';

export type SkipCode =
	/** This or an earlier execution had sent it. */
	| 'sentBefore'
	/** The run has the same message before. */
	| 'sameMessage'
	/** Another branch of the execution has it. */
	| 'sameInOtherBranch'
	/** The credential does not allow the recipient. */
	| 'recipientNotAllowed'
	/** The recipient has not agreed. */
	| 'noConsent';

/** The consequences of each kind. */
export const kinds: Readonly<
	Record<Ending['kind'], { hasFailed: boolean; mayHaveArrived: boolean }>
> = {
	accepted: { hasFailed: false, mayHaveArrived: true },
	rejected: { hasFailed: true, mayHaveArrived: false },
	notSent: { hasFailed: true, mayHaveArrived: false },
	unknown: { hasFailed: true, mayHaveArrived: true },
	skipped: { hasFailed: false, mayHaveArrived: false },
	invalid: { hasFailed: true, mayHaveArrived: false },
	preview: { hasFailed: false, mayHaveArrived: false },
};

/** An ending with its number of attempts, as n8n's memory and the output hold it. */
export type Outcome = ReturnType<typeof toOutcome>;

/** Writes an ending as memory and output hold it. */
export function toOutcome({ kind, code, values }: SentEnding, attempts: number) {
	return { outcome: kind, ...(code && { reason: code }), ...values, attempts };
}

/** Reads an ending from n8n's memory. */
export function fromOutcome({ outcome, attempts, ...rest }: Outcome): {
	ending: SentEnding;
	attempts: number;
} {
	const { reason, ...values } = rest as { reason?: string };
	const ending = { kind: outcome, ...(reason && { code: reason }), values };
	return { ending: ending as SentEnding, attempts };
}
