import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a start created, by the id that n8n gave it, so that the next one knows it under any name. */
export interface Memory {
	sandboxUrl: string;
	credentials: Record<string, string>;
	workflows: Record<string, string>;
}

const fileIn = (userFolder: string) => path.join(userFolder, 'created-at-start.json');

export function recall(userFolder: string): Memory {
	const file = fileIn(userFolder);
	const nothing: Memory = { sandboxUrl: '', credentials: {}, workflows: {} };
	return existsSync(file)
		? { ...nothing, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Memory>) }
		: nothing;
}

export function remember(userFolder: string, memory: Memory): void {
	writeFileSync(fileIn(userFolder), `${JSON.stringify(memory, null, '\t')}\n`);
}
