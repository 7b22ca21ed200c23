import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type FormParameter, isRecord } from '../fields/field';
import type { N8n } from '../n8n/context';
import type { Operation } from '../operations/operation';

/** A piece of a text with expressions: text as it is, or a placeholder. */
type Part = string | Placeholder;

/** The code between `{{` and `}}`. */
interface Placeholder {
	code: string;
	/** Absent if the code is more than columns, literals and fallbacks. Then only n8n can evaluate it. */
	read?: Operand;
}

type Operand = (json: IDataObject) => Value | typeof leftToN8n;
type Value = string | number | boolean | null | undefined;

/** Stands for a value that only n8n can give. */
export const leftToN8n = Symbol('left to n8n');

/** A string without escapes, which are left to n8n. JavaScript allows no line break between quotation marks. */
const string = String.raw`"[^"\\\n\r\u2028\u2029]*"|'[^'\\\n\r\u2028\u2029]*'`;
const step = String.raw`\??\.[\p{L}_$][\p{L}\d_$]*|(?:\?\.)?\[(?:0|[1-9]\d{0,8}|${string})\]`;
const word = String.raw`(?:(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)(?![\w$])`;
const operand = String.raw`[ \t\r\n]*(?:\$json(?:${step})+|${string}|${word})[ \t\r\n]*`;

/** An operand and its fallbacks. JavaScript allows `??` and `||` next to each other only with parentheses. */
const withFallbacks = new RegExp(
	String.raw`^${operand}(?:(?<nullish>(?:\?\?${operand})+)|(?:\|\|${operand})+)?$`,
	'u',
);

/** The parts of an operand. */
const operandParts = new RegExp(
	String.raw`\$json(?<path>(?:${step})+)|(?<quoted>${string})|(?<literal>${word})`,
	'gu',
);

/** The expression of a column that is dragged onto a field: `={{ $json.customerId }}`. */
const draggedColumn = new RegExp(String.raw`^=\s*\{\{\s*\$json(${step})\s*\}\}\s*$`, 'u');

/** Columns that were dragged onto fields for a name, by parameter. Their expression gives the value, not the name. */
export function draggedColumns(form: readonly INodeProperties[], { raw }: Pick<N8n, 'raw'>) {
	const ofColumns = form.filter(({ requiresDataPath }) => requiresDataPath === 'single');
	return Object.fromEntries(
		ofColumns.flatMap(({ name }) => {
			const [, path = ''] = draggedColumn.exec(String(raw(name))) ?? [];
			return parseSteps(path).map((key) => [name, key]);
		}),
	);
}

/** Names that n8n refuses to read, and inherited names, which versions of n8n read differently. */
const uncertainName =
	/__|constructor|prototype|PropertyDescriptor|definePropert|mainModule|binding|_load|prepareStackTrace|caller|callee|arguments|getBuiltinModule|dlopen|execve|loadEnvFile|hasOwnProperty|propertyIsEnumerable|toLocaleString|toString|valueOf|\.\$(?![\w$])/i;

