import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { childEnvironment, run } from '../command';
import { repository } from '../paths';
import { Problem } from '../problem';
import { step } from '../steps';
import type { Host } from './hosts';

/** Installs a host's locked packages, or does nothing where they already stand. */
export async function installHost(host: Host): Promise<void> {
	const stamp = path.join(host.folder, 'node_modules', '.installed');
	const wanted = fingerprint(host);
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
	rmSync(stamp, { force: true });
	await step(`Installing n8n ${host.version}, once, 1.3 GB, a few minutes`, async () => {
		await pnpm(host, ['install', '--frozen-lockfile', '--reporter=append-only']);
		// Packages that were installed while scripts were switched off are not built by a second install.
		if (!(await databaseLoads(host))) await pnpm(host, ['rebuild', 'sqlite3']);
		if (!(await databaseLoads(host))) {
			throw new Problem(
				`n8n ${host.version} is installed, but its database driver (sqlite3) was neither downloaded nor built. ` +
					'Install python3, make and g++ (Debian: apt-get install python3 make g++) and run the same command again.',
			);
		}
	});
	writeFileSync(stamp, wanted);
}

function fingerprint({ folder }: Host): string {
	const hash = createHash('sha256');
	for (const name of ['package.json', 'pnpm-lock.yaml']) hash.update(readFileSync(path.join(folder, name)));
	return hash.digest('hex');
}

async function pnpm(host: Host, args: string[]): Promise<void> {
	const script = path.join(repository, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
	const settings = ['--ignore-workspace', '--config.ignore-scripts=false', '--config.confirm-modules-purge=false'];
	await run(process.execPath, [script, ...args, ...settings], { cwd: host.folder, env: childEnvironment(headers()) });
}

// A build of sqlite3 would otherwise download the headers that mostly came with Node.
function headers(): NodeJS.ProcessEnv {
	const prefix = path.resolve(process.execPath, '..', '..');
	return existsSync(path.join(prefix, 'include', 'node', 'node_api.h')) ? { npm_config_nodedir: prefix } : {};
}

async function databaseLoads(host: Host): Promise<boolean> {
	try {
		// pnpm links n8n in: its own packages stand beside where it really is.
		const n8n = realpathSync(path.join(host.folder, 'node_modules', 'n8n', 'package.json'));
		const driver = createRequire(n8n).resolve('sqlite3');
		await run(process.execPath, ['-e', `require(${JSON.stringify(driver)})`], { cwd: host.folder });
		return true;
	} catch {
		return false;
	}
}
