import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Ask } from '../shared/delivery';
import { isProblem, mayBeDelivered, type Result } from '../shared/result';
import { type LinkRequest, type LinkResponse, signatureOf } from '../n8n/answerRequest';
import type { N8n } from '../n8n/context';
import { type WaitLimit, waitEnd } from './form';
import {
	answerFields,
	askPage,
	chooseLanguage,
	closedPage,
	confirmationPage,
	MAX_ANSWER_LENGTH,
	translated,
} from './page';

/**
 * The question that an execution asked last, and the link that answers it. n8n stores it for the node as text,
 * because the request for the page reads it through an expression.
 */
interface Asked {
	/** The execution that the link belongs to, and the run of the node in it. */
	execution: string;
	runIndex: number;
	/** That of the link, hashed: whoever may read the execution must not be able to answer it. */
	signatureHash: string;
	ask: Ask;
}

/** Stores a question before it is sent, so that a retry of a stopped execution can name this one. */
export function rememberAsk(ask: Ask, n8n: N8n): void {
	const { context, runIndex, execution } = n8n.memory();
	const signatureHash = hash(signatureOf(n8n.answerUrl()));
	context.asked = JSON.stringify({ execution, runIndex, signatureHash, ask } satisfies Asked);
}

function hash(signature: string): string {
	return createHash('sha256').update(signature).digest('base64');
}

function readAsked(stored: unknown): Asked | undefined {
	return typeof stored === 'string' && stored !== '' ? (JSON.parse(stored) as Asked) : undefined;
}

/** Says to a retry that its question was asked before. */
export function askedBefore(n8n: N8n): string {
	const { context, runIndex, execution } = n8n.memory();
	const asked = readAsked(context.asked);
	// If the execution that asked was interrupted, n8n has not stored which one that was.
	const isOther = asked?.runIndex === runIndex && asked.execution !== execution;
	const who = isOther ? `Execution ${asked.execution}` : 'An earlier attempt';
	return `${who} has asked this question already, and the link in that message answers only that execution. To ask again with a new link, turn on 'Resend Unconfirmed' under Options, or start the workflow from its trigger`;
}

/**
 * Says how to set n8n if the question's link has a path before n8n's endpoint: n8n signs the path, but serves its
 * endpoints without it. A proxy that removes the path therefore breaks the signature.
 */
function warnOfPath(n8n: N8n): string | undefined {
	const path = new URL('.', n8n.addressOfN8n()).pathname;
	if (path === '/') return undefined;
	const { origin, pathname } = new URL(n8n.answerUrl());
	// The ends of the path are the execution and the node.
	const endpoint = pathname.slice(1).split('/').slice(0, -2).join('/');
	return `Nobody can answer this question: its link has the path ${path} before n8n's endpoint, and n8n does not answer there. Set N8N_ENDPOINT_WEBHOOK_WAIT=${endpoint} and WEBHOOK_URL=${origin}/ for all processes of n8n, let the proxy pass /${endpoint}/ on with its path, and restart n8n. Then ask again.`;
}

/**
 * Lets the execution wait for the answer if the question was delivered, or may have been: then an answer
 * proves that it arrived. Nobody can answer what was only previewed or definitely not delivered.
 *
 * @returns until when it waits, in epoch milliseconds, and why nobody can answer; undefined if it does not wait
 */
export async function waitForAnswer(
	results: readonly Result[],
	isRetry: boolean,
	limit: WaitLimit | undefined,
	n8n: N8n,
): Promise<{ endMs?: number; warning?: string } | undefined> {
	// What another execution sent has a link that answers that one.
	const isOfOther = (result: Result) => isRetry && 'sentBefore' in result;
	if (!results.some((result) => mayBeDelivered(result) && !isOfOther(result))) {
		delete n8n.memory().context.asked;
		return undefined;
	}
	if (n8n.cancelled()) return undefined;
	const end = waitEnd(limit, n8n);
	// Sending may have lasted until after the end. n8n then goes on at once.
	const endMs = isProblem(end) ? n8n.now() : end.endMs;
	await n8n.waitForAnswer(endMs);
	const warning = warnOfPath(n8n);
	if (warning) n8n.log(warning, 'warn');
	return { endMs, warning };
}

/**
 * Responds to a request for the page behind a link. Only a POST decides, because mail scanners, previews
 * and browsers open links by GET.
 */
export function answerLink(
	{ method, signature, stored, body, acceptLanguage }: LinkRequest,
	nowMs: number,
): LinkResponse {
	const language = chooseLanguage(acceptLanguage);
	const asked = readAsked(stored);
	// Hashes are compared, so the time that it takes tells nothing of the signature.
	if (!asked || typeof signature !== 'string' || hash(signature) !== asked.signatureHash)
		return { status: 410, page: closedPage('closed', language) };
	const ask = translated(asked.ask, language);
	if (isAnswered(asked, nowMs)) return { status: 409, page: closedPage('answered', language) };
	if (method !== 'POST') return { status: 200, page: askPage(ask, language) };

	const read = readAnswer(ask, body);
	if ('refused' in read) return { status: 400, page: askPage(ask, language, read.refused) };
	answered.set(keyOf(asked), nowMs);
	const page = confirmationPage(ask, read.label, language);
	const respondedAt = new Date(nowMs).toISOString();
	return { status: 200, page, answer: { data: { ...read.answer, respondedAt } } };
}

/**
 * Links that were answered a moment ago, by execution and signature, with the time in milliseconds. n8n 1 would go
 * on twice if two answers came at the same moment. Later ones are refused by n8n itself.
 */
const answered = new Map<string, number>();
/** Limited, so that the link still works if n8n could not go on. */
const RECENT_MS = 10_000;

const keyOf = ({ execution, signatureHash }: Asked) => `${execution} ${signatureHash}`;

/** Whether the link was answered a moment ago. */
function isAnswered(asked: Asked, nowMs: number): boolean {
	for (const [key, atMs] of answered) if (nowMs - atMs >= RECENT_MS) answered.delete(key);
	return answered.has(keyOf(asked));
}

/** What an answer adds to the execution, as in n8n's own nodes, and the words to confirm it with. */
type Answer = { answer: IDataObject; label: string } | { refused: string | undefined };

function readAnswer({ answerForm }: Ask, body: LinkRequest['body']): Answer {
	if (answerForm.kind === 'freeText') return readText(body[answerFields.text]);
	const { approve, decline } = answerForm;
	const decision = body[answerFields.decision];
	if (decision === 'approve') return { answer: { approved: true }, label: approve };
	if (decision === 'decline' && decline !== undefined)
		return { answer: { approved: false }, label: decline };
	// Only a request that no button made.
	return { refused: undefined };
}

function readText(entered: unknown): Answer {
	// Forms send line breaks as CR LF. Not every database stores other control characters.
	const text = (typeof entered === 'string' ? entered : '')
		.replace(/\r\n?/g, '\n')
		.replace(/(?![\n\t])\p{Cc}/gu, '')
		.trim();
	const isTaken = text !== '' && text.length <= MAX_ANSWER_LENGTH;
	return isTaken ? { answer: { text }, label: text } : { refused: text };
}
