import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { childEnvironment, run } from '../../scripts/command';
import { repository } from '../../scripts/paths';

/** Installs the tarball by the command of the administration page as it is written, in a home directory. */
export async function installByPage(tarball: string, home: string): Promise<void> {
	const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const file = `n8n-nodes-customer-messaging-${version}.tgz`;
	const lines = read('docs/administration.md').split('\n');
	const command = lines.find((line) => line.startsWith('npm install') && line.endsWith(`/${file}`));
	assert.ok(command, 'the page has the command');
	// The tarball of the tests has another name.
	copyFileSync(tarball, path.join(home, file));
	const env = childEnvironment({ HOME: home, npm_config_audit: 'false' });
	await run('sh', ['-ec', command], { cwd: home, env });
}
