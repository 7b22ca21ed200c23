import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow, WorkflowJson } from '../../scripts/n8n/client';
import { makeRows } from '../../scripts/n8n/workflows';
import { say } from '../../scripts/steps';
import { parametersOf, withNode, withParameters } from '../live/nodes';
import { usersReached, type Run } from '../live/run';
import type { Cluster } from './cluster';
import { startPostgres, type Postgres } from './database/postgres';
import { accountOf } from './executions';

const FILE = 'rows-claimed-in-postgres';
const CLAIM = 'Claim the next part';
const SEND = 'Send push';
const FOR_A_PERSON = 'For a person';
const BY_HAND = 'Try it by hand';
const POSTGRES = 'n8n-nodes-base.postgres';

const ROWS = 160;
const ROWS_EACH = 10;
/** Two parts that are sent by two workers overlap. */
const LATENCY_MS = 2_500;
const DRAINED_WITHIN_MS = 120_000;

/** The example on a Postgres of its own: by hand, on schedule, with a worker that is killed, and an hour later. */
export async function claimedRows(cluster: Cluster): Promise<void> {
	const postgres = await startPostgres();
	try {
		const workflow = await withPostgres(cluster, postgres);
		await byHand(cluster, postgres, workflow);
		await onScheduleWithKill(cluster, postgres, workflow);
		await anHourLater(cluster, postgres, workflow);
	} finally {
		cluster.sandbox.configure({ latencyMs: 0 });
		await postgres.stop();
	}
}

/** The example as it is, with a credential for the Postgres nodes, as a person would choose it. */
async function withPostgres(
	cluster: Cluster,
	{ host, port, user, password }: Postgres,
): Promise<WorkflowJson> {
	const name = 'Outbox';
	const { id } = await cluster.client.createCredential({
		name,
		type: 'postgres',
		data: { host, port, user, password, database: 'postgres', ssl: 'disable' },
	});
	const workflow = cluster.example(FILE);
	const nodes = workflow.nodes.map((node) =>
		node.type === POSTGRES ? { ...node, credentials: { postgres: { id, name } } } : node,
	);
	assert.equal(nodes.filter(({ credentials }) => credentials?.postgres).length, 4);
	return { ...workflow, nodes };
}

/** What was not sent is sent the next time, and what was sent is not sent again. */
async function byHand(cluster: Cluster, postgres: Postgres, workflow: WorkflowJson): Promise<void> {
	const { client, sandbox } = cluster;
	const unreachable = await nobodyThere(cluster, workflow);
	await succeeding(cluster, await client.createWorkflow(unreachable));
	assert.deepEqual(await statuses(postgres), { new: 3 });

	const stored = await client.createWorkflow(workflow);
	await succeeding(cluster, stored);
	assert.deepEqual(usersReached(sandbox.record).sort(), ['P-1001', 'P-1002', 'P-1003']);
	assert.deepEqual(await statuses(postgres), { accepted: 3 });

	const { arrivals } = await succeeding(cluster, stored);
	assert.deepEqual(arrivals, [], 'nobody twice');
	assert.deepEqual(await statuses(postgres), { accepted: 3 });
}

async function succeeding(cluster: Cluster, stored: StoredWorkflow): Promise<Run> {
	return (await cluster.byHand(stored, BY_HAND)).succeeded();
}

/** A port without TLS, so that nothing is sent. */
async function nobodyThere(cluster: Cluster, workflow: WorkflowJson): Promise<WorkflowJson> {
	const pushUrl = cluster.sandbox.urls.pushUrl.replace('http:', 'https:');
	const customerMessagingApi = await cluster.credentialAt({ pushUrl });
	return withNode(workflow, SEND, { credentials: { customerMessagingApi } });
}

