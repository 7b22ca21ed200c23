import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowJson } from '../../scripts/n8n/client';
import { newExecution, type Bench, type Run } from './bench';
import { parametersOf, withNode } from './examples';

/** The page behind the link of a question, as the service's recipient gets it. */
export interface Page {
	status: number;
	html: string;
	/** Its content security policy. */
	policy: string;
}

/** Calls the webhook of a workflow that asks, and returns the ID of its execution. */
export async function start(
	{ client, sandbox }: Bench,
	workflowId: string,
	path: string,
	body: object,
): Promise<string> {
	const earlier = new Set((await client.executions(workflowId)).map(({ id }) => id));
	sandbox.reset();
	await client.callWebhook(path, body);
	return await newExecution(client, workflowId, earlier);
}

export async function ended({ client, sandbox }: Bench, id: string): Promise<Run> {
	return { id, ...(await client.finished(id)), arrivals: [...sandbox.record] };
}

/** A copy whose question waits for two seconds, and then until n8n looks for such executions. */
export function withShortWait(workflow: WorkflowJson, name: string): WorkflowJson {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.04, resumeUnit: 'minutes' };
	const options = { limitWaitTime: { values } };
	return withNode(workflow, name, {
		parameters: { ...parametersOf(workflow, name), options },
	});
}

/**
 * Waits until an execution waits for the answer to its question, and its data says so too. On SQLite, n8n 1.123 stores
 * the status first. Killed in between, it would have lost what an answer needs.
 */
export async function untilWaiting({ client }: Bench, id: string): Promise<void> {
	for (let attempt = 0; attempt < 150; attempt++) {
		const { status, data } = await client.execution(id);
		if (status === 'waiting' && data.resultData.lastNodeExecuted !== undefined) return;
		assert.ok(status !== 'error' && status !== 'success', JSON.stringify(data.resultData));
		await sleep(100);
	}
	throw new Error(`Execution ${id} does not wait`);
}

/** Opens the link as a browser would; with a form, sends it. */
export async function open(
	link: string,
	method = 'GET',
	form?: Record<string, string>,
): Promise<Page> {
	const response = await fetch(link, {
		method,
		headers: { connection: 'close' },
		...(form && { body: new URLSearchParams(form) }),
	});
	const policy = response.headers.get('content-security-policy') ?? '';
	return { status: response.status, html: await response.text(), policy };
}

/** Presses a button of the page. */
export async function press(link: string, decision: 'approve' | 'decline'): Promise<Page> {
	return await open(link, 'POST', { decision });
}
