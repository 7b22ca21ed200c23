import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compareVersions, suits as isInRange } from '../nodeRange.cjs';
import { hostsFolder } from '../paths';
import { Problem } from '../problem';

/** One real n8n of `scripts/n8n/hosts/`; its folder's package.json says which Node it runs on. */
export interface Host {
	version: string;
	folder: string;
	/** The range of Node versions. */
	node: string;
	/** The package with a suitable Node for this machine, if the host has one. */
	ownNode?: { name: string; version: string };
	/** Packages with a part that is compiled for the Node that loads it. */
	native: string[];
}

interface Manifest {
	engines: { node: string };
	optionalDependencies?: Record<string, string>;
	pnpm: { onlyBuiltDependencies: string[] };
}

export function suits(host: Host, node = process.versions.node): boolean {
	return isInRange(host.node, node);
}

/** Newest first. Packages may be left of a version that is no longer tested; its folder has no package.json. */
export function allHosts(): Host[] {
	return readdirSync(hostsFolder)
		.filter((name) => existsSync(path.join(hostsFolder, name, 'package.json')))
		.map((name) => {
			const folder = path.join(hostsFolder, name);
			const manifest = JSON.parse(
				readFileSync(path.join(folder, 'package.json'), 'utf8'),
			) as Manifest;
			const nodePackage = `node-${process.platform}-${process.arch}`;
			const nodeVersion = manifest.optionalDependencies?.[nodePackage];
			return {
				version: name,
				folder,
				node: manifest.engines.node,
				ownNode:
					nodeVersion === undefined ? undefined : { name: nodePackage, version: nodeVersion },
				native: manifest.pnpm.onlyBuiltDependencies,
			};
		})
		.sort((a, b) => compareVersions(b.version, a.version));
}

/** Whether the host runs on this machine: on the running Node, or on one of its own. */
export function canRun(host: Host): boolean {
	return suits(host) || host.ownNode !== undefined;
}

/** The Node that the host's n8n is started with. */
export function nodeFor(host: Host): string {
	if (suits(host)) return process.execPath;
	if (host.ownNode) {
		const program = process.platform === 'win32' ? 'node.exe' : 'node';
		return path.join(host.folder, 'node_modules', host.ownNode.name, 'bin', program);
	}
	throw new Problem(
		`n8n ${host.version} runs on Node ${host.node}, and ${process.execPath} is ${process.versions.node}.`,
	);
}

/** The newest n8n that runs on this Node, or otherwise the newest one with its own Node. */
export function chooseHost(node = process.versions.node): Host {
	const hosts = allHosts();
	const host =
		hosts.find((candidate) => suits(candidate, node)) ?? hosts.find(({ ownNode }) => ownNode);
	if (host) return host;
	const known = hosts.map(({ version, node: range }) => `n8n ${version} (Node ${range})`);
	throw new Problem(
		`None of the n8n versions in scripts/n8n/hosts/ runs on Node ${node}: ${known.join(', ')}. ` +
			'Switch to Node 22 or 24 and run the same command again.',
	);
}

export function findHost(version: string): Host {
	const host = allHosts().find((candidate) => candidate.version === version);
	if (!host)
		throw new Problem(
			`There is no scripts/n8n/hosts/${version}; there are ${allHosts()
				.map((known) => known.version)
				.join(', ')}.`,
		);
	return host;
}
