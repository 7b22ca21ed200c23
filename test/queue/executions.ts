import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival, Sandbox } from '../../sandbox/index';
import type { ExecutionData } from '../../scripts/n8n/executionData';
import type { N8nClient } from '../../scripts/n8n/client';
import { toldOf } from '../live/bench';
import { createForRows, pushNode } from '../live/rows';
import { makeRows, type Row } from '../../scripts/n8n/workflows';
import type { Cluster } from './cluster';

export interface Load {
	executions: number;
	rowsEach: number;
	authentication: 'apiKey' | 'partnerToken';
	/** Parameters of the push beside those of every load. */
	parameters?: Record<string, unknown>;
	/** Whether all executions get the same rows. */
	sameRows?: boolean;
	/** n8n's own of the workflow. */
	settings?: object;
}

export interface Started {
	workflowId: string;
	rows: Row[];
	/** Calls the webhook again with the rows of each execution. */
	again(): Promise<void>;
}

/** Calls one webhook several times at once, each time with rows of its own. */
export async function startExecutions(
	cluster: Cluster,
	path: string,
	load: Load,
): Promise<Started> {
	const { authentication, parameters, sameRows, settings } = load;
	const push = pushNode(
		{ ...parameters, authentication },
		parameters ? { onError: 'continueErrorOutput' } : {},
	);
	const stored = await createForRows(cluster, path, push, settings);
	const batches = Array.from({ length: load.executions }, (_, index) =>
		makeRows(`${path}-${sameRows ? 0 : index}`, load.rowsEach),
	);
	const again = async () => {
		await Promise.all(
			batches.map(async (rows) => await cluster.client.callWebhook(path, { rows })),
		);
	};
	await again();
	const rows = sameRows ? (batches[0] ?? []) : batches.flat();
	return { workflowId: stored.id, rows, again };
}

export interface Ended {
	id: string;
	status: string;
	data: ExecutionData;
}

/** All executions of the workflow, after all of them have ended or the time is up. */
export async function settled(
	client: N8nClient,
	{ workflowId }: Pick<Started, 'workflowId'>,
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

/** Compares what the service accepted with what was sent to it. */
export function accountOf({ record }: Pick<Sandbox, 'record'>, rows: Row[]) {
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

/** The users whom an execution names on its error output with this outcome. */
export function reportedFailed({ data }: Ended, outcome: string): string[] {
	return (data.resultData.runData.Push ?? [])
		.flatMap((run) => run.data?.main[1] ?? [])
		.filter(({ json }) => (json.details as { outcome?: string } | undefined)?.outcome === outcome)
		.map(({ json }) => String(json.userID));
}

/** How many items an execution calls accepted. */
export function reportedAccepted({ data }: Ended): number {
	const items = (data.resultData.runData.Push ?? []).flatMap((run) => run.data?.main[0] ?? []);
	return items.filter(({ json }) => json.outcome === 'accepted').length;
}

/** Whom attempts name as neither reached nor missed. */
export function calledUnknown(attempts: Ended[]): Set<string> {
	const told = attempts.flatMap(toldOf);
	return new Set(told.flatMap(([user, said]) => (said.includes('unknown') ? user : [])));
}

/** Whoever is called accepted was reached, and at most one attempt says that it was the one. */
export function assertTold(sandbox: Pick<Sandbox, 'accepted'>, attempts: Ended[]): void {
	const reached = new Set(sandbox.accepted().map(userOf));
	const told = attempts.flatMap(toldOf);
	const untrue = told.filter(([user, said]) => said.includes('accepted') && !reached.has(user));
	assert.deepEqual(untrue, [], 'whoever is called accepted was reached');
	const sent = told.filter(([, said]) => said === 'accepted').map(([user]) => user);
	assert.equal(new Set(sent).size, sent.length, 'two attempts say that they sent one message');
}
