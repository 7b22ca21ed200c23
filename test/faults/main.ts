import { allHosts, canRun, hostOf, type Host } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/install-host';
import { buildTarball } from '../../scripts/n8n/package';
import { Problem } from '../../scripts/problem';
import { step } from '../../scripts/steps';
import { Report } from '../live/report';
import { runSuite } from '../live/suite';
import { startCluster, type Cluster } from '../queue/cluster';
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
 * `main.ts [version] [words…]`: the faults whose title holds one of the words, or all, in queue mode, each with and
 * without Send Once. By default on the newest n8n that runs on this machine.
 */
async function main(): Promise<void> {
	const isVersion = (argument: string) => /^\d+\.\d/.test(argument);
	const [asked] = process.argv.slice(2).filter(isVersion);
	const words = process.argv.slice(2).filter((argument) => !isVersion(argument));
	const host = asked === undefined ? allHosts().find(canRun) : hostOf(asked);
	if (!host) throw new Problem('No n8n of hosts/ runs on this machine.');
	const tarball = await step('Building and packing the node', buildTarball);
	await installHost(host);

	const report = new Report();
	const ordeals: Ordeal[] = [];
	for (const [all, keepsData] of [
		[withLastingQueue, true],
		[withFleetingQueue, false],
	] as const) {
		const toRun = all.filter(
			({ title }) => words.length === 0 || words.some((word) => title.includes(word)),
		);
		if (toRun.length > 0)
			ordeals.push(...(await inCluster({ host, tarball, keepsData }, toRun, report)));
	}
	console.log(`\n${tableOf(ordeals)}`);
	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

async function inCluster(
	{ host, tarball, keepsData }: { host: Host; tarball: string; keepsData: boolean },
	toRun: faults.Fault[],
	report: Report,
): Promise<Ordeal[]> {
	const clock = settableClock();
	const ordeals: Ordeal[] = [];
	let line: Line | undefined;
	let cluster: Cluster | undefined;
	try {
		await report.check(
			host.version,
			`n8n starts with a Redis that ${keepsData ? 'keeps' : 'loses'} its data`,
			async () => {
				cluster = await startCluster(host, tarball, {
					workers: WORKERS,
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
		const surroundings = { host, cluster, line, clock };
		for (const fault of toRun) {
			for (const sendOnce of [false, true]) {
				const title = `${fault.title}${sendOnce ? ', with Send Once' : ''}`;
				await report.check(host.version, title, async () => {
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
