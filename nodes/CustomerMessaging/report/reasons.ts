import { isWebPage } from '../engine';
import { isRecord } from '../fields/field';
import { hostNames } from '../operations/operation';
import type { KnownRun, Run } from '../run/resolveRun';
import {
	type Ending,
	type EndingOf,
	howToAllow,
	n8nRefusal,
	type SentDelivery,
	whyForbidden,
} from '../shared/ending';
import { oneLine, onPlatform } from '../shared/formatting';
import { asSentence, compact, recipientOfDelivery } from './naming';

type Failed = EndingOf<'rejected' | 'notSent' | 'unknown'>;
type Values = NonNullable<EndingOf<'unknown'>['values']>;

/**
 * Why a message failed or was left out. Texts are sentences without a full stop, with slots; see {@link describeFailure}.
 * n8n would replace one with a code such as ECONNRESET by one of its own.
 */
interface Reason {
	/** As it is counted, such as `rate limit (3)`, if nothing was sent. */
	short?: string;
	/** It follows from another failure, which is then reported instead. */
	isConsequence?: true;
	/** The answer itself leaves it in doubt, so 'Resend Unconfirmed' would not help. */
	isSaid?: true;
	/** As n8n names it since 2.41. */
	cause?: string;
	/** The event; {@link fates} follow. Of what was left out: why. */
	text: string;
	/** Advice, beside what every failure of its kind says. */
	advice?: string;
}

const fates = {
	rejected: '',
	notSent: ', so it was not sent',
	unknown: ', so it may or may not have been delivered',
	unknownUser: ', so the user may or may not have been saved',
};

const checkAll = `If the answer does not tell the cause, check the recipient, and of a message Segment and Service Provider ID. In the credential, check the addresses and the custom formats and paths. The service's reference does not specify them. A preview shows the exact request for the service's support`;
const elseCustomAnswers = `If such an answer means something else, say so under 'Custom Answers' in the credential`;
const endedEarly = 'The run ended early, because every other item would be refused too';
const sendAll = "To send all of them, turn on 'Allow Duplicates' under Options";

