import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox } from '../../sandbox/index';
import { childEnvironment, run } from '../../scripts/command';
import { N8nClient } from '../../scripts/n8n/client';
import { chooseHost } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/installHost';
import { freePort } from '../../scripts/n8n/ports';
import { startServer } from '../../scripts/n8n/server';
import { manualTrigger } from '../../scripts/n8n/workflows';
import { repository } from '../../scripts/paths';
import { apiKeyCredential } from '../../scripts/start/sandboxCredentials';
import { Bench } from './bench';
import { pushNode } from './nodes';
import type { Report } from './report';

const PACKAGE = 'n8n-nodes-customer-messaging';
const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
	version: string;
};

/** The commands of the administration page for a tarball, run as they are written, in a home directory that is empty. */
export async function checkTarballInstallation(report: Report, tarball: string): Promise<void> {
	const home = mkdtempSync(path.join(tmpdir(), 'customer-messaging-installation-'));
	const title = 'The npm command of the page installs the node, and the first push arrives';
	try {
		await report.check('installation', title, async () => {
			const [make = '', install = '', remove = '', docker = ''] = commandsOf('From a tarball');
			assert.equal(make, 'npm ci\nnpm run build\nnpm pack\n');
			// What these commands make. The tarball has another name here.
			const file = `${PACKAGE}-${version}.tgz`;
			copyFileSync(tarball, path.join(home, file));
			await shell(install, home);
			await firstPush(home);
			await shell(remove, home);
			const installed = path.join(home, '.n8n', 'nodes', 'node_modules', PACKAGE);
			assert.equal(existsSync(installed), false);
			// The same in a container.
			const inside = install.replace('~', '/home/node').replace('./', '/home/node/.n8n/');
			const copies = `docker cp ${file} n8n:/home/node/.n8n/\n`;
			const installs = `docker exec -u node n8n ${inside}`;
			assert.equal(docker, `${copies}${installs}docker restart n8n\n`);
		});
	} finally {
		rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}

function commandsOf(heading: string): string[] {
	const text = readFileSync(path.join(repository, 'docs/administration.md'), 'utf8');
	const [, after = ''] = text.split(`\n### ${heading}\n`);
	const [section = ''] = after.split(/^#{1,3} /m);
	return [...section.matchAll(/^```\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
}

async function shell(commands: string, home: string): Promise<void> {
	await run('sh', ['-ec', commands], { cwd: home, env: childEnvironment({ HOME: home }) });
}

/** n8n with that home directory finds the node, tests the credential and sends a push. */
async function firstPush(home: string): Promise<void> {
	const host = chooseHost();
	await installHost(host);
	const sandbox = await startSandbox();
	const port = await freePort();
	const server = await startServer(host, { userFolder: home, port, env: { HOME: home } });
	try {
		const bench = new Bench(host.version, new N8nClient(server.url), sandbox);
		await bench.setUp();
		const id = bench.credentialIds['sandbox-api-key'] ?? '';
		const credential = { ...apiKeyCredential(sandbox.urls), id };
		assert.equal((await bench.client.testCredential(credential)).status, 'OK');
		const push = pushNode({ user_id: 'me-1001', message: 'My first push' });
		const stored = await bench.store('first push', manualTrigger('By hand'), push);
		const run = (await bench.byHand(stored)).succeeded();
		assert.deepEqual([run.outcomes('Push'), run.paths], [['accepted'], ['web/send']]);
	} finally {
		await server.stop();
		await sandbox.close();
	}
}
