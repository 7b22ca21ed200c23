import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox/index';
import { makeRows, type Row } from '../../scripts/n8n/workflows';
import { pushNode, withErrorOutput } from '../live/nodes';
import { toldBy, usersOf, usersReached, type Run } from '../live/run';
import type { Cluster } from './cluster';

interface Load {
	executions: number;
	rowsEach: number;
	/** Parameters of the push beside those of every load. */
	parameters?: Record<string, unknown>;
	/** Whether all executions get the same rows. */
	sameRows?: boolean;
	/** n8n's own of the workflow. */
	settings?: object;
}

export type Started = Awaited<ReturnType<typeof startExecutions>>;

/** Calls one webhook several times at once, each time with rows of its own. */
export async function startExecutions(cluster: Cluster, path: string, load: Load) {
	const { parameters, sameRows, settings } = load;
	const { client } = cluster;
	const push = pushNode(parameters, parameters && withErrorOutput);
	const { id: workflowId } = await cluster.forRows(path, push, settings);
	const batches = Array.from({ length: load.executions }, (_, index) =>
		makeRows(`${path}-${sameRows ? 0 : index}`, load.rowsEach),
	);
	const again = async () => {
		await Promise.all(batches.map(async (rows) => await client.callWebhook(path, { rows })));
	};
	const listed = async () => await client.executions(workflowId);
	/** All executions of the workflow, after all of them have ended or the time is up. */
	const settled = async (count: number, withinMs = 120_000): Promise<Run[]> => {
		const deadline = Date.now() + withinMs;
		const goesOn = ({ status }: { status: string }) =>
			['new', 'running', 'waiting'].includes(status);
		let all = await listed();
		while ((all.length < count || all.some(goesOn)) && Date.now() < deadline) {
			await sleep(500);
			all = await listed();
		}
		// n8n writes the status a moment before the data.
		await sleep(300);
		return await Promise.all(all.map(async ({ id }) => await cluster.execution(id)));
	};
	await again();
	return { rows: sameRows ? (batches[0] ?? []) : batches.flat(), again, settled, listed };
}

/** Compares what the service accepted with what was sent to it. */
export function accountOf({ record }: Pick<Sandbox, 'record'>, rows: Row[]) {
	const reached = usersReached(record);
	return {
		accepted: reached.length,
		doubled: reached.filter((user, index) => reached.indexOf(user) < index),
		lost: usersOf(rows).filter((user) => !reached.includes(user)),
	};
}

/** Whom attempts name as neither reached nor missed. */
export function calledUnknown(attempts: Run[]): Set<string> {
	const told = attempts.flatMap((run) => run.told());
	return new Set(told.flatMap(([user, said]) => (said.includes('unknown') ? user : [])));
}

/**
 * Whoever is called accepted was reached, and at most one attempt says that it was the one. The retry of an execution
 * that n8n calls crashed too early shows the same run of the push, copied, in n8n 1 perhaps behind one called crashed.
 */
export function assertTold({ record }: Pick<Sandbox, 'record'>, attempts: Run[]): void {
	const reached = new Set(usersReached(record));
	const runs = attempts.flatMap(({ data }) => data.resultData.runData.Push ?? []);
	const told = toldBy([...new Map(runs.map((run) => [JSON.stringify(run), run])).values()]);
	const untrue = told.filter(([user, said]) => said.includes('accepted') && !reached.has(user));
	assert.deepEqual(untrue, [], 'whoever is called accepted was reached');
	const sent = told.filter(([, said]) => said === 'accepted').map(([user]) => user);
	assert.equal(new Set(sent).size, sent.length, 'two attempts say that they sent one message');
}
