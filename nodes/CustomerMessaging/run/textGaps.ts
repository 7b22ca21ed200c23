import type { IDataObject } from 'n8n-workflow';

import { isVisible } from '../fields/text';
import {
	asText,
	leftToN8n,
	type PlaceholderReader,
	placeholderReader,
	type Value,
	parseTemplate,
	type Placeholder,
} from './parameters';

/**
 * Finds the plain placeholders of a text that came out empty for an item, and returns their code.
 *
 * @param text the text as it was evaluated
 * @param json the item; absent where `$json` means something else
 */
export type GapFinder = (text: unknown, json?: IDataObject) => string[];

/** A placeholder as far as it concerns gaps. */
interface Slot {
	code: string;
	/** Whether it must have a value. */
	isPlain: boolean;
	/** Absent if only n8n can evaluate it. */
	read?: PlaceholderReader;
}

const string = String.raw`"[^"\\\n\r]*"|'[^'\\\n\r]*'`;
const steps = String.raw`(?:\??\.[\p{L}_$][\p{L}\d_$]*|(?:\?\.)?\[(?:\d+|${string})\])`;
const args = String.raw`(?:[^()"'\x60=>?|{}]|${string})*`;
const root = String.raw`(?:\$json|\$input\.item\.json|\$\((?:${string})\)\.(?:item|first\(\)|last\(\))\.json)`;

/** A path to a value, and methods called on it with fixed arguments. */
const plainCode = new RegExp(String.raw`^(${root}${steps})((?:${steps}|\(${args}\))*)$`, 'u');

/** A method that gives an empty value a text of its own. */
const ownFallback = /\.ifEmpty\(/;

/** The steps and method names before the first call; any of them may be missing. */
const beforeCall = new RegExp(`^${steps}*`, 'u');

/**
 * Returns a function that finds the gaps of a parameter, or undefined if it cannot have any: it has no
 * plain placeholder, or it is a single expression as a whole, which is then empty itself.
 *
 * @param raw the parameter with its expressions unevaluated
 */
export function gapFinder(raw: unknown): GapFinder | undefined {
	const parts = parseTemplate(raw) ?? [];
	const pieces = parts.map((part) => (typeof part === 'string' ? part : toSlot(part)));
	const plain = pieces.filter((piece) => typeof piece !== 'string' && piece.isPlain) as Slot[];
	const inText = pieces.filter((piece) => typeof piece !== 'string' || isVisible(piece));
	if (plain.length === 0 || inText.length === 1) return undefined;

	return (text, json) => {
		if (json && plain.every(({ read }) => hasValue(read?.(json)))) return [];
		return findGaps(pieces, text, json);
	};
}

/** The code of a parameter that is one plain placeholder as a whole; undefined for any other parameter. */
export function plainPlaceholder(raw: unknown): string | undefined {
	const [only, ...others] = parseTemplate(raw) ?? [];
	if (typeof only !== 'object' || others.length > 0) return undefined;
	const { code, isPlain } = toSlot(only);
	return isPlain ? code : undefined;
}

/**
 * Writes a plain placeholder with a text for the case that it is empty. A step from a missing value would
 * end the whole expression, so each one becomes optional.
 */
export function withFallback(code: string, fallback: string): string {
	const [, start = code, rest = ''] = plainCode.exec(code) ?? [];
	const [before = ''] = beforeCall.exec(rest) ?? [];
	const optional = before.replace(new RegExp(steps, 'gu'), (step) => {
		if (step.startsWith('?')) return step;
		return step.startsWith('.') ? `?${step}` : `?.${step}`;
	});
	return `${start}${optional}${rest.slice(before.length)} || '${fallback}'`;
}

function toSlot(placeholder: Placeholder): Slot {
	const code = placeholder.code.trim();
	const isPlain = plainCode.test(code) && !ownFallback.test(code);
	return { code, isPlain, read: placeholderReader(placeholder) };
}

/** Whether a value is surely written as text that can be seen. */
function hasValue(value: Value | typeof leftToN8n): boolean {
	return value !== leftToN8n && isVisible(asText(value));
}

/** Compares a text with its template. What only n8n can evaluate lies between the pieces that are known. */
function findGaps(
	pieces: ReadonlyArray<string | Slot>,
	text: unknown,
	json: IDataObject | undefined,
): string[] {
	/** The known pieces, joined: `known[i]` is before the unknown piece `i`. */
	const known = [''];
	const unknown: Slot[] = [];
	const gaps: string[] = [];
	for (const piece of pieces) {
		const value =
			typeof piece === 'string' ? piece : json && piece.read ? piece.read(json) : leftToN8n;
		if (value === leftToN8n) {
			unknown.push(piece as Slot);
			known.push('');
			continue;
		}
		if (typeof piece !== 'string' && piece.isPlain && !hasValue(value)) gaps.push(piece.code);
		known[known.length - 1] += asText(value);
	}
	const between = typeof text === 'string' ? textsBetween(known, text) : [];
	const empty = unknown.filter(({ isPlain }, index) => {
		const longest = between[index];
		return isPlain && longest !== undefined && !isVisible(longest);
	});
	return [...gaps, ...empty.map(({ code }) => code)];
}

/**
 * The most that can be between each two pieces, as each may be in several places: a piece of the text from
 * the first end of one to the last beginning of the next. Empty if the text does not consist of the pieces.
 */
function textsBetween(pieces: readonly string[], text: string): string[] {
	const [first = '', ...others] = pieces;
	const last = others.pop() ?? '';
	if (!text.startsWith(first) || !text.endsWith(last)) return [];
	const ends = [first.length];
	for (const piece of others) {
		const at = text.indexOf(piece, ends.at(-1));
		if (at === -1) return [];
		ends.push(at + piece.length);
	}
	const beginnings = [text.length - last.length];
	if ((ends.at(-1) ?? 0) > (beginnings[0] ?? 0)) return [];
	for (const piece of others.reverse())
		beginnings.unshift(text.lastIndexOf(piece, (beginnings[0] ?? 0) - piece.length));
	return ends.map((end, index) => text.slice(end, beginnings[index]));
}
