import { escape } from '../shared/html';
import type { FormParameter } from './field';
import { harmless } from './field';

/** How the content of an email is entered. As in n8n's own nodes, HTML is the default. */
export const emailType: FormParameter = {
	displayName: 'Email Type',
	name: 'emailType',
	...harmless,
	type: 'options',
	default: 'html',
	description: 'How the content is written',
	options: [
		{ name: 'HTML', value: 'html', description: 'Tags such as &lt;p&gt; say how it looks' },
		{ name: 'Text', value: 'text', description: 'Paragraphs, line breaks and links are kept' },
	],
};

/** Writes text as HTML: a blank line begins a paragraph, a line break is one, and an address becomes a link. */
export function textAsHtml(text: string): string {
	return text
		.replace(/\r\n|[\r\u0085\u2028\u2029]/g, '\n')
		.trim()
		.split(/\n\s*\n/)
		.map((paragraph) => `<p>${withLinks(paragraph).replaceAll('\n', '<br>\n')}</p>`)
		.join('\n');
}

function withLinks(text: string): string {
	// Every other part is an address, because it is captured.
	const parts = text.split(/(https:\/\/[^\s<>"]+)/i);
	return parts.map((part, index) => (index % 2 === 1 ? asLink(part) : escape(part))).join('');
}

/** What follows an address in a sentence does not belong to it. */
function asLink(found: string): string {
	const closesOwn = found.includes('(');
	let end = found.length;
	while (/[.,;:!?'\])]/.test(found.charAt(end - 1))) {
		if (closesOwn && found.charAt(end - 1) === ')') break;
		end--;
	}
	const link = escape(found.slice(0, end));
	return `<a href="${link}">${link}</a>${escape(found.slice(end))}`;
}
