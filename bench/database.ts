import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findHost } from '../scripts/n8n/hosts';
import type { Stage } from './stage';

/** The part of n8n's own database driver that is used. */
interface Driver {
	Database: new (file: string) => Database;
}

interface Database {
	configure(name: 'busyTimeout', ms: number): void;
	all(sql: string, values: unknown[], done: (error: Error | null, rows: Row[]) => void): void;
	close(done: () => void): void;
}

interface Row {
	value: string;
}

interface Stored {
	mode: string;
	data: string[];
}

/** The hashes that n8n stores for a workflow, in which one node uses n8n's store. */
export async function processedEntries(stage: Stage, workflowId: string): Promise<string[]> {
	const [row] = await query(stage, 'SELECT value FROM processed_data WHERE workflowId = ?', [
		workflowId,
	]);
	if (!row) throw new Error('n8n has stored nothing for this workflow');
	return (JSON.parse(row.value) as Stored).data;
}

/** Replaces the hashes that n8n stores for the workflow. */
export async function writeProcessedEntries(
	stage: Stage,
	workflowId: string,
	data: string[],
): Promise<void> {
	const value: Stored = { mode: 'entries', data };
	await query(stage, 'UPDATE processed_data SET value = ? WHERE workflowId = ?', [
		JSON.stringify(value),
		workflowId,
	]);
}

async function query(
	{ version, userFolder }: Stage,
	sql: string,
	values: unknown[],
): Promise<Row[]> {
	const n8n = path.join(findHost(version).folder, 'node_modules/n8n/package.json');
	const { Database } = createRequire(realpathSync(n8n))('sqlite3') as Driver;
	const database = new Database(path.join(userFolder, '.n8n/database.sqlite'));
	database.configure('busyTimeout', 10_000);
	try {
		return await new Promise((resolve, reject) =>
			database.all(sql, values, (error, rows) => (error ? reject(error) : resolve(rows))),
		);
	} finally {
		await new Promise<void>((resolve) => database.close(resolve));
	}
}
