// Plain Node without packages, because it runs before anything is installed. The project's .npmrc ignores
// scripts, so npm would never call `prestart` and `pretest`. `start` and `test` run this themselves.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import locks from './lock.cjs';
import ranges from './nodeRange.cjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modified = (file) => statSync(root + file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
// npm writes this file last, so an interrupted install counts as missing.
const upToDate = () => modified('node_modules/.package-lock.json') >= modified('package-lock.json');

if (!ranges.suits('>=20.19')) {
	refuse(
		`This project needs Node.js 20.19 or newer, and ${process.execPath} is ${process.versions.node}.`,
	);
}

export async function ensureInstalled() {
	if (upToDate()) return;
	await locks.withLock(`${root}.cache/installing.lock`, 'installing the packages', () => {
		// Another command may have installed it in the meantime.
		if (upToDate() || install() === 0) return;
		console.error('npm ci did not succeed. See its lines above, then run the same command again.');
		process.exit(1);
	});
}

/** Ends the process if none of the n8n versions in scripts/n8n/hosts/ runs here. They take minutes to install. */
export function refuseUnsupportedNode() {
	const hosts = readdirSync(`${root}scripts/n8n/hosts`)
		.map((name) => `${root}scripts/n8n/hosts/${name}/package.json`)
		// The packages of a version that is no longer tested may be left.
		.filter((file) => existsSync(file))
		.map((file) => JSON.parse(readFileSync(file, 'utf8')));
	const ownNode = `node-${process.platform}-${process.arch}`;
	const canRun = hosts.some(
		({ engines, optionalDependencies }) =>
			ranges.suits(engines.node) || optionalDependencies?.[ownNode] !== undefined,
	);
	if (!canRun) {
		refuse(`No n8n that this project was tested with runs on Node.js ${process.versions.node}.`);
	}
}

function refuse(why) {
	console.error(why);
	console.error(
		'Install Node.js 22 or 24, with nvm, fnm or your package manager, and run the same command again.',
	);
	process.exit(1);
}

function install() {
	console.log('Installing the development packages with npm ci, which takes about a minute …');
	const npm = process.env.npm_execpath?.endsWith('npm-cli.js')
		? process.env.npm_execpath
		: undefined;
	const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
	const startedAt = Date.now();
	// Without the path of npm's script, the shell has to find npm, which is not an executable on Windows.
	const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: !npm };
	const { status } = spawnSync(
		npm ? process.execPath : 'npm',
		npm ? [npm, ...args] : args,
		options,
	);
	console.log(`  npm ci took ${Math.round((Date.now() - startedAt) / 1000)} s`);
	return status;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureInstalled();
