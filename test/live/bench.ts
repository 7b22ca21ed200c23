import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival, Sandbox } from '../../sandbox/index';
import type { ExecutionData, Item } from '../../scripts/n8n/executionData';
import type { N8nClient, StoredWorkflow, WorkflowJson } from '../../scripts/n8n/client';
import type { Row } from '../../scripts/n8n/workflows';

/** One running n8n with a sandbox of its own. */
export interface Bench {
	/** The version of this n8n. */
	version: string;
	client: N8nClient;
	sandbox: Sandbox;
	/** The ids that the sandbox's credentials have in this n8n, by the ids that workflows name. */
	credentialIds: Record<string, string>;
}

/** A bench whose n8n can be killed and started again. */
export interface CrashableBench extends Bench {
	/** @param env for the n8n that then starts */
	crash(env?: NodeJS.ProcessEnv): Promise<void>;
	/** What n8n has logged since it was started. */
	readLog(): string;
}

export interface Run {
	/** The execution's. */
	id: string;
	status: string;
	data: ExecutionData;
	/** What reached the sandbox meanwhile. */
	arrivals: Arrival[];
}

export async function create({ client }: Bench, workflow: WorkflowJson): Promise<StoredWorkflow> {
	const stored = await client.createWorkflow(workflow);
	await client.activate(stored);
	return stored;
}

export interface WebhookRun extends Run {
	/** The response to the caller. */
	answer: string;
}

/** Calls a workflow's webhook and waits until the execution has ended. Faults are added in `prepare`. */
export async function runByWebhook(
	{ client, sandbox }: Bench,
	{ id }: StoredWorkflow,
	path: string,
	body: unknown,
	prepare: (sandbox: Sandbox) => void = () => {},
): Promise<WebhookRun> {
	const earlier = new Set((await client.executions(id)).map((execution) => execution.id));
	sandbox.reset();
	prepare(sandbox);
	const answer = await client.callWebhook(path, body);
	const executionId = await newExecution(client, id, earlier);
	const execution = await client.finished(executionId);
	return { id: executionId, ...execution, arrivals: [...sandbox.record], answer };
}

/** Starts a workflow and returns its execution's id once so many requests have arrived. */
export async function startUntil(
	{ client, sandbox }: Bench,
	{ id: workflowId }: StoredWorkflow,
	path: string,
	body: unknown,
	requests: number,
): Promise<string> {
	const earlier = new Set((await client.executions(workflowId)).map(({ id }) => id));
	await client.callWebhook(path, body);
	const id = await newExecution(client, workflowId, earlier);
	while (sandbox.record.length < requests) await sleep(20);
	return id;
}

/** Lets the sandbox answer each request after so many milliseconds while the work goes on. */
export async function withLatency<T>(
	{ sandbox }: Bench,
	latencyMs: number,
	work: () => Promise<T>,
): Promise<T> {
	sandbox.configure({ latencyMs });
	try {
		return await work();
	} finally {
		sandbox.configure({ latencyMs: 0 });
	}
}

/** Kills n8n as soon as so many requests of a run have arrived, and returns that run. */
export async function killAfter(
	bench: CrashableBench,
	stored: StoredWorkflow,
	path: string,
	body: unknown,
	requests: number,
): Promise<Run> {
	bench.sandbox.reset();
	const id = await withLatency(bench, 100, async () => {
		const started = await startUntil(bench, stored, path, body, requests);
		await bench.crash();
		return started;
	});
	const execution = await bench.client.finished(id, 30_000);
	return { id, ...execution, arrivals: [...bench.sandbox.record] };
}

/** Retries from the list, and kills n8n as soon as so many requests of the retry have arrived. */
export async function killRetryAfter(
	bench: CrashableBench,
	{ id: workflowId }: StoredWorkflow,
	{ id }: Run,
	requests: number,
): Promise<Run> {
	const { client, sandbox } = bench;
	const earlier = new Set((await client.executions(workflowId)).map((execution) => execution.id));
	sandbox.reset();
	const retryId = await withLatency(bench, 100, async () => {
		// n8n responds when the retry has ended.
		const responded = client.startRetry(id).catch(() => undefined);
		const started = await newExecution(client, workflowId, earlier);
		while (sandbox.record.length < requests) await sleep(20);
		await bench.crash();
		await responded;
		return started;
	});
	const execution = await client.finished(retryId, 30_000);
	return { id: retryId, ...execution, arrivals: [...sandbox.record] };
}

