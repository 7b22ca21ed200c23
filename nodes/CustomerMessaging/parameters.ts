import type { IDataObject } from 'n8n-workflow';

import { directReader } from './directRead';
import type { Problem } from './problem';

/** n8n's way to read one parameter, by its name and the item's index. */
export interface ParameterSource {
	/** As it stands in the workflow, expressions unread. */
	raw(name: string): unknown;
	/** As it reads for an item. Throws where an expression cannot be read. */
	read(name: string, index: number): unknown;
	/** Whether an AI agent calls the node: what it passes then is not what `$json` means. */
	isTool: boolean;
}

export interface ReadParameters {
	parameters: Record<string, unknown>;
	problems: Problem[];
}

/**
 * Reads the named parameters for one item after another. What holds no expression is read only
 * once, as reading is what costs most in a run of thousands of items.
 */
export function parameterReader(names: readonly string[], source: ParameterSource) {
	const varies = (name: string) => holdsExpression(source.raw(name));
	const fixed = Object.fromEntries(names.filter((name) => !varies(name)).map((name) => [name, source.read(name, 0)]));
	const varying = names.filter(varies).map((name) => ({ name, direct: source.isTool ? undefined : directReader(source.raw(name)) }));
	return (index: number, json: IDataObject): ReadParameters => {
		const parameters = { ...fixed };
		const problems: Problem[] = [];
		for (const { name, direct } of varying) {
			try {
				parameters[name] = direct?.(json) ?? source.read(name, index);
			} catch (error) {
				const reason = error instanceof Error ? error.message : String(error);
				problems.push({ field: name, message: `The expression in '${name}' cannot be read: ${reason}. Correct the expression` });
			}
		}
		return { parameters, problems };
	};
}

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
