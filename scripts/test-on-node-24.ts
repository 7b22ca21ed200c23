import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { childEnvironment } from './command';
import { allHosts, nodeFor } from './n8n/hosts';
import { installHost } from './n8n/install-host';
import { repository } from './paths';
import { explain, Problem } from './problem';

/** Runs Jest on the Node.js that the newest n8n needs, which may treat values in another way than this one. */
async function main(): Promise<void> {
	const host = allHosts().find(({ ownNode }) => ownNode);
	if (!host) throw new Problem('No n8n in hosts/ brings a Node.js of its own.');
	await installHost(host);
	const node = nodeFor(host);
	const jest = path.join(repository, 'node_modules', 'jest', 'bin', 'jest.js');
	const { status } = spawnSync(node, [jest, ...process.argv.slice(2)], {
		cwd: repository,
		env: childEnvironment({}, node),
		stdio: 'inherit',
	});
	process.exitCode = status ?? 1;
}

main().catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});
