import { allHosts, canRun, findHost, type Host } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/install-host';
import { buildTarball } from '../../scripts/n8n/package';
import { step } from '../../scripts/steps';
import type { Bench } from '../live/bench';
import { Report } from '../live/report';
import { answeredOnce, approvedAndDeclined, signatureCounts } from '../live/scenarios/asking';
import { testRunStaysTestRun } from '../live/scenarios/retry-broadcast';
import { retriesInAnyOrder, retriesOfEarlierFailure } from '../live/scenarios/retry-from-list';
import { runSuite } from '../live/suite';
import { claimedRows } from './claimed-rows';
import { startCluster, type Cluster } from './cluster';
import { readCommandLine, type Asked } from './command-line';
import { databaseKinds, type DatabaseKind } from './database/database';
import { killedWorker } from './killed-worker';
import { sameRowsAtOnce, sendOnceAfterKill } from './send-once';
import { requireServers } from './servers';
import { sharedLimit } from './shared-limit';

const WORKERS = 2;

/** Scenarios of the live suite in which another process may go on: one that retries, or takes an answer. */
const handovers: Array<[string, (bench: Bench) => Promise<void>]> = [
	[
		'Retries from the list, in any order and on any worker, reach every user exactly once',
		retriesInAnyOrder,
	],
	[
		'Retries after another node failed, on any worker, reach every user exactly once',
		retriesOfEarlierFailure,
	],
	[
		'The retry of a test run of the main process is still a test run on a worker',
		testRunStaysTestRun,
	],
	['A question that a worker asked is approved, and another one declined', approvedAndDeclined],
	['A question of a worker takes one of two answers at the same moment', answeredOnce],
	['A question of a worker opens by its own signature only', signatureCounts],
];

type Scenario = [title: string, run: (cluster: Cluster, asked: Asked) => Promise<void>];

const sameRows: Scenario = [
	'With Send Once, three executions at once reach each of the same 100 people exactly once',
	sameRowsAtOnce,
];

interface Part {
	version: string;
	database: DatabaseKind;
	/** The last one kills a worker. */
	scenarios: Scenario[];
}

const parts: Part[] = [
	{
		version: '2.8.4',
		// As n8n asks for.
		database: 'postgres',
		scenarios: [
			['Six executions past the limit lose nothing and send nothing twice', sharedLimit],
			...handovers,
			sameRows,
			[
				'The rows of a Postgres table reach nobody twice, and those of a killed worker are named',
				claimedRows,
			],
			[
				'After a worker was killed, the executions that succeeded have sent all their rows',
				killedWorker,
			],
		],
	},
	{
		// It runs the executions of a killed worker again from the start.
		version: '1.123.81',
		// Here two workers overwrite each other's notes more often.
		database: 'sqlite',
		scenarios: [
			sameRows,
			['With Send Once, nobody gets a message twice after a worker was killed', sendOnceAfterKill],
		],
	},
];

/**
 * `main.ts [--all] [version] [postgres] [sqlite] [words…] [--rounds 30]`: n8n in queue mode with two workers on one key,
 * each part in this version and with these databases in place of its own, or with `--all` in every version.
 */
async function main(): Promise<void> {
	const asked = readCommandLine(process.argv.slice(2));
	requireServers(asked.databases.length > 0 ? asked.databases : databaseKinds);
	const report = new Report();
	const tarball = await step('Building and packing the node', buildTarball);
	const done = new Set<string>();
	for (const { version, database, scenarios } of parts) {
		const hosts = asked.all ? allHosts().filter(canRun) : [findHost(asked.version ?? version)];
		const kinds = asked.databases.length > 0 ? asked.databases : [database];
		for (const [host, kind] of hosts.flatMap((each) =>
			kinds.map((kind) => [each, kind] as const),
		)) {
			const nameOf = (title: string) => `${host.version} ${kind} ${title}`;
			const toRun = scenarios.filter(([title]) => asked.isAsked(title) && !done.has(nameOf(title)));
			if (toRun.length === 0) continue;
			await installHost(host);
			await inQueueMode({ host, kind, tarball }, toRun, asked, report);
			for (const [title] of toRun) done.add(nameOf(title));
		}
	}
	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

async function inQueueMode(
	{ host, kind, tarball }: { host: Host; kind: DatabaseKind; tarball: string },
	toRun: readonly Scenario[],
	asked: Asked,
	report: Report,
): Promise<void> {
	const column = `${host.version} on ${kind}`;
	let cluster: Cluster | undefined;
	try {
		await report.check(column, `A main process and ${WORKERS} workers start`, async () => {
			cluster = await startCluster(host, tarball, { workers: WORKERS, database: kind });
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
