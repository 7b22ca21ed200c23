import { type Fields, isRecord } from '../fields/field';
import { resources } from '../operations';
import { hostNames } from '../operations/operation';
import type { Run, KnownRun } from '../run/resolveRun';
import { oneLine } from '../shared/formatting';
import {
	describeSlash,
	howToAllow,
	isWebPage,
	n8nRefusal,
	type NotSentReason,
	type Outcome,
	type SentDelivery,
	type SentResult,
	whyForbidden,
} from '../shared/result';
import { recipientOfDelivery, compact } from './names';

type Refused = Partial<Pick<Run, 'operation' | 'target'>>;

/** Lists what to check when the service refuses a request (spec §7, 400), by the names in the editor. */
function listWhatToCheck({ operation, target }: Refused, batchSize?: number): string {
	if (!operation) return '';
	const { required, recipients, sender = {}, optional } = operation.fields;
	return compact(
		!operation.path && 'Path and Body; Host',
		recipients && 'Recipient By and its field',
		...labelAccountFields({ ...required, ...optional }),
		...labelAccountFields(sender).map(
			(label) => `${label}, here or under Default Senders in the credential`,
		),
		operation.batchKey !== undefined && batchSize !== 1 && 'Batch Size under Options',
		operation.schedule && 'Custom Time Formats and Schedule Zone in the credential',
		operation.isPathOfAccount && 'Custom API Paths in the credential',
		target && `${hostNames[target.host]} in the credential`,
	).join('; ');
}

/** Says where the address of a request comes from: `Check the 'Push API URL' and 'Custom API Paths' in the credential`. */
function checkAddress({ operation, target }: Refused): string {
	const host = target ? `the '${hostNames[target.host]}'` : 'the address';
	const paths = operation?.isPathOfAccount ? " and 'Custom API Paths'" : '';
	const here = operation && !operation.path ? "'Path' and 'Host', and " : '';
	return `Check ${here}${host}${paths} in the credential`;
}

function labelAccountFields(fields: Fields): string[] {
	return Object.values(fields)
		.filter(({ dependsOnAccount }) => dependsOnAccount)
		.map(({ form }) => form.displayName);
}

const MAX_ANSWER = 300;

/** Where services put the reason of a refusal. Spec §4 shows no response body. */
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

/** What was refused: `user C-1`, `the push to segment Newsletter (ID 7)`. */
function nameRefused(run: KnownRun, delivery?: SentDelivery): string {
	if (delivery?.test) return 'the test message';
	const noun = resources.find(({ value }) => value === run.resource)?.oneFor;
	const recipient = delivery && recipientOfDelivery(delivery);
	if (!noun) return 'the request';
	return recipient
		? `${noun} ${recipient}`
		: noun.replace(/ to$| of user$/, '').replace(/^user/, 'the user');
}

type Failed = Exclude<Outcome, { outcome: 'accepted' }>;
/** `isLogged`: n8n's log gets the message, so what the service said, which may name people, is left out. */
type About = Partial<Pick<SentResult, 'delivery' | 'batch'>> & { isLogged?: boolean };

/**
 * What happened to a request, and what to do, for the person who built the workflow. The message never
 * contains a code such as ECONNRESET, because n8n would replace it by a sentence of its own.
 */
export type FailureText = readonly [message: string, description: string];

/** @param run known in part if only the results of earlier attempts are reported */
export function describeFailure(outcome: Failed, run: KnownRun, about: About = {}): FailureText {
	if (outcome.outcome === 'rejected') return rejected(outcome, run, about);
	if (outcome.outcome === 'unknown') return unknown(outcome, run, about);
	return notSent(outcome, run)[outcome.reason];
}

const originOf = ({ origin = 'the service' }: KnownRun) => origin;

/** How to send what was not sent: n8n's Retry runs this node again only where its failure stopped the workflow. */
export function howToSendRest(run: KnownRun): string {
	if (!run.goesOn) return 'retry the execution: it sends only what was not sent';
	return run.settings?.sendOnce
		? 'start the workflow again with all items: Send Once skips what was sent'
		: 'start the workflow again with the items whose outcome is notSent';
}

function unknown(
	outcome: Extract<Failed, { outcome: 'unknown' }>,
	run: KnownRun,
	about: About,
): FailureText {
	const { what, advice, isSaid } = whatCameBack(outcome, run, about);
	if (run.operation?.overwrites)
		return [
			what.replace(/it may.*/, 'the user may or may not have been saved'),
			compact('Run it again: creating or updating a user a second time does no harm.', advice).join(
				' ',
			),
		];
	const { reason, message } = outcome;
	if (reason === 'notRecorded')
		return [
			`n8n's store failed, so it is not known whether another attempt has sent this${message ? `: ${message}` : ''}`,
			"Check n8n's database, then retry the execution: it sends only what was not sent.",
		];
	if (reason === 'stopped')
		return [
			'The execution was stopped before it was known whether another attempt has sent this',
			'Retry the execution again: it sends only what was not sent.',
		];
	// The whole execution cannot go on.
	if (reason === 'interrupted' && message)
		return [message, 'It is not known whether this one was delivered.'];
	const check = 'Check in the account whether it arrived before you send it again.';
	const repeat =
		"With the option 'Retry Unknown', the node repeats such requests, and some people may get the message twice.";
	return [
		reason ? lostTrack[reason] : what,
		compact(check, !reason && advice, !isSaid && repeat).join(' '),
	];
}

