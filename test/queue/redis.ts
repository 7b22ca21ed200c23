import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/n8n/ports';
import { Problem } from '../../scripts/problem';

export type Redis = Awaited<ReturnType<typeof startRedis>>;

/** A separate Redis on this machine, which stores nothing on disk. */
export async function startRedis() {
	const port = await freePort();
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-redis-'));
	let stopProgram = await startProgram(port, folder);
	return {
		port,
		/** Ends it for a while and starts it again at the same port. */
		async restart(downMs: number) {
			await stopProgram();
			await sleep(downMs);
			stopProgram = await startProgram(port, folder);
		},
		stop: async () => {
			await stopProgram();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** Waits until it is ready, and returns a function that ends it. */
async function startProgram(port: number, folder: string): Promise<() => Promise<void>> {
	const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '' };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
	const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
	process.once('exit', () => child.kill('SIGKILL'));
	const ended = once(child, 'exit');
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
	while (!said.includes('Ready to accept connections')) {
		if (child.exitCode !== null) throw new Problem(`redis-server did not start:\n${said}`);
		await sleep(50);
	}
	return async () => {
		child.kill();
		await ended;
	};
}