export async function runByHand(
	{ client, sandbox }: Bench,
	workflow: StoredWorkflow,
	trigger: string,
): Promise<Run> {
	sandbox.reset();
	const id = await client.runByHand(workflow, trigger);
	const execution = await client.finished(id);
	return { id, ...execution, arrivals: [...sandbox.record] };
}

/** Retries from the list of executions. Faults stay active, and `arrivals` holds only what this retry sent. */
export async function retry(
	{ client, sandbox }: Bench,
	{ id }: Run,
	loadWorkflow = false,
): Promise<Run> {
	const earlier = sandbox.record.length;
	const execution = await client.retry(id, loadWorkflow);
	return { ...execution, arrivals: sandbox.record.slice(earlier) };
}

/** Waits for one that was not there before. */
export async function newExecution(
	client: N8nClient,
	workflowId: string,
	earlier: Set<string>,
): Promise<string> {
	for (let attempt = 0; attempt < 600; attempt++) {
		const started = (await client.executions(workflowId)).find(({ id }) => !earlier.has(id));
		if (started) return started.id;
		await sleep(100);
	}
	throw new Error('The webhook was called, but n8n lists no execution of it');
}

/** The items on one output of a node; 0 is its first. */
export function output(data: ExecutionData, node: string, index = 0): Item[] {
	const runs = data.resultData.runData[node];
	assert.ok(runs, `the node "${node}" did not run`);
	return runs.flatMap((run) => run.data?.main[index] ?? []);
}

/** The hints that a node showed. */
export function hintsOf({ data }: Pick<Run, 'data'>, node = 'Push') {
	return data.resultData.runData[node]?.flatMap(({ hints = [] }) => hints) ?? [];
}

/** What became of each item of a node, also of those that failed. */
export function outcomesOf({ data }: Pick<Run, 'data'>, node = 'Push'): unknown[] {
	return output(data, node).map(
		({ json }) => ((json.details ?? json) as { outcome: unknown }).outcome,
	);
}

/**
 * What a run tells of each item, for example `accepted`, `accepted before` or `skipped accepted`. An item that failed
 * names its user on the error output only.
 */
export function toldOf({ data }: Pick<Run, 'data'>): Array<[user: string, said: string]> {
	const items = (data.resultData.runData.Push ?? []).flatMap((run) => run.data?.main.flat() ?? []);
	return items.map((item) => {
		const { json = {} } = item ?? {};
		const details = { ...json, ...(json.details as object | undefined) } as Record<string, unknown>;
		const { outcome, earlierOutcome, sentBefore, user_id, userID = user_id } = details;
		const words = [outcome, earlierOutcome, sentBefore === true && 'before'].filter(Boolean);
		return [userID as string, words.join(' ')];
	});
}

/** The users whose pushes the service accepted, once for each push. */
export function usersReached({ arrivals }: Pick<Run, 'arrivals'>): string[] {
	return arrivals
		.filter(({ accepted }) => accepted)
		.map(({ body }) => (body as { user_id: string }).user_id);
}

export function assertNobodyTwice(reached: readonly string[]): void {
	const twice = reached.filter((user, index) => reached.indexOf(user) !== index);
	assert.deepEqual(twice, [], 'nobody is reached twice');
}

/** Each row is sent by one request, is accepted and comes out so. */
export function assertEachRowOnce(run: Run, rows: readonly Row[]): void {
	assert.deepEqual(
		usersReached(run).sort(),
		rows.map(({ userID }) => userID).sort(),
		'each row once',
	);
	assert.equal(run.arrivals.length, rows.length);
	assert.deepEqual(
		outcomesOf(run, 'Done'),
		rows.map(() => 'accepted'),
	);
}

/** What the execution, or the node that ended it, says went wrong. */
export function failureText({ data }: Run): string {
	const { message = '', description = '' } = data.resultData.error ?? {};
	return `${message}\n${description}`;
}

export function assertSucceeded({ status, data }: Run): void {
	const { error } = data.resultData;
	assert.equal(
		status,
		'success',
		`the execution ended with: ${error?.message} ${(error?.description ?? '').slice(0, 500)}`,
	);
}
