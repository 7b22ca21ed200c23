import type { Addressed, Delivery, Schedule } from './delivery';
import type { Sentence } from './formatting';

interface Answered {
	response: unknown;
	/** Only the beginning of the response was kept. */
	responseTruncated?: true;
	/** Absent of an accepted message if another attempt of the same execution sent the request. */
	statusCode?: number;
	redirectsTo?: string;
}

interface Failed {
	/** The network error code, if there was one. */
	code?: string;
	message?: string;
	/** When it is worth sending it again, with the offset of the workflow's zone; absent if waiting does not help. */
	retryAt?: string;
}

interface Skipped {
	/** Ending of an earlier attempt. */
	earlierOutcome?: 'accepted' | 'unknown';
	/** Another message of this run with the same key says something else. */
	differs?: true;
	/** The item whose message is the same. */
	firstItem?: number;
}

interface Previewed {
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

/** Certainly not delivered. `report/reasons.ts` has a sentence for each code. */
export type NotSentCode =
	| 'credentialsRefused'
	| 'addressRefused'
	| 'noConnection'
	| 'certificate'
	/** Waiting for one of these exceeded `maxWait`; `keyInUse` waits for another run. */
	| 'rateLimit'
	| 'serviceUnavailable'
	| 'keyInUse'
	| 'stopped'
	| 'schedulePassed'
	/** n8n could not store that the request was about to be sent, so a retry might have repeated it. */
	| 'notRecorded'
	| 'maxMessages'
	| 'internalError';

/** Sent before by any execution, or left out by a safety limit. */
type SkipCode =
	'sentBefore' | 'sameMessage' | 'sameInOtherBranch' | 'recipientNotAllowed' | 'noConsent';

/** `notRecorded`, `stopped`: n8n's store could not say, or not before Stop, whether another attempt has sent it. */
type UnknownCode = 'interrupted' | 'internalError' | 'notRecorded' | 'stopped';

/** The end of a message: what happened to it, why, and what is known of it. */
export type Ending =
	| { kind: 'accepted'; code?: undefined; values: Answered & { rateLimitRemaining: number | null } }
	| { kind: 'rejected'; code?: undefined; values: Answered & { statusCode: number } }
	| { kind: 'notSent'; code: NotSentCode; values?: Failed }
	/** Sent, and possibly processed: there was no response, none of the service, or one that says it failed. */
	| { kind: 'unknown'; code?: UnknownCode; values?: Partial<Answered> & Failed }
	| { kind: 'skipped'; code: SkipCode; values?: Skipped }
	/** Not sent, because of what was entered. */
	| { kind: 'invalid'; code?: undefined; values: { problems: Problem[] } }
	| { kind: 'preview'; code?: undefined; values: Previewed };

export type EndingOf<Kind extends Ending['kind']> = Extract<Ending, { kind: Kind }>;

/** The ending of a message that was to be sent. */
export type SentEnding = EndingOf<'accepted' | 'rejected' | 'notSent' | 'unknown'>;

/** Invalid input: the parameter's name, and a sentence that says what is wrong and how to fix it. */
export interface Problem extends Sentence {
	field: string;
	/** No row may be sent because of it, although only some have it. */
	concernsAll?: true;
}

export function isProblem(value: unknown): value is Problem {
	return typeof value === 'object' && value !== null && 'field' in value && 'rule' in value;
}

/** A delivery, or what is known of one whose row was not read again. */
export type SentDelivery = Pick<Delivery, 'itemIndex'> & Partial<Delivery>;

/** The outcome of one message, or of an item that has none. */
export type Result =
	SentResult | UnsentResult<'skipped'> | UnsentResult<'invalid'> | UnsentResult<'preview'>;

/** The outcome of a message that this run did not try to send. */
export interface UnsentResult<Kind extends Ending['kind'], D = SentDelivery> {
	delivery: D;
	ending: EndingOf<Kind>;
	/** Of an invalid row: its messages, as far as their recipient can be read. */
	addressed?: readonly Addressed[];
	batch?: Recorded['batch'];
}

/** The record of a delivery, for later attempts of an execution. */
export interface Recorded {
	ending: SentEnding;
	attempts: number;
	/** The request that carried it: its index in the run, and its number of deliveries. */
	batch?: { index: number; size: number };
	/** The time that was decided when it left; absent if it was known before. */
	scheduled?: Schedule;
	/** An execution that has ended reported it, so it stops no workflow again. */
	wasReported?: true;
}

export interface SentResult<D = SentDelivery> extends Recorded {
	delivery: D;
	/** Set if an earlier attempt sent it. */
	sentBefore?: true;
	/** The execution's memory did not hold that. */
	isFound?: boolean;
}

export function isSent<R extends object>(result: R): result is Extract<R, { attempts: number }> {
	return 'attempts' in result;
}

export interface RunReport {
	requests: number;
	/** One for each delivery, in the same order. */
	results: readonly Result[];
	/** Time spent waiting for a failing service. */
	pausedMs?: number;
	/** Send Once could not keep out other processes of n8n. */
	isUnlocked?: boolean;
	/** Why nothing was sent, if what n8n has stored shows only with the first message that nothing may be. */
	refused?: Problem;
	/** Says why the run was expected not to send everything. */
	warning?: string;
}

/** The result of an item that a mistake of this node kept from being sent, or before which it may have left. */
export function internalFailure<D>(delivery: D, message: string, mayHaveLeft = false) {
	const kind = mayHaveLeft ? 'unknown' : 'notSent';
	const ending: SentEnding = { kind, code: 'internalError', values: { message } };
	return { delivery, ending, attempts: mayHaveLeft ? 1 : 0 };
}

const failing: ReadonlyArray<Ending['kind']> = ['rejected', 'notSent', 'unknown', 'invalid'];

/** True if the item goes to the error output or stops the workflow, depending on On Error. */
export function hasFailed(result: Result): boolean {
	return failing.includes(result.ending.kind) && !('wasReported' in result && result.wasReported);
}

/** True if this run or an earlier attempt has sent it, and it may have arrived. */
export const mayBeDelivered = ({ ending: { kind } }: { ending: Ending }) =>
	kind === 'accepted' || kind === 'unknown';

/** True if the outcome of other attempts could not be looked up. The next attempt looks it up again. */
export const isNotLookedUp = ({ ending: { kind, code } }: { ending: Ending }) =>
	kind === 'unknown' && (code === 'notRecorded' || code === 'stopped');

/** Writes an ending, with its number of attempts, as memory and output hold it. */
export function toOutcome({ kind, code, values }: SentEnding, attempts: number) {
	return { outcome: kind, ...(code && { reason: code }), ...values, attempts };
}

/** Reads an ending from n8n's memory. */
export function fromOutcome(written: ReturnType<typeof toOutcome>) {
	const { outcome, attempts, reason, ...values } = written;
	const ending = { kind: outcome, ...(reason && { code: reason }), values } as SentEnding;
	return { ending, attempts };
}

/** Codes of failures that have none of their own. Nothing was sent: a proxy, the credential or n8n itself refused to. */
export const proxyRefusal = 'PROXY_REFUSED';
export const notOurs = 'NOT_OF_THIS_NODE';
export const n8nRefusal = 'N8N_REFUSED';

/** True of the errors of N8N_SSRF_PROTECTION_ENABLED, which have no code. */
export const isN8nRefusal = (message: string) =>
	/^The request was blocked because (it resolves to a|the destination hostname is) restricted/.test(
		message,
	);

/** Advice to the administrator of n8n. */
export const howToAllow = `n8n's N8N_SSRF_PROTECTION_ENABLED keeps it from this address. To allow it, add the host to N8N_SSRF_ALLOWED_HOSTNAMES, or its address to N8N_SSRF_ALLOWED_IP_RANGES, and restart n8n`;

/** Possible reasons of a 403, which the reference does not mention. */
export const whyForbidden = `The key may lack the right to do this, or the account's plan may not include it. The service may also accept only a list of addresses, without that of this n8n. Ask the service's support`;
