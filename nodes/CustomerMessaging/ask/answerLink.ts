import { timingSafeEqual } from 'node:crypto';

import type { LinkRequest, LinkResponse } from '../n8n/answerRequest';
import { type Ask, MAX_ANSWER_LENGTH } from '../shared/ask';
import { type Asked, recallAsked } from './asked';
import { answerFields, askPage, closedPage, confirmationPage } from './page';

/** What an answer adds to the execution, as in n8n's own nodes. */
export type Answer = { approved: boolean } | { text: string };

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
	{ method, signature, stored, body }: LinkRequest,
	recent: RecentAnswers,
	nowMs: number,
): LinkResponse {
	const asked = recallAsked(stored);
	if (!asked || !isSame(signature, asked.signature)) return notWaiting;
	if (method !== 'POST') return { status: 200, page: askPage(asked.ask) };

	const read = readAnswer(asked.ask, body);
	if ('message' in read) return { status: 400, page: askPage(asked.ask, read) };
	if (!claim(asked, recent, nowMs)) return answeredBefore;
	return {
		status: 200,
		page: confirmationPage(asked.ask, read.label),
		answer: { data: read.answer },
	};
}

const notWaiting: LinkResponse = {
	status: 410,
	page: closedPage(
		'This link answers nothing',
		'The question may have been answered already, or it was asked again with a new link. If the link was shortened on its way, open it from the message once more.',
	),
};

const answeredBefore: LinkResponse = {
	status: 409,
	page: closedPage(
		'This question was answered already',
		'Only the first answer counts. This one changed nothing.',
	),
};

function claim({ execution, signature }: Asked, recent: RecentAnswers, nowMs: number): boolean {
	for (const [key, atMs] of recent) if (nowMs - atMs >= RECENT_MS) recent.delete(key);
	const key = `${execution} ${signature}`;
	if (recent.has(key)) return false;
	recent.set(key, nowMs);
	return true;
}

function readAnswer(
	{ answerForm }: Ask,
	body: Readonly<Record<string, unknown>>,
): { answer: Answer; label: string } | { message: string; text?: string } {
	if (answerForm.kind === 'freeText') return readText(body[answerFields.text]);
	const { approve, decline } = answerForm;
	const decision = body[answerFields.decision];
	if (decision === 'approve') return { answer: { approved: true }, label: approve };
	if (decision === 'decline' && decline !== undefined)
		return { answer: { approved: false }, label: decline };
	return { message: 'Choose one of the buttons.' };
}

function readText(entered: unknown): ReturnType<typeof readAnswer> {
	// Forms send line breaks as CR LF. What cannot be stored, such as half an emoji, is replaced.
	const text =
		typeof entered === 'string'
			? entered
					.replace(/\r\n?/g, '\n')
					.replace(/(?![\n\t])\p{Cc}/gu, '')
					.toWellFormed()
					.trim()
			: '';
	if (text === '') return { message: 'Write an answer first.' };
	if (text.length <= MAX_ANSWER_LENGTH) return { answer: { text }, label: text };
	return {
		message: `The answer has ${text.length} characters, but at most ${MAX_ANSWER_LENGTH} are possible. Shorten it.`,
		text: text.slice(0, MAX_ANSWER_LENGTH).toWellFormed(),
	};
}

/** Compares in constant time, so that a signature cannot be guessed piece by piece. */
function isSame(given: unknown, expected: string): boolean {
	if (typeof given !== 'string') return false;
	const [one, other] = [Buffer.from(given), Buffer.from(expected)];
	return one.length === other.length && timingSafeEqual(one, other);
}
