import 'reflect-metadata';

import { Container } from '@n8n/di';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager';
import {
	type ExecutionError,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
	NodeConnectionTypes,
	type NodeExecutionHint,
	type OnError,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { TestCredentials } from './credentials';
import { installStore } from './memoryStore';
import { compareWithSchema, observed } from './outputSchema';

export const nodeType = 'n8n-nodes-customer-messaging.customerMessaging';
export const nodeName = 'Customer Messaging';

export interface Order {
	parameters: INodeParameters;
	rows?: IDataObject[];
	/** A credential whose addresses and secrets are the sandbox's. */
	credential: ICredentialDataDecryptedObject;
	/** n8n's ID of the node, which is another one after it was cut and pasted. */
	nodeId?: string;
	credentialId?: string;
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	mode?: WorkflowExecuteMode;
	/** As what an agent calls it: n8n makes two more types of the node, a tool and a step of human review. */
	calledAs?: 'Tool' | 'HitlTool';
	workflowId?: string;
	timezone?: string;
	webhookUrl?: string;
	/** Called with a way to stop the execution, as the Stop button does. */
	started?: (stop: () => void) => void;
	/** How many rows each round gets of a loop that has the node inside. */
	rowsPerRun?: number;
	/** The workflow, which begins at `Source`. By default, only the node follows. */
	connections?: readonly Connection[];
	/** For each run of a node, what it gives to its two outputs. By default, all that comes in goes to both. */
	splits?: Readonly<Record<string, Split>>;
}

export type Connection = readonly [from: string, output: number, to: string];
type Split = (items: INodeExecutionData[], run: number) => INodeExecutionData[][];

export interface Output {
	/** The first output: what was accepted or previewed, and failed items if On Error is Continue. */
	output: INodeExecutionData[];
	failed: INodeExecutionData[];
	error?: ExecutionError;
	hints: NodeExecutionHint[];
}

/** The last run of the node, and each, as there are several in a loop. */
export interface Report extends Output {
	run: IRun;
	runs: Output[];
}

/** Calls of `execute()` that have not ended: n8n does not wait for them when an execution is stopped. */
const running = new Set<Promise<unknown>>();

/** The node under test, whose calls can be waited for, and whose outputs have to fit their schema. */
class ObservedNode extends CustomerMessaging {
	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const call = CustomerMessaging.prototype.execute.call(this);
		running.add(call);
		const output = await call.finally(() => running.delete(call));
		compareWithSchema(this, output.flat());
		return output;
	}
}

/** As n8n does, one for all executions. */
const node = new ObservedNode();

afterEach(() => expect(observed.misfits.splice(0)).toEqual([]));

// n8n's engine makes this for every node, and its timer would keep Jest from ending.
afterAll(() => Container.get(SSHClientsManager).onShutdown());

export async function untilNodeEnds(): Promise<void> {
	await Promise.allSettled(running);
}

