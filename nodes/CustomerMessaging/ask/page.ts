import { type Ask, MAX_ANSWER_LENGTH } from '../shared/ask';
import { Html, html } from '../shared/html';
import { style } from './style';
import { type Language, wordsOf } from './words';

/** The fields that the page's form sends. */
export const answerFields = { decision: 'decision', text: 'text' } as const;

/**
 * The question with its buttons or its text field. The form sends its answer to the page's own address,
 * so the link's signature goes with it.
 *
 * @param refused the text that was entered, if it was not taken
 */
export function askPage(ask: Ask, language: Language, refused?: string): string {
	const { title, text, from } = ask;
	const words = wordsOf(language);
	return page(
		language,
		title,
		html`${from === undefined ? undefined : html`<p class="from"><bdi>${from}</bdi></p>`}
			<h1 dir="auto">${title}</h1>
			<p class="question" dir="auto" id="question">${text}</p>
			${
				refused === undefined
					? undefined
					: html`<p class="correction" role="alert">${words.correction}</p>`
			}
			<form method="post">${renderForm(ask, words.send, refused)}</form>
			<p class="note">${words.undecided}</p>`,
	);
}

/** Confirms an answer. n8n shows a page of its own when the link is opened again. */
export function confirmationPage({ title }: Ask, answer: string, language: Language): string {
	const heading = wordsOf(language).recorded;
	return page(
		language,
		heading,
		html`<p class="mark" aria-hidden="true">✓</p>
			<h1>${heading}</h1>
			<p class="answer" dir="auto">${answer}</p>
			<p class="question asked" dir="auto">${title}</p>`,
	);
}

/** For a link that can no longer be answered. */
export function closedPage(why: 'answered' | 'closed', language: Language): string {
	const heading = wordsOf(language)[why];
	return page(language, heading, html`<h1>${heading}</h1>`);
}

function renderForm({ answerForm }: Ask, send: string, entered = ''): Html {
	if (answerForm.kind === 'freeText')
		return html`<textarea
				aria-labelledby="question"
				name="${answerFields.text}"
				rows="5"
				maxlength="${MAX_ANSWER_LENGTH}"
				dir="auto"
				required
			>
${entered}</textarea>
			<button class="first"><bdi>${answerForm.send ?? send}</bdi></button>`;
	const { approve, decline } = answerForm;
	return html`<button class="first" name="${answerFields.decision}" value="approve">
			<bdi>${approve}</bdi>
		</button>
		${
			decline === undefined
				? undefined
				: html`<button name="${answerFields.decision}" value="decline">
						<bdi>${decline}</bdi>
					</button>`
		}`;
}

function page(language: Language, title: string, content: Html): string {
	return html`<!doctype html>
		<html lang="${language}">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<meta name="robots" content="noindex" />
				<title>${title}</title>
				<style>
					${new Html(style)}
				</style>
			</head>
			<body>
				<main>${content}</main>
			</body>
		</html> `.text;
}
