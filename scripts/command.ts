import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { Problem } from './problem';
import { say } from './steps';

const HEARTBEAT_MS = 15_000;
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill()));

// The variables that npm adds for a script describe this package. They would mislead an npm, pnpm or n8n that is
// started from it. With `npm_config_ignore_scripts` alone, n8n would have no database driver.
const FROM_NPM =
	/^(INIT_CWD$|npm_(package|lifecycle)_|npm_(command|execpath|node_execpath)$|npm_config_(ignore_scripts|allow_scripts|legacy_peer_deps|local_prefix)$)/;

/** The environment for a child process: without npm's additions, and with its Node first on PATH, by default the running one. */
export function childEnvironment(
	extra: NodeJS.ProcessEnv = {},
	node = process.execPath,
): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => !FROM_NPM.test(name));
	const PATH = [path.dirname(node), process.env.PATH].join(path.delimiter);
	return { ...Object.fromEntries(inherited), PATH, ...extra };
}

interface CommandOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
}

/** Runs a command without stdin, reports regularly that it is still busy, and returns its stdout. */
export async function run(
	file: string,
	args: string[],
	{ cwd, env = childEnvironment() }: CommandOptions,
): Promise<string> {
	const startedAt = Date.now();
	// On Windows, npm is a script, which only a shell can run.
	const shell = process.platform === 'win32' && !path.isAbsolute(file);
	const child = spawn(file, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
	running.add(child);
	let stdout = '';
	let everything = '';
	child.stdout.on('data', (chunk: Buffer) => {
		stdout += chunk.toString();
		everything += chunk.toString();
	});
	child.stderr.on('data', (chunk: Buffer) => (everything += chunk.toString()));
	const heartbeat = setInterval(() => {
		const seconds = Math.round((Date.now() - startedAt) / 1000);
		say(`  still busy after ${seconds} s: ${lastLines(everything, 1).trim().slice(0, 100)}`);
	}, HEARTBEAT_MS);
	try {
		const code = await new Promise<number | string>((resolve, reject) => {
			child.on('error', reject);
			child.on('close', (exitCode, signal) => resolve(exitCode ?? signal ?? 'unknown'));
		});
		if (code !== 0) {
			throw new Problem(
				`${[path.basename(file), ...args].join(' ')} ended with ${code}:\n${lastLines(everything, 40)}`,
			);
		}
		return stdout;
	} finally {
		clearInterval(heartbeat);
		running.delete(child);
	}
}

/** Runs the npm that runs this script, so that it belongs to the running Node. */
export async function npm(args: string[], options: CommandOptions): Promise<string> {
	const script = process.env.npm_execpath;
	return script?.endsWith('npm-cli.js')
		? await run(process.execPath, [script, ...args], options)
		: await run('npm', args, options);
}

export function lastLines(text: string, count: number): string {
	return text.trimEnd().split('\n').slice(-count).join('\n');
}