const lostTrack = {
	interrupted:
		'An earlier run stopped while sending this, so it may or may not have been delivered',
	internalError:
		'Internal error in this node ended the run while it was being sent, so it may or may not have been delivered',
};

const setCustomAnswers = "say so under 'Custom Answers' in the credential";

/** JSON comes from the service. Anything else may come from a proxy that refused the request, which n8n does not tell. */
function whoAnswered(response: unknown): string {
	return typeof response === 'object' && response !== null
		? 'The service'
		: 'The service or a proxy';
}

const isSuccess = (statusCode: number) => statusCode >= 200 && statusCode < 300;

/** What came back instead of a clear answer. `isSaid`: the answer itself leaves it in doubt. */
function whatCameBack(
	{ statusCode, code, response, redirectsTo }: Extract<Failed, { outcome: 'unknown' }>,
	run: KnownRun,
	{ delivery, isLogged }: About,
): { what: string; advice: string; isSaid?: true } {
	const origin = originOf(run);
	if (statusCode === undefined)
		return {
			what: `No answer came from ${origin}, so it may or may not have been delivered`,
			advice: because(code),
		};
	const answered = `${whoAnswered(response)} answered ${statusCode}, so it may or may not have been delivered`;
	if (statusCode >= 400) return { what: answered, advice: '' };
	if (!isSuccess(statusCode)) {
		// After a POST, a redirect may mean that the request was processed, or that the address is wrong.
		const advice = adviseRedirect(run, redirectsTo, origin + delivery?.path);
		return {
			what: answered,
			advice: `It redirects to ${redirectsTo ?? 'another address'}, which is not followed. ${advice}`,
		};
	}
	const isPage = isWebPage(response);
	const rule = run.account?.answerRule;
	if (rule && !isPage)
		return {
			what: `The service answered ${statusCode} without the field '${rule.field}', so it may or may not have been delivered`,
			advice: "That field is named under 'Custom Answers' in the credential.",
			isSaid: true,
		};
	if (!isPage) {
		const answer = isLogged ? '' : quoteAnswer(response);
		return {
			what: `The service answered ${statusCode}, but said that it failed${answer && ` (${answer})`}, so it may or may not have been delivered`,
			advice: `If such an answer means something else, ${setCustomAnswers}.`,
			isSaid: true,
		};
	}
	return {
		what: `${origin} answered with a web page (${statusCode}), so it may or may not have been delivered`,
		advice: `A login page, a proxy or another server may have answered in place of the service. ${checkAddress(run)}.`,
	};
}

function adviseRedirect(
	{ operation, target }: Refused,
	redirectsTo: string | undefined,
	url: string,
): string {
	const slash = describeSlash(url, redirectsTo);
	const field = target ? `'${hostNames[target.host]}'` : 'address of this API';
	if (!slash)
		return `If that address belongs to the service, enter it in the credential as the ${field}.`;
	if (operation && !operation.path) return `${slash}Change 'Path'.`;
	return operation?.isPathOfAccount
		? `${slash}Change the path under 'Custom API Paths' in the credential.`
		: `${slash}No setting changes the path of this operation: report it to the maintainers of the node.`;
}

/** How connections end, by n8n's codes. */
const connectionEnds: ReadonlyArray<[words: string, codes: RegExp]> = [
	['No answer came in time', /TIMEDOUT|TIMEOUT|^ECONNABORTED$/],
	['The connection was cut off', /^ECONNRESET$|^EPIPE$|SOCKET/],
	['Nothing accepts connections at that address', /^ECONNREFUSED$/],
	['No server has that name', /^ENOTFOUND$/],
	['The name of the server could not be looked up', /^EAI_AGAIN$/],
	['That network cannot be reached', /UNREACH$|^ENETDOWN$/],
];

function because(code: string | undefined): string {
	if (code === undefined) return '';
	const [words = 'The connection failed'] =
		connectionEnds.find(([, codes]) => codes.test(code)) ?? [];
	return `${words} (${code}).`;
}

