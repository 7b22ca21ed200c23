import type { N8n } from '../n8n/context';
import { isEmpty, isRecord } from '../fields/field';
import { functionAsText } from '../fields/nobody';
import { isVisible } from '../fields/text';
import type { Row } from '../operations/operation';
import type { TextGap } from '../shared/delivery';
import { errorMessage, oneLine } from '../shared/formatting';
import { stepTo } from '../run/nearestColumn';
import { adviseItem, foreignIn, proposeCode } from '../run/asMeant';
import { asText, leftToN8n, type Placeholder, type Value } from '../run/parameters';
import { plainCode, splitPath, withOptionalSteps, withoutLiterals } from '../run/plainPaths';

/** A placeholder of a field. */
export interface Searched extends Placeholder {
	/** Whether it is all of its field. */
	isWhole: boolean;
	/** Whether it must have a value. */
	isChecked: boolean;
	/** The text next to it. */
	around: string;
}

/** What is wrong with a placeholder, for use after its code, and what to do. */
export type Found = Pick<TextGap, 'found' | 'advice'>;

/** Finds what is wrong with a placeholder in a row, whose field was evaluated to what is written. */
export type Find = (row: Row, written: unknown) => Found | undefined;

export const orSkip = "or turn on 'Skip Text Check'";
export const rowOfNobody =
	'With it, many items would have one recipient. Correct the expression, or leave such items out with a Filter node';

/** A name as other tools have it, such as `first_name`, `json.name` or `$name`, and none that n8n always knows. */
const bareName =
	/^(?!\$(?:json|now|today|itemIndex|runIndex)$)(?:\$?[\p{L}_][\p{L}\d_-]*|[\p{L}_][\p{L}\d_-]*(?:\.[\p{L}_][\p{L}\d_-]*)+)$/u;

export function isBare(code: string): boolean {
	return bareName.test(code);
}

export function valueOf(
	{ code, read }: Placeholder,
	{ index, json }: Pick<Row, 'index' | 'json'>,
	evaluate: N8n['evaluate'],
): unknown {
	const value = read ? read(json) : leftToN8n;
	return value === leftToN8n ? evaluate(code, index) : value;
}

/** Whether something can be seen of a value in a text. */
export function hasText(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(hasText);
	return (typeof value === 'object' && value !== null) || isVisible(asText(value as Value));
}

/** Returns a function that finds code that n8n does not read as it is meant; undefined if it cannot be such code. */
export function findForeign(
	code: string,
	{ evaluate, isTool }: Pick<N8n, 'evaluate' | 'isTool'>,
): Find | undefined {
	const plain = withoutLiterals(code);
	const [head = ''] = plain.split(/\|\||\?\?/);
	const isNeverSet = head !== plain && isBare(head.trim());
	const mayBeForeign = isNeverSet || isBare(code) || /[-|]|^\w+ /.test(plain.replaceAll('||', ''));
	if (!mayBeForeign) return undefined;
	return ({ index, json }) => {
		const evaluateHere = (one: string) => evaluate(one, index);
		const found =
			isNeverSet && !hasText(evaluateHere(head))
				? 'never has a value, because n8n reads no column by its name alone'
				: foreignIn(code, json, evaluateHere);
		if (found === undefined) return undefined;
		const other =
			'Write a column as {{ $json.column }}, with a function of n8n if need be, such as {{ $json.column.toUpperCase() }}';
		const advice = isTool ? 'Use $fromAI' : (proposeCode(code, json, evaluateHere) ?? other);
		return { found, advice };
	};
}

/** Finds a function that is not called. n8n gives nothing for its own functions, and an error for others. */
export function findNotCalled(
	code: string,
	{ index, json }: Row,
	evaluate: N8n['evaluate'],
	error?: unknown,
): Found | undefined {
	const head = beforeFallback(code);
	const called = `${head}()${code.slice(head.length)}`;
	const isTried = error === undefined ? mayBeFunction.test(head) && !isOfRow(head) : true;
	if (isTried && hasText(tryTo(`${head}()`, index, evaluate)))
		return { found: 'is a function; add ()', advice: `Write {{ ${called} }}` };
	if (error === undefined) return undefined;
	const advice = proposeCode(code, json, (one) => evaluate(one, index));
	return {
		found: `gives '${oneLine(errorMessage(error), 100)}'`,
		advice: advice ?? 'Correct the expression',
	};
}

