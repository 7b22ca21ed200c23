import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/n8n/ports';
import { startProgram } from './serverProgram';

export type Redis = Awaited<ReturnType<typeof startRedis>>;

/** A separate Redis on this machine, which stores nothing on disk. */
export async function startRedis() {
	const port = await freePort();
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-redis-'));
	const removeFolder = () => rmSync(folder, { recursive: true, force: true });
	const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '' };
	const start = async () =>
		await startProgram({
			file: 'redis-server',
			args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
			port,
			isReady: async () => await answersPing(port),
			signals: ['SIGTERM', 'SIGKILL'],
		});
	let stopProgram = await start().catch((error: unknown) => {
		removeFolder();
		throw error;
	});
	return {
		port,
		/** Ends it for a while and starts it again at the same port. */
		async restart(downMs: number) {
			await stopProgram();
			await sleep(downMs);
			stopProgram = await start();
		},
		stop: async () => {
			await stopProgram();
			removeFolder();
		},
	};
}

async function answersPing(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
		socket.once('error', () => resolve(false));
		socket.once('data', (answer) => {
			resolve(answer.toString().startsWith('+PONG'));
			socket.destroy();
		});
	});
}
