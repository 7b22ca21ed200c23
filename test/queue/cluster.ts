import { startSandbox } from '../../sandbox/index';
import type { Host } from '../../scripts/n8n/hosts';
import { freePort } from '../../scripts/n8n/ports';
import { startProcess, type N8nProcess } from '../../scripts/n8n/process';
import { startBench, type CrashableBench } from '../live/crashable';
import { lockSqlite, startPostgres, type DatabaseKind } from './database';
import { startRedis, type Redis } from './redis';

const JOBS_PER_WORKER = 5;
export const STARTS = 'A main process and two workers start';

/** One n8n in queue mode: a main process, two workers that execute, and one database, Redis and folder for them. */
export interface Cluster extends CrashableBench {
	/** Lets nobody write to n8n's store of processed items for so long, and returns when that is over. */
	lockDatabase(forMs: number): Promise<void>;
	redis: Redis;
	workers: N8nProcess[];
	startWorker(): Promise<void>;
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

/** @param more of the environment, for the main process and every worker */
export async function startCluster(
	host: Host,
	tarball: string,
	kind: DatabaseKind,
	more?: NodeJS.ProcessEnv,
): Promise<Cluster> {
	const parts: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const stopPart of parts.reverse()) await stopPart();
	};
	try {
		const redis = await startRedis();
		parts.push(redis.stop);
		const postgres = kind === 'postgres' ? await startPostgres() : undefined;
		if (postgres) parts.push(postgres.stop);
		const sandbox = await startSandbox();
		const port = await freePort();
		const env = {
			EXECUTIONS_MODE: 'queue',
			// Workers write the links of questions too, and have no address of their own.
			WEBHOOK_URL: `http://localhost:${port}/`,
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			N8N_ENCRYPTION_KEY: 'the-same-for-all-processes',
			...NOTICE,
			...postgres?.env,
			...more,
		};
		const bench = await startBench(host, tarball, { env, port, sandbox });
		parts.push(bench.stop);
		const { userFolder } = bench;
		const workers: N8nProcess[] = [];
		let started = 0;
		const startWorker = async () => {
			const workerPort = await freePort();
			const readiness = `http://127.0.0.1:${workerPort}/healthz/readiness`;
			const health = {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(workerPort),
			};
			const worker = await startProcess(host, {
				args: ['worker', `--concurrency=${JOBS_PER_WORKER}`],
				userFolder,
				log: `worker-${++started}.log`,
				port: workerPort,
				env: { ...env, ...health },
				isReady: async () => (await fetch(readiness, { signal: AbortSignal.timeout(5_000) })).ok,
			});
			parts.push(worker.stop);
			workers.push(worker);
		};
		await startWorker();
		await startWorker();
		const lockDatabase = postgres?.lock ?? (async (ms) => await lockSqlite(host, userFolder, ms));
		return Object.assign(bench, { lockDatabase, redis, workers, startWorker, stop });
	} catch (error) {
		await stop();
		throw error;
	}
}
