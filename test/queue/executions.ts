import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival, Sandbox } from '../../sandbox/index';
import type { ExecutionData } from '../../scripts/n8n/execution-data';
import type { N8nClient } from '../../scripts/n8n/client';
import { create } from '../live/bench';
import {
	eachRow,
	messaging,
	noOp,
	pushToRow,
	rowsOf,
	webhook,
	workflow,
	type Row,
} from '../live/workflows';
import type { Cluster } from './cluster';

export interface Load {
	executions: number;
	rowsEach: number;
	authentication: 'apiKey' | 'partnerToken';
}

export interface Started {
	workflowId: string;
	rows: Row[];
}

/** Calls one webhook several times at once, each time with rows of its own. */
export async function startExecutions(
	cluster: Cluster,
	path: string,
	load: Load,
): Promise<Started> {
	const push = messaging('Push', { ...pushToRow, authentication: load.authentication });
	const stored = await create(
		cluster,
		workflow(path, [webhook(path), eachRow, push, noOp('Done')], cluster.credentialIds),
	);
	const batches = Array.from({ length: load.executions }, (_, index) =>
		rowsOf(`${path}-${index}`, load.rowsEach),
	);
	await Promise.all(batches.map(async (rows) => await cluster.client.callWebhook(path, { rows })));
	return { workflowId: stored.id, rows: batches.flat() };
}

export interface Ended {
	id: string;
	status: string;
	data: ExecutionData;
}

/** All executions of the workflow, once none goes on any more or the time is up. */
export async function settled(
	client: N8nClient,
	{ workflowId }: Started,
	count: number,
	withinMs: number,
): Promise<Ended[]> {
	const deadline = Date.now() + withinMs;
	const goesOn = (status: string) => ['new', 'running', 'waiting'].includes(status);
	for (;;) {
		const listed = await client.executions(workflowId);
		const isOver = listed.length >= count && !listed.some(({ status }) => goesOn(status));
		if (isOver || Date.now() > deadline) {
			// n8n writes the status a moment before the data.
			await sleep(300);
			return await Promise.all(
				listed.map(async ({ id }) => ({ id, ...(await client.execution(id)) })),
			);
		}
		await sleep(500);
	}
}

/** What the service took on against what was asked of it. */
export interface Account {
	requests: number;
	refusedForLimit: number;
	accepted: number;
	doubled: string[];
	lost: string[];
}

export function accountOf({ record }: Pick<Sandbox, 'record'>, rows: Row[]): Account {
	const times = new Map<string, number>();
	for (const arrival of record.filter(({ accepted }) => accepted)) {
		times.set(userOf(arrival), (times.get(userOf(arrival)) ?? 0) + 1);
	}
	return {
		requests: record.length,
		refusedForLimit: record.filter(({ status }) => status === 429).length,
		accepted: [...times.values()].reduce((sum, count) => sum + count, 0),
		doubled: [...times].filter(([, count]) => count > 1).map(([user]) => user),
		lost: rows.map(({ userID }) => userID).filter((user) => !times.has(user)),
	};
}

const userOf = ({ body }: Arrival) => (body as { user_id: string }).user_id;

/** How many items an execution calls accepted. */
export function reportedAccepted({ data }: Ended): number {
	const runs = data.resultData.runData.Push ?? [];
	return runs
		.flatMap((run) => run.data?.main[0] ?? [])
		.filter(({ json }) => json.outcome === 'accepted').length;
}
