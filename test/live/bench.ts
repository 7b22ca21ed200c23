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

interface Arrived {
	arrivals: readonly Arrival[];
}
type Shown = Pick<Run, 'data'>;

export async function create({ client }: Bench, workflow: WorkflowJson): Promise<StoredWorkflow> {
	const stored = await client.createWorkflow(workflow);
	await client.activate(stored);
	return stored;
}

/** Begins an execution of a workflow, and returns its id. */
export async function begin(
	{ client }: Bench,
	workflowId: string,
	work: () => unknown,
): Promise<string> {
	const earlier = new Set((await client.executions(workflowId)).map(({ id }) => id));
	await work();
	for (let attempt = 0; attempt < 600; attempt++) {
		const started = (await client.executions(workflowId)).find(({ id }) => !earlier.has(id));
		if (started) return started.id;
		await sleep(100);
	}
	throw new Error('n8n was asked to start a workflow, but lists no execution of it');
}

/** What became of an execution, and what arrived since so many requests. */
export async function ended({ client, sandbox }: Bench, id: string, earlier = 0): Promise<Run> {
	return { id, ...(await client.finished(id)), arrivals: sandbox.record.slice(earlier) };
}

/** Calls a workflow's webhook, and returns the id of its execution. */
export async function call(bench: Bench, stored: StoredWorkflow, body: unknown): Promise<string> {
	return await begin(bench, stored.id, () => bench.client.callWebhook(pathOf(stored), body));
}

function pathOf({ nodes }: StoredWorkflow): string {
	const webhook = nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
	assert.ok(webhook, 'the workflow has a webhook');
	return (webhook.parameters as { path: string }).path;
}

/** Calls a workflow's webhook and waits until the execution has ended. Faults are added in `prepare`. */
export async function runByWebhook(
	bench: Bench,
	stored: StoredWorkflow,
	body: unknown,
	prepare: (sandbox: Sandbox) => unknown = () => {},
): Promise<Run & { answer: string }> {
	const { client, sandbox } = bench;
	sandbox.reset();
	prepare(sandbox);
	let answer = '';
	const id = await begin(bench, stored.id, async () => {
		answer = await client.callWebhook(pathOf(stored), body);
	});
	return { ...(await ended(bench, id)), answer };
}

export async function runByHand(
	bench: Bench,
	workflow: StoredWorkflow,
	trigger: string,
): Promise<Run> {
	bench.sandbox.reset();
	return await ended(bench, await bench.client.runByHand(workflow, trigger));
}

/** Retries from the list of executions. Faults stay active, and `arrivals` holds only what this retry sent. */
export async function retry(bench: Bench, { id }: Run, loadWorkflow = false): Promise<Run> {
	const earlier = bench.sandbox.record.length;
	return await ended(bench, await bench.client.startRetry(id, loadWorkflow), earlier);
}

/** The run, which must have succeeded. */
export async function succeeded<T extends Run>(running: Promise<T>): Promise<T> {
	const run = await running;
	assertSucceeded(run);
	return run;
}

export async function untilRequests({ sandbox }: Bench, requests: number): Promise<void> {
	while (sandbox.record.length < requests) await sleep(20);
}

/** Starts a workflow and returns its execution's id once so many requests have arrived. */
export async function startUntil(
	bench: Bench,
	stored: StoredWorkflow,
	body: unknown,
	requests: number,
): Promise<string> {
	const id = await call(bench, stored, body);
	await untilRequests(bench, requests);
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

/** The items on one output of a node; 0 is its first. */
export function output(data: ExecutionData, node: string, index = 0): Item[] {
	const runs = data.resultData.runData[node];
	assert.ok(runs, `the node "${node}" did not run`);
	return runs.flatMap((run) => run.data?.main[index] ?? []);
}

/** Some fields of the items on the first output of a node. */
export function valuesOf({ data }: Shown, node: string, ...fields: string[]): unknown[][] {
	return output(data, node).map(({ json }) => fields.map((field) => json[field]));
}

/** The hints that a node showed. */
export function hintsOf({ data }: Shown, node = 'Push') {
	return data.resultData.runData[node]?.flatMap(({ hints = [] }) => hints) ?? [];
}

export function hintTexts(run: Shown, node?: string): string {
	return hintsOf(run, node)
		.map(({ message }) => message)
		.join('\n');
}

/** What became of each item of a node, also of those that failed. */
export function outcomesOf({ data }: Shown, node = 'Push'): unknown[] {
	return output(data, node).map(
		({ json }) => ((json.details ?? json) as { outcome: unknown }).outcome,
	);
}

/**
 * What a run tells of each item, for example `accepted`, `accepted before` or `skipped accepted`. An item that failed
 * names its user on the error output only.
 */
export function toldOf({ data }: Shown): Array<[user: string, said: string]> {
	const items = (data.resultData.runData.Push ?? []).flatMap((run) => run.data?.main.flat() ?? []);
	return items.map((item) => {
		const { json = {} } = item ?? {};
		const details = { ...json, ...(json.details as object | undefined) } as Record<string, unknown>;
		const { outcome, earlierOutcome, sentBefore, user_id, userID = user_id } = details;
		const words = [outcome, earlierOutcome, sentBefore === true && 'before'].filter(Boolean);
		return [userID as string, words.join(' ')];
	});
}

export const pathsOf = ({ arrivals }: Arrived) => arrivals.map(({ path }) => path);

export const requestsOf = ({ arrivals }: Arrived) =>
	arrivals.map(({ path, body }) => ({ path, body }));

/** The users whose pushes the service accepted, once for each push. */
export function usersReached({ arrivals }: Arrived): string[] {
	return arrivals
		.filter(({ accepted }) => accepted)
		.map(({ body }) => (body as { user_id: string }).user_id);
}

export const usersOf = (rows: ReadonlyArray<{ userID: string }>) =>
	rows.map(({ userID }) => userID);

export function assertNobodyTwice(reached: readonly string[]): void {
	const twice = reached.filter((user, index) => reached.indexOf(user) !== index);
	assert.deepEqual(twice, [], 'nobody is reached twice');
}

/** Each row is sent by one request, is accepted and comes out so. */
export function assertEachRowOnce(run: Run, rows: readonly Row[]): void {
	assert.deepEqual(usersReached(run).sort(), usersOf(rows).sort(), 'each row once');
	assert.equal(run.arrivals.length, rows.length);
	assert.deepEqual(
		outcomesOf(run, 'Done'),
		rows.map(() => 'accepted'),
	);
}

/** What the execution, or the node that ended it, says went wrong. */
export function failureText({ data }: Shown): string {
	const { message = '', description = '' } = data.resultData.error ?? {};
	return `${message}\n${description}`;
}

export function assertSucceeded(run: Run): void {
	assert.equal(
		run.status,
		'success',
		`the execution ended with: ${failureText(run).slice(0, 500)}`,
	);
}
