import type { Problem } from './problem';

/** n8n's way to read one parameter, by its name and the item's index. */
export interface ParameterSource {
	/** As it stands in the workflow, expressions unread. */
	raw(name: string): unknown;
	/** As it reads for an item. Throws where an expression cannot be read. */
	read(name: string, index: number): unknown;
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
	const varying = names.filter((name) => holdsExpression(source.raw(name)));
	const fixed = Object.fromEntries(
		names.filter((name) => !varying.includes(name)).map((name) => [name, source.read(name, 0)]),
	);
	return (index: number): ReadParameters => {
		const parameters = { ...fixed };
		const problems: Problem[] = [];
		for (const name of varying) {
			try {
				parameters[name] = source.read(name, index);
			} catch (error) {
				const reason = error instanceof Error ? error.message : String(error);
				problems.push({ field: name, message: `The expression cannot be read: ${reason}` });
			}
		}
		return { parameters, problems };
	};
}

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
