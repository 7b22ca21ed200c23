import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/index';
import { N8nClient } from '../../scripts/n8n/client';
import type { Host } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/installHost';
import { installTarball } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';
import { startServer, type Server } from '../../scripts/n8n/server';
import { Bench } from './bench';

/** A bench whose n8n can be killed and started again. */
export interface CrashableBench extends Bench {
	userFolder: string;
	/** @param env for the n8n that then starts */
	crash(env?: NodeJS.ProcessEnv): Promise<void>;
	readLog(): string;
	stop(): Promise<void>;
}

/** Starts an n8n with the packed node and a sandbox, in a folder that is deleted afterwards. */
export async function startBench(
	host: Host,
	tarball: string,
	env: NodeJS.ProcessEnv = {},
	starting: Promise<Sandbox> = startSandbox(),
	install: (tarball: string, userFolder: string) => Promise<unknown> = installTarball,
): Promise<CrashableBench> {
	const userFolder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-n8n-'));
	const sandbox = await starting;
	let server: Server | undefined;
	const stop = async () => {
		await server?.stop();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	};
	try {
		await installHost(host);
		await install(tarball, userFolder);
		const port = await freePort();
		const start = async (more?: NodeJS.ProcessEnv) =>
			(server = await startServer(host, { userFolder, port, env: { ...env, ...more } }));
		const { url } = await start();
		const bench = new Bench(host.version, new N8nClient(url), sandbox);
		await bench.setUp();
		return Object.assign(bench, {
			userFolder,
			async crash(more?: NodeJS.ProcessEnv) {
				await server?.kill();
				await start(more);
			},
			readLog: () => (server ? readFileSync(server.logFile, 'utf8') : ''),
			stop,
		});
	} catch (error) {
		await stop();
		throw error;
	}
}
