import { allHosts, canRun, findHost } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/installHost';
import { buildTarball } from '../../scripts/n8n/package';
import { Problem } from '../../scripts/problem';
import { step } from '../../scripts/steps';
import { readCommandLine } from '../commandLine';
import { runSuite, type Report } from '../live/report';
import { requireServers, startCluster, type Cluster } from '../queue/cluster';
import { databaseKinds } from '../queue/database/database';
import { faults } from './faults';
import { endure } from './ordeal';
import { startLine, type Surroundings } from './surroundings';

/**
 * `main.ts [version] [postgres] [sqlite] [words…]`: the faults whose title holds one of the words, or all, in queue
 * mode. By default with both databases, on the newest n8n that runs on this machine.
 */
async function main(report: Report): Promise<void> {
	const { versions, databases: named, isAsked } = readCommandLine();
	const [version] = versions;
	const databases = named.length > 0 ? named : databaseKinds;
	requireServers(databases);
	const host = version === undefined ? allHosts().find(canRun) : findHost(version);
	if (!host) throw new Problem('No n8n of scripts/n8n/hosts/ runs on this machine.');
	const tarball = await step('Building and packing the node', buildTarball);
	await installHost(host);

	for (const database of databases) {
		const column = `${host.version} on ${database}`;
		let line: Surroundings['line'] | undefined;
		let cluster: Cluster | undefined;
		await report.check(column, 'A main process and two workers start', async () => {
			cluster = await startCluster(host, tarball, {
				workers: 2,
				database,
				addresses: async (sandbox) => {
					line = await startLine(sandbox.pushUrl);
					return { ...sandbox, pushUrl: line.url };
				},
			});
		});
		if (cluster && line) {
			const surroundings = { cluster, line };
			for (const fault of faults.filter(({ title }) => isAsked(title)))
				await report.check(column, fault.title, async () => await endure(fault, surroundings));
		}
		await cluster?.stop();
		await line?.close();
	}
}

runSuite(main);
