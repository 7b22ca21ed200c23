import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Ask } from '../shared/delivery';
import { isProblem, mayBeDelivered, type Result } from '../shared/ending';
import { type LinkResponse, type readLinkRequest, signatureOf } from '../n8n/answerRequest';
import type { N8n } from '../n8n/context';
import { type WaitLimit, waitEnd } from './form';
import {
	askPage,
	chooseLanguage,
	closedPage,
	confirmationPage,
	MAX_ANSWER_LENGTH,
	translateButtons,
} from './page';

/**
 * The question that an execution asked last, and the link that answers it. n8n stores it for the node as text,
 * because the request for the page reads it through an expression.
 */
interface Asked {
	/** The execution that the link belongs to, and the run of the node in it. */
	execution: string;
	runIndex: number;
	/** Hash of the link's signature. People who can read the execution must not be able to answer with it. */
	signatureHash: string;
	ask: Ask;
}

/** Stores a question before it is sent, so that a retry of a stopped execution can name this one. */
export function rememberAsk(ask: Ask, n8n: Pick<N8n, 'memory' | 'answerUrl'>): void {
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

/** Explains to a retry that its question was asked before. */
export function askedBefore({ memory }: Pick<N8n, 'memory'>): string {
	const { context, runIndex, execution } = memory();
	const asked = readAsked(context.asked);
	// If the execution that asked was interrupted, n8n has not stored its ID.
	const isOther = asked?.runIndex === runIndex && asked.execution !== execution;
	const who = isOther ? `Execution ${asked.execution}` : 'An earlier attempt';
	return `${who} has asked this question already, and the link in that message answers only that execution. To ask again with a new link, turn on 'Resend Unconfirmed' under Options, or start the workflow from its trigger`;
}

/**
 * Lets the execution wait for the answer if the question was delivered, or may have been: then an answer
 * proves that it arrived. Nobody can answer a question that was only previewed or definitely not delivered.
 *
 * @returns the end of the wait in epoch milliseconds; undefined if it does not wait
 */
export async function waitForAnswer(
	results: readonly Result[],
	isRetry: boolean,
	limit: WaitLimit | undefined,
	n8n: Pick<N8n, 'memory' | 'cancelled' | 'now' | 'workflowZone' | 'waitForAnswer'>,
): Promise<{ endMs?: number } | undefined> {
	// The link in another execution's message answers only that execution.
	const isFromOther = (result: Result) => isRetry && 'sentBefore' in result;
	if (!results.some((result) => mayBeDelivered(result) && !isFromOther(result))) {
		delete n8n.memory().context.asked;
		return undefined;
	}
	if (n8n.cancelled()) return undefined;
	const end = waitEnd(limit, n8n);
	// Sending may have taken longer than the wait. n8n then continues at once.
	const endMs = isProblem(end) ? n8n.now() : end.endMs;
	await n8n.waitForAnswer(endMs);
	return { endMs };
}

/**
 * Responds to a request for the page behind a link. Only a POST decides, because mail scanners, previews
 * and browsers open links by GET.
 */
export function answerLink(
	{ method, signature, stored, body, acceptLanguage }: ReturnType<typeof readLinkRequest>,
	nowMs: number,
): LinkResponse {
	const language = chooseLanguage(acceptLanguage);
	const asked = readAsked(stored);
	// Compare hashes, so that the time taken reveals nothing about the signature.
	if (!asked || typeof signature !== 'string' || hash(signature) !== asked.signatureHash)
		return { status: 410, page: closedPage('closed', language) };
	const ask = translateButtons(asked.ask, language);
	for (const [link, atMs] of answered) if (nowMs - atMs >= RECENT_MS) answered.delete(link);
	const link = `${asked.execution} ${asked.signatureHash}`;
	if (answered.has(link)) return { status: 409, page: closedPage('answered', language) };
	if (method !== 'POST') return { status: 200, page: askPage(ask, language) };

	const read = readAnswer(ask, body);
	if ('refused' in read) return { status: 400, page: askPage(ask, language, read.refused) };
	answered.set(link, nowMs);
	const page = confirmationPage(ask, read.label, language);
	const respondedAt = new Date(nowMs).toISOString();
	return { status: 200, page, answer: { data: { ...read.answer, respondedAt } } };
}

/**
 * Links answered in the last seconds, by execution and signature, with the time in milliseconds. n8n 1 would continue
 * twice if two answers arrived at the same moment. n8n itself refuses later ones.
 */
const answered = new Map<string, number>();
/** Short, so that the link works again if n8n could not continue. */
const RECENT_MS = 10_000;

/** The output of an answer, as in n8n's own nodes, and the words that confirm it. */
type Answer = { answer: IDataObject; label: string } | { refused: string | undefined };

function readAnswer({ answerForm }: Ask, body: Readonly<Record<string, unknown>>): Answer {
	if (answerForm.kind === 'freeText') return readText(body.text);
	const { approve, decline } = answerForm;
	if (body.decision === 'approve') return { answer: { approved: true }, label: approve };
	if (body.decision === 'decline' && decline !== undefined)
		return { answer: { approved: false }, label: decline };
	// The page's buttons do not send this.
	return { refused: undefined };
}

function readText(entered: unknown): Answer {
	// Forms send line breaks as CR LF. Not every database stores other control characters.
	const text = (typeof entered === 'string' ? entered : '')
		.replace(/\r\n?/g, '\n')
		.replace(/(?![\n\t])\p{Cc}/gu, '')
		.trim();
	const isValid = text !== '' && text.length <= MAX_ANSWER_LENGTH;
	return isValid ? { answer: { text }, label: text } : { refused: text };
}
