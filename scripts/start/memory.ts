import { existsSync } from 'node:fs';
import path from 'node:path';
import { readState, writeState } from './state';

/** What a start created, by the ID that n8n gave it, so that the next start recognizes it under any name. */
export interface Memory {
	sandboxUrl: string;
	credentials: Record<string, string>;
	workflows: Record<string, string>;
}

const remedy =
	'Delete it and run the same command again. The examples and their credentials are then created once more.';

const fileIn = (userFolder: string) => path.join(userFolder, 'created-at-start.json');

export function recall(userFolder: string): Memory {
	const file = fileIn(userFolder);
	const nothing: Memory = { sandboxUrl: '', credentials: {}, workflows: {} };
	return existsSync(file) ? { ...nothing, ...readState<Partial<Memory>>(file, remedy) } : nothing;
}

export function remember(userFolder: string, memory: Memory): void {
	writeState(fileIn(userFolder), memory);
}
