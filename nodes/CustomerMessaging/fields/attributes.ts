import { z } from 'zod/v3';

import { quote, givenOne, say } from '../shared/formatting';
import {
	isBlank,
	isEmpty,
	isRecord,
	type FieldOptions,
	type FormParameter,
	harmless,
} from './field';
import { datesAsText, isDate, isUnsafeName, unsendableIn } from './json';
import { isNobody, lostIn } from './lost';
import { isExact, unsendableText } from './text';
import type { Problem } from '../shared/ending';
import { readBoolean } from './values';

/**
 * The types of n8n's assignment collection: the name of each in a refusal, and its conversion, which returns undefined
 * for a value of another type.
 */
const types = new Map<unknown, [kind: string, convert: (value: unknown) => unknown]>([
	['string', ['text', asText]],
	['number', ['a number', asNumber]],
	['boolean', ['true or false', readBoolean]],
	['array', ['a list such as ["a", "b"]', (value) => parsed(value, Array.isArray)]],
	['object', ['an object such as { "key": "value" }', (value) => parsed(value, isRecord)]],
]);

/**
 * Converts a value to a type; undefined if that is not possible. Values of unknown types, for example from a newer n8n,
 * are sent unchanged. An empty value becomes empty text, or null for types other than text.
 */
function toType(type: unknown, value: unknown): unknown {
	const [, convert] = types.get(type) ?? [];
	if (!convert) return value;
	if (isEmpty(value)) return type === 'string' ? '' : null;
	return convert(isDate(value) ? datesAsText(value) : value);
}

function asText(value: unknown): unknown {
	if (typeof value === 'boolean' || isExact(value)) return String(value);
	// Inexact numbers are refused later, with all other values that cannot be sent.
	return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function asNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	const isNumeric = typeof value === 'string' && /^\s*-?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value);
	return isNumeric ? Number(value) : undefined;
}

/** Parses the JSON text of lists and objects that are typed into the form. */
function parsed(value: unknown, isOfKind: (found: unknown) => boolean): unknown {
	try {
		const found: unknown = typeof value === 'string' ? JSON.parse(value) : value;
		return isOfKind(found) ? found : undefined;
	} catch {
		return undefined;
	}
}

/** One attribute, and the parameter or input field it comes from. */
export interface Attribute {
	field: string;
	name: string;
	value: unknown;
}

/** n8n's list of names, types and values. Columns can be dragged into it. */
export function attributesForm(displayName: string, name: string): FormParameter {
	return {
		displayName,
		name,
		...harmless,
		type: 'assignmentCollection',
		default: {},
		description: 'Drag columns here. Each value is sent as the type that you choose.',
	};
}

/** Records an attribute whose value is a word for nothing. */
type NoteNobody = (attribute: string, word: string) => void;

/** Empties a value that is only spaces and, if `note` is given, a word for a missing value, such as `NULL`. */
export function emptyNobody(name: string, value: unknown, note?: NoteNobody): unknown {
	if (isBlank(value)) return isEmpty(value) ? value : '';
	if (!note || typeof value !== 'string' || !isNobody(value)) return value;
	note(name, value.trim());
	return '';
}

/**
 * Reads the value of a field made by {@link attributesForm}. Each value is converted to the type chosen
 * in the form, so that an attribute has the same type in every row.
 *
 * @param context `sendEmptyValues`: true to send empty values, which clears their attributes; a missing value, for
 * example because the row lacks the column, is never sent. `noteNobody`: see {@link emptyNobody}
 * @param leftOut receives the names of values that cannot be converted; without it, they are problems
 */
export function readAssignments(
	{ name: field, displayName }: Pick<FormParameter, 'name' | 'displayName'>,
	value: unknown,
	{ sendEmptyValues, noteNobody }: { sendEmptyValues: boolean; noteNobody?: NoteNobody },
	leftOut?: string[],
): { attributes: Attribute[]; problems: Problem[] } {
	const isUntouched = isEmpty(value) || (isRecord(value) && Object.keys(value).length === 0);
	const read = collection.safeParse(isUntouched ? { assignments: [] } : value);
	if (!read.success) {
		const rule = `${displayName} must be a list of names and values`;
		return { attributes: [], problems: [{ field, rule }] };
	}
	const attributes: Attribute[] = [];
	const problems: Problem[] = [];
	for (const { name: entered, value: written, type } of read.data.assignments) {
		const name = typeof entered === 'string' ? entered.trim() : '';
		const given = emptyNobody(name, written, noteNobody);
		if (!isSent(given, sendEmptyValues)) continue;
		const value = toType(type, given);
		if (value !== undefined) attributes.push({ field, name, value });
		else if (leftOut) leftOut.push(name);
		else {
			const kind = types.get(type)?.[0] ?? '';
			const sentence = say`The attribute ${quote(name)} must be ${kind}, but it is ${givenOne(given)}. Correct it or choose another type`;
			problems.push({ field, ...sentence });
		}
	}
	return { attributes, problems };
}

/** n8n also gives each entry an ID, which is ignored. */
const collection = z.object({
	assignments: z.array(z.object({ name: z.unknown(), value: z.unknown(), type: z.unknown() })),
});

/** Finds attributes that cannot be sent, and names that occur twice. */
export function unsendableAttributes(
	attributes: readonly Attribute[],
	options: FieldOptions,
): Problem[] {
	const seen = new Set<string>();
	return attributes.flatMap(({ field, name, value }) => {
		const repeated = seen.has(name);
		seen.add(name);
		const valueProblem = unsendableValue(value, options);
		const nameProblem = unsendableText(name, { oneLine: true });
		const rule =
			(name === '' && `${field === '' ? 'A column' : 'An attribute'} has no name. Give it one`) ||
			(nameProblem && `The name of the attribute ${quote(name)} ${nameProblem}`) ||
			(isUnsafeName(name) && `An attribute must not be called '${name}'. Rename it`) ||
			(repeated && `The attribute ${quote(name)} occurs twice. Enter it only once`) ||
			(valueProblem && `The attribute ${quote(name)} ${valueProblem}`);
		return rule ? [{ field, rule }] : [];
	});
}

/** Returns why a value cannot be sent, worded to follow the attribute's name; undefined if it can. */
export function unsendableValue(
	value: unknown,
	{ skipTextCheck }: FieldOptions,
): string | undefined {
	const unsendable = unsendableIn(value);
	if (unsendable) return `contains ${unsendable}`;
	const lost = skipTextCheck ? undefined : lostIn(datesAsText(value));
	return lost && `${lost}, or turn on 'Skip Text Check'`;
}

/** Converts attributes to the object that the API takes. They must have passed {@link unsendableAttributes}. */
export function toObject(attributes: readonly Attribute[]): Record<string, unknown> {
	return Object.fromEntries(attributes.map(({ name, value }) => [name, datesAsText(value)]));
}

/** Empty values are sent only with `sendEmpty`, and missing ones never. */
export function isSent(value: unknown, sendEmpty: boolean): boolean {
	return sendEmpty ? value !== undefined : !isEmpty(value);
}
