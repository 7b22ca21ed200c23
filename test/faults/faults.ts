import { setTimeout as sleep } from 'node:timers/promises';
import type { Surroundings } from './surroundings';

export interface Fault {
	title: string;
	/** Returns once everything works again. */
	strike: (surroundings: Surroundings) => Promise<void>;
	/** Whether n8n ends executions because of it. Then only their error tells that rows are missing. */
	endsExecutions?: boolean;
}

export const faults: readonly Fault[] = [
	{
		title: 'The network is down for 20 s',
		async strike({ line }) {
			await line.cut();
			await sleep(20_000);
			await line.mend();
		},
	},
	{
		title: 'The database is locked for 10 s',
		strike: async ({ cluster }) => await cluster.database.lock(10_000),
	},
	{
		title: 'The main process is killed and started again',
		endsExecutions: true,
		async strike({ cluster }) {
			await cluster.main.kill();
			await cluster.startMain();
		},
	},
	{
		title: 'Redis is restarted and has lost its data',
		endsExecutions: true,
		strike: async ({ cluster }) => await cluster.redis.restart(3_000),
	},
];
