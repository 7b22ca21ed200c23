// Plain Node without packages: it runs before anything is installed. The project's .npmrc ignores
// scripts, so `prestart` and `pretest` would never be called; `start` and `test` call this themselves.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lock = `${root}.cache/installing`;
const modified = (file) => statSync(root + file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
// npm writes this file last, so an interrupted install counts as missing.
const upToDate = () => modified('node_modules/.package-lock.json') >= modified('package-lock.json');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	console.error(
		`This project needs Node.js 20.19 or newer, and ${process.execPath} is ${process.versions.node}.`,
	);
	console.error(
		'Install Node.js 22 or 24, with nvm, fnm or your package manager, and run the same command again.',
	);
	process.exit(1);
}

for (let turn = 0; !upToDate(); turn++) {
	mkdirSync(`${root}.cache`, { recursive: true });
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
	} catch {
		if (turn % 30 === 0)
			console.log('Waiting for another command that is installing the packages …');
		forgetEndedInstall();
		await sleep(500);
		continue;
	}
	const status = install();
	rmSync(lock, { force: true });
	if (status === 0) break;
	console.error('npm ci did not succeed. See its lines above, then run the same command again.');
	process.exit(1);
}

function install() {
	console.log('Installing the development packages with npm ci, which takes about a minute …');
	const npm = process.env.npm_execpath?.endsWith('npm-cli.js')
		? process.env.npm_execpath
		: undefined;
	const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
	const startedAt = Date.now();
	const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] };
	const { status } = spawnSync(
		npm ? process.execPath : 'npm',
		npm ? [npm, ...args] : args,
		options,
	);
	console.log(`  npm ci took ${Math.round((Date.now() - startedAt) / 1000)} s`);
	return status;
}

function forgetEndedInstall() {
	try {
		process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
	} catch (error) {
		if (error.code !== 'EPERM') rmSync(lock, { force: true });
	}
}
