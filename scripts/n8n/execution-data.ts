export interface Item {
	json: Record<string, unknown>;
	pairedItem?: unknown;
	binary?: Record<string, { fileName?: string; mimeType: string }>;
}

export interface NodeRun {
	/** One list of items per output; a node that ended with an error has none. */
	data?: { main: Array<Item[] | null> };
	error?: { message: string; description?: string };
	hints?: Array<{ message: string }>;
}

export interface ExecutionData {
	resultData: {
		runData: Record<string, NodeRun[]>;
		error?: { message: string; description?: string };
	};
}

/**
 * n8n stores an execution "flatted": a list whose first entry is the value, and in which every string
 * inside an object or list is the index of another entry.
 */
export function readExecution(flatted: string): ExecutionData {
	const entries = JSON.parse(flatted) as unknown[];
	const revived = new Map<number, unknown>();

	const at = (index: number): unknown => {
		if (revived.has(index)) return revived.get(index);
		const entry = entries[index];
		if (typeof entry !== 'object' || entry === null) return entry;
		const target: Record<string, unknown> | unknown[] = Array.isArray(entry) ? [] : {};
		revived.set(index, target);
		for (const [key, value] of Object.entries(entry as Record<string, unknown>)) {
			Object.assign(target, { [key]: typeof value === 'string' ? at(Number(value)) : value });
		}
		return target;
	};
	return at(0) as ExecutionData;
}
