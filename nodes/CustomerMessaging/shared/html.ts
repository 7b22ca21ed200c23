/** HTML that this package wrote, or that it escaped. */
export class Html {
	constructor(readonly text: string) {}
}

type Part = string | number | false | Html | Part[] | undefined;

/** Builds HTML from a template. Text in it is escaped, so that a message can never add markup. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
	return new Html(strings.map((fixed, index) => fixed + toText(parts[index])).join(''));
}

function toText(part: Part): string {
	if (part === undefined || part === false) return '';
	if (part instanceof Html) return part.text;
	return Array.isArray(part) ? part.map(toText).join('') : escape(String(part));
}

const codes: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

export function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&${codes[character]};`);
}

/** A whole page. `head`: its style, and what is to be known of the page besides. */
export function htmlPage(language: string, title: string, head: Html, body: Html): string {
	return html`<!doctype html>
		<html lang="${language}">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title}</title>
				${head}
			</head>
			<body>
				${body}
			</body>
		</html> `.text;
}
