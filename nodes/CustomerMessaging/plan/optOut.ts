import { parseTemplate } from '../run/parameters';
import { splitPath } from '../run/plainPaths';
import { isVisible } from '../fields/text';

/** What a column is called that says who left, in words of small letters. */
const left = new RegExp(
	[
		String.raw`opt(?:ed|s)? ?out|un ?subscri|\bunsub|(?:black|block|deny) ?list|\bblocked\b|suppress|suspend`,
		String.raw`bounce|complain|spam ?report|withdrawn|revoked|\bdn[cd]\b|\bdo not [a-z]|\bno (?:contact|marketing)\b`,
		String.raw`\b(?:donot|dont\s?)(?:contact|disturb|e?mail|bulk|call|phone|text|sms|send|market|post|fax|track)`,
		'abgemeldet|abbestellt|ausgetragen|desabonn|desinscri',
	].join('|'),
);

/** It says who stayed: `isNotBlacklisted`. The `not` of `do not call` is none of it. */
const negated =
	/(?<!\bdo )\bnot\b|\b(?:non|never|isnt|hasnt|wasnt|without|nicht)\b|\bno\b(?! (?:contact|marketing)\b)|\b(?:not|un ?)(?=unsub|opt|black|block|suppress|suspend|bounce)/;

/** It says who agreed, or both: what a name ends in is what it is, as in `opt_out_consent`. */
const agreed =
	/\bopt(?:ed)? ?in\b|(?<!\b(?:of|from|for) )\b(?:consent|consented|permission|subscribed|agreed|allowed|accepted)$/;

/** `HasOptedOutOfEmail` as `has opted out of email`. */
function inWords(name: string): string {
	return name
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.replace(/['’]/g, '')
		.replace(/(\p{Ll}|\d)(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$& ')
		.toLowerCase()
		.replace(/[^\p{L}\d]+/gu, ' ')
		.trim();
}

/** Whether a yes under these keys means that somebody left: the last key that says either decides. */
function saysWhoLeft(keys: readonly string[]): boolean {
	const words =
		keys
			.map(inWords)
			.reverse()
			.find((one) => left.test(one) || agreed.test(one)) ?? '';
	return left.test(words) && !negated.test(words) && !agreed.test(words);
}

/** Conversions that leave a yes a yes. */
const conversions = /(?:\??\.(?:toString|trim|toLowerCase|toUpperCase|toBoolean)\(\)){1,9}$/;

/**
 * Refuses a stored consent that is a column of those who opted out, also with fallbacks: those who left would
 * get the message, and those who stayed would not.
 *
 * @returns the message, with the negation; undefined for any other consent
 */
export function optOutAsConsent(stored: unknown): string | undefined {
	const [only, ...others] = (parseTemplate(stored) ?? []).filter(
		(part) => typeof part !== 'string' || isVisible(part),
	);
	if (typeof only !== 'object' || others.length > 0) return undefined;
	const code = only.code.trim().replace(/^\((.*)\)$/s, '$1');
	for (const operand of code.split(/\?\?|\|\|/)) {
		const path = operand.trim().replace(conversions, '');
		const found = splitPath(path);
		if (!found || !saysWhoLeft(found.keys)) continue;
		const { parent, key } = found;
		const quoted = key.includes("'") ? JSON.stringify(key) : `'${key}'`;
		const object = /\.json$|^\$json$/.test(parent) ? parent : `(${parent} ?? {})`;
		const value = `String(${path} ?? '').trim().toLowerCase()`;
		return `Consent is {{ ${path} }}, which by its name says who opted out: they would get this, and all others would not. Write {{ ${quoted} in ${object} && ['', 'false', 'no', '0'].includes(${value}) }}`;
	}
	return undefined;
}
