import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../scripts/steps';
import { TOKEN_WITH_RAISED_LIMIT, type Cluster } from './cluster';
import type { CommandLine } from './commandLine';
import { accountOf, assertTold, calledUnknown, settled, startExecutions } from './executions';

const parameters = { sendOnce: true, sendOnceKey: 'welcome' };
const load = { executions: 6, rowsEach: 60, authentication: 'partnerToken', parameters } as const;
const total = load.executions * load.rowsEach;

/** A worker is killed in the middle, and the same rows come again. */
export async function sendOnceAfterKill(cluster: Cluster): Promise<void> {
	const { client, sandbox, workers } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: 300 });
	const started = await startExecutions(cluster, 'send-once-killed', load);
	while (sandbox.record.length < total / 3) await sleep(20);
	const [worker] = workers;
	assert.ok(worker);
	await worker.kill();
	say(`    killed after ${accountOf(sandbox, started.rows).accepted} of ${total} pushes`);
	await settled(client, started, load.executions, 120_000);
	const between = accountOf(sandbox, started.rows);
	say(`    ${between.accepted} accepted when n8n had dealt with it`);

	sandbox.configure({ latencyMs: 0 });
	await started.again();
	const executions = await settled(client, started, 2 * load.executions, 120_000);
	const { accepted, doubled, lost } = accountOf(sandbox, started.rows);
	const unknown = calledUnknown(executions);
	say(
		`    after the same rows again: ${accepted} accepted, ${doubled.length} people twice, ${lost.length} never, ${unknown.size} called unknown`,
	);
	assert.deepEqual(doubled, [], 'nobody is reached twice');
	assert.deepEqual(
		lost.filter((user) => !unknown.has(user)),
		[],
		'everyone is reached or said to be in doubt',
	);
}

/** More than a race of some rounds sends within a minute, so that no round waits for the next one. */
const RAISED_LIMIT = 5_000;

/**
 * Three executions get the same rows at the same moment, each on any worker. Each round has a workflow of its own, so
 * its first notes are also the first ones in n8n's store.
 */
export async function sameRowsAtOnce(cluster: Cluster, { rounds }: CommandLine): Promise<void> {
	const { sandbox } = cluster;
	const normalLimit = sandbox.settings.limits.push;
	sandbox.configure({ latencyMs: 100, limits: { push: RAISED_LIMIT } });
	const raised = await withRaisedLimit(cluster);
	const twice: string[] = [];
	const missed: string[] = [];
	for (let round = 1; round <= rounds; round++) {
		const figures = await raceOnce(raised, round);
		twice.push(...figures.doubled);
		missed.push(...figures.lost);
	}
	sandbox.configure({ latencyMs: 0, limits: { push: normalLimit } });
	assert.deepEqual({ twice, missed }, { twice: [], missed: [] });
}

async function raceOnce(cluster: Cluster, round: number) {
	const { client, sandbox } = cluster;
	sandbox.reset();
	const race = {
		executions: 3,
		rowsEach: 100,
		sameRows: true,
		authentication: 'partnerToken',
		parameters: { ...parameters, options: { concurrency: 10 } },
	} as const;
	const started = await startExecutions(cluster, `send-once-race-${round}`, race);
	const executions = await settled(client, started, race.executions, 120_000);
	assert.deepEqual(
		executions.map(({ status }) => status),
		executions.map(() => 'success'),
	);
	const figures = accountOf(sandbox, started.rows);
	const unknown = executions.map((execution) => calledUnknown([execution]).size);
	say(
		`    round ${round}: ${figures.accepted} accepted, ${figures.doubled.length} people twice, ${figures.lost.length} missed; the executions call ${unknown.join(', ')} unknown`,
	);
	assertTold(sandbox, executions);
	return figures;
}

/** The cluster with a credential for an account of its own. */
async function withRaisedLimit(cluster: Cluster): Promise<Cluster> {
	const { client, sandbox, credentialIds } = cluster;
	const { id } = await client.createCredential({
		name: 'Sandbox (raised limit)',
		type: 'customerMessagingPartnerApi',
		data: {
			...sandbox.urls,
			accessToken: TOKEN_WITH_RAISED_LIMIT,
			customLimits: true,
			pushLimit: RAISED_LIMIT,
		},
	});
	return { ...cluster, credentialIds: { ...credentialIds, 'sandbox-partner-token': id } };
}
