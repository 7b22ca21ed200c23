import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { childEnvironment, run } from '../command';
import { repository } from '../paths';
import { step } from '../steps';

const folder = path.join(__dirname, 'n8n-node');

/** The folder of the packages of n8n's tools: its linter, and its scanner of published packages. */
export const toolPackages = path.join(folder, 'node_modules');

/** Installs n8n's tools for community nodes from their lockfile, or does nothing if they are there. */
export async function installTools(): Promise<void> {
	const stamp = path.join(toolPackages, '.installed');
	const wanted = createHash('sha256')
		.update(readFileSync(path.join(folder, 'pnpm-lock.yaml')))
		.digest('hex');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
	rmSync(stamp, { force: true });
	const pnpm = path.join(repository, 'node_modules/pnpm/bin/pnpm.cjs');
	const settings = [
		'--frozen-lockfile',
		'--ignore-workspace',
		'--config.ignore-scripts=true',
		'--config.auto-install-peers=false',
		'--config.confirm-modules-purge=false',
	];
	await step(
		"Installing n8n-node and n8n's scanner, once, 110 MB",
		async () => await run(process.execPath, [pnpm, 'install', ...settings], { cwd: folder }),
	);
	writeFileSync(stamp, wanted);
}

/** Runs `n8n-node` with these arguments in a folder, and returns what it wrote. */
export async function n8nNode(args: string[], cwd: string): Promise<string> {
	const script = path.join(toolPackages, '@n8n/node-cli/bin/n8n-node.mjs');
	// The tool starts the linter with the package manager that seems to have started it.
	const env = childEnvironment({ npm_config_user_agent: 'npm' });
	return await run(process.execPath, [script, ...args], { cwd, env });
}
