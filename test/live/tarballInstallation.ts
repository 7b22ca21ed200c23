import assert from 'node:assert/strict';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
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

const COLUMN = 'installation';
const PACKAGE = 'n8n-nodes-customer-messaging';
const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
	version: string;
};

/** The commands of the administration page for a tarball, run as they are written, in a home directory that is empty. */
export async function checkTarballInstallation(report: Report, tarball: string): Promise<void> {
	const home = mkdtempSync(path.join(tmpdir(), 'customer-messaging-installation-'));
	try {
		const [make = '', install = '', remove = '', docker = ''] = commandsOf('From a tarball');
		assert.equal(make, 'npm ci\nnpm run build\nnpm pack\n');
		// What these commands make. The tarball has another name here.
		copyFileSync(tarball, path.join(home, `${PACKAGE}-${version}.tgz`));

		await report.check(
			COLUMN,
			'The npm command of the page installs the node, and the first push arrives',
			async () => {
				await shell(install, home, { HOME: home });
				await firstPush(home);
				await shell(remove, home, { HOME: home });
				assert.equal(existsSync(installedIn(path.join(home, '.n8n'))), false);
			},
		);
		await report.check(
			COLUMN,
			'The Docker commands of the page, run by a stand-in, install the same files',
			async () => {
				await shell(install, home, { HOME: home });
				const container = path.join(home, 'container');
				mkdirSync(path.join(container, 'home/node/.n8n'), { recursive: true });
				const PATH = [standInForDocker(home), process.env.PATH].join(path.delimiter);
				await shell(docker, home, { PATH, CONTAINER: container });
				const inContainer = path.join(container, 'home/node/.n8n');
				assert.deepEqual(
					filesOf(installedIn(inContainer)),
					filesOf(installedIn(path.join(home, '.n8n'))),
				);
				assert.ok(existsSync(path.join(container, 'restarted')));
			},
		);
	} finally {
		rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}

/** The blocks of commands below a heading of the administration page. */
function commandsOf(heading: string): string[] {
	const text = readFileSync(path.join(repository, 'docs/administration.md'), 'utf8');
	const [, after = ''] = text.split(`\n### ${heading}\n`);
	const [section = ''] = after.split(/^#{1,3} /m);
	return [...section.matchAll(/^```\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
}

async function shell(commands: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
	await run('sh', ['-ec', commands], { cwd, env: childEnvironment(env) });
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

const installedIn = (folder: string) => path.join(folder, 'nodes', 'node_modules', PACKAGE);

const filesOf = (folder: string) => readdirSync(folder, { recursive: true }).sort();

/** A `docker` that copies into a folder, and runs commands with paths of that folder. Returns where it is. */
function standInForDocker(home: string): string {
	const folder = path.join(home, 'bin');
	mkdirSync(folder);
	writeFileSync(
		path.join(folder, 'docker'),
		`#!/bin/sh
set -eu
case "$*" in
	cp\\ *\\ n8n:*) cp "$2" "$CONTAINER\${3#n8n:}" ;;
	exec\\ -u\\ node\\ n8n\\ *)
		shift 4
		cd "$CONTAINER/home/node"
		HOME="$CONTAINER/home/node" sh -ec "$(echo "$*" | sed "s#/home/node#$CONTAINER/home/node#g")" ;;
	restart\\ n8n) touch "$CONTAINER/restarted" ;;
	*) echo "not understood: $*" >&2; exit 1 ;;
esac
`,
		{ mode: 0o755 },
	);
	return folder;
}
