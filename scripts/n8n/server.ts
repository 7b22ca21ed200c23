import type { Host } from './hosts';
import { startProcess, type N8nProcess } from './process';

export interface ServerOptions {
	userFolder: string;
	port: number;
	env?: NodeJS.ProcessEnv;
	/** Called with the process ID as soon as there is one. */
	onSpawn?: (pid: number) => void;
}

export interface Server extends N8nProcess {
	url: string;
}

/** Starts n8n in a folder of its own and returns when it is ready. */
export async function startServer(
	host: Host,
	{ userFolder, port, env = {}, onSpawn }: ServerOptions,
): Promise<Server> {
	const url = `http://127.0.0.1:${port}`;
	const server = await startProcess(host, {
		args: ['start'],
		userFolder,
		log: 'n8n.log',
		port,
		env: { N8N_PORT: String(port), ...env },
		onSpawn,
		isReady: async () => (await speaksJson(url)) && (await servesEditor(url)),
	});
	return { url, ...server };
}

/**
 * `/healthz` answers before the REST API is ready, and other paths say "n8n is starting up" with status 200, or 503 in
 * JSON while the database is not ready.
 */
async function speaksJson(url: string): Promise<boolean> {
	const response = await fetch(`${url}/rest/login`, {
		method: 'POST',
		signal: AbortSignal.timeout(5_000),
	});
	await response.arrayBuffer();
	const refuses = response.status >= 400 && response.status < 500 && response.status !== 404;
	return refuses && (response.headers.get('content-type') ?? '').includes('json');
}

/**
 * After a crash, n8n repairs its executions when the REST API answers already. Until it is through with that, it
 * shows an execution that waits as crashed. Only then does it serve the editor.
 */
async function servesEditor(url: string): Promise<boolean> {
	const response = await fetch(url, {
		headers: { accept: 'text/html' },
		signal: AbortSignal.timeout(5_000),
	});
	await response.arrayBuffer();
	return response.ok;
}
