import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { childEnvironment, run } from '../command';
import { withLock } from '../lock.cjs';
import { cacheFolder, repository } from '../paths';
import { Problem } from '../problem';
import { step } from '../steps';
import { nodeFor, suits, type Host } from './hosts';

const SCRIPTS_ON = '--config.ignore-scripts=false';

/** Installs a host's locked packages unless they are installed already. */
export async function installHost(host: Host): Promise<void> {
	if (isInstalled(host)) return;
	const lock = path.join(cacheFolder, `host-${host.version}.lock`);
	await withLock(lock, `installing n8n ${host.version}`, async () => {
		// Another command may have installed it in the meantime.
		if (!isInstalled(host)) await install(host);
	});
}

/** Writes the lockfile of a host. */
export async function lockHost(host: Host): Promise<void> {
	await pnpm(host, process.execPath, ['install', '--lockfile-only', ...nodeOptions(host)]);
}

function isInstalled(host: Host): boolean {
	const stamp = stampPath(host);
	return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(host);
}

/** A folder that is shared or copied may have been installed for another kind of machine. */
function stampPath({ folder }: Host): string {
	return path.join(folder, 'node_modules', `.installed-${process.platform}-${process.arch}`);
}

async function install(host: Host): Promise<void> {
	const node = nodeFor(host);
	rmSync(stampPath(host), { force: true });
	await step(`Installing n8n ${host.version}, once, up to 2 GB, a few minutes`, async () => {
		await pnpm(host, process.execPath, [
			'install',
			'--frozen-lockfile',
			'--reporter=append-only',
			...nodeOptions(host),
		]);
		// Packages that were installed while scripts were switched off are not built by a second install.
		if (!(await nativePartsLoad(host, node)))
			await pnpm(host, node, ['rebuild', ...host.native, SCRIPTS_ON]);
		if (!(await nativePartsLoad(host, node))) {
			throw new Problem(
				`n8n ${host.version} is installed, but its native parts (${host.native.join(', ')}) were neither downloaded nor built. ` +
					'Install python3, make and g++ (Debian: apt-get install python3 make g++) and run the same command again.',
			);
		}
	});
	writeFileSync(stampPath(host), fingerprint(host));
}

// The host's own Node is installed in this step, so a second step has to build for it.
function nodeOptions(host: Host): string[] {
	if (suits(host) || !host.ownNode) return [SCRIPTS_ON];
	return ['--config.ignore-scripts=true', `--config.node-version=${host.ownNode.version}`];
}

function fingerprint({ folder }: Host): string {
	const hash = createHash('sha256');
	for (const name of ['package.json', 'pnpm-lock.yaml'])
		hash.update(readFileSync(path.join(folder, name)));
	return hash.digest('hex');
}

async function pnpm(host: Host, node: string, args: string[]): Promise<void> {
	const script = path.join(repository, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
	const settings = ['--ignore-workspace', '--config.confirm-modules-purge=false'];
	await run(node, [script, ...args, ...settings], {
		cwd: host.folder,
		env: childEnvironment(headers(node), node),
	});
}

// Without them, a build would download the headers, although they mostly come with Node.
function headers(node: string): NodeJS.ProcessEnv {
	const prefix = path.resolve(node, '..', '..');
	return existsSync(path.join(prefix, 'include', 'node', 'node_api.h'))
		? { npm_config_nodedir: prefix }
		: {};
}

async function nativePartsLoad(host: Host, node: string): Promise<boolean> {
	try {
		// pnpm links n8n, and its packages are next to the target of the link.
		const n8n = realpathSync(path.join(host.folder, 'node_modules', 'n8n', 'package.json'));
		const parts = host.native.map((name) => createRequire(n8n).resolve(name));
		await run(node, ['-e', `for (const part of ${JSON.stringify(parts)}) require(part)`], {
			cwd: host.folder,
		});
		return true;
	} catch {
		return false;
	}
}
