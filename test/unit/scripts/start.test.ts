import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { release, tryLock } from '../../../scripts/lock.cjs';
import { environment } from '../../../scripts/n8n/process';
import { takeFolder } from '../../../scripts/start/folder';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-start-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('n8n gets nothing from the shell that is meant for another n8n, such as its database', async () => {
	const foreign = { DB_TYPE: 'x', N8N_ENCRYPTION_KEY: 'x', CREDENTIALS_OVERWRITE_DATA: 'x' };
	const shell = jest.replaceProperty(process, 'env', { ...process.env, ...foreign });
	const passed = await environment(process.execPath, folder);
	shell.restore();
	expect(Object.keys(foreign).filter((name) => name in passed)).toEqual([]);
});

test('A folder that is in use is refused, with a way out.', async () => {
	await takeFolder(folder, 'http://localhost:5678');
	await expect(takeFolder(folder, 'http://localhost:5679')).rejects.toThrow(
		`npm start is already running with the data in ${folder} (process ${process.pid}, n8n at http://localhost:5678). ` +
			'Use that one, or stop it with Ctrl-C first. To run a second one, give it a folder and ports of its own: ' +
			`CUSTOMER_MESSAGING_DATA=.n8n-data-2 N8N_PORT=5680 SANDBOX_PORT=8790 npm start. If there is no such process, delete ${path.join(folder, 'in-use.lock')}.`,
	);
});

test('Of many processes that find a stale lock at once, one gets it, and its end frees it', async () => {
	const file = path.join(folder, 'b.lock');
	writeFileSync(file, '{"pid":0}');
	const script = JSON.stringify(path.join(__dirname, '../../../scripts/lock.cjs'));
	const code = `console.log(require(${script}).tryLock(${JSON.stringify(file)}) === undefined); setInterval(() => {}, 1000);`;
	const children = Array.from({ length: 4 }, () => spawn(process.execPath, ['--eval', code]));
	const said = await Promise.all(
		children.map(async ({ stdout }) => String(await once(stdout, 'data'))),
	);
	const exits = children.map(async (child) => String(await once(child, 'exit')));
	for (const child of children) child.kill('SIGKILL');
	await Promise.all(exits);
	expect(said.join('').match(/true/g)).toHaveLength(1);
	expect(tryLock(file)).toBeUndefined();
	expect(tryLock(file)).toMatchObject({ pid: process.pid });
	release(file);
});
