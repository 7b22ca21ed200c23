import type { INodeExecutionData } from 'n8n-workflow';

import type { N8n } from '../n8n/context';
import { oneLine } from '../shared/formatting';
import { draggedColumns } from './columnNames';
import type { Run, UnusableRun } from './resolveRun';

/**
 * Returns a function that says whom an input item is for, as far as that can be read. For messages
 * about items, also those that cannot be sent.
 */
export function recipientNamer(
	{ operation }: Pick<Run | UnusableRun, 'operation'>,
	items: readonly INodeExecutionData[],
	n8n: Pick<N8n, 'read' | 'raw'>,
): (itemIndex: number) => string | undefined {
	const read = (name: string, index: number): unknown => {
		try {
			return n8n.read(name, index);
		} catch {
			// The expression cannot be evaluated, which the plan reports.
			return undefined;
		}
	};
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
