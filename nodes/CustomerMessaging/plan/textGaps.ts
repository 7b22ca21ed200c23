import { isRecord } from '../fields/field';
import { isVisible } from '../fields/text';
import type { N8n } from '../n8n/context';
import { declaredFields, type Checked, type Operation, type Row } from '../operations/operation';
import type { TextGap } from '../shared/delivery';
import { proposeColumn } from './nearestColumn';
import { asText, leftToN8n, parseTemplate, type Placeholder, type Value } from '../run/parameters';

const string = String.raw`"[^"\\\n\r]*"|'[^'\\\n\r]*'`;
const steps = String.raw`(?:\??\.[\p{L}_$][\p{L}\d_$]*|(?:\?\.)?\[(?:\d+|${string})\])`;
const args = String.raw`(?:[^()"'\x60=>?|{}]|${string})*`;
const root = String.raw`(?:\$json|\$input\.item\.json|\$\((?:${string})\)\.(?:item|first\(\)|last\(\))\.json)`;

/** A path to a value, and methods called on it with fixed arguments. */
const plainCode = new RegExp(String.raw`^(${root}${steps})((?:${steps}|\(${args}\))*)$`, 'u');

/** A name as other tools have it, such as `first_name`, `json.name` or `$name`, and none that n8n always knows. */
const bareName =
	/^(?!\$(?:json|now|today|itemIndex|runIndex)$)(?:\$?[\p{L}_][\p{L}\d_-]*|[\p{L}_][\p{L}\d_-]*(?:\.[\p{L}_][\p{L}\d_-]*)+)$/u;

/** A method that gives an empty value a text of its own. */
const ownFallback = /\.ifEmpty\(/;

/** The steps and method names before the first call; any of them may be missing. */
const beforeCall = new RegExp(`^${steps}*`, 'u');

/**
 * Returns a function that finds the empty placeholders in the texts and links of a row. Which fields can
 * have any is known from their expressions, so other fields take no time.
 */
export function textGaps(
	operation: Pick<Operation, 'form' | 'fields'>,
	{ raw, evaluate, isTool }: Pick<N8n, 'raw' | 'evaluate' | 'isTool'>,
) {
	const stored = raw('additionalFields');
	const optional = isRecord(stored) ? stored : {};
	const searched = Object.entries(declaredFields(operation)).flatMap(([field, { gapExample }]) => {
		const parameter = operation.form.find(({ name }) => name === field);
		const placeholders = gapExample
			? checkedPlaceholders(parameter ? raw(field) : optional[field])
			: [];
		return placeholders.map(({ code: written, read, isWhole }) => {
			const code = written.trim();
			return {
				gap: { field, code, isWhole },
				parameter,
				fallback: isBare(code) ? undefined : withFallback(code, gapExample ?? ''),
				read,
			};
		});
	});
	return ({ index, parameters, json }: Row): TextGap[] =>
		searched
			.filter(({ parameter }) => !parameter || isShown(parameter, parameters))
			.filter(({ gap: { code }, read }) => {
				const value = read ? read(json) : leftToN8n;
				return !hasText(value === leftToN8n ? evaluate(code, index) : value);
			})
			.map(({ gap, fallback }) => ({
				...gap,
				advice: fallback
					? `Write {{ ${fallback} }}, or turn on 'Skip Text Check'`
					: isTool
						? "Use $fromAI, or turn on 'Skip Text Check'"
						: proposeColumn(gap.code, Object.keys(json)),
			}));
}

/**
 * The placeholders that must have a value. A plain one that is the whole parameter only makes the field
 * empty, but a bare name is never meant.
 */
function checkedPlaceholders(raw: unknown): Array<Placeholder & { isWhole: boolean }> {
	const parts = (parseTemplate(raw) ?? []).filter(
		(part) => typeof part !== 'string' || isVisible(part),
	);
	const isWhole = parts.length === 1;
	return parts
		.filter((part) => typeof part !== 'string')
		.filter((part) => isBare(part.code.trim()) || (!isWhole && isPlain(part)))
		.map((part) => ({ ...part, isWhole }));
}

function isBare(code: string): boolean {
	return bareName.test(code);
}

function isPlain({ code }: Placeholder): boolean {
	return plainCode.test(code.trim()) && !ownFallback.test(code);
}

/** Whether the choices of a row show a parameter. One that is hidden is not sent. */
function isShown({ displayOptions }: Operation['form'][number], parameters: Row['parameters']) {
	return Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
		values?.some((value) => value === parameters[name]),
	);
}

/** Whether something can be seen of a value in a text. */
function hasText(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(hasText);
	return (typeof value === 'object' && value !== null) || isVisible(asText(value as Value));
}

/** Refuses a row with gaps. With 'Skip Text Check', they are only kept for the preview. */
export function withGaps(
	checked: Checked,
	gaps: readonly TextGap[],
	operation: Operation,
	skipTextCheck: boolean,
): Checked {
	if (gaps.length === 0) return checked;
	if (skipTextCheck)
		return 'problems' in checked
			? checked
			: { deliveries: checked.deliveries.map((delivery) => ({ ...delivery, gaps })) };
	const fields = declaredFields(operation);
	const problems = gaps.map(({ field, code, advice }) => ({
		field,
		message: `${fields[field]?.form.displayName ?? field}: {{ ${code} }} is empty. ${advice}`,
	}));
	// That the field is empty says less.
	const whole = new Set(gaps.filter(({ isWhole }) => isWhole).map(({ field }) => field));
	const others = 'problems' in checked ? checked.problems : [];
	return { problems: [...problems, ...others.filter(({ field }) => !whole.has(field))] };
}

/** The code of the columns that are written into a text, unless they are all of it. */
export function columnsInText(raw: unknown): string[] {
	return checkedPlaceholders(raw)
		.map(({ code }) => code.trim())
		.filter((code) => !isBare(code));
}

/** The code of a parameter that is one plain placeholder as a whole; undefined for any other parameter. */
export function plainPlaceholder(raw: unknown): string | undefined {
	const [only, ...others] = parseTemplate(raw) ?? [];
	return typeof only === 'object' && others.length === 0 && isPlain(only)
		? only.code.trim()
		: undefined;
}

/**
 * Writes a plain placeholder with a text for the case that it is empty. A step from a missing value would
 * end the whole expression, so each one becomes optional.
 */
export function withFallback(code: string, fallback: string): string {
	const [, start = code, rest = ''] = plainCode.exec(code) ?? [];
	const [before = ''] = beforeCall.exec(rest) ?? [];
	const optional = before.replace(new RegExp(steps, 'gu'), (step) =>
		step.replace(/^\./, '?.').replace(/^\[/, '?.['),
	);
	return `${start}${optional}${rest.slice(before.length)} || '${fallback}'`;
}
