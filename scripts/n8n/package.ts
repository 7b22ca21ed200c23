import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { npm } from '../command';
import { withLock } from '../lock.cjs';
import { cacheFolder, repository } from '../paths';

/**
 * Builds and packs the package as a release would. Returns the path of the tarball. Its name depends on
 * its content, so a later build does not replace it while it is being installed.
 */
export async function buildTarball(): Promise<string> {
	const lock = path.join(cacheFolder, 'build.lock');
	return await withLock(lock, 'building the node', async () => {
		await npm(['run', 'build'], { cwd: repository });
		const fresh = mkdtempSync(path.join(cacheFolder, 'packing-'));
		try {
			await npm(['pack', '--ignore-scripts', '--pack-destination', fresh], { cwd: repository });
			const [name] = readdirSync(fresh);
			if (!name) throw new Error('npm pack wrote no file');
			return keep(path.join(fresh, name));
		} finally {
			rmSync(fresh, { recursive: true, force: true });
		}
	});
}

const KEPT_MS = 24 * 60 * 60 * 1000;

function keep(tarball: string): string {
	const folder = path.join(cacheFolder, 'package');
	mkdirSync(folder, { recursive: true });
	for (const name of readdirSync(folder)) {
		const file = path.join(folder, name);
		if (Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true });
	}
	const kept = path.join(folder, nameWithDigest(tarball));
	copyFileSync(tarball, kept);
	return kept;
}

function nameWithDigest(tarball: string): string {
	const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex').slice(0, 12);
	return `${path.basename(tarball, '.tgz').replace(`-${digest}`, '')}-${digest}.tgz`;
}

/**
 * Installs the tarball as n8n installs a community package, into `<user folder>/.n8n/nodes`.
 * Returns false if the same tarball is installed already.
 */
export async function installTarball(tarball: string, userFolder: string): Promise<boolean> {
	const folder = path.join(userFolder, '.n8n', 'nodes');
	// npm identifies a local tarball by its path and would not unpack a changed one under the same name.
	const kept = nameWithDigest(tarball);
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
