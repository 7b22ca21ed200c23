import type { FormParameter } from '../fields/field';
import { parseTemplate } from './expression';

/**
 * Finds fields that hold the name of a column and to which the column itself was dragged. Their
 * expression gives the value of the column, while its name is meant.
 *
 * @param raw returns a parameter as stored in the workflow, with its expressions unevaluated
 * @returns the names of the columns by parameter
 */
export function draggedColumns(
	form: readonly FormParameter[],
	raw: (name: string) => unknown,
): Record<string, string> {
	const ofColumns = form.filter(({ requiresDataPath }) => requiresDataPath === 'single');
	return Object.fromEntries(
		ofColumns.flatMap(({ name }) => {
			const column = draggedColumn(raw(name));
			return column === undefined ? [] : [[name, column]];
		}),
	);
}

/** When a column is dragged onto a field, n8n writes `={{ $json.customerId }}`. */
function draggedColumn(raw: unknown): string | undefined {
	const parts = parseTemplate(raw)?.filter(
		(part) => typeof part !== 'string' || part.trim() !== '',
	);
	const [only] = parts ?? [];
	if (parts?.length !== 1 || typeof only === 'string' || only?.expression?.kind !== 'path')
		return undefined;
	const [step, ...more] = only.expression.steps;
	return more.length === 0 ? step?.key : undefined;
}
