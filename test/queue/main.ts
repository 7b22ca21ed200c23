import { hostOf } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/install-host';
import { buildTarball } from '../../scripts/n8n/package';
import { step } from '../../scripts/steps';
import type { Bench } from '../live/bench';
import { Report } from '../live/report';
import { testRunStaysTestRun } from '../live/scenarios/retry-broadcast';
import { retriesInAnyOrder, retriesOfEarlierFailure } from '../live/scenarios/retry-from-list';
import { runSuite } from '../live/suite';
import { startCluster, type Cluster } from './cluster';
import { killedWorker } from './killed-worker';
import { sameRowsAtOnce, sendOnceAfterKill } from './send-once';
import { sharedLimit } from './shared-limit';

const STANDARD_VERSION = '2.8.4';
/** It runs the executions of a killed worker again from the start. */
const RERUNNING_VERSION = '1.123.81';
const WORKERS = 2;

/** Scenarios of the live suite whose retries may run in another process than what they retry. */
const retries: Array<[string, (bench: Bench) => Promise<void>]> = [
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
];

type Scenario = [title: string, run: (cluster: Cluster) => Promise<void>];

const scenarios: Scenario[] = [
	['Six executions past the limit lose nothing and send nothing twice', sharedLimit],
	...retries,
	['With Send Once, two executions at once send the same rows only once', sameRowsAtOnce],
	[
		'After a worker was killed, the executions that succeeded have sent all their rows',
		killedWorker,
	],
];

const scenariosOfSendOnce: Scenario[] = [
	['With Send Once, two executions at once send the same rows only once', sameRowsAtOnce],
	['With Send Once, nobody gets a message twice after a worker was killed', sendOnceAfterKill],
];

/** `main.ts [version]`: n8n in queue mode with two workers on one key. */
async function main(): Promise<void> {
	const report = new Report();
	const tarball = await step('Building and packing the node', buildTarball);
	const [asked] = process.argv.slice(2);
	await inQueueMode(asked ?? STANDARD_VERSION, scenarios, tarball, report);
	// The scenario before has killed a worker, so these get processes of their own.
	await inQueueMode(asked ?? RERUNNING_VERSION, scenariosOfSendOnce, tarball, report);
	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

async function inQueueMode(
	version: string,
	toRun: readonly Scenario[],
	tarball: string,
	report: Report,
): Promise<void> {
	const host = hostOf(version);
	await installHost(host);
	let cluster: Cluster | undefined;
	try {
		await report.check(version, `A main process and ${WORKERS} workers start`, async () => {
			cluster = await startCluster(host, tarball, { workers: WORKERS });
		});
		const running = cluster;
		if (!running) return;
		for (const [title, run] of toRun) {
			running.sandbox.configure({ latencyMs: 0 });
			await report.check(version, title, async () => await run(running));
		}
	} finally {
		await cluster?.stop();
	}
}

runSuite(main);
