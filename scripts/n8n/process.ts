import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment, lastLines } from '../command';
import { Problem } from '../problem';
import { nodeFor, type Host } from './hosts';
import { freePort } from './ports';

const READY_WITHIN_MS = 240_000;
const TERM_GRACE_MS = 20_000;

export interface ProcessOptions {
	/** The arguments of n8n's command line. */
	args: string[];
	userFolder: string;
	/** The name of its log in that folder. */
	log: string;
	/** Where it listens once it works. */
	port: number;
	env?: NodeJS.ProcessEnv;
	/** Whether it responds there as expected. */
	isReady: () => Promise<boolean>;
	/** Called with the process ID as soon as there is one. */
	onSpawn?: (pid: number) => void;
}

export interface N8nProcess {
	pid: number;
	logFile: string;
	/** Settles when n8n has ended, for whatever reason. */
	ended: Promise<string>;
	stop: () => Promise<void>;
	/** Ends it immediately, as a crash would. */
	kill(): Promise<void>;
}

let lastStart: Promise<unknown> = Promise.resolve();

/**
 * Starts one process of n8n and returns when it is ready. Each uses a processor whole while it starts, so they start one
 * after the other.
 */
export async function startProcess(host: Host, options: ProcessOptions): Promise<N8nProcess> {
	const started = lastStart.then(async () => await startNow(host, options));
	lastStart = started.catch(() => {});
	return await started;
}

async function startNow(host: Host, options: ProcessOptions): Promise<N8nProcess> {
	const { args, userFolder, port, env = {} } = options;
	mkdirSync(userFolder, { recursive: true });
	const logFile = path.join(userFolder, options.log);
	const log = openSync(logFile, 'w');
	const node = nodeFor(host);
	const n8n = path.join(host.folder, 'node_modules', 'n8n', 'bin', 'n8n');
	const child = spawn(node, ['--require', path.join(__dirname, 'childOfStart.cjs'), n8n, ...args], {
		// n8n reads an .env file where it runs.
		cwd: userFolder,
		env: { ...(await environment(node, userFolder)), ...particulars(host), ...env },
		// Ctrl-C in a terminal reaches the whole process group, but the starting process stops n8n itself.
		detached: true,
		// A file, not a pipe: with a broken pipe, n8n loops forever over messages that it cannot write.
		stdio: ['ignore', log, log, 'ipc'],
	});
	closeSync(log);
	if (child.pid !== undefined) options.onSpawn?.(child.pid);
	const ended = new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(`exit code ${code ?? signal ?? 'unknown'}`));
	});

	const stop = async () => await end(child, ended);
	const outcome = await Promise.race([ready(child, port, options.isReady), ended]);
	if (outcome !== true) {
		await stop();
		const why =
			outcome === false
				? `did not answer within ${READY_WITHIN_MS / 60_000} minutes`
				: `ended while starting (${outcome})`;
		const name = `n8n ${host.version} (${args.join(' ')})`;
		throw new Problem(
			`${name} ${why}. The end of its log, ${logFile}:\n${lastLines(readFileSync(logFile, 'utf8'), 30)}`,
		);
	}
	return {
		pid: child.pid ?? 0,
		logFile,
		ended,
		stop,
		kill: async () => await killGroup(child, ended),
	};
}

/**
 * The part of the environment that n8n gets. n8n reads hundreds of variables, and those for another n8n must not
 * reach this one. So it gets only those that every program on this machine needs.
 */
const PASSED =
	/^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|XDG_\w+|LD_LIBRARY_PATH|(https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|HOMEDRIVE|HOMEPATH|ProgramData|ProgramFiles|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i;

export async function environment(node: string, userFolder: string): Promise<NodeJS.ProcessEnv> {
	// n8n starts its task runners with the first Node on PATH.
	const inherited = Object.entries(childEnvironment({}, node)).filter(([name]) =>
		PASSED.test(name),
	);
	const direct = ['127.0.0.1', 'localhost', process.env.NO_PROXY ?? process.env.no_proxy]
		.filter(Boolean)
		.join(',');
	return {
		...Object.fromEntries(inherited),
		NO_PROXY: direct,
		no_proxy: direct,
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
		// n8n sends nothing from this machine, and does not ask new users about themselves.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		// The catalogue of community nodes. Installed ones work without it.
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	};
}

/** What only some versions need. */
function particulars({ version, folder }: Host): NodeJS.ProcessEnv {
	// The catalogue of MCP servers, from the Internet. n8n versions without this module refuse its name.
	const registry = path.join(folder, 'node_modules', 'n8n', 'dist', 'modules', 'mcp-registry');
	return {
		// n8n 1.123 evaluates expressions with isolated-vm 6, which does not run on every Node that this n8n runs on.
		...(version.startsWith('1.') && { N8N_EXPRESSION_ENGINE: 'legacy' }),
		...(existsSync(registry) && { N8N_DISABLED_MODULES: 'mcp-registry' }),
	};
}

async function ready(
	child: ChildProcess,
	port: number,
	isReady: () => Promise<boolean>,
): Promise<boolean> {
	let listens = false;
	child.on(
		'message',
		(message: { listensOn?: number }) => (listens ||= message.listensOn === port),
	);
	const deadline = Date.now() + READY_WITHIN_MS;
	while (Date.now() < deadline && child.exitCode === null) {
		await sleep(200);
		if (listens && (await isReady().catch(() => false))) return true;
	}
	return false;
}

async function end(child: ChildProcess, ended: Promise<string>): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
	child.kill('SIGTERM');
	const stopped = await Promise.race([ended, sleep(TERM_GRACE_MS, undefined, { ref: false })]);
	if (stopped === undefined) await killGroup(child, ended);
}

/** Also ends its task runners. On Windows, which has no process groups, they are its tree of processes. */
async function killGroup(child: ChildProcess, ended: Promise<string>): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
	if (process.platform === 'win32') spawn('taskkill', ['/PID', String(child.pid), '/T', '/F']);
	else process.kill(-child.pid, 'SIGKILL');
	await ended;
}
