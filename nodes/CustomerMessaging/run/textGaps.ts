import type { IDataObject } from 'n8n-workflow';

import { isVisible } from '../fields/characters';
import type { TextGap } from '../shared/delivery';
import {
	asText,
	leftToN8n,
	type PlaceholderReader,
	placeholderReader,
	type Value,
} from './directRead';
import { parseTemplate, type Placeholder } from './expression';

/**
 * Finds the plain placeholders of a text that came out empty for an item.
 *
 * @param text the text as it was evaluated
 * @param json the item; absent where `$json` means something else
 */
export type GapFinder = (text: unknown, json?: IDataObject) => Array<Omit<TextGap, 'field'>>;

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
		return locateGaps(pieces, text, json);
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

/**
 * Compares a text with its template. What only n8n can evaluate lies between the pieces that are known. It
 * is surely empty if it is so wherever these pieces are in the text.
 */
function locateGaps(
	pieces: ReadonlyArray<string | Slot>,
	text: unknown,
	json: IDataObject | undefined,
): ReturnType<GapFinder> {
	/** The known pieces, joined: `known[i]` is before the unknown piece `i`. */
	const known = [''];
	const unknown: Slot[] = [];
	const empty: Array<{ slot: Slot; index: number; offset: number }> = [];
	for (const piece of pieces) {
		const value =
			typeof piece === 'string' ? piece : json && piece.read ? piece.read(json) : leftToN8n;
		if (value === leftToN8n) {
			unknown.push(piece as Slot);
			known.push('');
			continue;
		}
		const index = known.length - 1;
		const before = known[index] ?? '';
		if (typeof piece !== 'string' && piece.isPlain && !hasValue(value))
			empty.push({ slot: piece, index, offset: before.length });
		known[index] = before + asText(value);
	}
	const places = typeof text === 'string' ? findPlaces(known, text) : undefined;
	const gaps = empty.map(({ slot, index, offset }) => {
		const { first, last } = places?.[index] ?? { first: 0, last: -1 };
		return { code: slot.code, ...(first === last ? { at: first + offset } : {}) };
	});
	for (const [index, { code, isPlain }] of unknown.entries()) {
		const [before, after] = [places?.[index], places?.[index + 1]];
		if (!isPlain || !before || !after || typeof text !== 'string') continue;
		const from = before.first + (known[index] ?? '').length;
		if (!isVisible(text.slice(from, after.last))) gaps.push({ code, at: from });
	}
	return gaps;
}

/** Where each piece begins at the first and at the last; undefined if the pieces are not in the text. */
function findPlaces(
	pieces: readonly string[],
	text: string,
): Array<{ first: number; last: number }> | undefined {
	const firsts: number[] = [];
	const end = pieces.length - 1;
	let from = 0;
	for (const [index, piece] of pieces.entries()) {
		const at = index === end ? text.length - piece.length : text.indexOf(piece, from);
		const isAway = index === 0 && at !== 0;
		if (isAway || at < from || !text.startsWith(piece, at)) return undefined;
		firsts.push(at);
		from = at + piece.length;
	}
	const places: Array<{ first: number; last: number }> = [];
	let until = text.length;
	for (const [index, first] of [...firsts.entries()].reverse()) {
		const piece = pieces[index] ?? '';
		until = index === 0 ? 0 : text.lastIndexOf(piece, until - piece.length);
		places.unshift({ first, last: until });
	}
	return places;
}
