import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../command';
import { hostsFolder, repository } from '../paths';
import { explain, Problem } from '../problem';
import { step } from '../steps';
import { allHosts, findHost, type Host } from './hosts';
import { lockHost } from './installHost';

/** The newest n8n that the registry has. If `scripts/n8n/hosts/` lacks it, it is added. */
export async function newestHost(): Promise<Host> {
	const version = (await npm(['view', 'n8n', 'version'], { cwd: repository })).trim();
	const known = allHosts().find((host) => host.version === version);
	return known ?? (await step(`Adding n8n ${version}`, async () => await addHost(version)));
}

interface Manifest {
	name: string;
	description: string;
	dependencies: { n8n: string };
	pnpm: { overrides: Record<string, string> };
}

/** Adds a version that is installed like the newest known one, but for the versions of n8n's own packages. */
async function addHost(version: string): Promise<Host> {
	const [like] = allHosts();
	if (!like) throw new Error('There is no host yet');
	const manifest = JSON.parse(
		readFileSync(path.join(like.folder, 'package.json'), 'utf8').replaceAll(like.version, version),
	) as Manifest;
	for (const name of Object.keys(manifest.pnpm.overrides))
		if (/^(@n8n\/|n8n-)/.test(name)) delete manifest.pnpm.overrides[name];
	const folder = path.join(hostsFolder, version);
	mkdirSync(folder);
	writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
	const host = findHost(version);
	try {
		await lockHost(host);
	} catch (error) {
		rmSync(folder, { recursive: true });
		throw new Problem(
			`n8n ${version} cannot be installed from this registry. docs/contributing/versions.md says how to pin what is missing.\n${explain(error)}`,
		);
	}
	return host;
}
