import type { IDataObject } from 'n8n-workflow';

/** Evaluates an expression for an item; undefined if only n8n can evaluate it. */
export type DirectReader = (json: IDataObject) => unknown;

const name = String.raw`[A-Za-z_]\w*`;
/** A line break within quotation marks is not allowed in JavaScript. */
const double = String.raw`"[^"\\\n\r\u2028\u2029]+"`;
const single = String.raw`'[^'\\\n\r\u2028\u2029]+'`;
/** `{{ $json.city }}`, `{{ $json["First Name"] }}` and chains of both, with nothing else between the braces. */
const path = new RegExp(
	String.raw`\{\{\s*\$json((?:\.${name}|\[${double}\]|\[${single}\])+)\s*\}\}`,
	'g',
);
const step = new RegExp(String.raw`\.(${name})|\[(${double}|${single})\]`, 'g');

/** Characters with a special meaning to n8n between paths, and names that n8n refuses to read. */
const leftToN8n =
	/[{}\\]|__|constructor|prototype|PropertyDescriptor|definePropert|mainModule|binding|_load|prepareStackTrace|caller|callee|arguments|getBuiltinModule|dlopen|execve|loadEnvFile/i;

/**
 * Evaluates simple expressions directly, because n8n takes up to a millisecond per expression and
 * item. An expression is simple if it is `={{ $json.city }}`, which n8n writes when a column is
 * dragged onto a field, or a mix of such paths and text. Only an item's own text, numbers and
 * booleans are read directly; everything else is left to n8n.
 *
 * @param raw a parameter with its expressions unevaluated
 * @returns undefined if the parameter contains any other expression
 */
export function directReader(raw: unknown): DirectReader | undefined {
	if (typeof raw === 'string' && raw.startsWith('=')) return ofExpression(raw.slice(1));
	if (typeof raw !== 'object' || raw === null) return () => raw ?? undefined;

	const readers = Object.entries(raw).map(([key, entry]) => [key, directReader(entry)] as const);
	if (!readers.every(([, reader]) => reader !== undefined)) return undefined;
	return (json) => {
		const read = readers.map(([key, reader]) => [key, reader?.(json)] as const);
		if (read.some(([, value]) => value === undefined)) return undefined;
		return Array.isArray(raw) ? read.map(([, value]) => value) : Object.fromEntries(read);
	};
}

function ofExpression(expression: string): DirectReader | undefined {
	const words = expression.split(path).filter((_, index) => index % 2 === 0);
	const steps = [...expression.matchAll(path)].map(([, chain = '']) => stepsOf(chain));
	const [first] = steps;
	if (!first || [...words, ...steps.flat()].some((part) => leftToN8n.test(part))) return undefined;

	if (steps.length === 1 && words.every((word) => word === ''))
		return (json) => follow(first, json);
	return (json) => {
		let text = words[0] ?? '';
		for (const [index, chain] of steps.entries()) {
			const value = follow(chain, json);
			if (typeof value !== 'string' && typeof value !== 'number') return undefined;
			text += value + (words[index + 1] ?? '');
		}
		return text;
	};
}

function stepsOf(chain: string): string[] {
	return [...chain.matchAll(step)].map(([, plain, quoted = '']) => plain ?? quoted.slice(1, -1));
}

function follow(steps: string[], json: IDataObject): unknown {
	let value: unknown = json;
	for (const key of steps) {
		if (
			typeof value !== 'object' ||
			value === null ||
			Array.isArray(value) ||
			!Object.hasOwn(value, key)
		)
			return undefined;
		value = (value as Record<string, unknown>)[key];
	}
	return ['string', 'number', 'boolean'].includes(typeof value) ? value : undefined;
}
