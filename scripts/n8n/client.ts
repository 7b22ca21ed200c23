import { setTimeout as sleep } from 'node:timers/promises';
import { readExecution, type ExecutionData } from './executionData';

export interface Account {
	email: string;
	password: string;
}

export interface NodeJson {
	name: string;
	type: string;
	credentials?: Record<string, { id: string; name: string }>;
	[key: string]: unknown;
}

export interface WorkflowJson {
	name: string;
	nodes: NodeJson[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	[key: string]: unknown;
}

export interface StoredWorkflow extends WorkflowJson {
	id: string;
	versionId: string;
	active: boolean;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
	/** When a Wait node lets it continue. */
	waitTill?: string | null;
}

export class N8nRefusal extends Error {
	constructor(
		request: string,
		readonly status: number,
		answer: string,
	) {
		super(`n8n answered ${request} with ${status}: ${answer.slice(0, 500)}`);
	}
}

/** The REST API that n8n's own editor uses, as one signed-in user. */
export class N8nClient {
	private cookie = '';
	private saved: Promise<unknown> = Promise.resolve();

	constructor(readonly url: string) {}

	/** Creates the owner account. Returns false if n8n has one already. */
	async setUpOwner({ email, password }: Account): Promise<boolean> {
		try {
			await this.call('POST', '/rest/owner/setup', {
				email,
				password,
				firstName: 'Local',
				lastName: 'Owner',
			});
			return true;
		} catch (error) {
			if (error instanceof N8nRefusal && error.status === 400) return false;
			throw error;
		}
	}

	/** Returns false if n8n does not accept this account. */
	async signIn({ email, password }: Account): Promise<boolean> {
		try {
			await this.call('POST', '/rest/login', { emailOrLdapLoginId: email, password });
			return true;
		} catch (error) {
			if (error instanceof N8nRefusal && error.status === 401) return false;
			throw error;
		}
	}

	async credentials(): Promise<Array<Omit<Credential, 'data'>>> {
		return await this.call('GET', '/rest/credentials');
	}

	/** The credential with its fields. Secrets are blanked out. */
	async credential(id: string): Promise<Credential> {
		return await this.call('GET', `/rest/credentials/${id}?includeData=true`);
	}

	async createCredential(credential: Omit<Credential, 'id'>): Promise<Credential> {
		return await this.call('POST', '/rest/credentials', credential);
	}

	async updateCredential({ id, name, type, data }: Credential): Promise<void> {
		await this.call('PATCH', `/rest/credentials/${id}`, { name, type, data });
	}

	async testCredential(credential: Credential): Promise<{ status: string; message: string }> {
		return await this.call('POST', '/rest/credentials/test', { credentials: credential });
	}

	/** What the editor's list of a resource locator offers, for a node with its parameters. */
	async searchList(
		{ type, parameters, credentials }: NodeJson,
		{ parameter, method, filter }: { parameter: string; method: string; filter?: string },
	): Promise<Array<{ name: string; value: string }>> {
		const { results } = await this.call<{ results: Array<{ name: string; value: string }> }>(
			'POST',
			'/rest/dynamic-node-parameters/resource-locator-results',
			{
				nodeTypeAndVersion: { name: type, version: 1 },
				path: `parameters.${parameter}`,
				methodName: method,
				currentNodeParameters: parameters,
				credentials,
				filter,
			},
		);
		return results.map(({ name, value }) => ({ name, value }));
	}

	async workflows(): Promise<Array<{ id: string; name: string; active: boolean }>> {
		return await this.call('GET', '/rest/workflows');
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return await this.call('GET', `/rest/workflows/${id}`);
	}

	async createWorkflow({
		name,
		nodes,
		connections,
		settings,
		pinData,
	}: WorkflowJson): Promise<StoredWorkflow> {
		return await this.call('POST', '/rest/workflows', {
			name,
			nodes,
			connections,
			settings,
			pinData,
			active: false,
		});
	}

	async renameWorkflow(id: string, name: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.call('PATCH', `/rest/workflows/${id}`, { name, versionId });
	}

	/** Activates the given version of the workflow. */
	async activate({ id, versionId }: StoredWorkflow): Promise<void> {
		try {
			await this.call('POST', `/rest/workflows/${id}/activate`, { versionId });
		} catch (error) {
			if (!(error instanceof N8nRefusal) || error.status !== 404) throw error;
			await this.call('PATCH', `/rest/workflows/${id}`, { active: true, versionId });
		}
	}

	/** Deactivates the workflow. */
	async deactivate(id: string): Promise<void> {
		try {
			await this.call('POST', `/rest/workflows/${id}/deactivate`);
		} catch (error) {
			if (!(error instanceof N8nRefusal) || error.status !== 404) throw error;
			await this.call('PATCH', `/rest/workflows/${id}`, { active: false });
		}
	}

