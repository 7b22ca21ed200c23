import { allHosts, canRun, findHost } from '../../scripts/n8n/hosts';
import { buildTarball } from '../../scripts/n8n/package';
import { step } from '../../scripts/steps';
import { readCommandLine } from '../commandLine';
import { runSuite, type Report } from '../live/report';
import { answeredOnce } from '../live/scenarios/asking';
import { retriedTwiceAtOnce, sameRowsAtOnce, sharedLimit } from './atOnce';
import { byHandOnWorkers, runsByHand } from './byHand';
import { claimedRows } from './claimedRows';
import { startCluster, STARTS, type Cluster } from './cluster';
import type { DatabaseKind } from './database';
import { killedWorker, sleepingWorker } from './lostWorker';

/** Those of the night take minutes, and run with `--all` or if words are given. */
type Scenario = [title: string, play: (cluster: Cluster) => Promise<void>, when?: 'nightly'];

const sameRows: Scenario = ['Three executions at once reach 100 people once', sameRowsAtOnce];
const killed = 'A worker killed: nobody twice, and every attempt tells the truth';
const workerKilled: Scenario = [killed, killedWorker];

interface Part {
	version: string;
	database: DatabaseKind;
	/** The last one kills a worker. */
	scenarios: Scenario[];
	env?: NodeJS.ProcessEnv;
	/** Runs only with `--all`, and then in its own version alone, or if words are given. */
	isNightly?: true;
}

const parts: Part[] = [
	{
		version: '2.8.4',
		// As n8n asks for.
		database: 'postgres',
		scenarios: [
			['Six executions past the limit lose nothing and send nothing twice', sharedLimit],
			['Retry pressed twice at once, on any worker, reaches nobody twice', retriedTwiceAtOnce],
			['A question that a worker asked takes one answer', answeredOnce],
			sameRows,
			['A worker asleep for a minute: nobody twice, every attempt true', sleepingWorker, 'nightly'],
			workerKilled,
			['Rows of Postgres: nobody twice, those of a killed worker named', claimedRows, 'nightly'],
		],
	},
	{
		version: '2.41.3',
		database: 'postgres',
		scenarios: runsByHand,
		env: byHandOnWorkers,
		isNightly: true,
	},
	{
		// It runs the executions of a killed worker again from the start.
		version: '1.123.81',
		// Here two workers overwrite each other's notes more often.
		database: 'sqlite',
		scenarios: [sameRows, workerKilled],
	},
];

/**
 * `main.ts [--all] [version] [postgres] [sqlite] [words…]`: n8n in queue mode with two workers on one key,
 * the parts with these databases, each in this version in place of its own, or with `--all` in every version. What takes
 * minutes, and runs by hand on workers, as in n8n 3, are left to `--all`.
 */
async function main(report: Report): Promise<void> {
	const { versions, databases, isAsked, takesAll, all } = readCommandLine();
	const asked = parts.filter(
		({ database, isNightly }) => databases.includes(database) && (takesAll || !isNightly),
	);
	const tarball = await step('Building and packing the node', buildTarball);
	const works = asked.flatMap(({ version, database, scenarios, env, isNightly }) => {
		const toRun = scenarios.filter(([title, , when]) => isAsked(title) && (takesAll || !when));
		if (toRun.length === 0) return [];
		const isEverywhere = all && !isNightly;
		const hosts = isEverywhere ? allHosts().filter(canRun) : [findHost(versions[0] ?? version)];
		return hosts.map((host) => async () => {
			const start = async () => await startCluster(host, tarball, database, env);
			await report.play(`${host.version} on ${database}`, [STARTS, start], toRun);
		});
	});
	// Two at once mostly wait: for the next minute, or until n8n notices that a worker is gone.
	if (all) for (const work of works) await work();
	else await Promise.all(works.map(async (work) => await work()));
}

runSuite(main);
