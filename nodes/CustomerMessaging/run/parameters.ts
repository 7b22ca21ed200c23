import type { IDataObject } from 'n8n-workflow';

import { directReader, leftToN8n } from './directRead';
import { isRecord } from '../fields/field';
import type { Problem } from '../shared/problem';
import { errorMessage, given } from '../shared/formatting';
import { inSlices, type Interruptible } from '../shared/slices';

/** How n8n reads parameters. */
export interface ParameterSource {
	/** A parameter as stored in the workflow, with its expressions unevaluated. */
	raw(name: string): unknown;
	/** A parameter as evaluated for an item. Throws if an expression cannot be evaluated. */
	read(name: string, index: number): unknown;
	/** Whether an AI agent calls the node. The items then contain its input, which is not what `$json` means. */
	isTool: boolean;
}

export interface ReadParameters {
	parameters: Record<string, unknown>;
	problems: Problem[];
	/** Whether reading the item again gives the same values. An expression that n8n evaluates may not. */
	isRepeatable: boolean;
}

/**
 * Returns a function that reads the named parameters for an item. Parameters without expressions are
 * read only once, because reading takes most of the time in a run of thousands of items.
 *
 * @param labels the form's labels by parameter name, for the problems
 */
export function parameterReader(
	names: readonly string[],
	source: ParameterSource,
	labels: Readonly<Record<string, string>> = {},
) {
	const varies = (name: string) => holdsExpression(source.raw(name));
	const fixed = Object.fromEntries(
		names.filter((name) => !varies(name)).map((name) => [name, source.read(name, 0)]),
	);
	const varying = names
		.filter(varies)
		.map((name) => ({ name, direct: source.isTool ? undefined : directReader(source.raw(name)) }));
	return (index: number, json: IDataObject): ReadParameters => {
		const parameters = { ...fixed };
		const problems: Problem[] = [];
		let isRepeatable = true;
		for (const { name, direct } of varying) {
			const read = { value: direct ? direct(json) : leftToN8n };
			const isDirect = read.value !== leftToN8n;
			const reason = isDirect ? undefined : readWithN8n(name, index, source, read);
			isRepeatable &&= isDirect;
			if (reason === undefined) parameters[name] = read.value;
			else problems.push({ field: name, message: unreadable(labels[name] ?? name, reason) });
		}
		return { parameters, problems, isRepeatable };
	};
}

/**
 * Reads parameters that must be the same for the whole run. One whose value differs between items is
 * refused; the value of the first item is never used for all.
 *
 * @param labels the form's labels by parameter name, including the names of options
 */
export async function readForRun(
	labels: Readonly<Record<string, string>>,
	names: readonly string[],
	source: ParameterSource & Interruptible,
	rows: readonly IDataObject[],
): Promise<Pick<ReadParameters, 'parameters' | 'problems'>> {
	const readRow = parameterReader(names, source, labels);
	const first = readRow(0, rows[0] ?? {});
	if (first.problems.length > 0 || !names.some((name) => holdsExpression(source.raw(name))))
		return first;

	let refused: Pick<ReadParameters, 'parameters' | 'problems'> | undefined;
	await inSlices(rows, source, (json, index) => {
		if (refused) return;
		const { parameters, problems } = readRow(index, json);
		if (problems.length > 0) refused = { parameters, problems };
		const [differing] = problems.length > 0 ? [] : differences(first.parameters, parameters);
		if (!differing) return;
		const { name, one, other } = differing;
		const message = `'${labels[name] ?? name}' holds for the whole run, but it is ${given(one)} for item 0 and ${given(other)} for item ${index}. Set it to one value for all items; to treat rows differently, separate them with an If node before two of these nodes`;
		refused = { parameters: first.parameters, problems: [{ field: name, message }] };
	});
	return refused ?? first;
}

/** Returns n8n's reason if it cannot. The `try` contains only the call to n8n, so that a bug in this node is never reported as the user's error. */
function readWithN8n(
	name: string,
	index: number,
	source: ParameterSource,
	read: { value: unknown },
): string | undefined {
	try {
		read.value = source.read(name, index);
		return undefined;
	} catch (error) {
		return errorMessage(error);
	}
}

function unreadable(label: string, reason: string): string {
	return `The expression in '${label}' cannot be evaluated: ${reason}. Correct the expression`;
}

function differences(one: Record<string, unknown>, other: Record<string, unknown>) {
	return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap(
		(name): Array<{ name: string; one: unknown; other: unknown }> => {
			const [left, right] = [one[name], other[name]];
			if (isRecord(left) && isRecord(right)) return differences(left, right);
			const isSame = JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
			return isSame ? [] : [{ name, one: left, other: right }];
		},
	);
}

export function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
