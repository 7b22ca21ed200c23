import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment, lastLines } from '../command';
import { Problem } from '../problem';
import type { Host } from './hosts';
import { freePort } from './ports';

const READY_WITHIN_MS = 240_000;
const TERM_GRACE_MS = 20_000;

export interface ServerOptions {
	userFolder: string;
	port: number;
	env?: NodeJS.ProcessEnv;
}

export interface Server {
	url: string;
	logFile: string;
	/** Settles when n8n has ended, for whatever reason. */
	ended: Promise<string>;
	stop(): Promise<void>;
}

/** Starts n8n in a folder of its own and returns when its REST API answers. */
export async function startServer(host: Host, { userFolder, port, env = {} }: ServerOptions): Promise<Server> {
	mkdirSync(userFolder, { recursive: true });
	const logFile = path.join(userFolder, 'n8n.log');
	const log = openSync(logFile, 'w');
	const child = spawn(
		process.execPath,
		['--require', path.join(__dirname, 'child-of-start.cjs'), path.join(host.folder, 'node_modules', 'n8n', 'bin', 'n8n'), 'start'],
		{
			// n8n reads an .env file where it runs.
			cwd: userFolder,
			env: await environment(userFolder, port, env),
			// Ctrl-C in a terminal reaches the whole group; n8n is stopped in turn, after what depends on it.
			detached: true,
			// A file, not a pipe: n8n outlives a broken pipe in a busy loop of messages it cannot write.
			stdio: ['ignore', log, log, 'ipc'],
		},
	);
	closeSync(log);
	const ended = new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(`exit code ${code ?? signal ?? 'unknown'}`));
	});

	const url = `http://127.0.0.1:${port}`;
	const stop = async () => await end(child, ended);
	const outcome = await Promise.race([ready(child, port, url), ended]);
	if (outcome !== true) {
		await stop();
		const why = outcome === false ? `did not answer within ${READY_WITHIN_MS / 60_000} minutes` : `ended while starting (${outcome})`;
		throw new Problem(`n8n ${host.version} ${why}. The end of its log, ${logFile}:\n${lastLines(readFileSync(logFile, 'utf8'), 30)}`);
	}
	return { url, logFile, ended, stop };
}

// Settings of another n8n on the same machine (its database, its queue) must not reach this one.
const OTHER_N8N = /^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_URL$|NODE_OPTIONS$)/;

async function environment(userFolder: string, port: number, extra: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
	const inherited = Object.entries(childEnvironment()).filter(([name]) => !OTHER_N8N.test(name));
	const direct = ['127.0.0.1', 'localhost', process.env.NO_PROXY ?? process.env.no_proxy].filter(Boolean).join(',');
	return {
		...Object.fromEntries(inherited),
		NO_PROXY: direct,
		no_proxy: direct,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_EXPRESSION_ENGINE: 'legacy',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
		// Nothing leaves this machine, and nothing asks a new user about themselves.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		...extra,
	};
}

/** `/healthz` answers before the REST API stands, and other paths say "n8n is starting up" with status 200. */
async function ready(child: ChildProcess, port: number, url: string): Promise<boolean> {
	let listens = false;
	child.on('message', (message: { listensOn?: number }) => (listens ||= message.listensOn === port));
	const deadline = Date.now() + READY_WITHIN_MS;
	while (Date.now() < deadline && child.exitCode === null) {
		await sleep(200);
		if (!listens) continue;
		const speaksJson = await fetch(`${url}/rest/login`, { method: 'POST', signal: AbortSignal.timeout(5_000) })
			.then(async (response) => {
				await response.arrayBuffer();
				return response.status !== 404 && (response.headers.get('content-type') ?? '').includes('json');
			})
			.catch(() => false);
		if (speaksJson) return true;
	}
	return false;
}

async function end(child: ChildProcess, ended: Promise<string>): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
	child.kill('SIGTERM');
	const stopped = await Promise.race([ended, sleep(TERM_GRACE_MS, undefined, { ref: false })]);
	if (stopped !== undefined) return;
	// The child leads a group of its own, in which its task runners are too.
	process.kill(-child.pid, 'SIGKILL');
	await ended;
}