/** The nodes around the one under test. `Source` gives the rows, or throws if `fails` says so. */
function surroundings(rows: IDataObject[], { splits, rowsPerRun, fails }: Shape): INodeType {
	return {
		description: {
			displayName: 'Source',
			name: 'source',
			group: ['trigger'],
			version: 1,
			description: 'Gives the rows of the test',
			defaults: { name: 'Source' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			const { name } = this.getNode();
			const isSource = name === 'Source';
			if (isSource && fails?.()) throw new Error('The source is not available');
			// It goes on in a retry, as n8n's own loop does.
			const memory: { next?: number } = this.getContext('node');
			const { next = 0 } = memory;
			memory.next = next + (rowsPerRun ?? 0);
			const given = isSource
				? rows.slice(next, rowsPerRun && memory.next)
				: this.getInputData().map(({ json }) => json);
			const items = given.map((json, item) => ({ json, pairedItem: { item } }));
			const run = this.getWorkflowDataProxy(0).$runIndex as number;
			return splits?.[name]?.(items, run) ?? [items, items];
		},
	};
}

export async function execute(order: Order): Promise<Report> {
	return reportOf(await runWorkflow(order));
}

/** What n8n adds to a workflow that it runs. */
export interface Addition {
	executionId?: string;
	/** Where it goes on; by default, it begins at `Source`. */
	dataOf?: (workflow: Workflow) => IRunExecutionData;
	fails?: () => boolean;
}

export async function runWorkflow(order: Order, addition: Addition = {}): Promise<IRun> {
	const { rows = [{}], credential, mode = 'webhook', webhookUrl } = order;
	const { executionId, dataOf, fails } = addition;
	const workflow = workflowOf(subjectOf(order), rows, { ...order, fails });
	const additionalData = additionalDataOf(credential, mode, executionId, webhookUrl);
	const process = new WorkflowExecute(additionalData, mode, dataOf?.(workflow));
	const execution = dataOf
		? process.processRunExecutionData(workflow)
		: process.run({ workflow, startNode: workflow.getNode('Source') ?? undefined });
	order.started?.(() => execution.cancel());
	return await execution;
}

export function subjectOf({
	parameters,
	nodeId = 'subject',
	credentialId = '1',
	onError,
	retryOnFail,
	maxTries,
	calledAs,
}: Omit<Order, 'credential'>): INode {
	const credentialType =
		parameters.authentication === 'partnerToken'
			? 'customerMessagingPartnerApi'
			: 'customerMessagingApi';
	return {
		id: nodeId,
		name: nodeName,
		type: `${nodeType}${calledAs ?? ''}`,
		typeVersion: 1,
		position: [200, 0],
		parameters,
		credentials: { [credentialType]: { id: credentialId, name: 'test' } },
		onError,
		retryOnFail,
		maxTries,
		waitBetweenTries: 1,
	};
}

beforeAll(installStore);

let executions = 0;

/** n8n never gives two executions the same ID. */
function newExecutionId(): string {
	return `execution ${++executions}`;
}

/** Where n8n is reached. The sandbox's address is of this machine too. */
export const n8nAddress = 'http://localhost:5678';

export function additionalDataOf(
	credential: ICredentialDataDecryptedObject,
	mode: WorkflowExecuteMode,
	executionId = newExecutionId(),
	webhookUrl = `${n8nAddress}/`,
): IWorkflowExecuteAdditionalData {
	const workflowData = { id: 'workflow', name: 'test', nodes: [], connections: {} };
	return {
		credentialsHelper: new TestCredentials(credential),
		hooks: new ExecutionLifecycleHooks(mode, executionId, workflowData as never),
		executionId,
		currentNodeExecutionIndex: 0,
		variables: {},
		externalSecretsProxy: { hasProvider: () => false },
		restApiUrl: `${webhookUrl}rest`,
		instanceBaseUrl: '',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: `${webhookUrl}webhook-waiting`,
	} as unknown as IWorkflowExecuteAdditionalData;
}

type Shape = Pick<Order, 'timezone' | 'workflowId' | 'rowsPerRun' | 'connections' | 'splits'> &
	Pick<Addition, 'fails'>;

export function workflowOf(subject: INode, rows: IDataObject[], shape: Shape = {}): Workflow {
	const types: Record<string, INodeType> = {
		source: surroundings(rows, shape),
		[subject.type]: node,
	};
	const typeOf = (name: string): INodeType => {
		const found = types[name];
		if (!found) throw new Error(`No such node type: ${name}`);
		return found;
	};
	const { timezone, workflowId = 'workflow', rowsPerRun } = shape;
	const round: Connection[] = rowsPerRun ? [[nodeName, 0, 'Source']] : [];
	const { connections: list = [['Source', 0, nodeName], ...round] } = shape;
	const connections: IConnections = {};
	for (const [from, output, to] of list) {
		const outputs = ((connections[from] ??= { main: [] }).main ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type: NodeConnectionTypes.Main, index: 0 });
	}
	const nodes = [...new Set(list.flatMap(([from, , to]) => [from, to]))].map((name, column) =>
		name === nodeName
			? subject
			: {
					...{ id: name.toLowerCase(), name, type: 'source', typeVersion: 1, parameters: {} },
					position: [column * 200, 0] as [number, number],
				},
	);
	return new Workflow({
		...{ id: workflowId, name: 'test', active: false, nodes, connections },
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
		settings: { executionOrder: 'v1', ...(timezone ? { timezone } : {}) },
	});
}

export function reportOf(run: IRun): Report {
	const { runData, error } = run.data.resultData;
	const runs = (runData[nodeName] ?? []).map(({ data, error, hints = [] }): Output => {
		const [output, failed] = data?.main ?? [];
		return { output: output ?? [], failed: failed ?? [], error, hints };
	});
	const last = runs.at(-1) ?? { output: [], failed: [], hints: [] };
	return { ...last, run, runs, error: last.error ?? error };
}
