import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { collectLabels, isRecord } from '../fields/field';
import { asJson, unsendableIn } from '../fields/json';
import type { N8n } from '../n8n/context';
import type { Problem } from '../shared/result';
import { errorMessage, oneLine } from '../shared/formatting';
import { say, type Sentence, written } from '../shared/sentence';

/** A piece of a text with expressions: text as it is, or a placeholder. */
export type Part = string | Placeholder;

/** What stands between `{{` and `}}`. */
export interface Placeholder {
	code: string;
	/** Absent if the code is more than columns, literals and fallbacks. Only n8n can evaluate it then. */
	read?: (json: IDataObject) => Value | typeof leftToN8n;
}

export type Value = string | number | boolean | null | undefined;

/** Stands for a value that only n8n can give. */
export const leftToN8n = Symbol('left to n8n');

type Operand = NonNullable<Placeholder['read']>;

/** Strings with escapes are left to n8n. JavaScript allows no line break between quotation marks. */
const string = String.raw`"[^"\\\n\r\u2028\u2029]*"|'[^'\\\n\r\u2028\u2029]*'`;
const step = String.raw`\??\.[A-Za-z_$][\w$]*|(?:\?\.)?\[(?:${string})\]`;
const word = String.raw`(?:(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)(?![\w$])`;
const operand = String.raw`[ \t\r\n]*(?:\$json(?:${step})+|${string}|${word})[ \t\r\n]*`;

/** An operand and its fallbacks. JavaScript allows `??` and `||` next to each other only with parentheses. */
const withFallbacks = new RegExp(
	String.raw`^${operand}(?:(?<nullish>(?:\?\?${operand})+)|(?:\|\|${operand})+)?$`,
);

/** The parts of an operand. */
const operandParts = new RegExp(
	String.raw`\$json(?<path>(?:${step})+)|(?<quoted>${string})|(?<literal>${word})`,
	'g',
);

/** What n8n writes when a column is dragged onto a field: `={{ $json.customerId }}`. */
const draggedColumn = new RegExp(String.raw`^=\s*\{\{\s*\$json(${step})\s*\}\}\s*$`);

/**
 * The columns, by parameter, that were dragged onto fields for the name of a column. Their expression gives
 * the value of the column, while its name is meant.
 */
export function draggedColumns(
	form: readonly INodeProperties[],
	raw: (name: string) => unknown,
): Record<string, string> {
	const ofColumns = form.filter(({ requiresDataPath }) => requiresDataPath === 'single');
	return Object.fromEntries(
		ofColumns.flatMap(({ name }) => {
			const [, path = ''] = draggedColumn.exec(String(raw(name))) ?? [];
			return parseSteps(path).map((key) => [name, key]);
		}),
	);
}

/** Names that n8n refuses to read, and what every object inherits, which versions of n8n read differently. */
const uncertainName =
	/__|constructor|prototype|PropertyDescriptor|definePropert|mainModule|binding|_load|prepareStackTrace|caller|callee|arguments|getBuiltinModule|dlopen|execve|loadEnvFile|hasOwnProperty|propertyIsEnumerable|toLocaleString|toString|valueOf|\.\$(?![\w$])/i;

