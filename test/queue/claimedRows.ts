import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowJson } from '../../scripts/n8n/client';
import { makeRows } from '../../scripts/n8n/workflows';
import { say } from '../../scripts/steps';
import { parametersOf, withNode, withParameters } from '../live/nodes';
import { usersReached, type Run } from '../live/run';
import type { Cluster } from './cluster';
import { startPostgres, type Postgres } from './database';
import { accountOf } from './executions';

const ROWS = 160;
const ROWS_EACH = 10;
/** Two parts that are sent by two workers overlap. */
const LATENCY_MS = 2_500;
const DRAINED_WITHIN_MS = 120_000;

/** The example on a Postgres of its own: by hand, on schedule, with a worker that is killed, and an hour later. */
export async function claimedRows(cluster: Cluster): Promise<void> {
	const postgres = await startPostgres();
	const workflow = await withPostgres(cluster, postgres);
	await byHand(cluster, postgres, workflow);
	await onScheduleWithKill(cluster, postgres, workflow);
	await anHourLater(cluster, postgres, workflow);
	await postgres.stop();
}

/** The example as it is, with a credential for the Postgres nodes, as a person would choose it. */
async function withPostgres(cluster: Cluster, { port }: Postgres): Promise<WorkflowJson> {
	const [name, type] = ['Outbox', 'postgres'];
	const data = {
		host: '127.0.0.1',
		port,
		user: type,
		password: '',
		database: type,
		ssl: 'disable',
	};
	const { id } = await cluster.client.createCredential({ name, type, data });
	const workflow = cluster.example('rows-claimed-in-postgres');
	const nodes = workflow.nodes.map((node) =>
		node.type.endsWith('.postgres') ? { ...node, credentials: { postgres: { id, name } } } : node,
	);
	return { ...workflow, nodes };
}

/** What was not sent is sent the next time, and what was sent is not sent again. */
async function byHand(cluster: Cluster, postgres: Postgres, workflow: WorkflowJson): Promise<void> {
	const users = ['P-1001', 'P-1002', 'P-1003'];
	// A port without TLS, so that nothing is sent.
	const pushUrl = cluster.sandbox.urls.pushUrl.replace('http:', 'https:');
	const credentials = { customerMessagingApi: await cluster.credentialAt({ pushUrl }) };
	await succeeding(cluster, withNode(workflow, 'Send push', { credentials }));
	assert.deepEqual(await usersIn(postgres), { new: users });
	assert.deepEqual((await succeeding(cluster, workflow)).reached.sort(), users);
	assert.deepEqual((await succeeding(cluster, workflow)).arrivals, [], 'nobody twice');
	assert.deepEqual(await usersIn(postgres), { accepted: users });
}

const succeeding = async (cluster: Cluster, workflow: WorkflowJson): Promise<Run> =>
	(
		await cluster.byHand(await cluster.client.createWorkflow(workflow), 'Try it by hand')
	).succeeded();

/** In small parts that begin every second, because no test can wait for minutes. */
async function onScheduleWithKill(cluster: Cluster, postgres: Postgres, workflow: WorkflowJson) {
	const { client, sandbox, workers } = cluster;
	const numberOf = async (status: string) => (await usersIn(postgres))[status]?.length ?? 0;
	const rows = makeRows('outbox', ROWS);
	await postgres.query('DELETE FROM outbox');
	const values = rows.map(
		({ userID }) => `('test', '${userID}', 'Hello', 'To ${userID}', 'https://shop.example.com/')`,
	);
	for (let times = 0; times < 2; times++)
		await postgres.query(
			`INSERT INTO outbox (campaign, user_id, title, message, url) VALUES ${values.join(',')} ON CONFLICT DO NOTHING`,
		);
	sandbox.reset();
	sandbox.configure({ latencyMs: LATENCY_MS });
	sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: '"outbox-3"' } });
	sandbox.faults.add({ kind: 'statusAfterAccept', status: 503, match: { bodyText: '"outbox-5"' } });

	const { id } = await cluster.create(inSmallParts(workflow));
	await cluster.untilRequests(ROWS / 3);
	const [worker] = workers.splice(0, 1);
	await worker?.kill();
	const claimed = await numberOf('claimed');
	say(`    killed after ${sandbox.accepted().length} of ${ROWS} pushes, ${claimed} rows claimed`);
	const deadline = Date.now() + DRAINED_WITHIN_MS;
	while ((await numberOf('new')) > 0) {
		assert.ok(Date.now() < deadline, 'all rows are claimed in time');
		await sleep(500);
	}
	await client.deactivate(id);
	await cluster.startWorker();
	// Executions that are still sending write their outcomes.
	for (let before = -1, now = NaN; now !== before; await sleep(2 * LATENCY_MS))
		[before, now] = [now, await numberOf('claimed')];

	const { doubled, lost } = accountOf(sandbox, rows);
	const reached = new Set(usersReached(sandbox.record));
	const table = await usersIn(postgres);
	const left = table.claimed ?? [];
	say(`    ${reached.size} reached; ${left.length} rows of killed executions stay claimed`);
	assert.deepEqual(doubled, [], 'nobody twice');
	const all = Object.values(table).flat();
	assert.equal(all.length, ROWS, 'rows that are added twice are there once');
	assert.deepEqual([table.rejected, table.unknown], [['outbox-3'], ['outbox-5']]);
	const untrue = table.accepted?.filter((user) => !reached.has(user));
	assert.deepEqual(untrue, [], 'whoever is called accepted was reached');
	const unnamed = lost.filter((user) => !left.includes(user));
	assert.deepEqual(unnamed, ['outbox-3'], 'everyone else was reached, or is claimed by the killed');
	assert.ok(left.length > 0, 'the kill left rows behind');
	assert.ok(left.length <= claimed, 'no other row stayed claimed');
}

/** The next run names each row that was left behind, once, and sends none of them. */
async function anHourLater(cluster: Cluster, postgres: Postgres, workflow: WorkflowJson) {
	const { claimed: left = [] } = await usersIn(postgres);
	await postgres.query(`UPDATE outbox SET claimed_at = claimed_at - interval '1 hour'`);
	// By hand, it would add its sample rows and send them.
	const name = 'Table and sample rows';
	const [query] = String(parametersOf(workflow, name).query).split('INSERT');
	const later = withParameters(workflow, name, { query });
	const run = await succeeding(cluster, later);
	const named = run.items('For a person');
	assert.deepEqual(named.map(({ json }) => String(json.user_id)).sort(), left.sort());
	for (const { json } of named)
		assert.match(String(json.note), /^Execution \d+ ended without an outcome\./);
	assert.deepEqual(run.arrivals, [], 'none of them is sent again');

	const next = await succeeding(cluster, later);
	assert.deepEqual([next.items('For a person'), next.arrivals], [[], []], 'each is named once');
}

function inSmallParts(workflow: WorkflowJson): WorkflowJson {
	const name = 'Claim the next part';
	const whole = String(parametersOf(workflow, name).query);
	const query = whole.replace('LIMIT 400', `LIMIT ${ROWS_EACH}`);
	assert.notEqual(query, whole);
	const soon = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
	return withParameters(withParameters(workflow, name, { query }), 'Every minute', soon);
}

/** The users of the rows that have each status. */
async function usersIn(postgres: Postgres): Promise<Record<string, string[] | undefined>> {
	const lists = await postgres.query(
		`SELECT json_object_agg(status, users) FROM (SELECT status, json_agg(user_id ORDER BY id) AS users FROM outbox GROUP BY status) AS each`,
	);
	return JSON.parse(lists) as Record<string, string[]>;
}
