import { z } from 'zod';

import { quote } from '../wording';
import type { Field, Form } from './field';
import { isExact } from './text';

/**
 * A whole number from 1 on, sent as a JSON number. Integers that JavaScript does not hold exactly
 * (past 2^53, though the service's int64 goes further) are refused, never rounded. 0 is refused: it
 * is what an unfilled number field holds, and a segment 0 must not become everyone.
 */
export function integer(displayName: string, look: Partial<Form> = {}): Field<number> {
	return {
		form: { displayName, type: 'number', default: 0, ...look },
		rule: `A whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
		schema: wholeNumber(displayName),
	};
}

/** The schema of `integer`, for numbers that are no field of a body. */
export function wholeNumber(label: string) {
	return z.unknown().transform((value, context) => {
		const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
		if (Number.isSafeInteger(number) && Number(number) > 0) return Number(number);
		context.addIssue({ code: 'custom', message: notWhole(label, value, number) });
		return z.NEVER;
	});
}

/** Yes or no, sent as a JSON boolean. */
export function flag(displayName: string, look: Partial<Form> = {}): Field<boolean> {
	return {
		form: { displayName, type: 'boolean', default: false, ...look },
		rule: 'true or false',
		schema: z.unknown().transform((value, context) => {
			const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
			if (word === true || word === 'true') return true;
			if (word === false || word === 'false') return false;
			context.addIssue({ code: 'custom', message: `${displayName} must be true or false` });
			return z.NEVER;
		}),
	};
}

/** A JSON object, typed as text or given by an expression. */
export function jsonObject(
	displayName: string,
	look: Partial<Form> = {},
): Field<Record<string, unknown>> {
	return {
		form: { displayName, type: 'json', default: '{}', ...look },
		rule: 'A JSON object',
		schema: json(displayName).pipe(objectOnly(displayName)),
	};
}

/** A JSON object or array, typed as text or given by an expression. */
export function json(label: string) {
	return z.unknown().transform((value, context): Record<string, unknown> | unknown[] => {
		const parsed = typeof value === 'string' ? parse(value) : value;
		const found = parsed !== null && typeof parsed === 'object' ? inexactPath(parsed) : undefined;
		if (parsed !== null && typeof parsed === 'object' && found === undefined) {
			return parsed as Record<string, unknown> | unknown[];
		}
		context.addIssue({
			code: 'custom',
			message:
				found === undefined
					? `${label} is not valid JSON. Write an object such as { "key": "value" }`
					: `${label} holds, under '${found}', a number too large for JavaScript to hold exactly. Write it as text, in quotes`,
		});
		return z.NEVER;
	});
}

function objectOnly(label: string) {
	return z
		.custom<Record<string, unknown>>((value) => !Array.isArray(value), `${label} must be an object, not a list`)
		.superRefine((value, context) => {
			for (const name of Object.keys(value).filter(isUnsafeName)) {
				context.addIssue({ code: 'custom', message: `${label} must not hold the key '${name}'` });
			}
		});
}

/** Names that would change an object's nature rather than add to it. */
export function isUnsafeName(name: string): boolean {
	return ['__proto__', 'constructor', 'prototype'].includes(name);
}

/** Where in a value a number stands that is no longer what was written, or undefined. */
export function inexactPath(value: unknown, path = ''): string | undefined {
	if (typeof value === 'number') return isExact(value) ? undefined : path;
	if (value === null || typeof value !== 'object') return undefined;
	for (const [name, entry] of Object.entries(value)) {
		const found = inexactPath(entry, path === '' ? name : `${path}.${name}`);
		if (found !== undefined) return found;
	}
	return undefined;
}

function parse(value: string): unknown {
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}

function notWhole(label: string, value: unknown, number: unknown): string {
	if (typeof number === 'number' && number > Number.MAX_SAFE_INTEGER) {
		return `${label} ${quote(value)} is larger than ${Number.MAX_SAFE_INTEGER}, the largest whole number that can be sent exactly`;
	}
	if (value === undefined || value === null || value === '' || value === 0) {
		return `${label} is not filled in. Enter a whole number from 1 on`;
	}
	const shown = typeof value === 'object' ? 'a list or object' : quote(value);
	return `${label} must be a whole number from 1 on, but it is ${shown}`;
}
