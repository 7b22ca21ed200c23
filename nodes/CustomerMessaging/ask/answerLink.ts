import { timingSafeEqual } from 'node:crypto';

import { type Ask, MAX_ANSWER_LENGTH } from '../shared/delivery';
import type { LinkRequest, LinkResponse } from '../n8n/answerRequest';
import { answerFields, askPage, closedPage, confirmationPage, chooseLanguage } from './page';

/** The question that an execution asked last, and the link that answers it. */
interface Asked {
	/** The ID of the execution that the link belongs to. */
	execution: string;
	/** The run of the node in that execution. */
	runIndex: number;
	/** The signature in the link. */
	signature: string;
	ask: Ask;
}

/**
 * What n8n stores for the node with the execution. It is text, because the request for the page reads it
 * through an expression.
 */
export interface AskMemory {
	asked?: string;
}

export function remember(memory: AskMemory, asked: Asked): void {
	memory.asked = JSON.stringify(asked);
}

/** Returns undefined if nothing was asked. */
export function recallAsked(stored: unknown): Asked | undefined {
	if (typeof stored !== 'string' || stored === '') return undefined;
	return JSON.parse(stored) as Asked;
}

/** The signature in a link to the page. */
export function signatureIn(link: string): string {
	return new URL(link).searchParams.get('signature') ?? '';
}

/** Links that were answered a moment ago, by execution and signature, with the time in milliseconds. */
export type RecentAnswers = Map<string, number>;

/**
 * n8n 1 would go on twice if two answers came at the same moment. Later answers than these are refused by
 * n8n itself. The time is limited, so that the link still works if n8n could not go on.
 */
const RECENT_MS = 10_000;

/**
 * Responds to a request for the page behind a link. Only a POST decides, because mail scanners, previews
 * and browsers open links by GET.
 *
 * @param recent is changed
 */
export function answerLink(
	{ method, signature, stored, body, acceptLanguage }: LinkRequest,
	recent: RecentAnswers,
	nowMs: number,
): LinkResponse {
	const language = chooseLanguage(acceptLanguage);
	const asked = recallAsked(stored);
	if (!asked || !isSame(signature, asked.signature))
		return { status: 410, page: closedPage('closed', language) };
	const { ask } = asked;
	if (method !== 'POST') return { status: 200, page: askPage(ask, language) };

	const read = readAnswer(ask, body);
	if ('refused' in read) return { status: 400, page: askPage(ask, language, read.refused) };
	if (!claim(asked, recent, nowMs)) return { status: 409, page: closedPage('answered', language) };
	return {
		status: 200,
		page: confirmationPage(ask, read.label, language),
		answer: { data: read.answer },
	};
}

function claim({ execution, signature }: Asked, recent: RecentAnswers, nowMs: number): boolean {
	for (const [key, atMs] of recent) if (nowMs - atMs >= RECENT_MS) recent.delete(key);
	const key = `${execution} ${signature}`;
	if (recent.has(key)) return false;
	recent.set(key, nowMs);
	return true;
}

/** What an answer adds to the execution, as in n8n's own nodes, and the words to confirm it with. */
function readAnswer(
	{ answerForm }: Ask,
	body: LinkRequest['body'],
):
	| { answer: { approved: boolean } | { text: string }; label: string }
	| { refused: string | undefined } {
	if (answerForm.kind === 'freeText') return readText(body[answerFields.text]);
	const { approve, decline } = answerForm;
	const decision = body[answerFields.decision];
	if (decision === 'approve') return { answer: { approved: true }, label: approve };
	if (decision === 'decline' && decline !== undefined)
		return { answer: { approved: false }, label: decline };
	// Only a request that no button made.
	return { refused: undefined };
}

function readText(entered: unknown): ReturnType<typeof readAnswer> {
	// Forms send line breaks as CR LF. What cannot be stored, such as half an emoji, is replaced.
	const text = (typeof entered === 'string' ? entered : '')
		.replace(/\r\n?/g, '\n')
		.replace(/(?![\n\t])\p{Cc}/gu, '')
		.toWellFormed()
		.trim();
	return text !== '' && text.length <= MAX_ANSWER_LENGTH
		? { answer: { text }, label: text }
		: { refused: text.slice(0, MAX_ANSWER_LENGTH).toWellFormed() };
}

/** Compares in constant time, so that a signature cannot be guessed piece by piece. */
function isSame(given: unknown, expected: string): boolean {
	if (typeof given !== 'string' || given === '') return false;
	const [one, other] = [Buffer.from(given), Buffer.from(expected)];
	return one.length === other.length && timingSafeEqual(one, other);
}
