import path from 'node:path';
import { allHosts, type Host, nodeFor } from './n8n/hosts';
import { installHost } from './n8n/installHost';
import { repository } from './paths';
import { Problem } from './problem';

export const jest = path.join(repository, 'node_modules', 'jest', 'bin', 'jest.js');

/** Installs the newest n8n, which brings a Node.js of its own. */
export async function newestN8n(): Promise<{ host: Host; node: string }> {
	const host = allHosts().find(({ ownNode }) => ownNode);
	if (!host) throw new Problem('No n8n in scripts/n8n/hosts/ brings a Node.js of its own.');
	await installHost(host);
	return { host, node: nodeFor(host) };
}
