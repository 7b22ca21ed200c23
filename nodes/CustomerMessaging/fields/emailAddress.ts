import { escape } from '../shared/html';
import { quoted, say } from '../shared/formatting';
import { convertedFrom, convertedOr, sentenceOf } from './convert';
import { type Field, type FieldConfig, fieldForm, type FormParameter, harmless } from './field';
import { parseUrl } from './link';
import { trimmedText, withoutInvisible } from './text';

export function email(displayName: string, config: FieldConfig): Field<string> {
	return {
		...fieldForm(displayName, 'string', '', { placeholder: 'e.g. nathan@example.com', ...config }),
		rule: 'An email address',
		holdsAddresses: true,
		schema: trimmedText(displayName).pipe(emailAddress(displayName)),
	};
}

/** Maximum number of invalid addresses to name in a message. */
const maxNamed = 5;
/** A longer list is probably one of customers, who would all see each other's addresses. */
const maxAddresses = 100;

export function emailList(displayName: string, config: FieldConfig): Field<string> {
	const one = emailAddress(displayName);
	return {
		...fieldForm(displayName, 'string', '', config),
		rule: 'Email addresses, separated by commas',
		holdsAddresses: true,
		schema: convertedFrom(trimmedText(displayName), (list, context) => {
			const written = list.split(',');
			const read = written.slice(0, maxAddresses).map((address) => one.safeParse(address.trim()));
			const issues = read.flatMap(({ error }) => error?.issues ?? []);
			for (const issue of issues.slice(0, maxNamed)) context.addIssue(sentenceOf(issue));
			if (written.length > maxAddresses)
				context.addIssue(
					`${displayName} contains ${written.length} addresses, and each recipient sees all of them. Enter at most ${maxAddresses}`,
				);
			return read.map(({ data }) => data).join(',');
		}),
	};
}

function emailAddress(label: string) {
	return convertedOr(
		(written) => (typeof written === 'string' ? toAddress(bareAddress(written)) : undefined),
		(written) =>
			say`${label} ${quoted(written)} is not an email address. Write it as name@example.com`,
	);
}

/** Removes `mailto:` and invisible characters, which are copied along with an address from a page. */
export function bareAddress(written: string): string {
	return withoutInvisible(written).replace(/^mailto:\s*/i, '');
}

/** The longest address that mail systems accept, in bytes (RFC 5321 §4.5.3.1.3). */
const maxBytes = 254;
const maxLocalBytes = 64;

/**
 * The part before the @ (RFC 5322 §3.2.3), in any script (RFC 6531 §3.3). Braces are refused because they come from
 * a template, and full-width letters because they come from an input method.
 */
const localPart =
	/^(?!.*[\uff00-\uffef])[\w!#$%&'*+/=?^`|~\p{L}\p{M}\p{N}-]+(?:\.[\w!#$%&'*+/=?^`|~\p{L}\p{M}\p{N}-]+)*$/u;

/** At least two labels. The last one is not a number, and may be in Punycode. */
const asciiDomain =
	/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/i;

/** Returns an address in the form that mail systems expect, or undefined if it is not an address. */
function toAddress(written: string): string | undefined {
	if (written.length > maxBytes) return undefined;
	const at = written.lastIndexOf('@');
	// RFC 6532 §3.1 asks for this form, so that each address has a single spelling.
	const local = written.slice(0, Math.max(at, 0)).normalize('NFC');
	if (!localPart.test(local) || Buffer.byteLength(local) > maxLocalBytes) return undefined;
	const domain = toAsciiDomain(written.slice(at + 1));
	if (!domain) return undefined;
	const address = `${local}@${domain}`;
	return Buffer.byteLength(address) <= maxBytes ? address : undefined;
}

/**
 * Converts an internationalized domain to ASCII (UTS #46), as in `xn--mnchen-3ya.example`. The runtime's
 * URL does it with current tables, so no library is needed.
 */
function toAsciiDomain(domain: string): string | undefined {
	// Checked first, because URL would also accept ports, paths and numbers.
	if (!/^[a-z0-9.\u00a1-\u{10ffff}-]+$/iu.test(domain) || /[\p{Cf}\p{Zs}]/u.test(domain))
		return undefined;
	const host = parseUrl(`http://${domain}`)?.hostname;
	if (host === undefined || !asciiDomain.test(host)) return undefined;
	return /[^\0-\x7f]/.test(domain) ? host : domain;
}

/** The format of an email's content. As in n8n's own nodes, HTML is the default. */
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

/** Converts text to HTML: blank lines separate paragraphs, line breaks are kept, and addresses become links. */
export function textAsHtml(text: string): string {
	return text
		.replace(/\r\n|[\r\u0085\u2028\u2029]/g, '\n')
		.trim()
		.split(/\n\s*\n/)
		.map((paragraph) => `<p>${withLinks(paragraph).replaceAll('\n', '<br>\n')}</p>`)
		.join('\n');
}

function withLinks(text: string): string {
	// The captured addresses are at the odd positions.
	const parts = text.split(/(https:\/\/[^\s<>"]+)/i);
	return parts.map((part, index) => (index % 2 === 1 ? asLink(part) : escape(part))).join('');
}

/** Punctuation after an address is not part of the link. */
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
