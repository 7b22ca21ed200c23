import { setTimeout as sleep } from 'node:timers/promises';
import type { Surroundings } from './surroundings';

export interface Fault {
	title: string;
	/** Returns once everything works again. */
	strike: (surroundings: Surroundings) => Promise<void>;
	/** Whether n8n ends executions because of it. Then only their error tells that rows are missing. */
	endsExecutions?: boolean;
	/** Whether it happens when nothing can be sent until the next minute, and not when a third was sent. */
	isAtLimit?: boolean;
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
		title: 'The clock moves an hour ahead, and back after 5 s',
		isAtLimit: true,
		async strike({ clock }) {
			await clock.set(3_600_000);
			await sleep(5_000);
			await clock.set(0);
		},
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