const reasons = {
	401: {
		cause: 'credential-invalid',
		text: 'The service did not accept the credentials (401)',
		advice: `Enter the brand ID and API key, or the access token, in the credential again. Brand ID and API key may be swapped. A key that was replaced under Settings > Store Integration no longer works`,
	},
	404: {
		cause: 'configuration-invalid',
		text: 'Nothing was found at {origin} (404)',
		advice: '{address}. Each API may have a host of its own',
	},
	redirected: {
		cause: 'configuration-invalid',
		text: '{origin} redirects to {redirect} ({status}), which is not followed',
		advice: '{address}',
	},
	403: {
		cause: 'configuration-invalid',
		text: 'The service does not permit {what} (403)',
		advice: `${whyForbidden}. If it is none of these, the key may be wrong: test the credential`,
	},
	refusedByRule: {
		text: 'The service answered {status}, but refused {what}',
		advice: `'Custom Answers' in the credential say that such an answer refuses. If it does not, correct them there. ${checkAll}`,
	},
	refused: { text: 'The service refused {what} ({status})', advice: checkAll },
	noAnswer: { cause: 'temporarily-unavailable', text: 'No answer came from {origin}' },
	errorStatus: { cause: 'temporarily-unavailable', text: 'The service answered {status}' },
	webPage: {
		cause: 'configuration-invalid',
		text: '{origin} answered with a web page ({status})',
		advice: `A login page, a proxy or another server may have answered in place of the service. {address}`,
	},
	withoutField: {
		isSaid: true,
		text: "The service answered {status} without the field '{field}'",
		advice: "That field is named under 'Custom Answers' in the credential",
	},
	declined: {
		isSaid: true,
		text: 'The service answered {status}, but said that it failed',
		advice: elseCustomAnswers,
	},
	'unknown.interrupted': { text: 'An earlier run stopped while sending this' },
	'unknown.internalError': {
		cause: 'node-defect',
		text: 'Internal error in this node ended the run while it was being sent',
	},
	'unknown.notRecorded': {
		text: "n8n's store could not tell whether another attempt has sent this",
		advice: "Check n8n's database, then retry the execution: it sends only what was not sent",
	},
	'unknown.stopped': {
		text: 'The execution was stopped before it was known whether another attempt has sent this',
		advice: 'Retry the execution again: it sends only what was not sent',
	},
	noConnection: {
		cause: 'temporarily-unavailable',
		short: 'no connection',
		text: 'No connection to {origin}',
		advice: '{connection}. Then {rest}',
	},
	certificate: {
		cause: 'configuration-invalid',
		short: 'certificate',
		text: 'The certificate of {origin}, or that of a proxy, was not accepted',
		advice: `Check the address in the credential and the certificate of that host, or that of the proxy; NODE_EXTRA_CA_CERTS makes n8n trust it`,
	},
	rateLimit: {
		cause: 'rate-limited',
		short: 'rate limit',
		text: "The rate limit lasted longer than 'Max Wait'",
		advice: `Send the remaining items later, raise 'Max Wait', or ask the service for a higher limit and enter it in the credential`,
	},
	serviceUnavailable: {
		cause: 'temporarily-unavailable',
		short: 'service down',
		isConsequence: true,
		text: '{origin} was not available for as long as the run could wait',
		advice: 'Once it works, {rest}. If it does not: {connection}',
	},
	declinedMany: {
		cause: 'temporarily-unavailable',
		short: 'service down',
		isConsequence: true,
		text: '{origin} said of many messages in a row that they failed',
		advice: `${elseCustomAnswers}. Then {rest}`,
	},
	credentialsRefused: {
		cause: 'credential-invalid',
		short: 'credentials refused',
		isConsequence: true,
		text: '{origin} refuses the credentials',
		advice: `${endedEarly}. If the first items were answered 403, see what they say. Otherwise enter the credential again and test it, then {rest}`,
	},
	addressRefused: {
		cause: 'configuration-invalid',
		short: 'wrong address',
		isConsequence: true,
		text: '{origin} does not answer as the service does',
		advice: `${endedEarly}. {address}, then {rest}`,
	},
	stopped: {
		short: 'run ended',
		isConsequence: true,
		text: 'The run ended early',
		advice: 'Once the cause is resolved, {rest}',
	},
	schedulePassed: {
		short: 'time passed',
		text: 'The time it was scheduled for passed while the run waited for the rate limit',
		advice: 'Choose a later time, or start the workflow earlier',
	},
	maxMessages: {
		cause: 'configuration-invalid',
		short: 'Max Messages',
		isConsequence: true,
		text: "The execution has sent as many messages as 'Max Messages' allows",
		advice: 'If more are meant, raise Max Messages under Options, then {rest}',
	},
	internalError: {
		cause: 'node-defect',
		short: 'internal error in this node',
		text: 'Internal error in this node prevented it',
		advice: `This is not caused by the settings. Report it to the maintainers of the node, with n8n's log`,
	},
	keyInUse: {
		short: 'another run is sending it',
		text: "Another run was sending the same message for longer than 'Max Wait'",
		advice: 'If that run has not sent it, the next run does',
	},
	notRecorded: {
		short: 'not recorded by n8n',
		text: 'n8n could not store that it was about to be sent',
		advice: `Without that record, it could be sent twice. Check n8n's database, then {rest}`,
	},
	// The hints say more.
	sentBefore: { text: 'this node has sent them before' },
	recipientNotAllowed: {
		short: 'not among Only These Recipients',
		text: "'Only These Recipients' in the credential does not list the recipient",
	},
	noConsent: {
		short: 'no consent',
		text: "the recipient has not agreed: 'Consent' is empty, false, no or 0",
	},
	sameMessage: {
		short: 'same message',
		text: `this run has the same message to the same recipient before. ${sendAll}`,
	},
	sameInOtherBranch: {
		short: 'same message',
		text: `another branch of the workflow sent the same message to the same recipient. ${sendAll}`,
	},
} satisfies Record<CodeOf<'notSent' | 'skipped'> | `unknown.${CodeOf<'unknown'>}`, Reason> &
	Record<string, Reason>;

