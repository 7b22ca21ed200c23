import type { IDataObject } from 'n8n-workflow';

import {
	type Expression,
	type Part,
	parseTemplate,
	type Placeholder,
	type Step,
} from './expression';

/** Stands for a value that only n8n can give. */
export const leftToN8n = Symbol('left to n8n');

/** Evaluates a parameter for an item as n8n does, or returns `leftToN8n`. */
export type DirectReader = (json: IDataObject) => unknown;

/** Names that n8n refuses to read, and what every object inherits, which versions of n8n read differently. */
const uncertainName =
	/__|constructor|prototype|PropertyDescriptor|definePropert|mainModule|binding|_load|prepareStackTrace|caller|callee|arguments|getBuiltinModule|dlopen|execve|loadEnvFile|hasOwnProperty|propertyIsEnumerable|toLocaleString|toString|valueOf|\.\$(?![\w$])/i;

/** In an expression without calls, this is part of a string. n8n takes it for a call and rewrites the code. */
const callInString = /\.\w+\s*(?:\?\.)?\s*\(|\$if/;

/**
 * Evaluates simple expressions directly, because n8n takes up to a millisecond per expression and
 * item. Simple expressions are columns, such as `={{ $json.city }}`, which n8n writes when a column is
 * dragged onto a field; columns with fallbacks, such as `={{ $json.title ?? "Hello" }}`; and a mix of
 * both with text. Only an item's own text, numbers, booleans and missing values are read directly;
 * everything else is left to n8n.
 *
 * @param raw a parameter with its expressions unevaluated
 * @returns undefined if the parameter contains any other expression
 */
export function directReader(raw: unknown): DirectReader | undefined {
	if (typeof raw === 'string' && raw.startsWith('=')) return templateReader(raw);
	if (typeof raw !== 'object' || raw === null) return () => raw;

	const readers = Object.entries(raw).map(([key, entry]) => [key, directReader(entry)] as const);
	if (!readers.every(([, reader]) => reader !== undefined)) return undefined;
	return (json) => {
		const read = readers.map(([key, reader]) => [key, reader?.(json)] as const);
		if (read.some(([, value]) => value === leftToN8n)) return leftToN8n;
		return Array.isArray(raw) ? read.map(([, value]) => value) : Object.fromEntries(read);
	};
}

function templateReader(raw: string): DirectReader | undefined {
	// n8n may read a backslash as part of an escape sequence.
	const isCertain = !raw.includes('\\') && !uncertainName.test(raw);
	const parts = isCertain ? parseTemplate(raw)?.map(certainPart) : undefined;
	if (!parts?.every((part) => part !== undefined)) return undefined;

	const [only] = parts;
	if (parts.length === 1 && only !== undefined && typeof only !== 'string')
		return (json) => evaluate(only, json);
	return (json) => {
		let text = '';
		for (const part of parts) {
			const value = typeof part === 'string' ? part : evaluate(part, json);
			if (value === leftToN8n) return leftToN8n;
			text += asText(value);
		}
		return text;
	};
}

function certainPart(part: Part): string | Expression | undefined {
	if (typeof part === 'string') return part;
	return callInString.test(part.code) ? undefined : part.expression;
}

/** Evaluates a placeholder for an item as n8n does, or returns `leftToN8n`. */
export type PlaceholderReader = (json: IDataObject) => Value | typeof leftToN8n;

/** Like {@link directReader}, but for a single placeholder, whatever is around it. */
export function placeholderReader(placeholder: Placeholder): PlaceholderReader | undefined {
	const expression = uncertainName.test(placeholder.code) ? undefined : certainPart(placeholder);
	return typeof expression === 'object' ? (json) => evaluate(expression, json) : undefined;
}

export type Value = string | number | boolean | null | undefined;

/** What n8n writes into a text: nothing for a missing value. */
export function asText(value: Value): string {
	return value === undefined || value === null || Number.isNaN(value) ? '' : String(value);
}

/** Stands for a step from a missing value, a TypeError in JavaScript. It skips the fallbacks. */
const failed = Symbol('failed');

/** Like n8n, gives undefined for an expression that fails. */
function evaluate(expression: Expression, json: IDataObject): Value | typeof leftToN8n {
	const value = compute(expression, json);
	return value === failed ? undefined : value;
}

type Computed = Value | typeof leftToN8n | typeof failed;

function compute(expression: Expression, json: IDataObject): Computed {
	if (expression.kind === 'literal') return expression.value;
	if (expression.kind === 'path') return follow(expression.steps, json);
	let value: Computed;
	for (const operand of expression.operands) {
		value = compute(operand, json);
		if (expression.operator === '??' ? value !== undefined && value !== null : value) break;
	}
	return value;
}

function follow(steps: readonly Step[], json: IDataObject): Computed {
	let value: unknown = json;
	for (const { key, isOptional } of steps) {
		if (value === undefined || value === null) return isOptional ? undefined : failed;
		if (!isPlainObject(value)) return leftToN8n;
		value = value[key];
	}
	return isSimple(value) ? value : leftToN8n;
}

function isSimple(value: unknown): value is Value {
	return value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}

/** Not an array, a date or an instance of another class. An object of another JavaScript context counts. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object') return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
