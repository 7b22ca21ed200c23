import { z } from 'zod/v3';

import { parseExactly } from '../shared/exactJson';
import { quote } from '../shared/formatting';
import { unsendableText, isExact } from './text';
import { converted } from './convert';
import { type Field, isRecord, type FieldConfig, fieldForm } from './field';

/** Maximum nesting, far more than real data has. A list that contains itself would be endless. */
const maxDepth = 100;

/** A JSON object, typed as text or given by an expression. */
export function jsonObject(
	displayName: string,
	config: FieldConfig,
): Field<Record<string, unknown>> {
	return {
		...fieldForm(displayName, 'json', '{}', config),
		rule: 'A JSON object',
		schema: json(displayName).pipe(
			z.custom<Record<string, unknown>>(
				(value) => !Array.isArray(value),
				`${displayName} must be an object, not a list`,
			),
		),
	};
}

/** A JSON object or list, typed as text or given by an expression. */
export function json(label: string) {
	return converted((value, context): Record<string, unknown> | unknown[] => {
		const parsed = typeof value === 'string' ? parseJson(value) : value;
		const unsendable = isTree(parsed) ? unsendableIn(parsed) : undefined;
		if (isTree(parsed) && !unsendable) return parsed;
		context.addIssue(
			unsendable
				? `${label} contains ${unsendable}`
				: `${label} is not valid JSON. Write an object such as { "key": "value" }`,
		);
		return z.NEVER;
	});
}

/**
 * Finds the first part of a value that JSON cannot represent exactly. Dates are sent as text.
 *
 * @returns a description with its place and the fix, worded to follow 'contains'; or undefined
 */
export function unsendableIn(value: unknown, path: string[] = []): string | undefined {
	const where = path.slice(0, 5).join('.') + (path.length > 5 ? '…' : '');
	const at = path.length === 0 ? '' : ` under ${quote(where)}`;
	if (path.length > maxDepth)
		return `more than ${maxDepth} nested lists or objects${at}. Make it flatter`;
	if (typeof value === 'string') {
		const rule = unsendableText(value);
		return rule && `text${at} that ${rule}`;
	}
	if (typeof value === 'number') {
		if (isExact(value)) return undefined;
		return Number.isFinite(value)
			? `a number${at} with so many digits that n8n has rounded it already. Take a column that holds it as text; in JSON, write it in quotes, or write the whole JSON as text`
			: `a calculation${at} without a result, for instance because a value is missing. Correct the expression`;
	}
	if (value === undefined || value === null || typeof value === 'boolean' || isDate(value))
		return undefined;
	if (!isTree(value))
		return `a value${at} that JSON cannot represent. Use text, numbers, true or false, lists and objects`;
	for (const [name, entry] of Object.entries(value)) {
		if (isUnsafeName(name))
			return `a field called '${name}'${at}, which must not be used. Rename it`;
		const rule = unsendableText(name, { oneLine: true });
		if (rule) return `a field called ${quote(name)}${at} whose name ${rule}`;
		const found = unsendableIn(entry, [...path, name]);
		if (found) return found;
	}
	return undefined;
}

/** Checks whether a field name could change an object's prototype instead of adding a field. */
export function isUnsafeName(name: string): boolean {
	return ['__proto__', 'constructor', 'prototype'].includes(name);
}

/** Checks for a list or plain object, including one from another JavaScript realm. Dates and maps are neither. */
function isTree(value: unknown): value is Record<string, unknown> | unknown[] {
	if (Array.isArray(value)) return true;
	return isRecord(value) && typeof value.toJSON !== 'function';
}

/** Checks whether a value converts itself to text in JSON, as a Date or Luxon's DateTime does. */
export function isDate(value: unknown): value is { toJSON: () => string } {
	if (typeof value !== 'object' || value === null || !('toJSON' in value)) return false;
	return (
		typeof value.toJSON === 'function' &&
		typeof (value as { toJSON: () => unknown }).toJSON() === 'string'
	);
}

/**
 * Writes a value for use in JSON text, where it must not end the text or add a key. Between quotation marks, it is part
 * of the text; elsewhere it is JSON, which text may already be. It must have passed {@link unsendableIn}.
 */
export function asJson(value: unknown, isQuoted: boolean): string {
	if (typeof value === 'string' && !isQuoted && parseJson(value) !== undefined) return value;
	const written = JSON.stringify(value ?? (isQuoted ? '' : null));
	if (!isQuoted) return written;
	return (written.startsWith('"') ? written : JSON.stringify(written)).slice(1, -1);
}

/** A date, a time and an offset, as n8n and most systems write an instant. */
const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Writes dates with a time and an offset in the service's format, such as `2026-11-23T09:30:00+0100`
 * (spec §2.6), also within lists and objects. Text is included, because n8n turns the dates of
 * expressions into text. The value must have passed {@link unsendableIn}, which refuses endless lists.
 */
export function datesAsText(value: unknown): unknown {
	if (typeof value === 'string')
		return value.replace(instant, (_, time: string, offset: string) =>
			offset === 'Z' ? `${time}+0000` : time + offset.replace(':', ''),
		);
	if (isDate(value)) return datesAsText(value.toJSON());
	if (Array.isArray(value)) return value.map(datesAsText);
	if (!isTree(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, datesAsText(entry)]));
}

/** Parses JSON text; undefined if it is not valid. */
export function parseJson(value: string): unknown {
	try {
		return parseExactly(value);
	} catch {
		return undefined;
	}
}