type CodeOf<Kind extends Ending['kind']> = NonNullable<EndingOf<Kind>['code']>;

/** The reason of a failure. Of what came back, it is read from the answer, because n8n's memory holds no more. */
function reasonOf(ending: Failed, run: Pick<KnownRun, 'operation' | 'account'>): Reason {
	const { kind, code } = ending;
	if (kind === 'notSent') {
		const isSaid = code === 'serviceUnavailable' && !ending.values?.code && ending.values?.message;
		return isSaid ? reasons.declinedMany : reasons[code];
	}
	if (code && !run.operation?.isIdempotent) return reasons[`unknown.${code}`];
	const { statusCode, response } = ending.values ?? {};
	if (statusCode === undefined) return reasons.noAnswer;
	const isSuccess = statusCode >= 200 && statusCode < 300;
	if (statusCode >= 300 && statusCode < 400) return reasons.redirected;
	if (ending.kind === 'rejected')
		return byStatus[statusCode] ?? (isSuccess ? reasons.refusedByRule : reasons.refused);
	if (!isSuccess) return reasons.errorStatus;
	if (isWebPage(response)) return reasons.webPage;
	return run.account?.answerRule ? reasons.withoutField : reasons.declined;
}

/** The refusals that have a reason of their own. */
const byStatus: Readonly<Record<number, Reason>> = reasons;

/** Why a message was skipped, after 'because'. */
export const whySkipped = (code: CodeOf<'skipped'>): string => reasons[code].text;

/** The reason in a few words, to be counted; undefined if there is none. */
export function shortReason({ kind, code }: Ending): string | undefined {
	if (kind === 'rejected') return 'refused by the service';
	const reason: Reason | undefined =
		kind === 'skipped' || kind === 'notSent' ? reasons[code] : undefined;
	return reason?.short;
}

/** The cause and the time to wait, as n8n's error holds them; older versions than 2.41 ignore it. */
export function n8nFailure(ending: Failed, run: KnownRun, nowMs: number) {
	const { cause } = reasonOf(ending, run);
	const { retryAt }: Values = ending.values ?? {};
	return cause && { cause, retryAfterMs: retryAt && Math.max(0, Date.parse(retryAt) - nowMs) };
}

/** True if it failed because another message did. */
export function isConsequence({ kind, code }: Ending): boolean {
	return kind === 'notSent' && 'isConsequence' in reasons[code];
}

/**
 * An account of a failed request, and advice, for the person who built the workflow.
 *
 * @param run known in part if only the results of earlier attempts are reported
 * @param isLogged n8n's log gets the message, which must name nobody; the advice begins with what was answered
 */
