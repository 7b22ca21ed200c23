import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hostsFolder } from '../paths';
import { Problem } from '../problem';

/** One real n8n of `hosts/`; its folder's package.json says which Node it runs on. */
export interface Host {
	version: string;
	folder: string;
	/** The range of Node versions. */
	node: string;
	/** The package that brings a fitting Node for this machine, where the host has one. */
	ownNode?: { name: string; version: string };
	/** Packages with a part that is compiled for the Node that loads it. */
	native: string[];
}

interface Manifest {
	engines: { node: string };
	optionalDependencies?: Record<string, string>;
	pnpm: { onlyBuiltDependencies: string[] };
}

type Version = [number, number, number];

const numbers = (version: string): Version => {
	const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
	return [major, minor, patch];
};

const compare = (a: Version, b: Version) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** The ranges in `hosts/` are all of the form `>=20.19 <25`. */
export function suits(host: Host, node = process.versions.node): boolean {
	const range = /^>=([\d.]+) <([\d.]+)$/.exec(host.node);
	if (!range?.[1] || !range[2])
		throw new Error(`${host.folder}: engines.node is not of the form ">=20.19 <25"`);
	return (
		compare(numbers(node), numbers(range[1])) >= 0 && compare(numbers(node), numbers(range[2])) < 0
	);
}

/** Newest first. */
export function allHosts(): Host[] {
	return readdirSync(hostsFolder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
		.map(({ name }) => {
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
		.sort((a, b) => compare(numbers(b.version), numbers(a.version)));
}

/** Whether the host runs on this machine: on the running Node, or on one of its own. */
export function canRun(host: Host): boolean {
	return suits(host) || host.ownNode !== undefined;
}

/** The Node that the host's n8n is started with. */
export function nodeFor(host: Host): string {
	if (suits(host)) return process.execPath;
	if (host.ownNode) return path.join(host.folder, 'node_modules', host.ownNode.name, 'bin', 'node');
	throw new Problem(
		`n8n ${host.version} runs on Node ${host.node}, and ${process.execPath} is ${process.versions.node}.`,
	);
}

/** The newest n8n that runs on this Node; where none does, the newest that brings its own. */
export function chooseHost(node = process.versions.node): Host {
	const hosts = allHosts();
	const host =
		hosts.find((candidate) => suits(candidate, node)) ?? hosts.find(({ ownNode }) => ownNode);
	if (host) return host;
	const known = hosts.map(({ version, node: range }) => `n8n ${version} (Node ${range})`);
	throw new Problem(
		`None of the n8n versions in hosts/ runs on Node ${node}: ${known.join(', ')}. ` +
			'Switch to Node 22 or 24 and run the same command again.',
	);
}

export function hostOf(version: string): Host {
	const host = allHosts().find((candidate) => candidate.version === version);
	if (!host)
		throw new Problem(
			`There is no hosts/${version}; there are ${allHosts()
				.map((known) => known.version)
				.join(', ')}.`,
		);
	return host;
}
