import { spawn, type SpawnOptions } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from '../../scripts/command';
import { Problem } from '../../scripts/problem';

const READY_WITHIN_MS = 60_000;

interface ServerProgram {
	file: string;
	args: string[];
	options?: SpawnOptions;
	port: number;
	isReady: () => Promise<boolean>;
	/** Ends it, and when this process ends, ends it at once. */
	signals: [end: NodeJS.Signals, endAtOnce: NodeJS.Signals];
}

/** Starts a server of this machine, waits until it is ready, and returns a function that ends it. */
export async function startProgram(program: ServerProgram): Promise<() => Promise<void>> {
	const { file, args, options, port, isReady } = program;
	const [end, endAtOnce] = program.signals;
	const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	let said = '';
	const listen = (chunk: Buffer) => (said = lastLines(said + chunk.toString(), 20));
	child.stdout?.on('data', listen);
	child.stderr?.on('data', listen);
	let cause: string | undefined;
	const ended = new Promise<void>((resolve) => {
		child.once('error', (error) => resolve(void (cause = error.message)));
		child.once('exit', (code) => resolve(void (cause = `exit code ${code}`)));
	});
	process.once('exit', () => child.kill(endAtOnce));
	const stop = async () => {
		child.kill(end);
		await ended;
	};
	const deadline = Date.now() + READY_WITHIN_MS;
	while (!(await isReady())) {
		if (cause === undefined && Date.now() < deadline) {
			await sleep(50);
			continue;
		}
		await stop();
		throw new Problem(
			`${path.basename(file)} did not answer on port ${port} (${cause ?? 'too late'}):\n${said}`,
		);
	}
	return stop;
}