export function describeFailure(
	ending: Failed,
	run: KnownRun,
	delivery?: SentDelivery,
	isLogged = false,
): readonly [message: string, advice: string] {
	const values: Values = ending.values ?? {};
	const { code, message, retryAt } = values;
	const reason = reasonOf(ending, run);
	const address = checkAddress(run);
	const recipient = delivery && recipientOfDelivery(delivery);
	const platform = onPlatform(delivery?.platform);
	const told: Readonly<Record<string, string | number | undefined>> = {
		// These two may name people.
		what: recipient && !isLogged ? `the request for ${recipient}${platform}` : 'the request',
		redirect: (!isLogged && values.redirectsTo) || 'another address',
		origin: run.origin ?? 'the service',
		status: values.statusCode,
		address,
		field: run.account?.answerRule?.field,
		connection:
			code === n8nRefusal
				? howToAllow
				: `${address}, its port included, and the network of this n8n`,
		rest: howToSendRest(run),
	};
	const write = (text = '') => text.replace(/\{(\w+)\}/g, (_, slot: string) => String(told[slot]));
	// It says why the whole execution cannot go on.
	const isWhole = ending.code === 'interrupted' && message !== undefined;
	const isIdempotent = run.operation?.isIdempotent === true;
	const fate = isIdempotent && ending.kind === 'unknown' ? 'unknownUser' : ending.kind;
	const happened = isWhole ? message : write(reason.text) + fates[fate];
	const own = write(reason.advice);
	const answer = quoteAnswer(values.response);
	// The advice for a code is complete.
	const isInDoubt = ending.kind === 'unknown' && !(ending.code && own);
	const repeats = isInDoubt && !isIdempotent && !reason.isSaid && !isWhole;
	const advice = compact(
		isLogged && values.redirectsTo && `It redirects to ${values.redirectsTo}`,
		isLogged && answer && `The service answered: ${answer}`,
		// First what cannot harm.
		isInDoubt && (isIdempotent ? safeAgain : checkFirst),
		own,
		repeats && resend,
		// By n8n or the service.
		!isWhole && message !== undefined && `Reported: ${oneLine(message, MAX_ANSWER)}`,
		retryAt && `It is worth trying again at ${retryAt}`,
	);
	const what = compact(delivery?.test && 'Test message', happened, !isLogged && answer);
	return [what.join(': '), advice.map(asSentence).join(' ')];
}

const safeAgain = 'Run it again: creating or updating a user a second time does no harm';
const checkFirst = 'Check in the account whether it arrived before you send it again';
const resend = `With the option 'Resend Unconfirmed', the node repeats such requests, and some people may get the message twice`;

/** Names the settings that make up the address of a request: `Check the 'Push API URL' and 'Custom API Paths' in the credential`. */
function checkAddress({ operation, target }: Partial<Pick<Run, 'operation' | 'target'>>): string {
	const host = target ? `the '${hostNames[target.host]}'` : 'the address';
	const paths = operation?.isPathOfAccount ? " and 'Custom API Paths'" : '';
	const here = operation && !operation.path ? "'Path' and 'Host', and " : '';
	return `Check ${here}${host}${paths} in the credential`;
}

const MAX_ANSWER = 300;

/** Fields in which services name the reason of a refusal. Spec §4 shows no response body. */
const reasonKeys = ['message', 'error', 'errors', 'detail', 'details', 'reason', 'description'];

/** n8n would replace a message that contains one of these by a sentence without the service's answer. */
const replacedByN8n =
	/ECONN|ENOTFOUND|ETIMEDOUT|ERRADDRINUSE|EADDRNOTAVAIL|EHOSTUNREACH|EAI_AGAIN|ENOENT|EISDIR|ENOTDIR|EACCES|EEXIST|EPERM|GETADDRINFO/i;

/** The service's answer on one line, without the JSON around it; empty if it says nothing in words. */
export function quoteAnswer(response: unknown): string {
	const text = oneLine(readReason(response).trim(), MAX_ANSWER);
	// A web page comes from a proxy, and its beginning says nothing.
	const isInWords = !text.startsWith('<') && !replacedByN8n.test(text);
	return isInWords ? text.replace(/\.$/, '') : '';
}

function readReason(response: unknown): string {
	if (typeof response === 'string') return response;
	if (Array.isArray(response)) return response.map(readReason).filter(Boolean).join('; ');
	if (!isRecord(response)) return '';
	const reasons = reasonKeys.map((key) => readReason(response[key])).filter(Boolean);
	if (reasons.length > 0) return [...new Set(reasons)].join(': ');
	return Object.keys(response).length > 0 ? JSON.stringify(response) : '';
}

/** Advice on sending the rest: n8n's Retry runs this node again only where its failure stopped the workflow. */
export function howToSendRest(run: KnownRun): string {
	if (!run.goesOn) return 'retry the execution: it sends only what was not sent';
	return run.settings?.sendOnce
		? 'start the workflow again with all items: Send Once skips what was sent'
		: 'start the workflow again with the items whose outcome is notSent';
}
