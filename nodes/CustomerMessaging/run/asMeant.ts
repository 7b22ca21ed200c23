import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../fields/field';
import { isIdentifier, letters, nearestColumn, stepTo } from './nearestColumn';
import { eachRoot, firstStep, withOptionalSteps, withoutLiterals } from './plainPaths';

// Code that n8n does not read as it is meant: in the syntax of another tool, or with a column's name as it is.

/** Evaluates code for an item. Throws n8n's expression errors. */
type Evaluate = (code: string) => unknown;

/** A filter of Liquid, Jinja or Twig. To JavaScript, a single `|` is a calculation with whole numbers. */
const filter = /(?<!\|)\|(?![|=])\s*[A-Za-z_]\w*\s*(?:$|[:(|,])/;

/** A tag of Handlebars or of another template language. */
const tag =
	/^(?:[#/^>&!%](?![^]*\$)|(?:if|else|elseif|elsif|endif|end|for|endfor|each|unless|range|with)\b)/;

/** What of it n8n can parse. */
const parsedTag = /^(?:!--|(?:else|end\w*|each|unless|range|with)(?:\s|$))/;

/** A name as other tools have it: `name`, `.Name`, `@name`, `First Name`, `contact.first-name`. */
const looseName = /^[.@]?[\p{L}_][\p{L}\d_]*(?:(?: +| *- *| *\. *)[\p{L}\d_]+)*$/u;

/** A text for some people only. */
export const CHOICE = "$json.column ? 'text' : ''";

/** What JavaScript has for each filter. */
const methods: Readonly<Record<string, string>> = {
	...{ upcase: '.toUpperCase()', upper: '.toUpperCase()', uppercase: '.toUpperCase()' },
	...{ first: '.first()', last: '.last()', join: ".join(' ')", round: '.round()' },
	...{ downcase: '.toLowerCase()', lower: '.toLowerCase()', lowercase: '.toLowerCase()' },
	...{ capitalize: '.toSentenceCase()', capfirst: '.toSentenceCase()' },
	...{ title: '.toTitleCase()', titlecase: '.toTitleCase()', titleize: '.toTitleCase()' },
	...{ strip: '.trim()', trim: '.trim()', size: '.length', length: '.length' },
	...{ escape: '', e: '', safe: '', raw: '', h: '' },
	date: ".toDateTime().toFormat('yyyy-MM-dd')",
};

/** What JavaScript has for a filter with values behind its colon. */
const methodsWith: Readonly<Record<string, (...values: string[]) => string>> = {
	append: (text = '') => `.concat(${text})`,
	date: (format = '') => `.toDateTime().toFormat(${luxonFormat(format)})`,
	join: (between = '') => `.join(${between})`,
	replace: (found = '', other = "''") => `.replaceAll(${found}, ${other})`,
	round: (digits = '') => `.round(${digits})`,
	split: (between = '') => `.split(${between})`,
	truncate: (length = '') => `.slice(0, ${length})`,
};

/** A format such as `%d.%m.%Y` in Luxon's letters. */
function luxonFormat(format: string): string {
	const letters: Readonly<Record<string, string>> = {
		...{ d: 'dd', e: 'd', m: 'MM', Y: 'yyyy', y: 'yy', B: 'LLLL', b: 'LLL', A: 'cccc', a: 'ccc' },
		...{ H: 'HH', I: 'hh', M: 'mm', S: 'ss', p: 'a' },
	};
	return format.replace(/%-?([A-Za-z])/g, (written, letter: string) => letters[letter] ?? written);
}

/** Says what another tool would read in code, for use after it; undefined if nothing in it is another tool's. */
export function foreignIn(code: string, json: IDataObject, evaluate: Evaluate): string | undefined {
	if (parsedTag.test(code)) return 'is no expression';
	const plain = withoutLiterals(code);
	if (filter.test(plain)) return 'has a filter of another tool, which n8n does not know';
	// An arrow function has names of its own.
	if (plain.includes('-') && !plain.includes('=>') && readPaths(code, json, evaluate) !== code)
		return 'is read as a subtraction, because of its hyphen';
	return undefined;
}

/** What to write in place of code that n8n does not read as it is meant; undefined if that is not known. */
export function proposeCode(
	code: string,
	json: IDataObject,
	evaluate: Evaluate,
): string | undefined {
	const written = code.trim();
	if (tag.test(written) || parsedTag.test(written))
		return `It is a tag of another tool. In n8n, a text for some people only is {{ ${CHOICE} }}, and a list is {{ $json.list.join(', ') }}`;
	const meant = asMeant(written, json, evaluate);
	if (meant !== undefined) return `Did you mean {{ ${meant} }}?`;
	if (!filter.test(withoutLiterals(written))) return undefined;
	const [base = ''] = splitFilters(written);
	const column = base.startsWith('$') ? base : (asMeant(base, json, evaluate) ?? '$json.column');
	return `Write a column as {{ ${column} }}, with a function of n8n if need be, such as {{ ${column}.toUpperCase() }}`;
}

/** What to do where a step from a missing value ends an expression; undefined if that is not what is wrong. */
export function adviseMissing(code: string, evaluate: Evaluate): string | undefined {
	const optional = withOptionalSteps(code.trim());
	if (optional === code.trim() || !isCode(optional, evaluate)) return undefined;
	return `A value in it is missing. Write {{ ${optional} }}, or leave such items out with a Filter node`;
}

/** What to do where n8n may not know which item of another node belongs to a row; undefined if code reads none. */
export function adviseItem(code: string): string | undefined {
	const [item] = /\$\([^()]{1,200}\)\.item\b/.exec(code) ?? [];
	if (item === undefined) return undefined;
	return `n8n may not know which ${item} belongs to this item. Keep the value in the item up to this node, and write it as {{ $json.column }}`;
}

/** The code that is probably meant, if n8n can evaluate it. */
function asMeant(written: string, json: IDataObject, evaluate: Evaluate): string | undefined {
	const code = withOperators(withStraightQuotes(written))
		.replace(/^[{=]\s*/, '')
		.replace(/^\$(?=\.)/, '$json')
		.replace(/(?<!\?)\.(?=\[)/g, '');
	const [base = '', ...filters] = splitFilters(code);
	const { head, fallback } = splitFallback(base);
	const path = looseName.test(head)
		? nearestColumn(head.replace(/^[.@]/, ''), json)
		: readPaths(head, json, evaluate);
	if (path === undefined) return undefined;
	const last = splitFallback(filters.pop() ?? '');
	const filtered = [...filters, last.head].filter(Boolean).reduce(withFilter, path + fallback);
	const meant = filtered + last.fallback;
	const ways = [meant, `${path}()${fallback}`, `${meant}()`];
	return ways.find((one) => one !== written && isCode(one, evaluate));
}

/** Writes the words for operators that other languages have as JavaScript does. */
function withOperators(code: string): string {
	const plain = withoutLiterals(code);
	return code.replace(/(?<=["')\]\w] )(?:or|and)(?= ["'($])/g, (word, at: number) =>
		plain.startsWith(word, at) ? (word === 'or' ? '||' : '&&') : word,
	);
}

/** Code before its first fallback, and what follows it. */
function splitFallback(code: string): { head: string; fallback: string } {
	const at = withoutLiterals(code).search(/\|\||\?\?/);
	if (at === -1) return { head: code, fallback: '' };
	return { head: code.slice(0, at).trimEnd(), fallback: ` ${code.slice(at)}` };
}

function isCode(code: string, evaluate: Evaluate): boolean {
	try {
		evaluate(code);
		return true;
	} catch {
		return false;
	}
}

/** Replaces the quotation marks of word processors, except in a text between straight ones. */
function withStraightQuotes(code: string): string {
	const plain = withoutLiterals(code);
	return Array.from({ length: code.length }, (_, index) => {
		const character = code.charAt(index);
		if (plain.charAt(index) !== character) return character;
		return character.replace(/[“”„‟«»″]/, '"').replace(/[‘’‚‛′]/, "'");
	}).join('');
}

/** The code before the first filter, and each filter. */
function splitFilters(code: string): string[] {
	const plain = withoutLiterals(code);
	const ends = Array.from(plain.matchAll(/(?<!\|)\|(?!\|)/g), ({ index }) => index);
	return [...ends, code.length].map((end, index) =>
		code.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end).trim(),
	);
}

/** Code with what JavaScript has in place of a filter; no code if it has nothing. */
function withFilter(code: string, written: string): string {
	const [, name = '', rest = ''] = /^(\w+)\s*(?:[:(]([^]*))?$/.exec(written) ?? [];
	const values = rest.match(/"[^"]*"|'[^']*'|-?\d+/g) ?? [];
	if (/^default/.test(name) && values[0] !== undefined) return `${code} || ${values[0]}`;
	const whole = splitFallback(code).fallback === '' ? code : `(${code})`;
	const filterOf = values.length > 0 ? methodsWith[name]?.(...values) : methods[name.toLowerCase()];
	return whole + (filterOf ?? UNKNOWN);
}

/** What is no code at all. */
const UNKNOWN = '?';

/** Writes the columns that paths lead to as n8n reads them: `$json["First Name"]`. */
function readPaths(code: string, json: IDataObject, evaluate: Evaluate): string {
	const plain = withoutLiterals(code);
	let read = '';
	let from = 0;
	for (const { 0: start, index } of code.matchAll(eachRoot)) {
		if (index < from || plain.charAt(index) !== '$') continue;
		const rest = code.slice(index + start.length);
		const { path, left } = readSteps(
			rest,
			start,
			start === '$json' ? json : valueOf(start, evaluate),
		);
		read += code.slice(from, index) + start + path;
		from = code.length - left.length;
	}
	return read + code.slice(from);
}

function valueOf(code: string, evaluate: Evaluate): unknown {
	try {
		return evaluate(code);
	} catch {
		return undefined;
	}
}

/** A name with blanks or hyphens in it, which is no column: `.First Name`, `.first-name`. */
const oddStep =
	/^(\s*\??\.\s*)([\p{L}\d_$]+(?:(?: +|[-\u2010-\u2015])(?!(?:in|instanceof|Math|Number|Date|DateTime|parse\w+)\b)[\p{L}_][\p{L}\d_]*)+)(?![\p{L}\d_$]|\s*\()/u;

/** The steps of a path as n8n reads them, and the code behind. */
function readSteps(code: string, start: string, from: unknown): { path: string; left: string } {
	let [path, left, value] = ['', code, from];
	for (;;) {
		const [dot] = /^\s*\??\.\s*/.exec(left) ?? [];
		const keys = isRecord(value) ? Object.keys(value) : [];
		const key = dot === undefined ? undefined : longestKey(left.slice(dot.length), keys);
		const [odd, , name = ''] = oddStep.exec(left) ?? [];
		if (dot !== undefined && key !== undefined && key.length >= name.length) {
			path += isIdentifier(key) ? left.slice(0, dot.length + key.length) : stepTo(key);
			left = left.slice(dot.length + key.length);
			value = isRecord(value) ? value[key] : undefined;
		} else if (odd !== undefined) {
			const found = keys.find((one) => letters(one) === letters(name));
			const [minuend = '', subtrahend = '', ...others] = name.split('-');
			const isDifference = [minuend, subtrahend].every((one) => keys.includes(one));
			path +=
				found === undefined && isDifference && others.length === 0
					? `.${minuend} - ${start}${path}.${subtrahend}`
					: stepTo(found ?? name);
			return { path, left: left.slice(odd.length) };
		} else {
			const [step] = firstStep.exec(left) ?? [];
			if (step === undefined) return { path, left };
			path += step;
			left = left.slice(step.length);
			value = undefined;
		}
	}
}

/** The longest key with which a text begins, as a whole word. */
function longestKey(text: string, keys: readonly string[]): string | undefined {
	const found = keys.filter(
		(key) => key !== '' && text.startsWith(key) && !/^[\p{L}\d_$]/u.test(text.slice(key.length)),
	);
	return found.sort((one, other) => other.length - one.length)[0];
}
