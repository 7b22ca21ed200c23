/** A piece of a text with expressions: text as it is, or a placeholder. */
export type Part = string | Placeholder;

/** What stands between `{{` and `}}`. */
export interface Placeholder {
	code: string;
	/** Absent if the code is more than columns, literals and fallbacks. Only n8n can evaluate it then. */
	expression?: Expression;
}

export type Expression =
	| { kind: 'path'; steps: readonly Step[] }
	| { kind: 'literal'; value: string | number | boolean | null }
	| { kind: 'fallback'; operator: '??' | '||'; operands: readonly Expression[] };

/** One step of a path from `$json`: `.key` or `["key"]`, or `?.key` or `?.["key"]`. */
export interface Step {
	key: string;
	isOptional: boolean;
}

/** Strings with escapes are left to n8n. JavaScript allows no line break between quotation marks. */
const string = String.raw`"[^"\\\n\r\u2028\u2029]*"|'[^'\\\n\r\u2028\u2029]*'`;
const step = String.raw`\??\.[A-Za-z_$][\w$]*|(?:\?\.)?\[(?:${string})\]`;
const word = String.raw`(?:(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)(?![\w$])`;
const sign = String.raw`\?\?|\|\||[()]`;
const token = new RegExp(
	String.raw`[ \t\r\n]*(?:\$json(?<path>(?:${step})+)|(?<string>${string})|(?<word>${word})|(?<sign>${sign}))[ \t\r\n]*`,
	'y',
);

/** Deep parentheses in longer code could exhaust the stack. */
const MAX_CODE_LENGTH = 1_000;

/**
 * Splits a parameter into text and placeholders, as n8n does.
 *
 * @param raw a parameter as stored in the workflow
 * @returns undefined if it is not an expression, or has a backslash before braces, which is special to n8n
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
		parts.push({ code, expression: end === -1 ? undefined : parseCode(code) });
		from = end === -1 ? raw.length : end + 2;
	}
	return parts;
}

type Token = Expression | { kind: 'sign'; sign: string };

function parseCode(code: string): Expression | undefined {
	const tokens = code.length > MAX_CODE_LENGTH ? undefined : tokenize(code);
	const expression = tokens && takeExpression(tokens);
	return tokens?.length === 0 ? expression : undefined;
}

function tokenize(code: string): Token[] | undefined {
	const tokens: Token[] = [];
	token.lastIndex = 0;
	while (token.lastIndex < code.length) {
		const found = token.exec(code)?.groups;
		if (!found) return undefined;
		if (found.path !== undefined) tokens.push({ kind: 'path', steps: parseSteps(found.path) });
		else if (found.string !== undefined)
			tokens.push({ kind: 'literal', value: found.string.slice(1, -1) });
		else if (found.word !== undefined)
			tokens.push({ kind: 'literal', value: JSON.parse(found.word) as number | boolean | null });
		else tokens.push({ kind: 'sign', sign: found.sign ?? '' });
	}
	return tokens;
}

function parseSteps(path: string): Step[] {
	return [...path.matchAll(new RegExp(step, 'g'))].map(([written]) => {
		const isOptional = written.startsWith('?');
		const bracket = written.indexOf('[');
		const isQuoted = bracket === (isOptional ? 2 : 0);
		const key = isQuoted ? written.slice(bracket + 2, -2) : written.slice(isOptional ? 2 : 1);
		return { key, isOptional };
	});
}

/** JavaScript allows `??` and `||` next to each other only with parentheses between them. */
function takeExpression(tokens: Token[]): Expression | undefined {
	const first = takeOperand(tokens);
	const operator = nextSign(tokens);
	if (!first || (operator !== '??' && operator !== '||')) return first;

	const operands = [first];
	while (nextSign(tokens) === operator) {
		tokens.shift();
		const operand = takeOperand(tokens);
		if (!operand) return undefined;
		operands.push(operand);
	}
	return { kind: 'fallback', operator, operands };
}

function takeOperand(tokens: Token[]): Expression | undefined {
	const next = tokens.shift();
	if (next?.kind !== 'sign') return next;
	if (next.sign !== '(') return undefined;
	const inner = takeExpression(tokens);
	if (nextSign(tokens) !== ')') return undefined;
	tokens.shift();
	return inner;
}

function nextSign([next]: readonly Token[]): string | undefined {
	return next?.kind === 'sign' ? next.sign : undefined;
}
