import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow, WorkflowJson } from '../../scripts/n8n/client';
import { call, type Bench } from './bench';
import { withParameters } from './examples';

/** Calls the webhook of a workflow that asks, and waits until its execution waits for the answer. */
export async function callAndAsk(
	bench: Bench,
	stored: StoredWorkflow,
	body: unknown,
): Promise<string> {
	bench.sandbox.reset();
	const id = await call(bench, stored, body);
	await untilWaiting(bench, id);
	return id;
}

/** A copy whose question waits for two seconds, and then until n8n looks for such executions. */
export function withShortWait(workflow: WorkflowJson, name: string): WorkflowJson {
	return withParameters(workflow, name, { options: shortWait });
}

export const shortWait = {
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.04, resumeUnit: 'minutes' },
	},
};

/**
 * Waits until an execution waits for the answer to its question, and its data says so too. On SQLite, n8n 1.123 stores
 * the status first. Killed in between, it would have lost what an answer needs.
 */
export async function untilWaiting({ client }: Bench, id: string): Promise<void> {
	for (let attempt = 0; attempt < 150; attempt++) {
		const { status, data } = await client.execution(id);
		if (status === 'waiting' && data.resultData.lastNodeExecuted !== undefined) return;
		assert.ok(status !== 'error' && status !== 'success', JSON.stringify(data));
		await sleep(100);
	}
	throw new Error(`Execution ${id} does not wait`);
}

/** Opens the link of a question as a browser would; with a form, sends it. */
export async function open(link: string, method = 'GET', form?: Record<string, string>) {
	const response = await fetch(link, {
		method,
		headers: { connection: 'close' },
		...(form && { body: new URLSearchParams(form) }),
	});
	const policy = response.headers.get('content-security-policy') ?? '';
	return { status: response.status, html: await response.text(), policy };
}

/** Presses a button of the page. */
export async function press(link: string, decision: 'approve' | 'decline') {
	return await open(link, 'POST', { decision });
}

export async function assertRecorded(link: string, decision: 'approve' | 'decline', says = '') {
	const { html } = await press(link, decision);
	assert.match(html, new RegExp(`was recorded[^]*${says}`));
}
