import assert from 'node:assert/strict';
import { copyFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { childEnvironment, run } from '../../scripts/command';
import { repository } from '../../scripts/paths';
import { nightly } from './scenario';

const PACKAGE = 'n8n-nodes-customer-messaging';
const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
	version: string;
};
/** What the page's commands for a clone make. The tarball of the tests has another name. */
const file = `${PACKAGE}-${version}.tgz`;

const [make = '', add = '', remove = '', docker = ''] = commandsOf('From a tarball');

let lastInstallation: Promise<unknown> = Promise.resolve();

/**
 * Installs the tarball by the commands of the administration page as they are written, in a home directory. One after
 * another, so that the n8n with the most to do, which asks first, also starts first.
 */
export async function installByPage(tarball: string, home: string): Promise<void> {
	const installed = lastInstallation.then(async () => await install(tarball, home));
	lastInstallation = installed.catch(() => {});
	await installed;
}

async function install(tarball: string, home: string): Promise<void> {
	assert.equal(make, 'npm ci\nnpm run build\nnpm pack\n');
	const inside = add.replace('~', '/home/node').replace('./', '/home/node/.n8n/');
	const inContainer = `docker exec -u node n8n ${inside}docker restart n8n\n`;
	assert.equal(docker, `docker cp ${file} n8n:/home/node/.n8n/\n${inContainer}`);
	copyFileSync(tarball, path.join(home, file));
	await shell(add, home);
}

/** In a copy, because n8n goes on. */
nightly("The page's npm command removes the node", async ({ userFolder }) => {
	const home = path.join(userFolder, 'copy');
	const nodes = path.join('.n8n', 'nodes');
	cpSync(path.join(userFolder, nodes), path.join(home, nodes), { recursive: true });
	const installed = path.join(home, nodes, 'node_modules', PACKAGE);
	assert.ok(existsSync(installed));
	await shell(remove, home);
	assert.equal(existsSync(installed), false);
});

function commandsOf(heading: string): string[] {
	const text = readFileSync(path.join(repository, 'docs/administration.md'), 'utf8');
	const [, after = ''] = text.split(`\n### ${heading}\n`);
	const [section = ''] = after.split(/^#{1,3} /m);
	return [...section.matchAll(/^```\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
}

async function shell(commands: string, home: string): Promise<void> {
	const env = childEnvironment({ HOME: home, npm_config_audit: 'false' });
	await run('sh', ['-ec', commands], { cwd: home, env });
}
