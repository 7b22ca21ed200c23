import { isRecord } from '../fields/field';
import type { Run, UnusableRun } from '../run/resolveRun';
import { oneLine } from '../shared/formatting';
import type { SentDelivery } from '../shared/result';
import { recipientOfDelivery } from './itemNames';

const MAX_ANSWER = 300;

/** Where services put the reason of a refusal. Spec §4 shows no response body. */
const reasonKeys = ['message', 'error', 'errors', 'detail', 'details', 'reason', 'description'];

/**
 * n8n replaces a message that contains one of these by a sentence of its own, in which the service's
 * answer would be lost.
 */
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
	return reasons.length > 0 ? [...new Set(reasons)].join(': ') : writeJson(response);
}

function writeJson(response: object): string {
	return Object.keys(response).length > 0 ? JSON.stringify(response) : '';
}

const nouns: Readonly<Record<string, string>> = {
	user: 'user',
	event: 'the event of user',
	push: 'the push to',
	email: 'the email to',
	sms: 'the SMS to',
};

/** What was refused: `user C-1`, `the push to segment Newsletter (ID 7)`. */
export function nameRefused(run: Run | UnusableRun, delivery?: SentDelivery): string {
	if (delivery?.test) return 'the test message';
	const noun = run.resource ? nouns[run.resource] : undefined;
	const recipient = delivery && recipientOfDelivery(delivery);
	return noun && recipient ? `${noun} ${recipient}` : 'the request';
}
