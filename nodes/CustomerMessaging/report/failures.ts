import { isWebPage } from '../engine';
import type { KnownRun } from '../run/resolveRun';
import {
	type Ending,
	type EndingOf,
	howToAllow,
	n8nRefusal,
	type NotSentCode,
	type SentEnding,
	type SentResult,
	whyForbidden,
} from '../shared/ending';
import {
	because,
	checkAddress,
	howToSendRest,
	listWhatToCheck,
	nameRefused,
	quoteAnswer,
	whoAnswered,
} from './advice';
import { compact, them } from './names';

type Failed = EndingOf<'rejected' | 'notSent' | 'unknown'>;

/** `isLogged`: n8n's log gets the message, which must name nobody. */
type About = Partial<Pick<SentResult, 'delivery' | 'batch'>> & { isLogged?: boolean };

/**
 * An account of a failed request, and advice, for the person who built the workflow. The message never
 * contains a code such as ECONNRESET, because n8n would replace it by a sentence of its own.
 */
export type FailureText = readonly [message: string, description: string];

/** The parts of sentences about a failure. */
interface Told {
	values: Partial<EndingOf<'unknown'>['values'] & { retryAt: string }>;
	run: KnownRun;
	about: About;
	origin: string;
	/** The two possible fates of a message that may have been delivered. */
	maybe: string;
	/** Advice on sending the rest. */
	rest: string;
	/** The time from which that may succeed, as a sentence with a space before it. */
	later: string;
	/** The service's answer contains words. */
	hasAnswer: boolean;
	/** Texts that may name people. They are empty in messages for n8n's log. */
	personal: {
		/** The refused request. */
		what: string;
		/** The service's answer in words, with a colon before it or in brackets; empty if it is none. */
		quoted: string;
		inBrackets: string;
		redirectsTo?: string;
	};
}

/** The causes that n8n knows since 2.41; older versions ignore them. */
type Cause =
	| 'rate-limited'
	| 'temporarily-unavailable'
	| 'credential-invalid'
	| 'configuration-invalid'
	| 'node-defect';

/** A reason why a message failed. */
interface Failure {
	/** As it is counted, such as `rate limit (3)`, if nothing was sent. */
	short?: string;
	/** The failure's cause, as n8n names it. */
	cause?: Cause;
	/** It follows from another failure, which is then reported instead. */
	isConsequence?: true;
	/** The answer itself leaves it in doubt, so 'Resend Unconfirmed' would not help. */
	isSaid?: true;
	/** `description` is what to do, beside what every failure of its kind says. */
	tell: (told: Told) => FailureText;
}

/** A reason why a message was left out: for counts, and after "2 messages were skipped". */
interface LeftOut {
	short?: string;
	because: (number: number) => string;
}

const endedEarly = 'The run ended early, because every other item would be refused too.';
const setCustomAnswers = "say so under 'Custom Answers' in the credential";

