import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox } from '../../sandbox/index';
import { N8nClient } from '../../scripts/n8n/client';
import type { Host } from '../../scripts/n8n/hosts';
import { installTarball } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';
import { startProcess, type N8nProcess } from '../../scripts/n8n/process';
import { startServer } from '../../scripts/n8n/server';
import { Problem } from '../../scripts/problem';
import type { Addresses } from '../../scripts/start/sandboxCredentials';
import { Bench } from '../live/bench';
import { sqliteFile, type Database, type DatabaseKind } from './database/database';
import { postgresFolder, startPostgres } from './database/postgres';
import { startRedis, type Redis } from './redis';

const JOBS_PER_WORKER = 5;

/** One n8n in queue mode: a main process, workers that execute, and one database, Redis and folder for all of them. */
export interface Cluster extends Bench {
	database: Database;
	redis: Redis;
	main: N8nProcess;
	workers: N8nProcess[];
	/** Starts the main process again after it was killed, at the same address. */
	startMain(): Promise<void>;
	/** Starts another worker. */
	startWorker(): Promise<void>;
	stop(): Promise<void>;
}

interface ClusterOptions {
	workers: number;
	database: DatabaseKind;
	/** For the main process and every worker. */
	env?: NodeJS.ProcessEnv;
	/** Where the credentials look for the service, given the addresses of the sandbox. */
	addresses?: (sandbox: Addresses) => Addresses | Promise<Addresses>;
}

/** @throws Problem that names all packages to install, before anything is built or started */
export function requireServers(databases: readonly DatabaseKind[]): void {
	const missing = [];
	if (spawnSync('redis-server', ['--version']).error) missing.push('redis-server');
	if (databases.includes('postgres') && postgresFolder() === undefined) missing.push('postgresql');
	if (missing.length === 0) return;
	throw new Problem(
		`Queue mode needs ${missing.join(' and ')}, which this machine does not have (Debian: apt-get install ${missing.join(' ')}).`,
	);
}

/**
 * How soon n8n notices that a worker is gone. By default a job's lock lasts 60 s and is looked at every 30 s; what
 * n8n then does is the same.
 */
const NOTICE = {
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

export async function startCluster(host: Host, tarball: string, options: ClusterOptions) {
	const userFolder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-queue-'));
	const parts: Array<() => Promise<void>> = [
		async () =>
			rmSync(userFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
	];
	const stop = async () => {
		for (const stopPart of parts.reverse()) await stopPart();
	};
	try {
		const isPostgres = options.database === 'postgres';
		const database = isPostgres ? await startPostgres() : sqliteFile(host, userFolder);
		parts.push(database.stop);
		const redis = await startRedis();
		parts.push(redis.stop);
		const sandbox = await startSandbox();
		parts.push(sandbox.close);
		await installTarball(tarball, userFolder);
		const port = await freePort();
		const env = {
			EXECUTIONS_MODE: 'queue',
			// Workers write the links of questions too, and have no address of their own.
			WEBHOOK_URL: `http://localhost:${port}/`,
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			N8N_ENCRYPTION_KEY: 'the-same-for-all-processes',
			...NOTICE,
			...database.env,
			...options.env,
		};
		const startMain = async () => {
			const server = await startServer(host, { userFolder, port, env });
			parts.push(server.stop);
			return server;
		};
		const main = await startMain();
		const workers: N8nProcess[] = [];
		const startOneWorker = async (number: number) => {
			const port = await freePort();
			const readiness = `http://127.0.0.1:${port}/healthz/readiness`;
			const worker = await startProcess(host, {
				args: ['worker', `--concurrency=${JOBS_PER_WORKER}`],
				userFolder,
				log: `worker-${number}.log`,
				port,
				env: { ...env, QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port) },
				isReady: async () => (await fetch(readiness, { signal: AbortSignal.timeout(5_000) })).ok,
			});
			parts.push(worker.stop);
			workers.push(worker);
		};
		const bench = new Bench(host.version, new N8nClient(main.url), sandbox);
		await bench.setUp({ ...sandbox.urls, ...(await options.addresses?.(sandbox.urls)) });
		const cluster: Cluster = Object.assign(bench, {
			database,
			redis,
			main,
			workers,
			async startMain() {
				cluster.main = await startMain();
			},
			startWorker: async () => await startOneWorker(workers.length + 1),
			stop,
		});
		const numbers = Array.from({ length: options.workers }, (_, index) => index + 1);
		await Promise.all(numbers.map(startOneWorker));
		return cluster;
	} catch (error) {
		await stop();
		throw error;
	}
}
