import { parse } from 'flatted';

export interface Item {
	json: Record<string, unknown>;
	pairedItem?: unknown;
	/** Files; a small one has its data in base64 in the item. */
	binary?: Record<string, { fileName?: string; mimeType: string; data?: string }>;
	/** What a node writes into the chat: a text, or a text with buttons. */
	sendMessage?: unknown;
}

export interface NodeRun {
	/** One list of items per output; a node that ended with an error has none. A tool's output is `ai_tool`. */
	data?: { main: Array<Item[] | null>; ai_tool?: Array<Item[] | null> };
	error?: { message: string; description?: string };
	hints?: Array<{ message: string; type?: string }>;
}

export interface ExecutionData {
	resultData: {
		runData: Record<string, NodeRun[]>;
		error?: { message: string; description?: string };
		/** Where an execution waits, if it does. */
		lastNodeExecuted?: string;
	};
}

/** n8n stores an execution in the form of the package `flatted`. */
export function readExecution(flatted: string): ExecutionData {
	return parse(flatted) as ExecutionData;
}
