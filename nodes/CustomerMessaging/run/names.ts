import type { INodeExecutionData } from 'n8n-workflow';

import type { FormParameter } from '../fields/field';
import { parseTemplate, readIfPossible } from './parameters';
import type { N8n } from '../n8n/context';
import { oneLine } from '../shared/formatting';
import type { Run, UnusableRun } from './resolveRun';

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
	if (parts?.length !== 1 || typeof only !== 'object') return undefined;
	const [operand, ...fallbacks] = only.expression?.operands ?? [];
	if (!operand || !('steps' in operand) || fallbacks.length > 0) return undefined;
	const [step, ...more] = operand.steps;
	return more.length === 0 ? step?.key : undefined;
}

/**
 * Returns a function that says whom an input item is for, as far as that can be read. For messages
 * about items, also those that cannot be sent.
 */
export function recipientNamer(
	{ operation }: Pick<Run | UnusableRun, 'operation'>,
	items: readonly INodeExecutionData[],
	n8n: Pick<N8n, 'read' | 'raw'>,
): (itemIndex: number) => string | undefined {
	const read = (name: string, index: number) => readIfPossible(n8n, name, index);
	const dragged = draggedColumns(operation?.form ?? [], n8n.raw);
	const idOf = (index: number): unknown => {
		if (operation?.fields.recipients) return read(formatName(read('recipientBy', index)), index);
		if (!operation?.batchKey) return undefined;
		if (read('dataMode', index) !== 'autoMapInputData') return read('userID', index);
		const column = dragged.userIdField ?? formatName(read('userIdField', index));
		return items[index]?.json[column];
	};
	return (index) => {
		const id = idOf(index);
		const isName = typeof id === 'number' || (typeof id === 'string' && id.trim() !== '');
		return isName ? oneLine(String(id).trim(), MAX_LENGTH) : undefined;
	};
}

const MAX_LENGTH = 40;

function formatName(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
