import { collectLabels, isEmpty, isRecord } from '../fields/field';
import { isNobody } from '../fields/nobody';
import { isVisible } from '../fields/text';
import type { N8n } from '../n8n/context';
import { declaredFields, type Checked, type Operation, type Row } from '../operations/operation';
import type { TextGap } from '../shared/delivery';
import { oneLine, quote } from '../shared/formatting';
import { adviseJoining, joinedPlaceholders } from './joinedPlaceholders';
import { columnCode, proposeColumn } from '../run/nearestColumn';
import { leftToN8n, parseTemplate, type Placeholder } from '../run/parameters';
import { literalsIn, pathsIn, plainCode, splitPath, withOptionalSteps } from '../run/plainPaths';
import type { InputColumns } from './missingColumns';
import {
	addField,
	adviseValueInside,
	findForeign,
	findNotCalled,
	findNothing,
	findUncalled,
	hasText,
	isBare,
	orSkip,
	pathInside,
	rowOfNobody,
	valueOf,
	withFallback,
	type Find,
	type Searched,
} from './placeholder';

export { withFallback };

/** A method that gives an empty value a text of its own. */
const ownFallback = /\.ifEmpty\(/;

/**
 * Returns a function that finds the placeholders without a value in the texts, links and IDs of a row, and
 * in all fields those that n8n does not read as they are meant. Which fields can have any is known from their
 * expressions, so other fields take no time.
 */
export function textGaps(
	operation: Pick<Operation, 'form' | 'fields'>,
	n8n: Evaluating,
	columns: Pick<InputColumns, 'advise'>,
) {
	const stored = n8n.raw('additionalFields');
	const optional = isRecord(stored) ? stored : {};
	const declared = declaredFields(operation);
	/** Corrects the column first, where no item has it. For a tool, `$json` is not the item. */
	const orColumn = (find: Find, code: string): Find =>
		n8n.isTool || isBare(code)
			? find
			: (row, written) => {
					const found = find(row, written);
					return found && { ...found, advice: columns.advise(code) ?? found.advice };
				};
	const searchedIn = (field: string, raw: unknown, entry?: number) => {
		const { gapExample, isId = false } = declared[field] ?? {};
		const isSearched = gapExample !== undefined || isId;
		const example = isId ? undefined : gapExample;
		const parameter = operation.form.find(({ name }) => name === field);
		const joined = example === undefined ? [] : joinedPlaceholders(raw, isPlain, example);
		return searchedPlaceholders(raw).flatMap((part) => {
			const { isWhole, isChecked } = part;
			const code = part.code.trim();
			const together = joined.find(({ codes }) => codes.includes(code));
			const isMeant = !isSearched && (!isBare(code) || isNothing.test(code));
			const missing = [
				isChecked && !isMeant && findEmpty(part, example, n8n, together),
				isSearched && !splitPath(code) && findInside(code, isId, n8n),
				isSearched && !isWhole && !isChecked && findNothing(part, example, n8n),
			].filter((find) => typeof find === 'function');
			const finds = [findForeign(code, n8n), findUncalled(code, n8n)]
				.filter((find) => typeof find === 'function')
				.concat(missing.map((find) => orColumn(find, code)));
			const isAll = entry === undefined && (isWhole || !isChecked);
			const gap = { field, code, isAll, isId };
			return finds.length > 0 ? [{ gap, parameter, entry, isWhole, finds }] : [];
		});
	};
	const ofForm = operation.form.map(({ name }) => name).filter((name) => !(name in declared));
	const searched = [
		...Object.keys(declared).flatMap((field) =>
			searchedIn(
				field,
				operation.form.some(({ name }) => name === field) ? n8n.raw(field) : optional[field],
			),
		),
		...ofForm.flatMap((field) => {
			const raw = n8n.raw(field);
			return [
				...searchedIn(field, raw),
				...assignmentsIn(raw).flatMap(({ value }, entry) => searchedIn(field, value, entry)),
			];
		}),
	];
	return (row: Row): TextGap[] =>
		searched.flatMap(({ gap, parameter, entry, isWhole, finds }) => {
			const { parameters } = row;
			if (parameter && !isShown(parameter, parameters)) return [];
			const { additionalFields } = parameters;
			const others = isRecord(additionalFields) ? additionalFields : {};
			const field = parameter ? parameters[gap.field] : others[gap.field];
			const written = entry === undefined ? field : assignmentsIn(field)[entry]?.value;
			// What the field as a whole is decides by itself whether it may be sent.
			if (isWhole && typeof written === 'string' && isNobody(written, 'text')) return [];
			for (const find of finds) {
				const found = find(row, written);
				if (found) return [{ ...gap, ...found }];
			}
			return [];
		});
}

/** An attribute is cleared with these. */
const isNothing = /^(?:null|undefined)$/;

/** The entries of n8n's list of names, types and values. */
export function assignmentsIn(list: unknown): Array<Record<string, unknown>> {
	return isRecord(list) && Array.isArray(list.assignments) ? list.assignments.filter(isRecord) : [];
}

/** Whether people would read `[object Object]`, or nothing can be read at all. */
function isUnreadable(value: unknown): boolean {
	try {
		return String(value).includes('[object Object]');
	} catch {
		return true;
	}
}

type Evaluating = Pick<N8n, 'raw' | 'evaluate' | 'isTool'>;

const letModel = `Use $fromAI, ${orSkip}`;

/**
 * @param example what it could give instead; undefined for an ID, where nothing could
 * @param together the others that it stands beside, such as a first name before a last name
 */
function findEmpty(
	{ code: written, read }: Placeholder,
	example: string | undefined,
	{ evaluate, isTool }: Evaluating,
	together?: Parameters<typeof adviseJoining>[0],
): Find {
	const code = written.trim();
	const fallback = example === undefined ? undefined : withFallback(code, example);
	const instead = together ? adviseJoining(together) : fallback && `Write {{ ${fallback} }}`;
	// Whoever writes `?.` allows for nothing. An ID must not be nothing.
	const mayBeEmpty = example !== undefined && code.includes('?.');
	// For a tool, `$json` is not the item.
	const placeholder = { code, read: isTool ? undefined : read };
	const insteadOfSpace = (text: string) =>
		together ? adviseJoining(together, ' ') : `Write {{ ${withFallback(`${code}.trim()`, text)} }}`;
	return (row) => {
		let value: unknown;
		try {
			value = valueOf(placeholder, row, evaluate);
		} catch (error) {
			return findNotCalled(code, row, evaluate, error);
		}
		if (!hasText(value)) {
			const notCalled = findNotCalled(code, row, evaluate);
			if (notCalled) return notCalled;
			if (mayBeEmpty) return undefined;
			if (isBare(code)) return { advice: isTool ? letModel : proposeColumn(code, row.json) };
			// What only looks empty would outweigh a fallback.
			const isSpace = typeof value === 'string' && value !== '';
			const orElse = isSpace && example !== undefined ? insteadOfSpace(example) : instead;
			return { advice: orElse ? `${orElse}, ${orSkip}` : rowOfNobody };
		}
		const inside = isUnreadable(value) && adviseValueInside(code, value);
		if (inside)
			return { found: `is ${Array.isArray(value) ? 'a list' : 'an object'}`, advice: inside };
		if (typeof value !== 'string' || !isNobody(value, 'text')) return undefined;
		const found = `is ${quote(value)}, which stands for a missing value`;
		if (example === undefined) return { found, advice: rowOfNobody };
		const word = value.replace(/['\\]/g, '\\$&');
		if (together) return { found, advice: `${adviseJoining(together, word)}, ${orSkip}` };
		const write = `['${word}', ''].includes(${code} ?? '') ? '${example}' : ${code}`;
		return { found, advice: `Write {{ ${write} }}, ${orSkip}` };
	};
}

function findInside(code: string, isId: boolean, n8n: Evaluating): Find | undefined {
	const find = missingInside(code, n8n);
	return (
		find &&
		((row, written) => {
			const { word, path, value } = find(row, written) ?? {};
			if (word === undefined) return undefined;
			const why = isEmpty(value) ? 'is empty' : `is ${quote(value)}`;
			const found = `contains ${quote(word)}, because ${path} ${why}`;
			if (isId) return { found, advice: rowOfNobody };
			const isJoined = word === 'null' || word === 'undefined';
			const correct = isJoined && `Write (${path} ?? '') in place of ${path}`;
			return { found, advice: `${correct || 'Correct the expression'}, ${orSkip}` };
		})
	);
}

/**
 * Returns a function that finds what the missing value of a path leaves in the text that code makes of it,
 * such as `null`. The same word in a text of the code, or in another value, is meant. Undefined if the code
 * reads no plain path.
 */
export function missingInside(code: string, { evaluate, isTool }: Evaluating) {
	const paths = pathsIn(code).map((path) => ({
		path,
		read: isTool ? undefined : (parseTemplate(`={{ ${path} }}`)?.[0] as Placeholder).read,
	}));
	if (paths.length === 0) return undefined;
	const literals = literalsIn(code);
	const tryTo = (path: string, index: number): unknown => {
		try {
			return evaluate(path, index);
		} catch {
			// The code reads it in some rows only.
			return '';
		}
	};
	return ({ index, json }: Pick<Row, 'index' | 'json'>, written: unknown) => {
		if (typeof written !== 'string') return undefined;
		const values = paths.map(({ path, read }) => {
			const direct = read ? read(json) : leftToN8n;
			return { path, value: direct === leftToN8n ? tryTo(path, index) : direct };
		});
		for (const { path, value } of values) {
			const words = wordsOf(value).filter((word) => written.includes(word));
			if (words.length === 0) continue;
			const result = String(evaluate(code, index));
			const others = values.filter((one) => one.path !== path).map((one) => one.value);
			const meant = [literals, ...others.filter((one) => typeof one === 'string')].join(' ');
			const word = words.find((one) => result.split(one).length > meant.split(one).length);
			if (word !== undefined) return { word, path, value };
		}
		return undefined;
	};
}

/** What a missing value can leave in a text. */
function wordsOf(value: unknown): string[] {
	if (value === undefined || value === null) return ['null', 'undefined', 'NaN'];
	return typeof value === 'string' && isNobody(value, 'text') ? [value.trim()] : [];
}

/** An empty text that an expression gives on purpose, such as `?? ''`. */
const emptyText = /(["'`])\1/;

/** Returns a function that finds the code of a placeholder that gives nothing in a row, although none is meant to. */
export function keyGaps(parameter: string, { raw, evaluate, isTool }: N8n) {
	const searched = (parseTemplate(raw(parameter)) ?? [])
		.filter((part) => typeof part !== 'string')
		.filter((part) => isPlain(part) || !emptyText.test(part.code))
		.map(({ code, read }) => ({ code: code.trim(), read: isTool ? undefined : read }));
	return (row: Pick<Row, 'index' | 'json'>): string | undefined =>
		searched.find((one) => !hasText(valueOf(one, row, evaluate)))?.code;
}

/**
 * The placeholders that must have a value. A plain one that is the whole parameter only makes the field
 * empty, but a bare name is never meant.
 */
function checkedPlaceholders(raw: unknown) {
	return searchedPlaceholders(raw).filter(({ isChecked }) => isChecked);
}

function searchedPlaceholders(raw: unknown): Searched[] {
	const parts = parseTemplate(raw) ?? [];
	const isWhole = parts.filter((part) => typeof part !== 'string' || isVisible(part)).length === 1;
	const textAt = (index: number) => {
		const part = parts[index];
		return typeof part === 'string' ? part : '';
	};
	return parts.flatMap((part, index) => {
		if (typeof part === 'string') return [];
		const isChecked = isBare(part.code.trim()) || (!isWhole && isPlain(part));
		// The text that is left if the placeholder gives nothing.
		return [{ ...part, isWhole, isChecked, around: textAt(index - 1) + textAt(index + 1) }];
	});
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

/** Names the path to a value where a field is refused because it is a list or an object. */
export function withPaths(checked: Checked, { parameters, json }: Row, raw: N8n['raw']): Checked {
	if (!('problems' in checked)) return checked;
	const [stored, read] = [raw('additionalFields'), parameters.additionalFields];
	const problems = checked.problems.map((problem) => {
		const { field, message } = problem;
		if (!/\bit is (?:a list|of type)\b|is not a date and time\b/.test(message)) return problem;
		if (parameters.dataMode === 'autoMapInputData') {
			const column = field === 'userID' ? String(parameters.userIdField) : field;
			const path = pathInside(json[column]);
			if (path === undefined) return problem;
			return {
				...problem,
				message: `${message}. ${addField(column, withOptionalSteps(columnCode(column) + path))}`,
			};
		}
		const isAdditional = !(field in parameters) && isRecord(stored) && isRecord(read);
		const code = plainPlaceholder(isAdditional ? stored[field] : raw(field));
		const value = isAdditional ? read[field] : parameters[field];
		const advice = code === undefined ? undefined : adviseValueInside(code, value);
		return advice === undefined ? problem : { ...problem, message: `${message}. ${advice}` };
	});
	return { problems };
}

/** Names the expression of a field that is refused because it is empty, and the columns that it could read. */
export function withExpressions(
	checked: Checked,
	{ parameters }: Row,
	{ raw, isTool }: Evaluating,
	columns: InputColumns,
): Checked {
	if (!('problems' in checked) || isTool) return checked;
	const optional = raw('additionalFields');
	const problems = checked.problems.map((problem) => {
		const { field, message } = problem;
		const [what, rest] = message.split(' is empty');
		// Other texts say what to do without it.
		if (!rest?.startsWith('.')) return problem;
		const written = field in parameters ? raw(field) : isRecord(optional) && optional[field];
		if (typeof written !== 'string' || !written.startsWith('=')) return problem;
		const expression = oneLine(written.slice(1).trim(), 200);
		const nearest = columns.nearest(written);
		const others = columns.names.length > 0 ? `, or choose another column. ${columns.list}` : '';
		const advice =
			nearest === undefined ? `Fill it in${others}` : `Did you mean ${nearest.slice(1).trim()}?`;
		return { ...problem, message: `${what} is empty. ${expression} gives nothing. ${advice}` };
	});
	return { problems };
}

/** Refuses a row with gaps. With 'Skip Text Check', those of texts are only kept for the preview. */
export function withGaps(
	checked: Checked,
	gaps: readonly TextGap[],
	operation: Operation,
	skipTextCheck: boolean,
): Checked {
	const refused = skipTextCheck ? gaps.filter(({ isId }) => isId) : gaps;
	if (gaps.length === 0) return checked;
	if (refused.length === 0)
		return 'problems' in checked
			? checked
			: { deliveries: checked.deliveries.map((delivery) => ({ ...delivery, gaps })) };
	const fields = declaredFields(operation);
	const labels = collectLabels(operation.form);
	const labelOf = (field: string) => fields[field]?.form.displayName ?? labels[field] ?? field;
	const problems = refused.map(({ field, code, found, advice }) => ({
		field,
		message:
			found === undefined
				? `${labelOf(field)}: {{ ${code} }} is empty. ${advice}`
				: `${labelOf(field)}: {{ ${code} }} ${found}. ${advice}`,
	}));
	// What the field itself says of it, such as that it is empty, says less.
	const whole = new Set(refused.filter(({ isAll }) => isAll).map(({ field }) => field));
	const named = new Set(refused.map(({ field }) => field));
	const others = ('problems' in checked ? checked.problems : []).filter(
		({ field, message }) => !whole.has(field) && !(named.has(field) && / is empty\b/.test(message)),
	);
	return { problems: [...problems, ...others] };
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
