import type { KnownRun } from '../run/resolveRun';
import type { EndingOf, NotSentCode, SentEnding, UnknownCode } from '../shared/ending';
import { howToAllow, isWebPage, n8nRefusal, type SentResult, whyForbidden } from '../shared/result';
import {
	adviseRedirect,
	because,
	checkAddress,
	howToSendRest,
	listWhatToCheck,
	nameRefused,
	quoteAnswer,
	whoAnswered,
} from './advice';
import { compact } from './names';

type Failed = Exclude<SentEnding, { kind: 'accepted' }>;

/** `isLogged`: n8n's log gets the message, so what the service said, which may name people, is left out. */
type About = Partial<Pick<SentResult, 'delivery' | 'batch'>> & { isLogged?: boolean };

/**
 * What happened to a request, and what to do, for the person who built the workflow. The message never
 * contains a code such as ECONNRESET, because n8n would replace it by a sentence of its own.
 */
export type FailureText = readonly [message: string, description: string];

/** What the sentences about a failure are made of. */
interface Told {
	values: NonNullable<Failed['values']> &
		Partial<EndingOf<'unknown'>['values'] & { retryAt: string }>;
	run: KnownRun;
	about: About;
	origin: string;
	/** For what may have been delivered: what may have become of it. */
	maybe: string;
	/** How to send what was not sent. */
	rest: string;
	/** When that is worth it, as a sentence with a space before it. */
	later: string;
	/** The service's answer in words; empty if it is none. */
	answer: string;
	/** The same for the end of a message. */
	quoted: string;
}

/** Why a message failed, and how that is told. */
interface Reason {
	/** Whether another failure is the reason, which is then told first. */
	isConsequence?: true;
	/** `description` is what to do, beside what every failure of its kind says. */
	tell: (told: Told) => FailureText;
	/** Whether the answer itself leaves it in doubt, so that 'Retry Unknown' would not help. */
	isSaid?: true;
}

/** Why a request was rejected, and what came back in place of an answer. */
type AnswerCode =
	| 'credentials'
	| 'nothingFound'
	| 'tooLarge'
	| 'redirected'
	| 'forbidden'
	| 'refusedByRule'
	| 'refused'
	| 'noAnswer'
	| 'errorStatus'
	| 'redirectedLate'
	| 'webPage'
	| 'withoutField'
	| 'declined';

type Code = NotSentCode | AnswerCode | `unknown.${UnknownCode}`;

/** `short`: as it is counted, such as `rate limit (3)`. */
type Reasons = Readonly<Record<Code, Reason> & Record<NotSentCode, { short: string }>>;

const endedEarly = 'The run ended early, because every other item would be refused too.';
const setCustomAnswers = "say so under 'Custom Answers' in the credential";

