import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { holderOf, release, tryLock, withLock } from '../../../scripts/lock.cjs';

let folder: string;
let file: string;
const children: ChildProcess[] = [];
beforeEach(() => {
	folder = fs.mkdtempSync(path.join(tmpdir(), 'customer-messaging-lock-'));
	file = path.join(folder, 'a', 'b.lock');
});
afterEach(() => {
	release(file);
	for (const child of children.splice(0)) child.kill('SIGKILL');
	fs.rmSync(folder, { recursive: true });
});

const script = path.join(__dirname, '../../../scripts/lock.cjs');

/** A process that takes the lock, says whether it got it, and stays. */
async function otherProcess(): Promise<{ child: ChildProcess; got: boolean }> {
	const code = `console.log(require(${JSON.stringify(script)}).tryLock(${JSON.stringify(file)}, 'working') === undefined); setInterval(() => {}, 1000);`;
	const child = spawn(process.execPath, ['--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] });
	children.push(child);
	const [said] = (await once(child.stdout, 'data')) as [Buffer];
	return { child, got: said.toString().trim() === 'true' };
}

it('A lock is given to one process, and the next one learns which.', async () => {
	const { child, got } = await otherProcess();
	expect(got).toBe(true);
	expect(tryLock(file, 'mine')).toMatchObject({ pid: child.pid, note: 'working' });
	expect((await otherProcess()).got).toBe(false);
});

it('SIGKILL to its process frees a lock.', async () => {
	const { child } = await otherProcess();
	child.kill('SIGKILL');
	await once(child, 'exit');
	expect(holderOf(file)).toBeUndefined();
	expect(tryLock(file)).toBeUndefined();
});

it('A lock is free if its process ID now belongs to another process.', async () => {
	const { child } = await otherProcess();
	const holder = JSON.parse(fs.readFileSync(file, 'utf8')) as { start: string };
	fs.writeFileSync(file, JSON.stringify({ ...holder, start: 'another boot 1' }));
	expect(child.exitCode).toBeNull();
	expect(tryLock(file)).toBeUndefined();
});

it('A lock with the own process ID that this process did not take is free, as in a container.', () => {
	expect(tryLock(file)).toBeUndefined();
	const own = fs.readFileSync(file, 'utf8');
	release(file);
	fs.writeFileSync(file, own);
	expect(holderOf(file)).toBeUndefined();
	expect(tryLock(file)).toBeUndefined();
	expect(tryLock(file)).toMatchObject({ pid: process.pid });
});

it.each(['', '{"pid":"7"}'])('A damaged lock is free: %j', (content) => {
	fs.mkdirSync(path.dirname(file));
	fs.writeFileSync(file, content);
	expect(tryLock(file)).toBeUndefined();
});

it('Of many processes that find a stale lock at the same time, one gets it.', async () => {
	fs.mkdirSync(path.dirname(file));
	fs.writeFileSync(file, '{"pid":0}');
	const all = await Promise.all(Array.from({ length: 4 }, otherProcess));
	expect(all.filter(({ got }) => got)).toHaveLength(1);
	expect(fs.readdirSync(path.dirname(file))).toEqual(['b.lock']);
});

it('A process waits for a lock, does its work, and leaves the lock free.', async () => {
	const { child } = await otherProcess();
	const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
	const result = withLock(file, 'testing', () => fs.existsSync(file));
	child.kill('SIGKILL');
	expect(await result).toBe(true);
	expect(said).toHaveBeenCalledWith(
		`Waiting for process ${child.pid}, which is working. If there is no such process, delete ${file}.`,
	);
	said.mockRestore();
	expect(fs.existsSync(file)).toBe(false);
});