/** What to do about a mapped column. */
export function addField(name: string, code: string): string {
	return `In an Edit Fields node before this one, turn on Include Other Input Fields and add the field ${name} with {{ ${code} }}`;
}

/** How deep values are searched for a path. */
const MAX_DEPTH = 5;

/** The path to the first value in a list or an object; undefined if it holds none. */
export function pathInside(value: unknown, depth = 0): string | undefined {
	if (isEmpty(value) || depth > MAX_DEPTH) return undefined;
	const isList = Array.isArray(value);
	if (!isList && !isRecord(value)) return depth > 0 ? '' : undefined;
	for (const [key, inside] of Object.entries(value)) {
		const path = pathInside(inside, depth + 1);
		if (path !== undefined) return stepTo(isList ? Number(key) : key) + path;
	}
	return undefined;
}

/** What to write in place of a list or an object; undefined if a value is none, or holds nothing. */
export function adviseValueInside(code: string, value: unknown): string | undefined {
	const path = pathInside(value);
	return path === undefined ? undefined : `Take one of its values, such as {{ ${code}${path} }}`;
}

/** An empty text, or nothing, that an expression gives on purpose. */
const emptyCase = /(?:[?:]|\|\||=>)[\s(]*(?:(["'`])\s*\1|null\b|undefined\b)/;

/** The same as an argument of a function that chooses. */
const emptyArgument = /[,(]\s*(?:(["'`])\s*\1|null)\s*[,)]/;

function hasEmptyCase(code: string): boolean {
	return emptyCase.test(code) || (/\$if\(|ifEmpty\(/.test(code) && emptyArgument.test(code));
}

/** A choice or a fallback, so that it gives nothing only if that is written. */
const choice = /\|\||\?(?!\.)|\bifEmpty\(/;

/** What ends in a name. */
const endsInName = /\.[A-Za-z_$][\w$]*$/;

/** What ends in the name of a function of n8n, which gives nothing if it is not called. */
const mayBeFunction =
	/\.(?:(?:to|is|has|get|parse|extract|remove|replace|keep|url|base64|random|smart|diff|begin|end)[A-Z]\w*|(?:trim|hash|quote|format|round|floor|ceil|abs|first|last|sum|min|max|average|unique|compact|keys|values|set|plus|minus|extract))$/;

/**
 * Returns a function that finds a placeholder that gives nothing within a text, although nothing is not one of
 * its cases. n8n gives nothing, without an error, where it cannot evaluate an expression.
 *
 * @param example what it could give instead; undefined for an ID, where nothing could
 */
export function findNothing(
	{ code: written, read, around }: Searched,
	example: string | undefined,
	{ evaluate, isTool }: Pick<N8n, 'evaluate' | 'isTool'>,
): Find {
	const code = written.trim();
	const placeholder = { code, read: isTool ? undefined : read };
	const plain = withoutLiterals(code);
	const hasChoice = choice.test(plain);
	const mayBeEmpty = hasEmptyCase(code);
	const mayBeMissing = mayBeEmpty || (example !== undefined && !hasChoice && plain.includes('?.'));
	const isAlwaysRead = read !== undefined || endsInName.test(code) || (hasChoice && !mayBeEmpty);
	return (row, text) => {
		if (typeof text !== 'string') return undefined;
		const mayBeNothing = text.includes(around) || text.includes('[object Promise]');
		if (!isAlwaysRead && !mayBeNothing) return undefined;
		let value: unknown;
		try {
			value = valueOf(placeholder, row, evaluate);
		} catch (error) {
			return findNotCalled(code, row, evaluate, error);
		}
		if (isPromise(value))
			return {
				found: 'is a Promise, and n8n does not wait for its result',
				advice: 'Calculate the value in a Code node before this one',
			};
		if (hasText(value)) return undefined;
		if (Number.isNaN(value))
			return {
				found: 'is a calculation without a result, for instance because a value is missing',
				advice:
					example === undefined
						? rowOfNobody
						: `Leave such items out with a Filter node, ${orSkip}`,
			};
		const isMissing = value === undefined || value === null;
		if (mayBeMissing || !(isMissing || hasChoice)) return undefined;
		const found = isMissing && hasChoice ? 'gives nothing, not even its fallback' : undefined;
		if (example === undefined) return { found, advice: rowOfNobody };
		return { found, advice: adviceFor(code, example, row, evaluate) };
	};
}

function isPromise(value: unknown): boolean {
	return typeof value === 'object' && value !== null && 'then' in value;
}

/** Code that gives a text in this row, as n8n finds by evaluating it. */
function adviceFor(
	code: string,
	example: string,
	{ index }: Row,
	evaluate: N8n['evaluate'],
): string {
	const withText = betterCode(code, example).find((one) => hasText(tryTo(one, index, evaluate)));
	if (withText !== undefined) {
		const leaveOut = withText.endsWith(`'${example}'`)
			? `, with '' in place of '${example}' to leave it out`
			: '';
		return `Write {{ ${withText} }}${leaveOut}, ${orSkip}`;
	}
	const advice = adviseItem(code) ?? 'n8n cannot evaluate it for this item. Correct the expression';
	return `${advice}, ${orSkip}`;
}

function tryTo(code: string, index: number, evaluate: N8n['evaluate']): unknown {
	try {
		return evaluate(code, index);
	} catch {
		return undefined;
	}
}

const eachMember = /(?<=[\w)\]])\.(?=[A-Za-z_])/g;

/** Ways to write code so that it gives a text, the simplest first. */
function betterCode(code: string, example: string): string[] {
	const plain = withoutLiterals(code);
	const at = plain.search(/\|\||\?\?/);
	const withOr = Array.from(code, (_, index) =>
		plain.startsWith('??', index) || plain.startsWith('??', index - 1) ? '|' : code.charAt(index),
	).join('');
	const whole = /\?(?!\.)|&&|=>/.test(plain) ? `(${code})` : code;
	const [head, rest] = at === -1 ? [code, ''] : [code.slice(0, at).trim(), withOr.slice(at)];
	const trimmed = `${withFallback(`${head}.trim()`, example)}`;
	const ways = at === -1 ? [] : [withOr, withOptionalSteps(withOr)];
	if (plainCode.test(head) && /^\|\|[^|]*$/.test(withoutLiterals(rest)))
		ways.push(trimmed.replace(/\|\| '[^']*'$/, () => rest));
	const allOptional = whole.replace(eachMember, '?.');
	return [
		...ways,
		...[whole, withOptionalSteps(whole), allOptional].map((one) => `${one} || '${example}'`),
	].filter((one) => one !== code);
}

/** Writes a plain placeholder with a text for the case that it is empty. */
export function withFallback(code: string, fallback: string): string {
	return `${withOptionalSteps(code)} || '${fallback}'`;
}

/** Returns a function that finds a function of n8n that is not called; undefined if there cannot be one. */
export function findUncalled(code: string, { evaluate }: Pick<N8n, 'evaluate'>): Find | undefined {
	const head = beforeFallback(code);
	if (!endsInName.test(head) || isOfRow(head)) return undefined;
	return (row, written) => {
		const isShown = typeof written === 'string' && written.includes(functionAsText);
		const isOpen = isShown || mayBeFunction.test(head);
		if (!isOpen || hasText(tryTo(head, row.index, evaluate))) return undefined;
		return findNotCalled(code, row, evaluate, isShown ? functionAsText : undefined);
	};
}

/** Whether code reads a column of the row, which may be called `keys` or the like. */
function isOfRow(code: string): boolean {
	return splitPath(code)?.keys.length === 1;
}

function beforeFallback(code: string): string {
	const at = withoutLiterals(code).search(/\|\||\?\?/);
	return at === -1 ? code : code.slice(0, at).trimEnd();
}
