import type { Tag } from './tokens';

/** Properties that change how an element looks, but cannot move it over another. */
const properties = new Set([
	'color',
	'background-color',
	'background',
	'text-align',
	'text-decoration',
	'text-transform',
	'font-size',
	'font-weight',
	'font-style',
	'line-height',
	'letter-spacing',
	'margin',
	'padding',
	'padding-top',
	'padding-right',
	'padding-bottom',
	'padding-left',
	'border-radius',
	'display',
	'max-width',
]);

/** Names, hexadecimal colors and lengths, and colors such as `rgb(1, 2, 3)`. Nothing that has an address. */
const value =
	/^(?:#[\da-f]{3,8}|[a-z-]{1,30}|\d{1,4}(?:\.\d{1,3})?(?:px|em|rem|pt|%)?|rgba?\([\d., %]{1,40}\))$/i;

/** The harmless part of the style that an element asks for. */
export function safeStyle({ style = '', bgcolor, align }: Tag['attributes']): string {
	const asked = [
		...(bgcolor ? [`background-color:${bgcolor}`] : []),
		...(align ? [`text-align:${align}`] : []),
		...style.slice(0, 2_000).split(';'),
	];
	return asked.flatMap(declaration).join('; ');
}

function declaration(text: string): string[] {
	const colon = text.indexOf(':');
	const name = text.slice(0, colon).trim().toLowerCase();
	if (colon < 0 || !properties.has(name)) return [];
	const words = text
		.slice(colon + 1)
		.replace(/,\s/g, ',')
		.trim()
		.split(/\s+/);
	return words.length <= 4 && words.every((word) => value.test(word))
		? [`${name}: ${words.join(' ')}`]
		: [];
}