/** In small parts that begin every second, because no test can wait for minutes. */
async function onScheduleWithKill(
	cluster: Cluster,
	postgres: Postgres,
	workflow: WorkflowJson,
): Promise<void> {
	const { client, sandbox, workers } = cluster;
	const rows = makeRows('outbox', ROWS);
	await postgres.query('DELETE FROM outbox');
	await addRows(postgres, rows);
	await addRows(postgres, rows);
	sandbox.reset();
	sandbox.configure({ latencyMs: LATENCY_MS });
	sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: '"outbox-3"' } });
	sandbox.faults.add({ kind: 'statusAfterAccept', status: 503, match: { bodyText: '"outbox-5"' } });

	const { id } = await cluster.create(inSmallParts(workflow));
	while (sandbox.record.length < ROWS / 3) await sleep(20);
	const [worker] = workers.splice(0, 1);
	await worker?.kill();
	const claimed = (await statuses(postgres)).claimed ?? 0;
	say(`    killed after ${sandbox.accepted().length} of ${ROWS} pushes, ${claimed} rows claimed`);
	await drained(postgres);
	await client.deactivate(id);
	await cluster.startWorker();
	await noneGoesOn(postgres);

	const { doubled, lost } = accountOf(sandbox, rows);
	const reached = new Set(usersReached(sandbox.record));
	const table = await rowsIn(postgres);
	const named = (status: string) =>
		table.filter((row) => row.status === status).map(({ user }) => user);
	const left = named('claimed');
	say(
		`    ${reached.size} of ${ROWS} reached; ${left.length} rows of killed executions stay claimed`,
	);
	assert.deepEqual(doubled, [], 'nobody twice');
	assert.equal(table.length, ROWS, 'rows that are added twice are there once');
	assert.deepEqual(named('rejected'), ['outbox-3']);
	assert.deepEqual(named('unknown'), ['outbox-5']);
	assert.deepEqual(
		named('accepted').filter((user) => !reached.has(user)),
		[],
		'whoever is called accepted was reached',
	);
	assert.deepEqual(
		lost.filter((user) => !left.includes(user)),
		['outbox-3'],
		'everyone else was reached, or is claimed by an execution that was killed',
	);
	assert.ok(left.length > 0, 'the kill left rows behind');
	assert.ok(left.length <= claimed, 'no other row stayed claimed');
}

/** The next run names each row that was left behind, once, and sends none of them. */
async function anHourLater(
	cluster: Cluster,
	postgres: Postgres,
	workflow: WorkflowJson,
): Promise<void> {
	const left = (await rowsIn(postgres))
		.filter(({ status }) => status === 'claimed')
		.map(({ user }) => user);
	await postgres.query(`UPDATE outbox SET claimed_at = claimed_at - interval '1 hour'`);
	const stored = await cluster.client.createWorkflow(withoutSample(workflow));
	const run = await succeeding(cluster, stored);
	const named = run.items(FOR_A_PERSON);
	assert.deepEqual(named.map(({ json }) => String(json.user_id)).sort(), left.sort());
	for (const { json } of named)
		assert.match(String(json.note), /^Execution \d+ ended without an outcome\./);
	assert.deepEqual(run.arrivals, [], 'none of them is sent again');
	assert.equal((await statuses(postgres)).claimed, undefined);

	const next = await succeeding(cluster, stored);
	assert.deepEqual(next.items(FOR_A_PERSON), [], 'each is named once');
	assert.deepEqual(next.arrivals, []);
}

function inSmallParts(workflow: WorkflowJson): WorkflowJson {
	const { query } = parametersOf(workflow, CLAIM);
	const small = String(query).replace('LIMIT 400', `LIMIT ${ROWS_EACH}`);
	assert.notEqual(small, query);
	const soon = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
	return withParameters(withParameters(workflow, CLAIM, { query: small }), 'Every minute', soon);
}

/** By hand, it would add its sample rows and send them. */
function withoutSample(workflow: WorkflowJson): WorkflowJson {
	const name = 'Table and sample rows';
	const [table] = String(parametersOf(workflow, name).query).split('INSERT');
	return withParameters(workflow, name, { query: table });
}

async function addRows(postgres: Postgres, rows: Array<{ userID: string }>): Promise<void> {
	const values = rows.map(
		({ userID }) => `('test', '${userID}', 'Hello', 'To ${userID}', 'https://shop.example.com/')`,
	);
	await postgres.query(
		`INSERT INTO outbox (campaign, user_id, title, message, url) VALUES ${values.join(',')} ON CONFLICT DO NOTHING`,
	);
}

async function drained(postgres: Postgres): Promise<void> {
	const deadline = Date.now() + DRAINED_WITHIN_MS;
	while ((await statuses(postgres)).new !== undefined) {
		assert.ok(Date.now() < deadline, 'all rows are claimed in time');
		await sleep(500);
	}
}

/** Waits until executions that are still sending have written their outcomes. */
async function noneGoesOn(postgres: Postgres): Promise<void> {
	let claimed = -1;
	for (;;) {
		const now = (await statuses(postgres)).claimed ?? 0;
		if (now === claimed) return;
		claimed = now;
		await sleep(2 * LATENCY_MS);
	}
}

async function rowsIn(postgres: Postgres): Promise<Array<{ user: string; status: string }>> {
	const text = await postgres.query('SELECT user_id, status FROM outbox ORDER BY id');
	const lines = text.split('\n').filter(Boolean);
	return lines.map((line) => {
		const [user = '', status = ''] = line.split('|');
		return { user, status };
	});
}

/** How many rows have each status. */
async function statuses(postgres: Postgres): Promise<Record<string, number | undefined>> {
	const counts: Record<string, number> = {};
	for (const { status } of await rowsIn(postgres)) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}
