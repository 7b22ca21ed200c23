import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from '../../scripts/command';
import { freePort } from '../../scripts/n8n/ports';
import { Problem } from '../../scripts/problem';

const READY_WITHIN_MS = 60_000;

export interface Redis {
	port: number;
	/** Ends it for a while and starts it again at the same port. */
	restart(downMs: number): Promise<void>;
	stop: () => Promise<void>;
}

export interface RedisOptions {
	/** Whether its data outlive a restart. By default it stores nothing on disk. */
	keepsData?: boolean;
}

/** A separate Redis on this machine. */
export async function startRedis({ keepsData = false }: RedisOptions = {}): Promise<Redis> {
	const port = await freePort();
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-redis-'));
	const removeFolder = () => rmSync(folder, { recursive: true, force: true });
	const start = async () => await startProgram(port, folder, keepsData);
	let stopProgram = await start().catch((error: unknown) => {
		removeFolder();
		throw error;
	});
	return {
		port,
		async restart(downMs) {
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

/** Returns a function that ends it. */
async function startProgram(
	port: number,
	folder: string,
	keepsData: boolean,
): Promise<() => Promise<void>> {
	const settings = [
		'--port',
		String(port),
		'--bind',
		'127.0.0.1',
		'--dir',
		folder,
		'--save',
		'',
		'--appendonly',
		keepsData ? 'yes' : 'no',
	];
	const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => (said = lastLines(said + chunk.toString(), 20)));
	let cause: string | undefined;
	const ended = new Promise<void>((resolve) => {
		child.once('error', (error: NodeJS.ErrnoException) =>
			resolve(void (cause = error.code ?? error.message)),
		);
		child.once('exit', (code) => resolve(void (cause = `exit code ${code}`)));
	});
	// It must not keep running, however this process ends.
	process.once('exit', () => child.kill('SIGKILL'));

	const stop = async () => {
		child.kill('SIGTERM');
		await ended;
	};
	const deadline = Date.now() + READY_WITHIN_MS;
	while (!(await answersPing(port))) {
		if (cause === undefined && Date.now() < deadline) {
			await sleep(50);
			continue;
		}
		await stop();
		throw new Problem(
			`redis-server did not answer on port ${port} (${cause ?? 'too late'}):\n${said}`,
		);
	}
	return stop;
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
