import type { Host } from '../../../scripts/n8n/hosts';
import type { Database, DatabaseKind } from './database';
import { startPostgres } from './postgres';
import { sqliteFile } from './sqlite';

export async function startDatabase(
	kind: DatabaseKind,
	host: Host,
	userFolder: string,
): Promise<Database> {
	return kind === 'postgres' ? await startPostgres() : sqliteFile(host, userFolder);
}
