/** All that a page says besides what the sender wrote. */
interface Words {
	recorded: string;
	answered: string;
	closed: string;
	/** Mail scanners open links too, so opening one must not decide. */
	undecided: string;
	correction: string;
	/** The button of a free text whose sender set no label. */
	send: string;
}

const languages = {
	en: {
		recorded: 'Your answer was recorded.',
		answered: 'This question has already been answered.',
		closed: 'This link is no longer valid.',
		undecided: 'Nothing happens until you press a button.',
		correction: 'Enter an answer of up to 5,000 characters.',
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
} satisfies Record<string, Words>;

export type Language = keyof typeof languages;

export function wordsOf(language: Language): Words {
	return languages[language];
}

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
	return wanted.map(({ language }) => language).find(isLanguage) ?? 'en';
}

function isLanguage(name: string): name is Language {
	return Object.hasOwn(languages, name);
}