/** Every reason: how it is counted and told. */
const reasons: Reasons = {
	credentials: {
		tell: () => [
			'The service did not accept the credentials (401)',
			'Open the credential and enter the brand ID and API key, or the access token, again. Brand ID and API key may be swapped. A key that was replaced under Settings > Store Integration no longer works.',
		],
	},
	nothingFound: {
		tell: ({ run, origin }) => [
			`${run.operation?.overwrites ? 'Not saved' : 'Not sent'}: nothing was found at ${origin} (404)`,
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
		tell: ({ values: { redirectsTo, statusCode }, run, about, origin }) => [
			`${origin} redirects to ${(!about.isLogged && redirectsTo) || 'another address'} (${statusCode}), which is not followed`,
			adviseRedirect(run, redirectsTo, origin + about.delivery?.path),
		],
	},
	forbidden: {
		tell: ({ values, run, about, quoted }) => [
			`${whoAnswered(values.response)} does not permit ${nameRefused(run, about.delivery)} (403)${quoted}`,
			`${whyForbidden}. If it is none of these, the key may be wrong: test the credential.`,
		],
	},
	refusedByRule: {
		tell: ({ values, run, about, quoted }) => [
			`The service answered ${values.statusCode}, but refused ${nameRefused(run, about.delivery)}${quoted}`,
			`'Custom Answers' in the credential say that such an answer refuses. If it does not, correct them there. Otherwise check: ${listWhatToCheck(run, about.batch?.size)}.`,
		],
	},
	refused: {
		tell: ({ values, run, about, answer, quoted }) => {
			const show = run.operation?.isMessage
				? "With 'When Run by Hand' on Show Only"
				: "With 'Preview Only' under Options";
			return [
				`${whoAnswered(values.response)} refused ${nameRefused(run, about.delivery)} (${values.statusCode})${quoted}`,
				`${answer ? 'If the answer does not tell the cause, check' : 'Check'} these, because the service's reference does not specify them: ${listWhatToCheck(run, about.batch?.size)}. ${show}, the node shows the exact request, which you can compare or give to the service's support.`,
			];
		},
	},
	noAnswer: {
		tell: ({ values, origin, maybe }) => [
			`No answer came from ${origin}, so ${maybe}`,
			because(values.code),
		],
	},
	errorStatus: {
		tell: ({ values, maybe }) => [
			`${whoAnswered(values.response)} answered ${values.statusCode}, so ${maybe}`,
			'',
		],
	},
	redirectedLate: {
		// After a POST, a redirect may mean that the request was processed, or that the address is wrong.
		tell: ({ values: { redirectsTo, statusCode, response }, run, about, origin, maybe }) => [
			`${whoAnswered(response)} answered ${statusCode}, so ${maybe}`,
			`It redirects to ${redirectsTo ?? 'another address'}, which is not followed. ${adviseRedirect(run, redirectsTo, origin + about.delivery?.path)}`,
		],
	},
	webPage: {
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
		tell: ({ values, about, answer, maybe }) => [
			`The service answered ${values.statusCode}, but said that it failed${answer && !about.isLogged ? ` (${answer})` : ''}, so ${maybe}`,
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
		tell: ({ later }) => [
			"The rate limit lasted longer than 'Max Wait', so it was not sent",
			`Send the remaining items later, raise 'Max Wait', or ask the service for a higher limit and enter it in the credential.${later}`,
		],
	},
	serviceUnavailable: {
		short: 'service down',
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
		isConsequence: true,
		tell: ({ origin, rest }) => [
			`${origin} refuses the credentials, so it was not sent`,
			`${endedEarly} If the first items were answered 403, see what they say. Otherwise enter the credential again and test it, then ${rest}.`,
		],
	},
	addressRefused: {
		short: 'wrong address',
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
		isConsequence: true,
		tell: ({ rest }) => [
			"The execution has sent as many messages as 'Max Messages' allows, so it was not sent",
			`If more are meant, raise Max Messages under Options, then ${rest}.`,
		],
	},
	internalError: {
		short: 'internal error in this node',
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
};

function checkConnection(code: string | undefined, run: KnownRun, rest: string): string {
	return compact(
		because(code),
		`${checkAddress(run)}, its port included, and the network of this n8n, then ${rest}.`,
	).join(' ');
}

const isSuccess = (statusCode: number) => statusCode >= 200 && statusCode < 300;
const isRedirect = (statusCode: number) => statusCode >= 300 && statusCode < 400;

/** The reason of a failure. Of what came back, it is read from the answer, because n8n's memory holds no more. */
function codeOf(ending: Failed, run: KnownRun): Code {
	if (ending.kind === 'notSent') return ending.code;
	if (ending.kind === 'rejected') return whyRejected(ending.values.statusCode);
	if (ending.code && !run.operation?.overwrites) return `unknown.${ending.code}`;
	const { statusCode, response } = ending.values ?? {};
	if (statusCode === undefined) return 'noAnswer';
	if (!isSuccess(statusCode)) return statusCode >= 400 ? 'errorStatus' : 'redirectedLate';
	if (isWebPage(response)) return 'webPage';
	return run.account?.answerRule ? 'withoutField' : 'declined';
}

const byStatus: Readonly<Record<number, AnswerCode>> = {
	401: 'credentials',
	403: 'forbidden',
	404: 'nothingFound',
	413: 'tooLarge',
};

function whyRejected(statusCode: number): AnswerCode {
	if (isRedirect(statusCode)) return 'redirected';
	return byStatus[statusCode] ?? (isSuccess(statusCode) ? 'refusedByRule' : 'refused');
}

/** Its reason in a few words, to be counted. */
export function shortReason(ending: Failed): string {
	return ending.kind === 'notSent' ? reasons[ending.code].short : 'refused by the service';
}

/** Whether it failed because another message did. */
export function isConsequence(ending: SentEnding): boolean {
	return ending.kind === 'notSent' && reasons[ending.code].isConsequence === true;
}

/** @param run known in part if only the results of earlier attempts are reported */
export function describeFailure(ending: Failed, run: KnownRun, about: About = {}): FailureText {
	const { values = {}, kind } = ending as { values?: Told['values']; kind: Failed['kind'] };
	const reason = reasons[codeOf(ending, run)];
	const answer = quoteAnswer(values.response);
	const overwrites = run.operation?.overwrites === true;
	const [message, advice] = reason.tell({
		...{ values, run, about, answer },
		origin: run.origin ?? 'the service',
		maybe: overwrites
			? 'the user may or may not have been saved'
			: 'it may or may not have been delivered',
		rest: howToSendRest(run),
		later: values.retryAt ? ` It is worth trying again at ${values.retryAt}.` : '',
		quoted: answer && !about.isLogged ? `: ${answer}` : '',
	});
	if (kind !== 'unknown') return [message, advice];
	if (overwrites)
		return [
			message,
			compact('Run it again: creating or updating a user a second time does no harm.', advice).join(
				' ',
			),
		];
	// What to do is said already.
	if (ending.code && advice !== '') return [message, advice];
	const repeat =
		"With the option 'Retry Unknown', the node repeats such requests, and some people may get the message twice.";
	const check = 'Check in the account whether it arrived before you send it again.';
	return [message, compact(check, advice, !reason.isSaid && repeat).join(' ')];
}
