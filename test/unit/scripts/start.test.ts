import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { release, tryLock } from '../../../scripts/lock.cjs';
import { exampleWorkflows } from '../../../scripts/start/examples';
import { ownerIn } from '../../../scripts/start/account';
import { takeFolder } from '../../../scripts/start/folder';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-start-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('The notes of the examples name the address of the n8n that was started.', () => {
	const notes = (editor?: string) => JSON.stringify([...exampleWorkflows({}, editor)]);
	expect(notes()).toContain('http://localhost:5678/form/announcement');
	const moved = notes('http://localhost:5680');
	expect(moved).toContain('http://localhost:5680/form/announcement');
	expect(moved).not.toContain('localhost:5678');
});

test("The password of n8n's owner is made at the first start, kept for the next one, and another one in another folder.", () => {
	const owner = ownerIn(folder);
	expect(ownerIn(folder)).toEqual(owner);
	// n8n wants 8 to 64 characters, with a capital letter and a digit.
	expect(owner.password).toMatch(/^(?=.*[A-Z])(?=.*\d).{8,64}$/);
	expect(statSync(path.join(folder, 'owner.json')).mode & 0o077).toBe(0);
	const other = path.join(folder, 'other');
	mkdirSync(other);
	expect(ownerIn(other).password).not.toBe(owner.password);
});

it('A folder that is in use is refused, with a way out.', async () => {
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
