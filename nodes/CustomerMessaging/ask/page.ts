import type { Ask } from '../shared/delivery';
import { Html, html } from '../shared/html';
import { style } from './style';

export const MAX_ANSWER_LENGTH = 5_000;

/** All that a page says besides what the sender wrote. */
const languages = {
	en: {
		recorded: 'Your answer was recorded.',
		answered: 'This question has already been answered.',
		closed: 'This link is no longer valid.',
		// Mail scanners open links too, so opening one must not decide.
		undecided: 'Nothing happens until you press a button.',
		correction: 'Enter an answer of up to 5,000 characters.',
		// The button of a free text whose sender set no label.
		send: 'Send',
	},
	de: {
		recorded: 'Ihre Antwort wurde gespeichert.',
		answered: 'Diese Frage wurde bereits beantwortet.',
		closed: 'Dieser Link ist nicht mehr gültig.',
		undecided: 'Es geschieht nichts, bis Sie eine Schaltfläche drücken.',
		correction: 'Geben Sie eine Antwort mit höchstens 5.000 Zeichen ein.',
		send: 'Senden',
	},
	fr: {
		recorded: 'Votre réponse a été enregistrée.',
		answered: 'Cette question a déjà reçu une réponse.',
		closed: 'Ce lien n’est plus valable.',
		undecided: 'Rien ne se passe tant que vous n’appuyez pas sur un bouton.',
		correction: 'Saisissez une réponse de 5 000 caractères au maximum.',
		send: 'Envoyer',
	},
	es: {
		recorded: 'Su respuesta ha sido registrada.',
		answered: 'Esta pregunta ya ha sido respondida.',
		closed: 'Este enlace ya no es válido.',
		undecided: 'No ocurre nada hasta que pulse un botón.',
		correction: 'Escriba una respuesta de 5000 caracteres como máximo.',
		send: 'Enviar',
	},
	it: {
		recorded: 'La risposta è stata registrata.',
		answered: 'A questa domanda è già stata data una risposta.',
		closed: 'Questo link non è più valido.',
		undecided: 'Non succede nulla finché non si preme un pulsante.',
		correction: 'Inserire una risposta di massimo 5000 caratteri.',
		send: 'Invia',
	},
	// In words that are right both in Portugal and in Brazil.
	pt: {
		recorded: 'A sua resposta foi recebida.',
		answered: 'Esta pergunta já foi respondida.',
		closed: 'Este link deixou de ser válido.',
		undecided: 'Nada acontece até que um botão seja pressionado.',
		correction: 'Escreva uma resposta com até 5000 caracteres.',
		send: 'Enviar',
	},
	nl: {
		recorded: 'Uw antwoord is opgeslagen.',
		answered: 'Deze vraag is al beantwoord.',
		closed: 'Deze link is niet meer geldig.',
		undecided: 'Er gebeurt niets totdat u op een knop drukt.',
		correction: 'Vul een antwoord van maximaal 5000 tekens in.',
		send: 'Versturen',
	},
	pl: {
		recorded: 'Odpowiedź została zapisana.',
		answered: 'Na to pytanie już udzielono odpowiedzi.',
		closed: 'Ten link nie jest już ważny.',
		undecided: 'Nic się nie stanie, dopóki nie naciśniesz przycisku.',
		correction: 'Wpisz odpowiedź o długości do 5000 znaków.',
		send: 'Wyślij',
	},
};

export type Language = keyof typeof languages;

/** Chooses a language by the header `Accept-Language`, such as `de-AT,de;q=0.9,en;q=0.8`. */
export function chooseLanguage(accepted: unknown): Language {
	const wanted = String(accepted)
		.split(',')
		.map((entry) => {
			const [tag = '', weight = 'q=1'] = entry.toLowerCase().split(';');
			const [language = ''] = tag.trim().split('-');
			return { language, weight: Number(weight.trim().replace('q=', '')) };
		})
		.filter(({ weight }) => weight > 0)
		.sort((one, other) => other.weight - one.weight);
	const found = wanted.find(({ language }) => Object.hasOwn(languages, language));
	return (found?.language ?? 'en') as Language;
}

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
	const words = languages[language];
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
	const heading = languages[language].recorded;
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
	const heading = languages[language][why];
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