/** In an expression without calls, this is part of a string. n8n takes it for a call and rewrites the code. */
const callInString = /\.\w+\s*(?:\?\.\s*)?\(|\$if/;

/**
 * Splits a stored parameter into text and placeholders, as n8n does. Undefined if it is not an expression, or
 * has a backslash before braces, which is special to n8n.
 */
export function parseTemplate(raw: unknown): Part[] | undefined {
	if (typeof raw !== 'string' || !raw.startsWith('=') || /\\[{}]/.test(raw)) return undefined;
	const parts: Part[] = [];
	let from = 1;
	while (from < raw.length) {
		const start = raw.indexOf('{{', from);
		const text = raw.slice(from, start === -1 ? undefined : start);
		if (text !== '') parts.push(text);
		if (start === -1) break;

		const end = raw.indexOf('}}', start + 2);
		const code = raw.slice(start + 2, end === -1 ? undefined : end);
		const isCertain = end !== -1 && !uncertainName.test(code) && !callInString.test(code);
		parts.push({ code, read: isCertain ? compile(code) : undefined });
		from = end === -1 ? raw.length : end + 2;
	}
	return parts;
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

/** The keys of a path from `$json`: `.key` or `["key"]`, or `?.key` or `?.["key"]`. */
function parseSteps(path: string): string[] {
	return Array.from(path.matchAll(new RegExp(step, 'g')), ([written]) =>
		written.endsWith(']')
			? written.slice(written.indexOf('[') + 2, -2)
			: written.replace(/^\??\./, ''),
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

function isSimple(value: unknown): value is Value {
	return value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}

/** Not an array, a date or an instance of another class. An object of another JavaScript context counts. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Evaluates a parameter for an item as n8n does, or returns `leftToN8n`. */
type DirectReader = (json: IDataObject) => unknown;

/**
 * Evaluates simple expressions directly, because n8n takes up to a millisecond per expression and item:
 * columns, such as `={{ $json.city }}`, also with fallbacks, such as `={{ $json.title ?? "Hello" }}`, and a
 * mix of both with text. Only text, numbers, booleans and missing values are read directly. Undefined if the
 * stored parameter contains any other expression.
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

/** What n8n writes into a text: nothing for a missing value. */
export function asText(value: Value): string {
	return value === undefined || value === null || Number.isNaN(value) ? '' : String(value);
}

/** How n8n reads parameters. */
type ParameterSource = Pick<N8n, 'raw' | 'read' | 'evaluate' | 'isReview'>;

interface ReadParameters {
	parameters: Record<string, unknown>;
	problems: Problem[];
	/** Whether reading the item again gives the same values. An expression that n8n evaluates may not. */
	isRepeatable: boolean;
}

/**
 * Returns a function that reads the named parameters for an item. Parameters without expressions are
 * read only once, because reading takes most of the time in a run of thousands of items.
 */
export function parameterReader(
	names: readonly string[],
	source: ParameterSource,
	labels: Readonly<Record<string, string>>,
) {
	const varies = (name: string) => holdsExpression(source.raw(name));
	const fixed = Object.fromEntries(
		names.filter((name) => !varies(name)).map((name) => [name, source.read(name, 0)]),
	);
	const varying = names
		.filter(varies)
		.map((name) => ({ name, direct: directReader(source.raw(name)) }));
	return (index: number, json: IDataObject): ReadParameters => {
		const parameters = { ...fixed };
		const problems: Problem[] = [];
		let isRepeatable = true;
		for (const { name, direct } of varying) {
			let value = direct ? direct(json) : leftToN8n;
			if (value === leftToN8n) {
				isRepeatable = false;
				// Only the call to n8n is tried, so that a bug in this node is never reported as the user's error.
				try {
					value = isReviewText(name, source)
						? readReviewText(source, index)
						: source.read(name, index);
				} catch (error) {
					const why = whyNotEvaluated(error, source.raw(name), index, source);
					problems.push({ field: name, ...notEvaluated(labels[name] ?? name, why) });
					continue;
				}
			}
			parameters[name] = value;
		}
		return { parameters, problems, isRepeatable };
	};
}

/**
 * Returns a function that puts values into the JSON texts of an item. n8n puts them in as they are, so that a row's
 * text could end a text of the JSON and add a key.
 */
export function jsonJoiner(form: readonly INodeProperties[], source: ParameterSource) {
	const labels = collectLabels(form);
	const templates = joinedJson(form, source.raw).map(({ path, template }) => {
		const [field = ''] = path.filter((key) => key in labels).slice(-1);
		return { field, path, parts: jsonParts(template) };
	});
	return ({ parameters, problems }: ReadParameters, index: number, json: IDataObject): void => {
		for (const { field, path, parts } of templates) {
			if (!parts) {
				const message = `${labels[field]} has a backslash before a brace, which n8n and JSON read differently. Put that text into a column with an Edit Fields node before, and write {{ $json.column }} in its place`;
				problems.push({ field, message });
				continue;
			}
			let unsendable: object | undefined;
			const texts = parts.map((part) => {
				if (typeof part === 'string') return part;
				let value: unknown = part.read ? part.read(json) : leftToN8n;
				try {
					if (value === leftToN8n) value = source.evaluate(part.code, index);
				} catch (error) {
					const why = whyNotEvaluated(error, `={{${part.code}}}`, index, source);
					problems.push({ field, ...notEvaluated(labels[field] ?? field, why) });
					return '';
				}
				if (unsendableIn(value) === undefined) return asJson(value, part.isQuoted);
				// The field refuses it, and names the code.
				unsendable ??= { [part.code.trim()]: value };
				return '';
			});
			const value = unsendable ?? texts.join('');
			Object.assign(parameters, replaceIn(parameters, path, value));
		}
	};
}

/** The parts of a JSON text, and whether each placeholder stands between quotation marks. */
function jsonParts(template: string) {
	let isQuoted = false;
	return parseTemplate(template)?.map((part) => {
		if (typeof part !== 'string') return { ...part, isQuoted };
		for (const [found] of part.matchAll(/\\[^]|"/g)) if (found === '"') isQuoted = !isQuoted;
		return part;
	});
}

/** The JSON fields in which n8n would join text and values, by the keys that lead to them. */
function joinedJson(
	form: ReadonlyArray<Pick<INodeProperties, 'name' | 'type' | 'options'>>,
	stored: (name: string) => unknown,
	path: string[] = [],
): Array<{ path: string[]; template: string }> {
	return form.flatMap(({ name, type, options }) => {
		const value = stored(name);
		const here = [...path, name];
		if (type === 'json' && typeof value === 'string')
			return joined.test(value) ? [{ path: here, template: value }] : [];
		if (!isRecord(value)) return [];
		if (type === 'collection')
			return joinedJson(options as INodeProperties[], (key) => value[key], here);
		if (type !== 'assignmentCollection' || !Array.isArray(value.assignments)) return [];
		return value.assignments.flatMap((one: unknown, entry) => {
			const isJson = isRecord(one) && (one.type === 'object' || one.type === 'array');
			const inside = [...here, 'assignments', String(entry)];
			return isJson ? joinedJson([{ name: 'value', type: 'json' }], () => one.value, inside) : [];
		});
	});
}

/** An expression that is more than one placeholder, whose value n8n gives as it is. */
const joined = /^=(?!\s*\{\{(?:(?!\}\})[^])*\}\}\s*$)[^]*\{\{/;

/** A copy of an object or list with another value where the keys lead. */
function replaceIn(inside: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
	if (key === undefined) return value;
	if (Array.isArray(inside))
		return inside.map((one: unknown, at) =>
			String(at) === key ? replaceIn(one, rest, value) : one,
		);
	return isRecord(inside) ? { ...inside, [key]: replaceIn(inside[key], rest, value) } : inside;
}

/** Says that an expression cannot be evaluated. What n8n says of it may quote what the row holds. */
function notEvaluated(label: string, why: Sentence): Sentence {
	return say`The expression in '${label}' cannot be evaluated: ${why}`;
}

/** Why n8n cannot evaluate a parameter, with the placeholder that is wrong. */
function whyNotEvaluated(
	error: unknown,
	raw: unknown,
	index: number,
	{ evaluate }: Pick<ParameterSource, 'evaluate'>,
): Sentence {
	for (const { code } of placeholdersIn(raw)) {
		try {
			evaluate(code, index);
		} catch (failure) {
			return say`{{ ${oneLine(code.trim(), 100)} }} gives ${written(`'${errorMessage(failure)}'`)}. Correct the expression`;
		}
	}
	return say`${written(errorMessage(error))}. Correct the expression`;
}

function placeholdersIn(raw: unknown): Placeholder[] {
	if (typeof raw === 'object' && raw !== null) return Object.values(raw).flatMap(placeholdersIn);
	return (parseTemplate(raw) ?? []).filter((part) => typeof part !== 'string');
}

/** Whether a parameter says what an agent wants to do. n8n writes it as a text of its own, which names the tool. */
export function isReviewText(name: string, { isReview }: Pick<N8n, 'isReview'>): boolean {
	return isReview && name === 'message';
}

/** Reads that text. n8n puts the tool's input into it as an object, which is shown as JSON. */
function readReviewText({ raw, evaluate }: ParameterSource, index: number): string {
	const texts = (parseTemplate(raw('message')) ?? []).map((part) => {
		const value = typeof part === 'string' ? part : evaluate(part.code, index);
		return asText(isSimple(value) ? value : JSON.stringify(value));
	});
	return texts.join('');
}

/** The only option that each row may have for itself. */
const differsByRow = 'defaultCountry';

/** What reads an item, so that its value may be another one for the next. */
const readsItem =
	/\$json\b|\$input\b|\$node\b|\$itemIndex\b|\$data\b|\$binary\b|\.item\b|\.itemMatching\b/;

/** The name of the first parameter that reads an item, also of one within a collection. */
function nameReadingItem(name: string, stored: unknown): string | undefined {
	if (name === differsByRow) return undefined;
	if (typeof stored === 'string')
		return stored.startsWith('=') && readsItem.test(stored) ? name : undefined;
	return Object.entries(isRecord(stored) || Array.isArray(stored) ? stored : {})
		.map(([key, entry]) => nameReadingItem(Array.isArray(stored) ? name : key, entry))
		.find((found) => found !== undefined);
}

/** Reads parameters that hold for the whole run, once. One that reads an item is refused. */
export function readForRun(
	labels: Readonly<Record<string, string>>,
	names: readonly string[],
	source: ParameterSource,
	json: IDataObject = {},
): Pick<ReadParameters, 'parameters' | 'problems'> {
	const problems = names.flatMap((one): Problem[] => {
		const name = nameReadingItem(one, source.raw(one));
		if (name === undefined) return [];
		const message = `'${labels[name] ?? name}' holds for the whole run, but its expression reads an item. Set it to one value for all items; to treat items differently, separate them with an If node before two of these nodes`;
		return [{ field: name, message }];
	});
	return problems.length > 0
		? { parameters: {}, problems }
		: parameterReader(names, source, labels)(0, json);
}

/** Undefined if the expression cannot be evaluated, which the plan reports. */
export function readIfPossible(
	source: Pick<ParameterSource, 'read'>,
	name: string,
	index: number,
): unknown {
	try {
		return source.read(name, index);
	} catch {
		return undefined;
	}
}

export function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