/** All reasons of failures. */
const failures = {
	credentials: {
		cause: 'credential-invalid',
		tell: () => [
			'The service did not accept the credentials (401)',
			'Open the credential and enter the brand ID and API key, or the access token, again. Brand ID and API key may be swapped. A key that was replaced under Settings > Store Integration no longer works.',
		],
	},
	nothingFound: {
		cause: 'configuration-invalid',
		tell: ({ run, origin }) => [
			`${run.operation?.reachesNobody ? 'Not saved' : 'Not sent'}: nothing was found at ${origin} (404)`,
			`${checkAddress(run)}. The user and event, push, and email and SMS APIs may each have their own host.`,
		],
	},
	tooLarge: {
		tell: ({ values }) => [
			`${whoAnswered(values.response)} refused the request because it is too large (413)`,
			'Shorten the longest fields of this item, or leave some of them out.',
		],
	},
	redirected: {
		cause: 'configuration-invalid',
		tell: ({ values, run, origin, personal }) => [
			`${origin} redirects to ${personal.redirectsTo ?? 'another address'} (${values.statusCode}), which is not followed`,
			`${checkAddress(run)}.`,
		],
	},
	forbidden: {
		cause: 'configuration-invalid',
		tell: ({ values, personal }) => [
			`${whoAnswered(values.response)} does not permit ${personal.what} (403)${personal.quoted}`,
			`${whyForbidden}. If it is none of these, the key may be wrong: test the credential.`,
		],
	},
	refusedByRule: {
		tell: ({ values, run, about, personal }) => [
			`The service answered ${values.statusCode}, but refused ${personal.what}${personal.quoted}`,
			`'Custom Answers' in the credential say that such an answer refuses. If it does not, correct them there. Otherwise check: ${listWhatToCheck(run, about.batch?.size)}.`,
		],
	},
	refused: {
		tell: ({ values, run, about, hasAnswer, personal }) => {
			const show = run.operation?.isMessage
				? "With 'When Run by Hand' on Show Only"
				: "With 'Preview Only' under Options";
			return [
				`${whoAnswered(values.response)} refused ${personal.what} (${values.statusCode})${personal.quoted}`,
				`${hasAnswer ? 'If the answer does not tell the cause, check' : 'Check'} these, because the service's reference does not specify them: ${listWhatToCheck(run, about.batch?.size)}. ${show}, the node shows the exact request, which you can compare or give to the service's support.`,
			];
		},
	},
	noAnswer: {
		cause: 'temporarily-unavailable',
		tell: ({ values, origin, maybe }) => [
			`No answer came from ${origin}, so ${maybe}`,
			because(values.code),
		],
	},
	errorStatus: {
		cause: 'temporarily-unavailable',
		tell: ({ values, maybe }) => [
			`${whoAnswered(values.response)} answered ${values.statusCode}, so ${maybe}`,
			'',
		],
	},
	redirectedLate: {
		cause: 'configuration-invalid',
		// After a POST, a redirect may mean that the request was processed, or that the address is wrong.
		tell: ({ values: { redirectsTo, statusCode, response }, run, maybe }) => [
			`${whoAnswered(response)} answered ${statusCode}, so ${maybe}`,
			`It redirects to ${redirectsTo ?? 'another address'}, which is not followed. ${checkAddress(run)}.`,
		],
	},
	webPage: {
		cause: 'configuration-invalid',
		tell: ({ values, run, origin, maybe }) => [
			`${origin} answered with a web page (${values.statusCode}), so ${maybe}`,
			`A login page, a proxy or another server may have answered in place of the service. ${checkAddress(run)}.`,
		],
	},
	withoutField: {
		isSaid: true,
		tell: ({ values, run, maybe }) => [
			`The service answered ${values.statusCode} without the field '${run.account?.answerRule?.field}', so ${maybe}`,
			"That field is named under 'Custom Answers' in the credential.",
		],
	},
	declined: {
		isSaid: true,
		tell: ({ values, maybe, personal }) => [
			`The service answered ${values.statusCode}, but said that it failed${personal.inBrackets}, so ${maybe}`,
			`If such an answer means something else, ${setCustomAnswers}.`,
		],
	},
	'unknown.interrupted': {
		tell: ({ values: { message } }) =>
			// The whole execution cannot go on.
			message
				? [message, 'It is not known whether this one was delivered.']
				: [
						'An earlier run stopped while sending this, so it may or may not have been delivered',
						'',
					],
	},
	'unknown.internalError': {
		cause: 'node-defect',
		tell: () => [
			'Internal error in this node ended the run while it was being sent, so it may or may not have been delivered',
			'',
		],
	},
	'unknown.notRecorded': {
		tell: ({ values: { message } }) => [
			`n8n's store failed, so it is not known whether another attempt has sent this${message ? `: ${message}` : ''}`,
			"Check n8n's database, then retry the execution: it sends only what was not sent.",
		],
	},
	'unknown.stopped': {
		tell: () => [
			'The execution was stopped before it was known whether another attempt has sent this',
			'Retry the execution again: it sends only what was not sent.',
		],
	},
	noConnection: {
		short: 'no connection',
		cause: 'temporarily-unavailable',
		tell: ({ values: { code }, run, origin, rest }) =>
			code === n8nRefusal
				? [
						`n8n refuses to connect to ${origin}, so it was not sent`,
						`${howToAllow}. Then ${rest}.`,
					]
				: [`No connection to ${origin}, so it was not sent`, checkConnection(code, run, rest)],
	},
	certificate: {
		short: 'certificate',
		cause: 'configuration-invalid',
		tell: ({ values, origin }) => [
			`The certificate of ${origin}, or that of a proxy, was not accepted, so it was not sent`,
			compact(
				because(values.code),
				'Check the address in the credential and the certificate of that host, or that of the proxy; NODE_EXTRA_CA_CERTS makes n8n trust it.',
			).join(' '),
		],
	},
	rateLimit: {
		short: 'rate limit',
		cause: 'rate-limited',
		tell: ({ later }) => [
			"The rate limit lasted longer than 'Max Wait', so it was not sent",
			`Send the remaining items later, raise 'Max Wait', or ask the service for a higher limit and enter it in the credential.${later}`,
		],
	},
	serviceUnavailable: {
		short: 'service down',
		cause: 'temporarily-unavailable',
		isConsequence: true,
		tell: ({ values: { message, code }, run, origin, rest, later }) => {
			if (message)
				return [
					`${origin} said of many messages in a row that they failed, so it was not sent`,
					`The run ended early. The last answer was ${message}. If such an answer means something else, ${setCustomAnswers}. Then ${rest}.`,
				];
			return code === undefined
				? [
						`${origin} failed for longer than the run could wait, so it was not sent`,
						`Nothing of this item was sent. Once the service works, ${rest}.${later}`,
					]
				: [
						`No connection to ${origin} for as long as the run could wait, so it was not sent`,
						`${checkConnection(code, run, rest)}${later}`,
					];
		},
	},
	credentialsRefused: {
		short: 'credentials refused',
		cause: 'credential-invalid',
		isConsequence: true,
		tell: ({ origin, rest }) => [
			`${origin} refuses the credentials, so it was not sent`,
			`${endedEarly} If the first items were answered 403, see what they say. Otherwise enter the credential again and test it, then ${rest}.`,
		],
	},
	addressRefused: {
		short: 'wrong address',
		cause: 'configuration-invalid',
		isConsequence: true,
		tell: ({ run, origin, rest }) => [
			`${origin} does not answer as the service does, so it was not sent`,
			`${endedEarly} ${checkAddress(run)}, then ${rest}.`,
		],
	},
	stopped: {
		short: 'run ended',
		isConsequence: true,
		tell: ({ rest }) => [
			'The run ended before it was sent',
			`Nothing of this item was sent. Once the cause is resolved, ${rest}.`,
		],
	},
	schedulePassed: {
		short: 'time passed',
		tell: () => [
			'The time it was scheduled for passed before it could be sent, so it was not sent',
			'The run had to wait for the rate limit. Choose a later time, or start the workflow earlier.',
		],
	},
	maxMessages: {
		short: 'Max Messages',
		cause: 'configuration-invalid',
		isConsequence: true,
		tell: ({ rest }) => [
			"The execution has sent as many messages as 'Max Messages' allows, so it was not sent",
			`If more are meant, raise Max Messages under Options, then ${rest}.`,
		],
	},
	internalError: {
		short: 'internal error in this node',
		cause: 'node-defect',
		tell: ({ values: { message } }) => [
			'Internal error in this node prevented it from being sent',
			`${message ? `The node failed with: ${message}. ` : ''}This is not caused by the settings. Report it to the maintainers of the node, with n8n's log.`,
		],
	},
	keyInUse: {
		short: 'another run is sending it',
		tell: ({ values: { message }, run }) => [
			run.settings?.sendOnce
				? "Another run was sending a message with the same 'Send Once Key' for longer than 'Max Wait', so it was not sent"
				: "Another run was sending the same message for longer than 'Max Wait', so it was not sent",
			`${message ? `It waited because ${message}. ` : ''}If that run has not sent it, the next run does.`,
		],
	},
	notRecorded: {
		short: 'not recorded by n8n',
		tell: ({ values: { message }, rest }) => [
			'It was not sent, because n8n could not store that it was about to be sent',
			`${message ? `n8n reported: ${message}. ` : ''}Without that record, it could be sent twice. Check n8n's database, then ${rest}.`,
		],
	},
} satisfies Record<NotSentCode | `unknown.${NonNullable<EndingOf<'unknown'>['code']>}`, Failure> &
	Record<string, Failure>;