function rejected(
	{ statusCode, response, redirectsTo }: Extract<Failed, { outcome: 'rejected' }>,
	run: KnownRun,
	{ delivery, batch, isLogged }: About,
): FailureText {
	const origin = originOf(run);
	const who = whoAnswered(response);
	if (statusCode === 401)
		return [
			'The service did not accept the credentials (401)',
			'Open the credential and enter the brand ID and API key, or the access token, again. Brand ID and API key may be swapped. A key that was replaced under Settings > Store Integration no longer works.',
		];
	if (statusCode === 404)
		return [
			`${run.operation?.overwrites ? 'Not saved' : 'Not sent'}: nothing was found at ${origin} (404)`,
			`${checkAddress(run)}. The user and event, push, and email and SMS APIs may each have their own host.`,
		];
	if (statusCode === 413)
		return [
			`${who} refused the request because it is too large (413)`,
			'Shorten the longest fields of this item, or leave some of them out.',
		];
	if (statusCode >= 300 && statusCode < 400)
		return [
			`${origin} redirects to ${(!isLogged && redirectsTo) || 'another address'} (${statusCode}), which is not followed`,
			adviseRedirect(run, redirectsTo, origin + delivery?.path),
		];
	const answer = quoteAnswer(response);
	const quoted = answer && !isLogged ? `: ${answer}` : '';
	if (statusCode === 403)
		return [
			`${who} does not permit ${nameRefused(run, delivery)} (403)${quoted}`,
			`${whyForbidden}. If it is none of these, the key may be wrong: test the credential.`,
		];
	const show = run.operation?.isMessage
		? "With 'When Run by Hand' on Show Only"
		: "With 'Preview Only' under Options";
	if (isSuccess(statusCode))
		return [
			`The service answered ${statusCode}, but refused ${nameRefused(run, delivery)}${quoted}`,
			`'Custom Answers' in the credential say that such an answer refuses. If it does not, correct them there. Otherwise check: ${listWhatToCheck(run, batch?.size)}.`,
		];
	return [
		`${who} refused ${nameRefused(run, delivery)} (${statusCode})${quoted}`,
		`${answer ? 'If the answer does not tell the cause, check' : 'Check'} these, because the service's reference does not specify them: ${listWhatToCheck(run, batch?.size)}. ${show}, the node shows the exact request, which you can compare or give to the service's support.`,
	];
}

/** The message and the description for each reason. */
function notSent(
	{ code, message, retryAt }: Extract<Failed, { outcome: 'notSent' }>,
	run: KnownRun,
): Readonly<Record<NotSentReason, FailureText>> {
	const origin = originOf(run);
	const later = retryAt ? ` It is worth trying again at ${retryAt}.` : '';
	const rest = howToSendRest(run);
	const check = compact(
		because(code),
		`${checkAddress(run)}, its port included, and the network of this n8n, then ${rest}.`,
	).join(' ');
	const endedEarly = 'The run ended early, because every other item would be refused too.';
	return {
		noConnection:
			code === n8nRefusal
				? [
						`n8n refuses to connect to ${origin}, so it was not sent`,
						`${howToAllow}. Then ${rest}.`,
					]
				: [`No connection to ${origin}, so it was not sent`, check],
		certificate: [
			`The certificate of ${origin}, or that of a proxy, was not accepted, so it was not sent`,
			compact(
				because(code),
				'Check the address in the credential and the certificate of that host, or that of the proxy; NODE_EXTRA_CA_CERTS makes n8n trust it.',
			).join(' '),
		],
		rateLimit: [
			"The rate limit lasted longer than 'Max Wait', so it was not sent",
			`Send the remaining items later, raise 'Max Wait', or ask the service for a higher limit and enter it in the credential.${later}`,
		],
		serviceUnavailable: message
			? [
					`${origin} said of many messages in a row that they failed, so it was not sent`,
					`The run ended early. The last answer was ${message}. If such an answer means something else, ${setCustomAnswers}. Then ${rest}.`,
				]
			: code === undefined
				? [
						`${origin} failed for longer than the run could wait, so it was not sent`,
						`Nothing of this item was sent. Once the service works, ${rest}.${later}`,
					]
				: [
						`No connection to ${origin} for as long as the run could wait, so it was not sent`,
						`${check}${later}`,
					],
		credentialsRefused: [
			`${origin} refuses the credentials, so it was not sent`,
			`${endedEarly} If the first items were answered 403, see what they say. Otherwise enter the credential again and test it, then ${rest}.`,
		],
		addressRefused: [
			`${origin} does not answer as the service does, so it was not sent`,
			`${endedEarly} ${checkAddress(run)}, then ${rest}.`,
		],
		stopped: [
			'The run ended before it was sent',
			`Nothing of this item was sent. Once the cause is resolved, ${rest}.`,
		],
		schedulePassed: [
			'The time it was scheduled for passed before it could be sent, so it was not sent',
			'The run had to wait for the rate limit. Choose a later time, or start the workflow earlier.',
		],
		maxMessages: [
			"The execution has sent as many messages as 'Max Messages' allows, so it was not sent",
			`If more are meant, raise Max Messages under Options, then ${rest}.`,
		],
		internalError: [
			'Internal error in this node prevented it from being sent',
			`${message ? `The node failed with: ${message}. ` : ''}This is not caused by the settings. Report it to the maintainers of the node, with n8n's log.`,
		],
		keyInUse: [
			run.settings?.sendOnce
				? "Another run was sending a message with the same 'Send Once Key' for longer than 'Max Wait', so it was not sent"
				: "Another run was sending the same message for longer than 'Max Wait', so it was not sent",
			`${message ? `It waited because ${message}. ` : ''}If that run has not sent it, the next run does.`,
		],
		notRecorded: [
			'It was not sent, because n8n could not store that it was about to be sent',
			`${message ? `n8n reported: ${message}. ` : ''}Without that record, it could be sent twice. Check n8n's database, then ${rest}.`,
		],
	};
}
