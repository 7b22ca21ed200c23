import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { nodeFor, type Host } from '../../scripts/n8n/hosts';

/** Holds n8n's database so that no other process can write to it. */
export async function lockDatabase(host: Host, userFolder: string, forMs: number): Promise<void> {
	// n8n's own driver, because not every Node has one. pnpm puts it next to n8n.
	const n8n = realpathSync(path.join(host.folder, 'node_modules', 'n8n', 'package.json'));
	const driver = createRequire(n8n).resolve('sqlite3');
	const file = path.join(userFolder, '.n8n', 'database.sqlite');
	const child = spawn(
		nodeFor(host),
		[path.join(__dirname, 'lock-database.cjs'), driver, file, String(forMs)],
		{ stdio: ['ignore', 'ignore', 'inherit'] },
	);
	process.once('exit', () => child.kill('SIGKILL'));
	const code = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', resolve);
	});
	if (code !== 0) throw new Error(`The database could not be locked (exit code ${String(code)})`);
}
