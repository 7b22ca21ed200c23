import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { npm } from '../command';
import { withLock } from '../lock.cjs';
import { cacheFolder, repository } from '../paths';

/** What the package is made of. */
const SOURCES = [
	'nodes',
	'credentials',
	'gulpfile.js',
	'tsconfig.json',
	'tsconfig.build.json',
	'package.json',
	'package-lock.json',
	'index.js',
	'README.md',
	'CHANGELOG.md',
	'LICENSE',
];

const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Builds and packs the package as a release would, unless it was packed from the same files before.
 * Returns the path of the tarball, whose name holds a digest of these files.
 */
export async function buildTarball(): Promise<string> {
	const lock = path.join(cacheFolder, 'build.lock');
	return await withLock(lock, 'building the node', async () => {
		const folder = path.join(cacheFolder, 'package');
		mkdirSync(folder, { recursive: true });
		for (const name of readdirSync(folder)) {
			const file = path.join(folder, name);
			if (Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true });
		}
		const digest = digestOfSources();
		const kept = readdirSync(folder).find((name) => name.endsWith(`-${digest}.tgz`));
		if (kept) return path.join(folder, kept);

		await npm(['run', 'build'], { cwd: repository });
		const fresh = mkdtempSync(path.join(cacheFolder, 'packing-'));
		try {
			await npm(['pack', '--ignore-scripts', '--pack-destination', fresh], { cwd: repository });
			const [name] = readdirSync(fresh);
			if (!name) throw new Error('npm pack wrote no file');
			const tarball = path.join(folder, `${path.basename(name, '.tgz')}-${digest}.tgz`);
			renameSync(path.join(fresh, name), tarball);
			return tarball;
		} finally {
			rmSync(fresh, { recursive: true, force: true });
		}
	});
}

function digestOfSources(): string {
	const hash = createHash('sha256');
	const add = (file: string) => {
		const full = path.join(repository, file);
		if (statSync(full).isDirectory())
			for (const name of readdirSync(full).sort()) add(path.join(file, name));
		else hash.update(file).update('\0').update(readFileSync(full)).update('\0');
	};
	SOURCES.forEach(add);
	return hash.digest('hex').slice(0, 12);
}

/**
 * Installs the tarball as n8n installs a community package, into `<user folder>/.n8n/nodes`.
 * Returns false if the same tarball is installed already.
 */
export async function installTarball(tarball: string, userFolder: string): Promise<boolean> {
	const folder = path.join(userFolder, '.n8n', 'nodes');
	// npm identifies a local tarball by its path and would not unpack a changed one under the same name.
	const kept = path.basename(tarball);
	const stamp = path.join(folder, 'node_modules', '.installed-tarball');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === kept) return false;

	mkdirSync(folder, { recursive: true });
	const manifest = path.join(folder, 'package.json');
	if (!existsSync(manifest)) {
		writeFileSync(
			manifest,
			JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }, null, '\t'),
		);
	}
	copyFileSync(tarball, path.join(folder, kept));
	const flags = [
		'--ignore-scripts',
		'--legacy-peer-deps',
		'--no-package-lock',
		'--no-audit',
		'--no-fund',
		'--loglevel=error',
	];
	await npm(['install', ...flags, `./${kept}`], { cwd: folder });
	readdirSync(folder)
		.filter((name) => name.endsWith('.tgz') && name !== kept)
		.forEach((name) => rmSync(path.join(folder, name)));
	writeFileSync(stamp, kept);
	return true;
}
