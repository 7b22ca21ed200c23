import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { npm } from '../command';
import { cacheFolder, repository } from '../paths';

/** What a release would hold: the package built and packed. Returns the tarball's path. */
export async function buildTarball(): Promise<string> {
	await npm(['run', 'build'], { cwd: repository });
	const destination = path.join(cacheFolder, 'package');
	rmSync(destination, { recursive: true, force: true });
	mkdirSync(destination, { recursive: true });
	await npm(['pack', '--ignore-scripts', '--pack-destination', destination], { cwd: repository });
	const [tarball] = readdirSync(destination);
	if (!tarball) throw new Error('npm pack wrote no file');
	return path.join(destination, tarball);
}

/**
 * Installs the tarball as n8n installs a community package, into `<user folder>/.n8n/nodes`.
 * Returns false where the same tarball is already there.
 */
export async function installTarball(tarball: string, userFolder: string): Promise<boolean> {
	const folder = path.join(userFolder, '.n8n', 'nodes');
	const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex').slice(0, 12);
	// npm knows a local tarball by its path: a changed one under the same name would not be unpacked again.
	const kept = `${path.basename(tarball, '.tgz')}-${digest}.tgz`;
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
