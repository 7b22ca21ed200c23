import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeJson, StoredWorkflow, WorkflowJson } from '../scripts/n8n/client';
import { webhook, workflow } from '../scripts/n8n/workflows';
import { benchType } from './nodes/package';
import type { Stage } from './stage';
import { node, type Parameters } from './subjects';

/** A workflow behind a webhook of its own. */
export interface Flow {
	stored: StoredWorkflow;
	url: string;
}

/** Makes rows, runs the subject on them, and responds to the webhook with the time on the stopwatch. */
export async function timedFlow(
	stage: Stage,
	path: string,
	subject: NodeJson,
	settings: Parameters = {},
): Promise<Flow> {
	const rows = node(benchType('benchRows'), 'Rows', {
		count: '={{ $json.body.count }}',
		prefix: '={{ $json.body.prefix }}',
		contentLength: '={{ $json.body.contentLength ?? 0 }}',
		rowsPerItem: '={{ $json.body.rowsPerItem ?? 1 }}',
	});
	const nodes = [
		answeringWhenDone(path),
		rows,
		subject,
		node(benchType('benchStopwatch'), 'Stopwatch', {}),
	];
	const built = workflow(path, nodes, {});
	return await activated(stage, path, { ...built, settings: { ...built.settings, ...settings } });
}

/** Runs the subject on the webhook's body as its only row. The webhook responds immediately. */
export async function singleFlow(stage: Stage, path: string, subject: NodeJson): Promise<Flow> {
	const row = { mode: 'raw', jsonOutput: '={{ $json.body }}', options: {} };
	const set = { ...node('n8n-nodes-base.set', 'Row', row), typeVersion: 3.4 };
	return await activated(stage, path, workflow(path, [webhook(path), set, subject], {}));
}

function answeringWhenDone(path: string): NodeJson {
	const trigger = webhook(path);
	return {
		...trigger,
		parameters: { ...(trigger.parameters as Parameters), responseMode: 'lastNode' },
	};
}

async function activated(stage: Stage, path: string, json: WorkflowJson): Promise<Flow> {
	const stored = await stage.client.createWorkflow(json);
	await stage.client.activate(stored);
	return { stored, url: `${stage.url}/webhook/${path}` };
}

/** Returns the webhook's response. Newer n8n versions register it shortly after activation. */
export async function call(
	{ url }: Flow,
	body: object,
): Promise<{ status?: number; text: string }> {
	for (let attempt = 1; ; attempt++) {
		const answer = await post(url, JSON.stringify(body));
		if (answer.status !== 404 || attempt === 40) return answer;
		await sleep(250);
	}
}

/** Has no timeout, unlike `fetch`, which gives up after five minutes without a response. */
async function post(url: string, body: string): Promise<{ status?: number; text: string }> {
	return await new Promise((resolve, reject) => {
		const sent = request(
			url,
			{ method: 'POST', headers: { 'content-type': 'application/json' } },
			(response) => {
				let text = '';
				response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
				response
					.on('end', () => resolve({ status: response.statusCode, text }))
					.on('error', reject);
			},
		);
		sent.on('error', reject);
		sent.end(body);
	});
}
