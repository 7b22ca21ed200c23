import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../sandbox/index';
import type { N8nClient, NodeJson, StoredWorkflow, WorkflowJson } from '../../scripts/n8n/client';
import * as make from '../../scripts/n8n/workflows';
import { signInAsOwner } from '../../scripts/start/account';
import { exampleWorkflows } from '../../scripts/start/examples';
import { apiKeyCredential, sandboxCredentials } from '../../scripts/start/sandboxCredentials';
import { eventually } from '../eventually';
import { Run } from './run';

type Prepare = (sandbox: Sandbox) => unknown;

/** One running n8n with a sandbox of its own. */
export class Bench {
	/** The ids that the sandbox's credentials have in this n8n, by the ids that workflows name. */
	readonly credentialIds: Record<string, string> = {};

	constructor(
		readonly version: string,
		readonly client: N8nClient,
		readonly sandbox: Sandbox,
	) {}

	async setUp(): Promise<void> {
		await signInAsOwner(this.client);
		for (const { id, ...credential } of sandboxCredentials(this.sandbox.urls))
			this.credentialIds[id] = (await this.client.createCredential(credential)).id;
	}

	/** Creates a credential of the sandbox in which some fields differ. */
	async credentialAt(data: object): Promise<{ id: string; name: string }> {
		const { id: _named, ...credential } = apiKeyCredential(this.sandbox.urls);
		const name = `Sandbox, but ${Object.keys(data).join(', ')}`;
		const changed = { ...credential, name, data: { ...credential.data, ...data } };
		return { id: (await this.client.createCredential(changed)).id, name };
	}

	/** A service of its own, since all runs of n8n share what they know of one. Its limit is out of reach. */
	async withOwnService(): Promise<this> {
		const limit = 100_000;
		const sandbox = await startSandbox({ limits: { push: limit } });
		const data = { ...sandbox.urls, customLimits: true, pushLimit: limit };
		const { id } = await this.credentialAt(data);
		const credentialIds = { ...this.credentialIds, 'sandbox-api-key': id };
		return Object.assign(Object.create(this) as this, { sandbox, credentialIds });
	}

	/** The one workflow of `examples/` that begins so, as it is, with this n8n's credentials. */
	example(begin: string): WorkflowJson {
		const all = [...exampleWorkflows(this.credentialIds)];
		const [found, ...more] = all.filter(([file]) => file.startsWith(begin));
		assert.ok(found && more.length === 0, `examples/${begin}`);
		return found[1];
	}

	async create(workflow: WorkflowJson): Promise<StoredWorkflow> {
		const stored = await this.client.createWorkflow(workflow);
		await this.client.activate(stored);
		return stored;
	}

	/** A workflow that is started by hand: these nodes, one after another. */
	async store(name: string, ...nodes: NodeJson[]): Promise<StoredWorkflow> {
		return await this.client.createWorkflow(make.workflow(name, nodes, this.credentialIds));
	}

	/** A workflow whose webhook, at a path of its name, leads to the nodes: one after another, or as `wires` say. */
	async behindWebhook(
		path: string,
		nodes: NodeJson[],
		{ wires, settings }: { wires?: Record<string, string[][]>; settings?: object } = {},
	): Promise<StoredWorkflow> {
		const made = make.workflow(path, [make.webhook(path), ...nodes], this.credentialIds, wires);
		return await this.create({ ...made, settings: { ...made.settings, ...settings } });
	}

	/** A workflow whose webhook takes rows. Each goes through the node and on to Done. */
	async forRows(path: string, node: NodeJson, settings?: object): Promise<StoredWorkflow> {
		return await this.behindWebhook(path, [make.eachRow, node, make.noOp('Done')], { settings });
	}

	async begin(workflowId: string, work: () => unknown): Promise<string> {
		const earlier = new Set((await this.client.executions(workflowId)).map(({ id }) => id));
		await work();
		return await eventually(async () => {
			const listed = await this.client.executions(workflowId);
			const started = listed.find(({ id }) => !earlier.has(id));
			assert.ok(started, 'n8n was asked to start a workflow, but lists no execution of it');
			return started.id;
		});
	}

	async call(stored: StoredWorkflow, body: unknown): Promise<string> {
		return await this.begin(stored.id, () => this.client.callWebhook(pathOf(stored), body));
	}

	async untilRequests(requests: number): Promise<void> {
		while (this.sandbox.record.length < requests) await sleep(20);
	}

	async execution(id: string): Promise<Run> {
		const { status, data } = await this.client.execution(id);
		return new Run(id, status, data);
	}

	/** What became of an execution, and what arrived since so many requests. */
	async ended(id: string, earlier = 0, answer = ''): Promise<Run> {
		const { status, data } = await this.client.finished(id);
		return new Run(id, status, data, this.sandbox.record.slice(earlier), answer);
	}

	/** Calls a workflow's webhook and waits until the execution has ended. Faults are added in `prepare`. */
	async run(stored: StoredWorkflow, body: unknown, prepare?: Prepare): Promise<Run> {
		this.sandbox.reset();
		prepare?.(this.sandbox);
		let answer = '';
		const id = await this.begin(stored.id, async () => {
			answer = await this.client.callWebhook(pathOf(stored), body);
		});
		return await this.ended(id, 0, answer);
	}

	async runRows(path: string, node: NodeJson, rows: object[], prepare?: Prepare): Promise<Run> {
		return await this.run(await this.forRows(path, node), { rows }, prepare);
	}

	async byHand(workflow: StoredWorkflow, trigger = 'By hand'): Promise<Run> {
		this.sandbox.reset();
		return await this.ended(await this.client.runByHand(workflow, trigger));
	}

	/** Retries from the list of executions. Faults stay active, and `arrivals` holds only what this retry sent. */
	async retry({ id }: { id: string }): Promise<Run> {
		const earlier = this.sandbox.record.length;
		return await this.ended(await this.client.startRetry(id), earlier);
	}

	/** Calls the webhook of a workflow that asks, and waits until its execution waits for the answer. */
	async callAndAsk(stored: StoredWorkflow, body: unknown): Promise<string> {
		this.sandbox.reset();
		const id = await this.call(stored, body);
		await this.untilWaiting(id);
		return id;
	}

	/**
	 * Waits until an execution waits at a node, by default at any, and its data says so too. On SQLite, n8n 1.123 stores
	 * the status first. Killed in between, it would have lost what an answer needs.
	 */
	async untilWaiting(id: string, node?: string): Promise<Run> {
		return await eventually(async () => {
			const run = await this.execution(id);
			const isThere = node === undefined ? run.lastNode : run.hasRun(node);
			assert.ok(run.status === 'waiting' && isThere, `${id} ${JSON.stringify(run.data)}`);
			return run;
		});
	}
}

function pathOf({ nodes }: StoredWorkflow): string {
	const webhook = nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
	assert.ok(webhook, 'the workflow has a webhook');
	return (webhook.parameters as { path: string }).path;
}
