import type { Ask } from '../shared/delivery';
import { Html, html, htmlPage } from '../shared/html';

export const MAX_ANSWER_LENGTH = 5_000;

const wordKeys = [
	...(['code', 'recorded', 'answered', 'closed', 'undecided', 'correction'] as const),
	...(['approve', 'decline', 'send'] as const),
];
/** The words of a page in one language, and the language's code. */
type Language = Record<(typeof wordKeys)[number], string>;

/**
 * The page's own words, in the order of `wordKeys`. They say that nothing happens until a button is pressed, because
 * mail scanners open links too. The last three are for buttons whose labels the sender did not change. The Portuguese
 * words suit both Portugal and Brazil.
 */
const table = `
en | Your answer was recorded. | This question has already been answered. | This link is no longer valid. | Nothing happens until you press a button. | Enter an answer of up to 5,000 characters. | Approve | Decline | Send
de | Ihre Antwort wurde gespeichert. | Diese Frage wurde bereits beantwortet. | Dieser Link ist nicht mehr gültig. | Es geschieht nichts, bis Sie eine Schaltfläche drücken. | Geben Sie eine Antwort mit höchstens 5.000 Zeichen ein. | Genehmigen | Ablehnen | Senden
fr | Votre réponse a été enregistrée. | Cette question a déjà reçu une réponse. | Ce lien n’est plus valable. | Rien ne se passe tant que vous n’appuyez pas sur un bouton. | Saisissez une réponse de 5 000 caractères au maximum. | Approuver | Refuser | Envoyer
es | Su respuesta ha sido registrada. | Esta pregunta ya ha sido respondida. | Este enlace ya no es válido. | No ocurre nada hasta que pulse un botón. | Escriba una respuesta de 5000 caracteres como máximo. | Aprobar | Rechazar | Enviar
it | La risposta è stata registrata. | A questa domanda è già stata data una risposta. | Questo link non è più valido. | Non succede nulla finché non si preme un pulsante. | Inserire una risposta di massimo 5000 caratteri. | Approva | Rifiuta | Invia
pt | A sua resposta foi recebida. | Esta pergunta já foi respondida. | Este link deixou de ser válido. | Nada acontece até que um botão seja pressionado. | Escreva uma resposta com até 5000 caracteres. | Aprovar | Recusar | Enviar
nl | Uw antwoord is opgeslagen. | Deze vraag is al beantwoord. | Deze link is niet meer geldig. | Er gebeurt niets totdat u op een knop drukt. | Vul een antwoord van maximaal 5000 tekens in. | Goedkeuren | Afwijzen | Versturen
pl | Odpowiedź została zapisana. | Na to pytanie już udzielono odpowiedzi. | Ten link nie jest już ważny. | Nic się nie stanie, dopóki nie naciśniesz przycisku. | Wpisz odpowiedź o długości do 5000 znaków. | Zatwierdź | Odrzuć | Wyślij
`;

const languages = table
	.trim()
	.split('\n')
	.map((line) => {
		const words = line.split(' | ');
		return Object.fromEntries(wordKeys.map((key, at) => [key, words[at]] as const)) as Language;
	});

/** Chooses a language by the header `Accept-Language`, such as `de-AT,de;q=0.9,en;q=0.8`. */
export function chooseLanguage(accepted: unknown): Language {
	const [chosen = 'en'] = String(accepted)
		.toLowerCase()
		.split(',')
		.map((entry) => {
			const [tag = '', weight = 'q=1'] = entry.split(';');
			const [language = ''] = tag.trim().split('-');
			return { language, weight: Number(weight.trim().replace('q=', '')) };
		})
		.filter(({ language, weight }) => weight > 0 && languages.some(({ code }) => code === language))
		.sort((one, other) => other.weight - one.weight)
		.map(({ language }) => language);
	return languages.find(({ code }) => code === chosen) as Language;
}

const english = chooseLanguage('en');

/** Translates the button labels that the sender left at their defaults. */
export function translateButtons(ask: Ask, language: Language): Ask {
	const { answerForm } = ask;
	if (answerForm.kind === 'freeText')
		return { ...ask, answerForm: { ...answerForm, send: answerForm.send ?? language.send } };
	const { approve, decline } = answerForm;
	const buttons = {
		approve: approve === english.approve ? language.approve : approve,
		decline: decline === english.decline ? language.decline : decline,
	};
	return { ...ask, answerForm: { ...answerForm, ...buttons } };
}

/**
 * Renders the question with its buttons or its text field. The form posts to the page's own address, which contains
 * the link's signature.
 */
export function askPage(ask: Ask, language: Language, refusedText?: string): string {
	const { title, text, from } = ask;
	const { correction, undecided } = language;
	return page(
		language,
		title,
		html`${from && html`<p class="from"><bdi>${from}</bdi></p>`}
			<h1 dir="auto">${title}</h1>
			<p class="question" dir="auto" id="question">${text}</p>
			${refusedText !== undefined && html`<p class="correction" role="alert">${correction}</p>`}
			<form method="post">${renderForm(ask, refusedText)}</form>
			<p class="note">${undecided}</p>`,
	);
}