	/** What the editor's Execute button does. Returns the execution's id. */
	async runByHand(workflow: StoredWorkflow, trigger: string): Promise<string> {
		const body = { workflowData: workflow, triggerToStartFrom: { name: trigger } };
		const { executionId } = await this.call<{ executionId: string }>(
			'POST',
			`/rest/workflows/${workflow.id}/run`,
			body,
		);
		return executionId;
	}

	/** Newest first. */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.call<{ results: ExecutionSummary[] }>(
			'GET',
			`/rest/executions?filter=${filter}&limit=50`,
		);
		return results;
	}

	async execution(id: string): Promise<{ status: string; data: ExecutionData }> {
		const { status, data } = await this.call<{ status: string; data: string }>(
			'GET',
			`/rest/executions/${id}`,
		);
		return { status, data: readExecution(data) };
	}

	async stopExecution(id: string): Promise<void> {
		await this.call('POST', `/rest/executions/${id}/stop`);
	}

	/** What Retry in the list of executions does. Returns the new execution's id. */
	async startRetry(executionId: string): Promise<string> {
		const path = `/rest/executions/${executionId}/retry`;
		const { id } = await this.call<{ id: string }>('POST', path, { loadWorkflow: false });
		return id;
	}

	async finished(
		executionId: string,
		withinMs = 300_000,
	): Promise<{ status: string; data: ExecutionData }> {
		const deadline = Date.now() + withinMs;
		while (Date.now() < deadline) {
			const { status } = await this.execution(executionId);
			await sleep(200);
			// n8n writes the status shortly before the data, so the execution is read again once it has ended.
			if (!['new', 'running', 'waiting'].includes(status)) return await this.execution(executionId);
		}
		throw new Error(`Execution ${executionId} was still going on after ${withinMs / 1000} s`);
	}

	/** Calls a production webhook and returns its response. Newer n8n versions register it shortly after activation. */
	async callWebhook(path: string, body: unknown): Promise<string> {
		for (let attempt = 1; ; attempt++) {
			const response = await fetch(`${this.url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...oneConnectionEach },
				body: JSON.stringify(body),
			});
			const answer = await response.text();
			if (response.ok) return answer;
			if (response.status !== 404 || attempt === 120)
				throw new N8nRefusal(`POST /webhook/${path}`, response.status, answer);
			await sleep(250);
		}
	}

	/** A JSON file that n8n serves to its editor. */
	async file<T = unknown>(path: string): Promise<T> {
		const headers = { cookie: this.cookie, 'browser-id': 'local-start', ...oneConnectionEach };
		const response = await fetch(this.url + path, { headers });
		const text = await response.text();
		if (!response.ok) throw new N8nRefusal(`GET ${path}`, response.status, text);
		return JSON.parse(text) as T;
	}

	/** Several that save at once can break the single connection that n8n 1 has to SQLite, for everything after them. */
	private async call<T>(method: string, path: string, body?: object): Promise<T> {
		if (method === 'GET' || !/^\/rest\/(workflows|credentials)(?!.*\/(run|test)$)/.test(path))
			return await this.request(method, path, body);
		const saving = this.saved.then(async () => await this.request<T>(method, path, body));
		this.saved = saving.catch(() => undefined);
		return await saving;
	}

	private async request<T>(method: string, path: string, body?: object): Promise<T> {
		for (let attempt = 1; ; attempt++) {
			const response = await fetch(this.url + path, {
				method,
				headers: {
					'content-type': 'application/json',
					'browser-id': 'local-start',
					cookie: this.cookie,
					...oneConnectionEach,
				},
				...(body && { body: JSON.stringify(body) }),
			});
			const text = await response.text();
			if (attempt < 120 && isBusy(path, response.status, text)) {
				await sleep(500);
				continue;
			}
			if (!response.ok) throw new N8nRefusal(`${method} ${path}`, response.status, text);
			const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
			if (cookies.length > 0) this.cookie = cookies.join('; ');
			return (JSON.parse(text) as { data: T }).data;
		}
	}
}

/** n8n may close a connection that is kept for the next request just when that request leaves. */
const oneConnectionEach = { connection: 'close' };

/**
 * A busy n8n that has lost its database responds with 503 before it processes a request. One whose SQLite is
 * locked by another process responds with 500, and has saved nothing: only what starts an execution is not repeated.
 */
function isBusy(path: string, status: number, text: string): boolean {
	const startsExecution = /\/(run|retry)$/.test(path);
	return status === 503 || (status === 500 && text.includes('SQLITE_BUSY') && !startsExecution);
}
