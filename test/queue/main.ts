import { allHosts, canRun, findHost } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/installHost';
import { buildTarball } from '../../scripts/n8n/package';
import { step } from '../../scripts/steps';
import { readCommandLine, type CommandLine } from '../commandLine';
import { runSuite, type Report } from '../live/report';
import { approvedAndDeclined } from '../live/scenarios/asking';
import { byHandOnWorkers, runsByHand } from './byHand';
import { claimedRows } from './claimedRows';
import { requireServers, startCluster, type Cluster } from './cluster';
import { databaseKinds, type DatabaseKind } from './database/database';
import { killedWorker, sleepingWorker } from './lostWorker';
import { retriedTwiceAtOnce } from './retriedTwice';
import { sameRowsAtOnce } from './sendOnce';
import { sharedLimit } from './sharedLimit';

type Play = (cluster: Cluster, asked: CommandLine) => Promise<void>;
/** Those of the night take minutes, and run with `--all` or if words are given. */
type Scenario = [title: string, run: Play, when?: 'nightly'];

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
			['A question that a worker asked is approved, another one declined', approvedAndDeclined],
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
 * `main.ts [--all] [version] [postgres] [sqlite] [words…] [--rounds 30]`: n8n in queue mode with two workers on one key,
 * each part in this version and with these databases in place of its own, or with `--all` in every version. What takes
 * minutes, and runs by hand on workers, as in n8n 3, are left to `--all`.
 */
async function main(report: Report): Promise<void> {
	const asked = readCommandLine();
	const { versions, takesAll } = asked;
	requireServers(asked.databases.length > 0 ? asked.databases : databaseKinds);
	const tarball = await step('Building and packing the node', buildTarball);
	const done = new Set<string>();
	const works: Array<() => Promise<void>> = [];
	for (const { version, database, scenarios, env, isNightly } of parts) {
		if (isNightly && !takesAll) continue;
		const hosts =
			asked.all && !isNightly ? allHosts().filter(canRun) : [findHost(versions[0] ?? version)];
		const kinds = asked.databases.length > 0 ? asked.databases : [database];
		for (const [host, kind] of hosts.flatMap((each) =>
			kinds.map((kind) => [each, kind] as const),
		)) {
			const nameOf = (title: string) => `${host.version} ${kind} ${title}`;
			const toRun = scenarios.filter(
				([title, , when]) =>
					asked.isAsked(title) && !done.has(nameOf(title)) && (takesAll || !when),
			);
			if (toRun.length === 0) continue;
			for (const [title] of toRun) done.add(nameOf(title));
			works.push(async () => {
				await installHost(host);
				const options = { workers: 2, database: kind, env };
				const start = async () => await startCluster(host, tarball, options);
				await inQueueMode(`${host.version} on ${kind}`, start, toRun, asked, report);
			});
		}
	}
	// Two at once mostly wait: for the next minute, or until n8n notices that a worker is gone.
	if (asked.all) for (const work of works) await work();
	else await Promise.all(works.map(async (work) => await work()));
}

async function inQueueMode(
	column: string,
	start: () => Promise<Cluster>,
	toRun: readonly Scenario[],
	asked: CommandLine,
	report: Report,
): Promise<void> {
	let cluster: Cluster | undefined;
	try {
		await report.check(column, 'A main process and two workers start', async () => {
			cluster = await start();
		});
		const running = cluster;
		if (!running) return;
		for (const [title, run] of toRun) {
			running.sandbox.configure({ latencyMs: 0 });
			await report.check(column, title, async () => await run(running, asked));
		}
	} finally {
		await cluster?.stop();
	}
}

runSuite(main);
