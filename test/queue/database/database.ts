import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { nodeFor, type Host } from '../../../scripts/n8n/hosts';

/** n8n asks for Postgres in queue mode. With SQLite, two workers that write at the same moment meet more easily. */
export const databaseKinds = ['postgres', 'sqlite'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** The database that all processes of one n8n share. */
export interface Database {
	/** How n8n finds it. */
	env: NodeJS.ProcessEnv;
	/** Lets nobody write to n8n's store of processed items for so long, and returns when that is over. */
	lock(forMs: number): Promise<void>;
	stop: () => Promise<void>;
}

/** n8n's own default: an SQLite file in its folder. */
export function sqliteFile(host: Host, userFolder: string): Database {
	return {
		env: {},
		lock: async (forMs) => await lockFile(host, userFolder, forMs),
		stop: async () => {},
	};
}

/** Holds the only write lock of the whole database. */
async function lockFile(host: Host, userFolder: string, forMs: number): Promise<void> {
	// n8n's own driver, because not every Node has one. pnpm puts it next to n8n.
	const n8n = realpathSync(path.join(host.folder, 'node_modules', 'n8n', 'package.json'));
	const driver = createRequire(n8n).resolve('sqlite3');
	const file = path.join(userFolder, '.n8n', 'database.sqlite');
	const child = spawn(
		nodeFor(host),
		[path.join(__dirname, 'lockSqlite.cjs'), driver, file, String(forMs)],
		{ stdio: ['ignore', 'ignore', 'inherit'] },
	);
	process.once('exit', () => child.kill('SIGKILL'));
	const code = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', resolve);
	});
	if (code !== 0) throw new Error(`The database could not be locked (exit code ${String(code)})`);
}
