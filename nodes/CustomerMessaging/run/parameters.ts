import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { collectLabels, type FormParameter, isRecord } from '../fields/field';
import { asJson, unsendableIn } from '../fields/json';
import type { N8n } from '../n8n/context';
import type { Problem } from '../shared/ending';
import { errorMessage, say, written } from '../shared/formatting';
import {
	asText,
	directReader,
	holdsExpression,
	isSimple,
	leftToN8n,
	listExpressions,
	parseTemplate,
	storedFields,
} from './expressions';

type ParameterSource = Pick<N8n, 'raw' | 'read' | 'evaluate' | 'isReview'>;

interface ReadParameters {
	parameters: Record<string, unknown>;
	problems: Problem[];
	/** True if reading the item again gives the same values. An expression that n8n evaluates may give others. */
	isRepeatable: boolean;
}

/**
 * Returns a function that reads the parameters of a form for an item. Parameters without expressions are
 * read only once, because reading takes most of the time in a run of thousands of items.
 */
export function parameterReader(form: readonly FormParameter[], source: ParameterSource) {
	const labels = collectLabels(form);
	const shown = form.filter(({ type }) => type !== 'notice');
	const names = [...new Set(shown.map(({ name }) => name))];
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
					problems.push(notEvaluated(name, labels[name], error));
					continue;
				}
			}
			parameters[name] = value;
		}
		return { parameters, problems, isRepeatable };
	};
}

/**
 * Returns a function that puts values into the JSON texts of an item. n8n would not escape them, so a row's text
 * could end a string of the JSON and add a key.
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
				const rule = `${labels[field]} has a backslash before a brace, which n8n and JSON read differently. Put that text into a column with an Edit Fields node before, and write {{ $json.column }} in its place`;
				problems.push({ field, rule });
				continue;
			}
			let unsendable: object | undefined;
			const texts = parts.map((part) => {
				if (typeof part === 'string') return part;
				let value: unknown = part.read ? part.read(json) : leftToN8n;
				try {
					if (value === leftToN8n) value = source.evaluate(part.code, index);
				} catch (error) {
					problems.push(notEvaluated(field, labels[field], error));
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

/** The parts of a JSON text. `isQuoted`: the placeholder is between quotation marks. */
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

/** An expression that is more than a single placeholder. For a single one, n8n gives the value itself. */
const joined = /^=(?!\s*\{\{(?:(?!\}\})[^])*\}\}\s*$)[^]*\{\{/;

/** A copy of an object or list with another value at the end of a path of keys. */
function replaceIn(inside: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
	if (key === undefined) return value;
	if (Array.isArray(inside))
		return inside.map((one: unknown, at) =>
			String(at) === key ? replaceIn(one, rest, value) : one,
		);
	return isRecord(inside) ? { ...inside, [key]: replaceIn(inside[key], rest, value) } : inside;
}

/** Says that n8n cannot evaluate an expression. Its message may quote values of the row. */
function notEvaluated(field: string, label: string | undefined, error: unknown): Problem {
	const sentence = say`The expression in '${label ?? field}' cannot be evaluated: ${written(errorMessage(error))}. Correct the expression`;
	return { field, ...sentence };
}

/** True for the text that tells a reviewer what an agent wants to do. n8n writes it, and it names the tool. */
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

/** Code that reads an item, so that its value may differ for the next one. */
const readsItem =
	/\$json\b|\$input\b|\$node\b|\$itemIndex\b|\$data\b|\$binary\b|\.item\b|\.itemMatching\b/;

/** Reads parameters that hold for the whole run, once. One that reads an item is refused. */
export function readForRun(
	form: readonly FormParameter[],
	source: ParameterSource,
	json: IDataObject = {},
): Pick<ReadParameters, 'parameters' | 'problems'> {
	const problems = storedFields(form, source).flatMap(([name, stored, declared]): Problem[] => {
		const isOfItem = listExpressions(stored).some((code) => readsItem.test(code));
		// The only option that may differ by row.
		if (!isOfItem || name === 'defaultCountry') return [];
		const rule = `'${declared?.displayName ?? name}' holds for the whole run, but its expression reads an item. Set it to one value for all items; to treat items differently, separate them with an If node before two of these nodes`;
		return [{ field: name, rule }];
	});
	return problems.length > 0
		? { parameters: {}, problems }
		: parameterReader(form, source)(0, json);
}

/** Undefined if an expression cannot be evaluated. The plan reports those of fields. */
export function ifPossible(evaluate: () => unknown): unknown {
	try {
		return evaluate();
	} catch {
		return undefined;
	}
}
