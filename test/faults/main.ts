import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { findHost } from '../../scripts/n8n/hosts';
import { buildTarball } from '../../scripts/n8n/package';
import { say, step } from '../../scripts/steps';
import { readCommandLine } from '../commandLine';
import { runSuite, type Report } from '../live/report';
import type { Run } from '../live/run';
import { startCluster, STARTS, type Cluster } from '../queue/cluster';
import { accountOf, startExecutions, type Started } from '../queue/executions';

interface Fault {
	title: string;
	/** Returns once everything works again. */
	strike: (cluster: Cluster) => Promise<void>;
	/** Whether n8n ends executions because of it. Then only their error tells that rows are missing. */
	endsExecutions?: boolean;
}

const faults: readonly Fault[] = [
	{
		title: 'The network breaks off each request for 20 s',
		async strike({ sandbox: { faults } }) {
			faults.add({ kind: 'resetAfterAccept', first: EXECUTIONS });
			faults.add({ kind: 'resetBeforeAccept', forMs: 20_000 });
			await sleep(20_000);
		},
	},
	{
		title: 'The database is locked for 10 s',
		strike: async (cluster) => await cluster.lockDatabase(10_000),
	},
	{
		title: 'The main process is killed and started again',
		endsExecutions: true,
		strike: async (cluster) => await cluster.crash(),
	},
	{
		title: 'Redis is restarted and has lost its data',
		endsExecutions: true,
		strike: async ({ redis }) => await redis.restart(3_000),
	},
];

/** With Send Once, and as many without. */
const EXECUTIONS = 4;
const ROWS_EACH = 30;
const SETTLED_WITHIN_MS = 240_000;
const STRUCK_WITHIN_MS = 120_000;

/** Runs eight executions through a fault, and then does what a user would do: start or retry them again. */
async function endure({ title, strike, endsExecutions }: Fault, cluster: Cluster) {
	const { sandbox } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: 300 });
	const name = title.toLowerCase().replace(/\W+/g, '-');
	const load = { executions: EXECUTIONS, rowsEach: ROWS_EACH };
	const plain = await startExecutions(cluster, `${name}-plain`, { ...load, parameters: {} });
	const parameters = { sendOnce: true, sendOnceKey: 'sale' };
	const once = await startExecutions(cluster, `${name}-once`, { ...load, parameters });
	const all = plain.rows.length + once.rows.length;
	const { record } = sandbox;
	const deadline = Date.now() + STRUCK_WITHIN_MS;
	// An execution that has not begun could be lost by n8n.
	const listed = async () => [...(await plain.listed()), ...(await once.listed())];
	while (record.length < all / 3 || (await listed()).some(({ status }) => status === 'new')) {
		assert.ok(Date.now() < deadline, `only ${record.length} of ${all} requests came`);
		await sleep(20);
	}
	say(`    after ${record.length} of ${all} requests: it happens`);
	await strike(cluster);
	say('    it is over');

	/** Those who were neither reached nor named by an execution. Nobody may be reached twice. */
	const forgotten = ({ rows }: Started, executions: Run[]) => {
		const { doubled, lost } = accountOf(sandbox, rows);
		const named = new Set(executions.flatMap(failed));
		const unnamed = lost.filter((user) => !named.has(user));
		say(`    ${rows.length - lost.length} of ${rows.length} reached, ${unnamed.length} not named`);
		for (const { id, status, failure } of executions) say(`    ${id} ${status} ${failure.trim()}`);
		assert.deepEqual(doubled, [], 'nobody is reached twice');
		return unnamed;
	};
	const end = async (started: Started) => {
		const ended = await started.settled(EXECUTIONS, SETTLED_WITHIN_MS);
		const unnamed = forgotten(started, ended);
		const succeeded = ended.filter(({ status }) => status === 'success');
		for (const run of succeeded) {
			const accepted = run.outcomes('Push').filter((outcome) => outcome === 'accepted');
			assert.equal(accepted.length + failed(run).length, ROWS_EACH, 'it names each of its rows');
		}
		if (endsExecutions) return ended;
		assert.deepEqual([succeeded.length, ended.length], [EXECUTIONS, EXECUTIONS]);
		assert.deepEqual(unnamed, [], 'everyone is reached or named');
		return ended;
	};
	const ofPlain = await end(plain);
	await end(once);

	sandbox.configure({ latencyMs: 0 });
	await once.again();
	const later = await once.settled(2 * EXECUTIONS, SETTLED_WITHIN_MS);
	assert.deepEqual(forgotten(once, later), [], 'everyone is reached or named');
	// As a user would in the list of executions.
	const retries: Run[] = [];
	for (const { id, status } of ofPlain) {
		if (status === 'success') continue;
		// n8n gives the job of a killed worker to another one, which may only now have succeeded.
		const now = await cluster.ended(id);
		retries.push(now.status === 'success' ? now : await cluster.retry(now));
	}
	forgotten(plain, [...ofPlain, ...retries]);
}

/** The users whom an execution names as not sent or in doubt. Those that another one left in doubt are skipped. */
const failed = (run: Run) =>
	run.told().flatMap(([user, said]) => (/notSent|unknown/.test(said) ? user : []));

/**
 * `main.ts [version] [postgres] [sqlite] [words…]`: the faults whose title holds one of the words, or all, in queue
 * mode. By default with both databases, on the newest n8n.
 */
async function main(report: Report): Promise<void> {
	const { versions, databases, isAsked } = readCommandLine();
	const host = findHost(versions[0] ?? '2.41.3');
	const tarball = await step('Building and packing the node', buildTarball);
	const asked = faults.filter(({ title }) => isAsked(title));
	for (const database of databases) {
		const start = async () => await startCluster(host, tarball, database);
		const plays = asked.map(
			(fault) => [fault.title, async (cluster: Cluster) => await endure(fault, cluster)] as const,
		);
		await report.play(`${host.version} on ${database}`, [STARTS, start], plays);
	}
}

runSuite(main);
