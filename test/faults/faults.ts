import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../queue/cluster';
import type { SettableClock } from './clock';
import type { Line } from './network';

/** What the faults happen to. */
export interface Surroundings {
	cluster: Cluster;
	/** Between n8n and the service's push host. */
	line: Line;
	clock: SettableClock;
}

export interface Fault {
	title: string;
	/** Whether n8n ends executions because of it. Then only their error tells that rows are missing. */
	endsExecutions: boolean;
	/** The rows of each execution. So many that they use up the limit of a minute, or few. */
	rowsEach: number;
	/** When it happens: when a third was sent, or when nothing can be sent until the next minute. */
	moment: 'third' | 'limitUsedUp';
	/** Returns once everything works again. */
	strike(surroundings: Surroundings): Promise<void>;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

const FEW = { rowsEach: 60, moment: 'third' } as const;

export const redisRestarted: Fault = {
	title: 'Redis is restarted',
	endsExecutions: false,
	...FEW,
	strike: async ({ cluster }) => await cluster.redis.restart(3 * SECOND_MS),
};

export const redisEmptied: Fault = {
	title: 'Redis is restarted and has lost its data',
	endsExecutions: true,
	...FEW,
	strike: async ({ cluster }) => await cluster.redis.restart(3 * SECOND_MS),
};

export const mainKilled: Fault = {
	title: 'The main process is killed and started again',
	endsExecutions: true,
	...FEW,
	async strike({ cluster }) {
		await cluster.main.kill();
		await cluster.startMain();
	},
};

export const workerKilled: Fault = {
	title: 'A worker is killed and another one started',
	endsExecutions: true,
	...FEW,
	async strike({ cluster }) {
		const [worker] = cluster.workers.splice(0, 1);
		await worker?.kill();
		await cluster.startWorker();
	},
};

export const databaseLocked: Fault = {
	title: 'The database is locked for 10 s',
	endsExecutions: false,
	...FEW,
	strike: async ({ cluster }) => await cluster.database.lock(10 * SECOND_MS),
};

export const clockMoved: Fault = {
	title: 'The clock moves an hour ahead, and back after 5 s',
	endsExecutions: false,
	rowsEach: 170,
	moment: 'limitUsedUp',
	async strike({ clock }) {
		await clock.set(HOUR_MS);
		await sleep(5 * SECOND_MS);
		await clock.set(0);
	},
};

export const networkDown: Fault = {
	title: 'The network is down for 20 s',
	endsExecutions: false,
	...FEW,
	async strike({ line }) {
		await line.cut();
		await sleep(20 * SECOND_MS);
		await line.mend();
	},
};
