import { type Fields, isRecord } from '../fields/field';
import { resources } from '../operations';
import { hostNames } from '../operations/operation';
import type { KnownRun, Run } from '../run/resolveRun';
import { oneLine } from '../shared/formatting';
import type { SentDelivery } from '../shared/ending';
import { compact, recipientOfDelivery } from './names';

type Refused = Partial<Pick<Run, 'operation' | 'target'>>;

/** Lists what to check when the service refuses a request (spec §7, 400), by the names in the editor. */
export function listWhatToCheck({ operation, target }: Refused, batchSize?: number): string {
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

/** Names the settings that make up the address of a request: `Check the 'Push API URL' and 'Custom API Paths' in the credential`. */
export function checkAddress({ operation, target }: Refused): string {
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

/** Names a refused request: `user C-1`, `the push to segment Newsletter (ID 7)`. */
export function nameRefused(run: KnownRun, delivery?: SentDelivery): string {
	if (delivery?.test) return 'the test message';
	const noun = resources.find(({ value }) => value === run.resource)?.oneFor;
	const recipient = delivery && recipientOfDelivery(delivery);
	if (!noun) return 'the request';
	return recipient
		? `${noun} ${recipient}`
		: noun.replace(/ to$| of user$/, '').replace(/^user/, 'the user');
}

/** Ends of connections, by n8n's codes. */
const connectionEnds: ReadonlyArray<[words: string, codes: RegExp]> = [
	['No answer came in time', /TIMEDOUT|TIMEOUT|^ECONNABORTED$/],
	['The connection was cut off', /^ECONNRESET$|^EPIPE$|SOCKET/],
	['Nothing accepts connections at that address', /^ECONNREFUSED$/],
	['No server has that name', /^ENOTFOUND$/],
	['The name of the server could not be looked up', /^EAI_AGAIN$/],
	['That network cannot be reached', /UNREACH$|^ENETDOWN$/],
];

export function because(code: string | undefined): string {
	if (code === undefined) return '';
	const [words = 'The connection failed'] =
		connectionEnds.find(([, codes]) => codes.test(code)) ?? [];
	return `${words} (${code}).`;
}

/** Advice on sending the rest: n8n's Retry runs this node again only where its failure stopped the workflow. */
export function howToSendRest(run: KnownRun): string {
	if (!run.goesOn) return 'retry the execution: it sends only what was not sent';
	return run.settings?.sendOnce
		? 'start the workflow again with all items: Send Once skips what was sent'
		: 'start the workflow again with the items whose outcome is notSent';
}

/** JSON comes from the service. Anything else may come from a proxy that refused the request, which n8n does not tell. */
export function whoAnswered(response: unknown): string {
	return typeof response === 'object' && response !== null
		? 'The service'
		: 'The service or a proxy';
}