/** Confirms an answer. n8n shows a page of its own when the link is opened again. */
export function confirmationPage({ title }: Ask, answer: string, language: Language): string {
	const heading = language.recorded;
	return page(
		language,
		heading,
		html`<p class="mark" aria-hidden="true">✓</p>
			<h1>${heading}</h1>
			<p class="answer" dir="auto">${answer}</p>
			<p class="question asked" dir="auto">${title}</p>`,
	);
}

/** Renders the page of a link that can no longer be answered. */
export function closedPage(reason: 'answered' | 'closed', language: Language): string {
	const heading = language[reason];
	return page(language, heading, html`<h1>${heading}</h1>`);
}

function renderForm({ answerForm }: Ask, entered = ''): Html {
	if (answerForm.kind === 'freeText')
		return html`<textarea
				aria-labelledby="question"
				name="text"
				rows="5"
				maxlength="${MAX_ANSWER_LENGTH}"
				dir="auto"
				required
			>
${entered}</textarea>
			<button class="first"><bdi>${answerForm.send}</bdi></button>`;
	const { approve, decline } = answerForm;
	return html`<button class="first" name="decision" value="approve">
			<bdi>${approve}</bdi>
		</button>
		${
			decline &&
			html`<button name="decision" value="decline">
				<bdi>${decline}</bdi>
			</button>`
		}`;
}

function page({ code }: Language, title: string, content: Html): string {
	return htmlPage(code, title, style, html`<main>${content}</main>`);
}

/** The style of the pages. It loads nothing, and follows the light or dark theme of the device. */
const style = new Html(`<style>
:root { color-scheme: light dark; --page: #eef0f5; --card: #fff; --text: #1b2030; --soft: #555e72; --line: #d5dae5; --first: #2c4fc4; --on-first: #fff; --first-over: #2340a3; --plain: #f4f6fa; --plain-over: #e7ebf4; --warn: #a11d1d; --good: #146c43 }
@media (prefers-color-scheme: dark) {:root { --page: #12151c; --card: #1c212c; --text: #e9ecf3; --soft: #a9b2c5; --line: #3a4254; --first: #8aa5ff; --on-first: #10162b; --first-over: #a5baff; --plain: #262d3b; --plain-over: #313a4c; --warn: #ff9f97; --good: #6fd3a2 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: max(16px, env(safe-area-inset-top)) 16px max(16px, env(safe-area-inset-bottom)); background: var(--page); color: var(--text); font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
main { width: 100%; max-width: 560px; padding: 28px; background: var(--card); border: 1px solid var(--line); border-radius: 16px }
p, h1 { margin: 0 }
h1 { font-size: 22px; line-height: 1.3 }
.from { margin-bottom: 6px; color: var(--soft); font-size: 15px }
.question { margin-top: 14px; white-space: pre-wrap }
.asked, .note { color: var(--soft); font-size: 15px }
.note { margin-top: 18px }
.answer { margin-top: 14px; font-weight: 600; white-space: pre-wrap }
.correction { margin-top: 14px; color: var(--warn); font-weight: 600 }
.mark { width: 44px; height: 44px; margin-bottom: 14px; border: 2px solid; border-radius: 50%; color: var(--good); font-size: 24px; line-height: 40px; text-align: center }
form { margin-top: 22px; display: flex; flex-wrap: wrap; gap: 12px }
textarea { flex: 1 0 100%; min-width: 0; padding: 10px 12px; border: 1px solid var(--soft); border-radius: 10px; background: var(--page); color: inherit; font: inherit; resize: vertical }
button { flex: 1 1 180px; min-height: 50px; padding: 10px 18px; border: 1px solid var(--soft); border-radius: 10px; background: var(--plain); color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button:hover { background: var(--plain-over) }
button.first { border-color: transparent; background: var(--first); color: var(--on-first) }
button.first:hover { background: var(--first-over) }
:focus-visible { outline: 3px solid var(--first); outline-offset: 3px }
@media (max-width: 480px) { main { padding: 22px } }
</style>`);

/** Writes the email for a question: the text, a button that opens the page, and the page's address. */
export function questionEmail(question: string, link: string, label: string): string {
	const lines = question.split(/\r\n|[\n\r]/);
	const text = lines.map((line, index) => [index > 0 ? new Html('<br>') : undefined, line]);
	return html`<div style="${styles.text}">
		<p>${text.flat()}</p>
		<p style="margin:24px 0"><a href="${link}" style="${styles.button}">${label}</a></p>
		<p style="${styles.note}"><a href="${link}" style="${styles.address}">${link}</a></p>
	</div>`.text;
}

/** Inline styles, because email programs drop style sheets. */
const styles = {
	text: 'max-width:560px;font:16px/1.5 Arial,sans-serif;color:#1b2030',
	button:
		'display:inline-block;padding:12px 28px;border-radius:8px;background:#2c4fc4;color:#ffffff;font-weight:bold;text-decoration:none',
	address: 'color:inherit;word-break:break-all',
	note: 'font-size:13px;color:#555e72',
};
