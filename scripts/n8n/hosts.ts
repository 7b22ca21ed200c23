import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hostsFolder } from '../paths';
import { Problem } from '../problem';

/** One real n8n of `hosts/`; its folder's package.json says which Node it runs on. */
export interface Host {
	version: string;
	folder: string;
	node: string;
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
	if (!range?.[1] || !range[2]) throw new Error(`${host.folder}: engines.node is not of the form ">=20.19 <25"`);
	return compare(numbers(node), numbers(range[1])) >= 0 && compare(numbers(node), numbers(range[2])) < 0;
}

/** Newest first. */
export function allHosts(): Host[] {
	return readdirSync(hostsFolder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
		.map(({ name }) => {
			const folder = path.join(hostsFolder, name);
			const { engines } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { engines: { node: string } };
			return { version: name, folder, node: engines.node };
		})
		.sort((a, b) => compare(numbers(b.version), numbers(a.version)));
}

/** The newest n8n that runs on this Node. */
export function chooseHost(node = process.versions.node): Host {
	const host = allHosts().find((candidate) => suits(candidate, node));
	if (host) return host;
	const known = allHosts().map(({ version, node: range }) => `n8n ${version} (Node ${range})`);
	throw new Problem(
		`None of the n8n versions in hosts/ runs on Node ${node}: ${known.join(', ')}. ` +
			'Switch to Node 22 or 24 and run the same command again.',
	);
}

export function hostOf(version: string): Host {
	const host = allHosts().find((candidate) => candidate.version === version);
	if (!host) throw new Problem(`There is no hosts/${version}; there are ${allHosts().map((known) => known.version).join(', ')}.`);
	return host;
}