function checkConnection(code: string | undefined, run: KnownRun, rest: string): string {
	return compact(
		because(code),
		`${checkAddress(run)}, its port included, and the network of this n8n, then ${rest}.`,
	).join(' ');
}

const isSuccess = (statusCode: number) => statusCode >= 200 && statusCode < 300;
const isRedirect = (statusCode: number) => statusCode >= 300 && statusCode < 400;

/** The reason of a failure. Of what came back, it is read from the answer, because n8n's memory holds no more. */
function failureOf(ending: Failed, run: Pick<KnownRun, 'operation' | 'account'> = {}): Failure {
	if (ending.kind === 'notSent') return failures[ending.code];
	if (ending.kind === 'rejected') return failures[whyRejected(ending.values.statusCode)];
	if (ending.code && !run.operation?.isIdempotent) return failures[`unknown.${ending.code}`];
	const { statusCode, response } = ending.values ?? {};
	if (statusCode === undefined) return failures.noAnswer;
	if (!isSuccess(statusCode))
		return statusCode >= 400 ? failures.errorStatus : failures.redirectedLate;
	if (isWebPage(response)) return failures.webPage;
	return run.account?.answerRule ? failures.withoutField : failures.declined;
}

const byStatus: Readonly<Record<number, keyof typeof failures>> = {
	401: 'credentials',
	403: 'forbidden',
	404: 'nothingFound',
	413: 'tooLarge',
};