/** In an expression without calls, this is part of a string. n8n takes it for a call and rewrites the code. */
const callInString = /\.\w+\s*(?:\?\.\s*)?\(|\$if/;

/** n8n takes the rest of the text as code if no `}}` follows. */
const placeholder = /\{\{([^]*?)(\}\}|$)/g;

/**
 * Splits a stored parameter into text and placeholders, as n8n does. Undefined if it is not an expression, or
 * has a backslash before braces, which is special to n8n.
 */
export function parseTemplate(raw: unknown): Part[] | undefined {
	if (typeof raw !== 'string' || !raw.startsWith('=') || /\\[{}]/.test(raw)) return undefined;
	const parts: Part[] = [];
	let from = 1;
	for (const { 0: found, 1: code = '', 2: end, index } of raw.matchAll(placeholder)) {
		parts.push(raw.slice(from, index));
		const isCertain = end !== '' && !uncertainName.test(code) && !callInString.test(code);
		parts.push({ code, read: isCertain ? compile(code) : undefined });
		from = index + found.length;
	}
	parts.push(raw.slice(from));
	return parts.filter((part) => part !== '');
}

function compile(code: string): Operand | undefined {
	const found = withFallbacks.exec(code);
	if (!found) return undefined;
	const operands = Array.from(code.matchAll(operandParts), ({ groups = {} }) => toOperand(groups));
	const isNullish = found.groups?.nullish !== undefined;
	return (json) => {
		let value: ReturnType<Operand>;
		for (const read of operands) {
			value = read(json);
			if (isNullish ? value !== undefined && value !== null : value) break;
		}
		return value;
	};
}

function toOperand({ path, quoted, literal = '' }: Record<string, string>): Operand {
	if (path !== undefined) {
		const steps = parseSteps(path);
		return (json) => follow(steps, json);
	}
	const value = quoted?.slice(1, -1) ?? (JSON.parse(literal) as number | boolean | null);
	return () => value;
}

/** The keys of steps such as `.key` or `?.["key"]`. */
function parseSteps(steps: string): string[] {
	return Array.from(steps.matchAll(eachStep), ([written]) =>
		written.replace(/^(?:\?\.)?\[["']?|^\??\.|["']?\]$/g, ''),
	);
}

/** A step from a missing value is left to n8n, because it makes the expression fail unless it is optional. */
function follow(steps: readonly string[], json: IDataObject): ReturnType<Operand> {
	let value: unknown = json;
	for (const key of steps) {
		if (!isPlainObject(value)) return leftToN8n;
		value = value[key];
	}
	return isSimple(value) ? value : leftToN8n;
}

export function isSimple(value: unknown): value is Value {
	return value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}

/** False for arrays, dates and instances of classes. Objects of other JavaScript contexts count as plain. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Evaluates simple expressions directly, because n8n takes up to a millisecond per expression and item:
 * columns, such as `={{ $json.city }}`, also with fallbacks, such as `={{ $json.title ?? "Hello" }}`, and a
 * mix of both with text. Only text, numbers, booleans and missing values are read directly. Undefined if the
 * stored parameter contains any other expression.
 */
export function directReader(raw: unknown): ((json: IDataObject) => unknown) | undefined {
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

function templateReader(raw: string): Operand | undefined {
	// n8n may read a backslash as part of an escape sequence, and looks for these names in the text too.
	if (raw.includes('\\') || uncertainName.test(raw)) return undefined;
	const parts = (parseTemplate(raw) ?? []).map((part) =>
		typeof part === 'string' ? () => part : part.read,
	);
	if (!parts.every((read) => read !== undefined)) return undefined;
	const [only] = parts;
	if (only && parts.length === 1) return only;
	return (json) => {
		let text = '';
		for (const read of parts) {
			const value = read(json);
			if (value === leftToN8n) return leftToN8n;
			text += asText(value);
		}
		return text;
	};
}

/** A value as n8n writes it into a text: nothing for a missing one. */
export function asText(value: Value): string {
	return value === undefined || value === null || Number.isNaN(value) ? '' : String(value);
}

const ofItem = String.raw`\.(?:item|first\(\)|last\(\))\.json`;
const ofNode = String.raw`\$node(?:\[(?:${string})\]|\.[\p{L}_]+)\.json`;
const root = String.raw`(?:\$json|\$input${ofItem}|\$\((?:${string})\)${ofItem}|${ofNode})`;

const eachStep = new RegExp(step, 'gu');
const plainPath = new RegExp(`^(?<root>${root})(?<steps>(?:${step})+)$`, 'u');
const eachPath = new RegExp(String.raw`${root}(?:${step})+(?<call>\s*(?:\?\.)?\()?`, 'gu');

/** Returns true if code only reads a value, such as `$json.a.b` or `$('Node').item.json["a b"]`. */
export function isPlainPath(code: string): boolean {
	return plainPath.test(code);
}

/** The keys along a plain path; undefined for other code. */
export function keysOf(code: string): string[] | undefined {
	const { steps } = plainPath.exec(code)?.groups ?? {};
	return steps === undefined ? undefined : parseSteps(steps);
}

/** The plain paths that code reads, without the methods that it calls on them. */
export function pathsIn(code: string): string[] {
	return Array.from(code.matchAll(eachPath), ({ 0: found, groups }) =>
		groups?.call === undefined
			? found
			: found.slice(0, -groups.call.length).replace(new RegExp(`(?:${step})$`, 'u'), ''),
	).filter(isPlainPath);
}

/** A plain path in which no step can fail because the value before it is missing. */
export function withOptionalSteps(path: string): string {
	const { root: start = path, steps = '' } = plainPath.exec(path)?.groups ?? {};
	const [first = '', ...others] = steps.match(eachStep) ?? [];
	return (
		start + first + others.map((one) => one.replace(/^\./, '?.').replace(/^\[/, '?.[')).join('')
	);
}

/** The code of all expressions in a stored parameter; the whole text if only n8n can tell what is code. */
export function listExpressions(raw: unknown): string[] {
	if (typeof raw === 'string' && raw.startsWith('='))
		return (
			parseTemplate(raw)?.flatMap((part) => (typeof part === 'string' ? [] : part.code)) ?? [raw]
		);
	return typeof raw === 'object' && raw !== null ? Object.values(raw).flatMap(listExpressions) : [];
}

export function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

/**
 * Finds code that makes a parameter's value change by itself, in each run or from one day to the next. It reads stored
 * expressions, also within a collection.
 *
 * The lists are short on purpose: a miss costs at most an event that is tracked twice after a kill.
 */
export function differsByItself(
	raw: unknown,
): { often: 'eachRun' | 'eachDay'; code: string } | undefined {
	const codes = listExpressions(raw);
	const find = (pattern: RegExp) => codes.map((code) => pattern.exec(code)?.[0]).find(Boolean);
	const ofRun = find(differsInEachRun);
	const code = ofRun ?? find(differsEachDay);
	return code === undefined ? undefined : { often: ofRun ? 'eachRun' : 'eachDay', code };
}

/** The expressions of an operation that differ by themselves, by the API's key of their field. */
export function differingFields({ form }: Pick<Operation, 'form'>, n8n: Pick<N8n, 'raw'>) {
	return new Map(
		storedFields(form, n8n).flatMap(([name, stored, declared]) => {
			const differing = differsByItself(stored);
			return differing ? [[name, { ...differing, label: declared?.displayName ?? name }]] : [];
		}),
	);
}

type StoredField = [name: string, stored: unknown, declared?: FormParameter];

/** The stored value and the declaration of each field of a form, also within its collections. */
export function storedFields(
	form: readonly FormParameter[],
	{ raw }: Pick<N8n, 'raw'>,
): StoredField[] {
	// Each resource has its own parameter `operation`.
	const parameters = new Map(form.map((parameter) => [parameter.name, parameter]));
	return [...parameters].flatMap(([name, parameter]): StoredField[] => {
		const stored = raw(name);
		if (parameter.type !== 'collection' || !isRecord(stored)) return [[name, stored, parameter]];
		const options = parameter.options as FormParameter[];
		return Object.entries(stored).map(([key, entry]) => {
			return [key, entry, options.find((option) => option.name === key)];
		});
	});
}

const sameAllDay = String.raw`\s*\.\s*(?:toISODate\(\s*\)|startOf\(\s*(?!['"](?:hour|minute|second|millisecond)))`;

const differsInEachRun = new RegExp(
	[
		String.raw`\$now\b(?!${sameAllDay})`,
		String.raw`\$execution(?:Id)?\b`,
		String.raw`\bnew\s+Date\b(?!\s*\(\s*[^\s)])`,
		String.raw`\bDate(?<!\bnew\s+Date)(?:\.now)?\(\s*\)`,
		String.raw`\bDateTime\.(?:now|local|utc)\(\s*\)`,
		String.raw`\brandom(?:Item)?\s*\(`,
	].join('|'),
);

const differsEachDay = new RegExp(String.raw`\$today\b|\$now${sameAllDay}`);
