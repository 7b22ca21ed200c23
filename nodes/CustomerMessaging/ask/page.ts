import { type Ask, MAX_ANSWER_LENGTH } from '../shared/ask';
import { Html, html } from '../shared/html';
import { style } from './style';

/** The fields that the page's form sends. */
export const answerFields = { decision: 'decision', text: 'text' } as const;

/**
 * The question with its buttons or its text field. The form sends its answer to the page's own address,
 * so the link's signature goes with it.
 *
 * @param correction why an answer was not taken, and the text that was entered
 */
export function askPage(ask: Ask, correction?: { message: string; text?: string }): string {
	const { title, text, from } = ask;
	const heading = title ?? 'A question for you';
	return page(
		heading,
		html`${from === undefined ? undefined : html`<p class="from"><bdi>${from}</bdi> asks</p>`}
			<h1 dir="auto">${heading}</h1>
			<p class="question" dir="auto">${text}</p>
			${correction && html`<p class="correction" role="alert">${correction.message}</p>`}
			<form method="post">${renderForm(ask, correction?.text)}</form>
			<p class="note">Opening this page decided nothing. Only your answer here counts.</p>`,
	);
}

/** Confirms an answer. n8n shows a page of its own when the link is opened again. */
export function confirmationPage(ask: Ask, answer: string): string {
	const heading = 'Your answer was recorded';
	return page(
		heading,
		html`<p class="mark" aria-hidden="true">✓</p>
			<h1>${heading}</h1>
			<p class="answer" dir="auto">${answer}</p>
			<p class="question asked" dir="auto">${ask.title ?? ask.text}</p>
			<p class="note">You can close this page.</p>`,
	);
}

/** For a link that answers nothing, or no longer. */
export function closedPage(heading: string, text: string): string {
	return page(
		heading,
		html`<h1>${heading}</h1>
			<p class="question">${text}</p>`,
	);
}

function renderForm({ answerForm }: Ask, entered = ''): Html {
	if (answerForm.kind === 'freeText')
		return html`<label for="text">Your answer</label>
			<textarea
				id="text"
				name="${answerFields.text}"
				rows="5"
				maxlength="${MAX_ANSWER_LENGTH}"
				dir="auto"
				required
			>
${entered}</textarea>
			<button class="first">Send answer</button>`;
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

function page(title: string, content: Html): string {
	return html`<!doctype html>
		<html lang="en">
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
