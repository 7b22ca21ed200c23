import { quoted, say } from '../shared/formatting';
import { convertedFrom } from './convert';
import { lostCharacter } from './lost';
import { type Field, type FieldConfig, type FieldOptions, fieldForm } from './field';
import { trimmedText } from './text';

/** Schemes that a tap must not open: they run code, read files, or are not links. */
const refusedScheme =
	/^(?:javascript|vbscript|data|blob|file|filesystem|content|jar|resource|about|chrome|view-source|ftp|wss?)$/;

/** Schemes without `//` that every phone can open, in addition to `tel`. */
const phoneSchemes = ['sms', 'smsto', 'mailto', 'geo', 'facetime', 'facetime-audio'];

/** A web address, or a link such as `tel:+4915112345678` or `myapp://orders/1` (spec §2.2 names no scheme). */
export function link(displayName: string, config: FieldConfig): Field<string> {
	return linkField(displayName, config, {
		isAllowed: (url) => !refusedScheme.test(getScheme(url)),
		refusal:
			"is not a link. Write it as https://example.com/page, tel:+4915112345678, or as an app's own link such as myapp://page",
		rule: 'A link to a page, a number, an address or an app, such as https://example.com/page, tel:+4915112345678, mailto:name@example.com or myapp://page',
	});
}

/** An address that must begin with https:// (spec §2.2 and §8). */
export function httpsLink(displayName: string, config: FieldConfig): Field<string> {
	return linkField(displayName, config, {
		isAllowed: (url) => getScheme(url) === 'https',
		refusal: 'is not an HTTPS link. Write it as https://example.com/image.png',
		rule: 'A link that begins with https://',
	});
}

function linkField(
	displayName: string,
	config: FieldConfig,
	kind: { isAllowed: (url: URL) => boolean; refusal: string; rule: string },
): Field<string> {
	const placeholder = 'e.g. https://example.com/page';
	const schemaWith = (options: FieldOptions) =>
		convertedFrom(trimmedText(displayName), (link, context) => {
			const url = toUrl(link);
			// The replacement character, percent-encoded.
			if (/%EF%BF%BD/i.test(link)) context.addIssue(`${displayName} ${lostCharacter}`);
			const refusal = url && kind.isAllowed(url) ? leadsNowhere(url, options) : kind.refusal;
			if (refusal) context.addIssue(say`${displayName} ${quoted(link)} ${refusal}`);
			return link;
		});
	return {
		...fieldForm(displayName, 'string', '', { placeholder, ...config }),
		rule: kind.rule,
		isLink: true,
		schema: schemaWith({}),
		schemaWith,
	};
}

/** Returns why a recipient cannot open a link and what to do, worded to follow the link. */
function leadsNowhere(
	{ protocol, host, hostname, pathname }: URL,
	{ n8nHost, isServiceLocal }: FieldOptions,
): string | undefined {
	if (!/^https?:$/.test(protocol)) return undefined;
	if (host === n8nHost && /\/(?:form|webhook)-test\//.test(pathname))
		return "leads to a test page of n8n, which opens only while you test the workflow. Enter the trigger's Production URL";
	return n8nHost !== undefined && !isServiceLocal && isLoopback(hostname)
		? 'leads to a page that only the machine of n8n can open. Enter an address that the recipient can open'
		: undefined;
}

/** Checks for a host that is reachable only from this machine. */
export function isLoopback(hostname: string | undefined): boolean {
	return hostname !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Characters that are invisible, or that a browser interprets differently from a reader. */
const hidden = /[\s\p{Cc}\p{Cf}\\]/u;

/** Invisible characters that join emoji or letters of some scripts, and the tags that make up some flags. */
const joiners = /\u200c|\u200d|[\u{e0020}-\u{e007f}]/gu;

/** A web address after its scheme: a host without a user name or joiners, and optionally more. */
const webAddress = /^\/\/[^/?#@\p{Cf}]+(?:[/?#]|$)/u;

/** Parses a complete address: a scheme and `//`, or the scheme of a phone's own app. */
function toUrl(written: string): URL | undefined {
	if (hidden.test(written.replace(joiners, ''))) return undefined;
	const url = parseUrl(written);
	if (!url) return undefined;
	const rest = written.slice(url.protocol.length);
	return suitsScheme(rest, getScheme(url)) ? url : undefined;
}

/** Checks the part after a scheme and its colon. Service codes such as `tel:*#06#` are not numbers. */
function suitsScheme(rest: string, scheme: string): boolean {
	if (scheme === 'http' || scheme === 'https') return webAddress.test(rest);
	if (rest.startsWith('//')) return rest !== '//';
	if (scheme === 'tel') return /^\+?(?=[().-]*\d)[\d().-]+(?:[;,][\w;,=+.-]*)?$/.test(rest);
	return rest !== '' && phoneSchemes.includes(scheme);
}

/** Parses a URL. Does not use URL.canParse(), which returns false in Node.js 20 for some valid URLs. */
export function parseUrl(written: string, base?: string): URL | undefined {
	try {
		return new URL(written, base);
	} catch {
		return undefined;
	}
}

function getScheme(url: URL): string {
	return url.protocol.slice(0, -1);
}
