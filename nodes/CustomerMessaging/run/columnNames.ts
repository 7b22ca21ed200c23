import type { FormParameter } from '../fields/field';

/** What n8n writes when a column is dragged onto a field: `={{ $json.customerId }}`. */
const dragged =
	/^=\s*\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\["([^"\\\]]+)"\]|\['([^'\\\]]+)'\])\s*\}\}\s*$/;

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
			const value = raw(name);
			const [, plain, double, single] = dragged.exec(typeof value === 'string' ? value : '') ?? [];
			const column = plain ?? double ?? single;
			return column === undefined ? [] : [[name, column]];
		}),
	);
}
