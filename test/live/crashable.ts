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
	stop: () => Promise<void>;
}

interface Options {
	env?: NodeJS.ProcessEnv;
	port?: number;
	sandbox?: Sandbox;
	install?: (tarball: string, userFolder: string) => Promise<unknown>;
}

/** Starts an n8n with the packed node and a sandbox, in a folder that is deleted afterwards. */
export async function startBench(
	host: Host,
	tarball: string,
	{ env, port, sandbox, install = installTarball }: Options = {},
): Promise<CrashableBench> {
	const userFolder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-n8n-'));
	const service = sandbox ?? (await startSandbox());
	let server: Server | undefined;
	const stop = async () => {
		await server?.stop();
		await service.close();
		rmSync(userFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	};
	try {
		await installHost(host);
		await install(tarball, userFolder);
		const own = { userFolder, port: port ?? (await freePort()) };
		const start = async (more?: NodeJS.ProcessEnv) =>
			(server = await startServer(host, { ...own, env: { ...env, ...more } }));
		const bench = new Bench(host.version, new N8nClient((await start()).url), service);
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
