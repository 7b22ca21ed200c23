import { allHosts, canRun, findHost, type Host } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/installHost';
import { buildTarball } from '../../scripts/n8n/package';
import { Problem } from '../../scripts/problem';
import { step } from '../../scripts/steps';
import { Report } from '../live/report';
import { runSuite } from '../live/suite';
import { startCluster, type Cluster } from '../queue/cluster';
import { readCommandLine } from '../queue/commandLine';
import { databaseKinds, type DatabaseKind } from '../queue/database/database';
import { requireServers } from '../queue/servers';
import { settableClock } from './clock';
import * as faults from './faults';
import { startLine, type Line } from './network';
import { endure, type Ordeal } from './ordeal';
import { tableOf } from './table';

const WORKERS = 2;

const withLastingQueue = [
	faults.networkDown,
	faults.databaseLocked,
	faults.clockMoved,
	faults.redisRestarted,
	faults.workerKilled,
	faults.mainKilled,
];
const withFleetingQueue = [faults.redisEmptied];

/**
 * `main.ts [version] [postgres] [sqlite] [words…]`: the faults whose title holds one of the words, or all, in queue
 * mode, each with and without Send Once. By default with both databases, on the newest n8n that runs on this machine.
 */
async function main(): Promise<void> {
	const { version, databases: named, isAsked } = readCommandLine(process.argv.slice(2));
	const databases = named.length > 0 ? named : databaseKinds;
	requireServers(databases);
	const host = version === undefined ? allHosts().find(canRun) : findHost(version);
	if (!host) throw new Problem('No n8n of scripts/n8n/hosts/ runs on this machine.');
	const tarball = await step('Building and packing the node', buildTarball);
	await installHost(host);

	const report = new Report();
	for (const database of databases) {
		const ordeals: Ordeal[] = [];
		for (const [all, keepsData] of [
			[withLastingQueue, true],
			[withFleetingQueue, false],
		] as const) {
			const toRun = all.filter(({ title }) => isAsked(title));
			if (toRun.length > 0)
				ordeals.push(...(await inCluster({ host, tarball, database, keepsData }, toRun, report)));
		}
		console.log(`\nn8n ${host.version} on ${database}\n\n${tableOf(ordeals)}`);
	}
	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

interface Kind {
	host: Host;
	tarball: string;
	database: DatabaseKind;
	/** Whether what waits in Redis outlives a restart of Redis. */
	keepsData: boolean;
}

async function inCluster(
	{ host, tarball, database, keepsData }: Kind,
	toRun: faults.Fault[],
	report: Report,
): Promise<Ordeal[]> {
	const column = `${host.version} on ${database}`;
	const clock = settableClock();
	const ordeals: Ordeal[] = [];
	let line: Line | undefined;
	let cluster: Cluster | undefined;
	try {
		await report.check(
			column,
			`n8n starts with a Redis that ${keepsData ? 'keeps' : 'loses'} its data`,
			async () => {
				cluster = await startCluster(host, tarball, {
					workers: WORKERS,
					database,
					redis: { keepsData },
					env: clock.env,
					addresses: async (sandbox) => {
						line = await startLine(sandbox.pushUrl);
						return { ...sandbox, pushUrl: line.url };
					},
				});
			},
		);
		if (!cluster || !line) return [];
		const surroundings = { cluster, line, clock };
		for (const fault of toRun) {
			for (const sendOnce of [false, true]) {
				const title = `${fault.title}${sendOnce ? ', with Send Once' : ''}`;
				await report.check(column, title, async () => {
					ordeals.push(await endure(fault, sendOnce, surroundings));
				});
			}
		}
		return ordeals;
	} finally {
		await cluster?.stop();
		await line?.close();
		await clock.close();
	}
}

runSuite(main);