function whyRejected(statusCode: number): keyof typeof failures {
	if (isRedirect(statusCode)) return 'redirected';
	return byStatus[statusCode] ?? (isSuccess(statusCode) ? 'refusedByRule' : 'refused');
}

/** All reasons for leaving out messages. */
export const leftOut: Readonly<Record<EndingOf<'skipped'>['code'], LeftOut>> = {
	// The hints say more.
	sentBefore: { because: (number) => `because this node has sent ${them(number)} before` },
	recipientNotAllowed: {
		short: 'not among Only These Recipients',
		because: (number) =>
			`because ${number === 1 ? 'its recipient is' : 'their recipients are'} not listed in the credential under 'Only These Recipients'`,
	},
	noConsent: {
		short: 'no consent',
		because: (number) =>
			`because ${number === 1 ? 'its recipient has' : 'their recipients have'} not agreed: 'Consent' is empty, false, no or 0`,
	},
	sameMessage: {
		short: 'same message',
		because: (number) =>
			`because this run has the same message to the same recipient before. To send ${them(number)} too, turn on 'Allow Duplicates' under Options`,
	},
	sameInOtherBranch: {
		short: 'same message',
		because: (number) =>
			`because another branch of the workflow leads to this node too, and sent the same message to the same recipient. To send ${them(number)} too, turn on 'Allow Duplicates' under Options`,
	},
};

/** The reason in a few words, to be counted; undefined if there is none. */
export function shortReason(ending: Ending): string | undefined {
	if (ending.kind === 'skipped') return leftOut[ending.code].short;
	if (ending.kind === 'rejected') return 'refused by the service';
	return ending.kind === 'notSent' ? failures[ending.code].short : undefined;
}

/** The `failure` of n8n's error: its cause, and the time to wait. */
export function n8nFailure(ending: Failed, run: KnownRun, nowMs: number) {
	const { cause } = failureOf(ending, run);
	const retryAt = ending.kind === 'notSent' ? ending.values?.retryAt : undefined;
	const retryAfterMs = retryAt === undefined ? undefined : Math.max(0, Date.parse(retryAt) - nowMs);
	return cause && { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** True if it failed because another message did. */
export function isConsequence(ending: SentEnding): boolean {
	const { isConsequence }: Partial<Failure> =
		ending.kind === 'notSent' ? failures[ending.code] : {};
	return isConsequence === true;
}

/** @param run known in part if only the results of earlier attempts are reported */
export function describeFailure(ending: Failed, run: KnownRun, about: About = {}): FailureText {
	const values: Told['values'] = ending.values ?? {};
	const failure = failureOf(ending, run);
	const isIdempotent = run.operation?.isIdempotent === true;
	const said = quoteAnswer(values.response);
	const answer = about.isLogged ? '' : said;
	const { delivery } = about;
	// Everyone, or a segment, is nobody's name.
	const hides = about.isLogged && delivery?.audience === undefined;
	const whom = delivery && { ...delivery, ...(hides && { userID: undefined, to: undefined }) };
	const [message, advice] = failure.tell({
		...{ values, run, about, hasAnswer: said !== '' },
		origin: run.origin ?? 'the service',
		maybe: isIdempotent
			? 'the user may or may not have been saved'
			: 'it may or may not have been delivered',
		rest: howToSendRest(run),
		later: values.retryAt ? ` It is worth trying again at ${values.retryAt}.` : '',
		personal: {
			what: nameRefused(run, whom),
			quoted: answer && `: ${answer}`,
			inBrackets: answer && ` (${answer})`,
			redirectsTo: about.isLogged ? undefined : values.redirectsTo,
		},
	});
	if (ending.kind !== 'unknown') return [message, advice];
	const doNoHarm = 'Run it again: creating or updating a user a second time does no harm.';
	if (isIdempotent) return [message, compact(doNoHarm, advice).join(' ')];
	// The advice is complete.
	if (ending.code && advice !== '') return [message, advice];
	const repeat =
		"With the option 'Resend Unconfirmed', the node repeats such requests, and some people may get the message twice.";
	const check = 'Check in the account whether it arrived before you send it again.';
	return [message, compact(check, advice, !failure.isSaid && repeat).join(' ')];
}
