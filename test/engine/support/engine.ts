import 'reflect-metadata';

import { Container } from '@n8n/di';
import { ExecutionLifecycleHooks, getAdditionalKeys, WorkflowExecute } from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager';
import * as n8n from 'n8n-workflow';

import { CustomerMessagingApi } from '../../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { installStore } from './memoryStore';
import { compareWithSchema, observed } from './outputSchema';

export const nodeType = 'n8n-nodes-customer-messaging.customerMessaging';
export const nodeName = 'Customer Messaging';

export interface Order {
	parameters: n8n.INodeParameters;
	rows?: n8n.IDataObject[];
	/** A credential whose addresses and secrets are the sandbox's. Its expressions are evaluated as n8n does. */
	credential: n8n.ICredentialDataDecryptedObject;
	/** n8n's ID of the node, which is another one after it was cut and pasted. */
	nodeId?: string;
	credentialId?: string;
	onError?: n8n.OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	mode?: n8n.WorkflowExecuteMode;
	/** As what an agent calls it: n8n makes two more types of the node, a tool and a step of human review. */
	calledAs?: 'Tool' | 'HitlTool';
	workflowId?: string;
	timezone?: string;
	/** Called with a way to stop the execution, as the Stop button does. */
	started?: (stop: () => void) => void;
	/** How many rows each round gets of a loop that has the node inside. */
	rowsPerRun?: number;
	/** The workflow, which begins at `Source`. By default, only the node follows. */
	connections?: readonly Connection[];
	/** For each run of a node, what it gives to its two outputs. By default, all that comes in goes to both. */
	splits?: Readonly<Record<string, Split>>;
	/** Whether `Source` throws. */
	fails?: () => boolean;
}

export type Connection = readonly [from: string, output: number, to: string];
type Split = (items: n8n.INodeExecutionData[], run: number) => n8n.INodeExecutionData[][];

export interface Output {
	/** The first output: what was accepted or previewed, and failed items if On Error is Continue. */
	output: n8n.INodeExecutionData[];
	failed: n8n.INodeExecutionData[];
	error?: n8n.ExecutionError;
	hints: n8n.NodeExecutionHint[];
}

export type Report = ReturnType<typeof reportOf>;

/** Calls of `execute()` that have not ended: n8n does not wait for them when an execution is stopped. */
const running = new Set<Promise<unknown>>();

/** The node under test, whose calls can be waited for, and whose outputs have to fit their schema. */
class ObservedNode extends CustomerMessaging {
	override async execute(this: n8n.IExecuteFunctions): Promise<n8n.INodeExecutionData[][]> {
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

export const untilNodeEnds = async () => await Promise.allSettled(running);

/** The nodes around the one under test. `Source` gives the rows. */
function surroundings(rows: n8n.IDataObject[], shape: Shape): n8n.INodeType {
	const { splits, rowsPerRun, fails } = shape;
	return {
		description: {
			...{ displayName: 'Source', name: 'source', group: ['trigger'], version: 1 },
			...{ description: 'Gives the rows of the test', defaults: { name: 'Source' } },
			...{ inputs: ['main'], outputs: ['main', 'main'], properties: [] },
		},
		async execute(this: n8n.IExecuteFunctions) {
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

export const execute = async (order: Order) => reportOf(await runWorkflow(order));

/** Where an execution goes on. By default, it begins at `Source`. */
export type DataOf = (workflow: n8n.Workflow) => n8n.IRunExecutionData;

export async function runWorkflow(order: Order, executionId?: string, dataOf?: DataOf) {
	const { rows = [{}], credential, mode = 'webhook' } = order;
	const workflow = workflowOf(subjectOf(order), rows, order);
	const additionalData = additionalDataOf(credential, mode, executionId);
	const process = new WorkflowExecute(additionalData, mode, dataOf?.(workflow));
	const execution = dataOf
		? process.processRunExecutionData(workflow)
		: process.run({ workflow, startNode: workflow.getNode('Source') ?? undefined });
	order.started?.(() => execution.cancel());
	return await execution;
}

export function subjectOf(order: Omit<Order, 'credential'>): n8n.INode {
	const { parameters, nodeId = 'subject', credentialId = '1', calledAs = '' } = order;
	const { onError, retryOnFail, maxTries } = order;
	const isPartner = parameters.authentication === 'partnerToken';
	const credentialType = isPartner ? 'customerMessagingPartnerApi' : 'customerMessagingApi';
	const credentials = { [credentialType]: { id: credentialId, name: 'test' } };
	return {
		...{ id: nodeId, name: nodeName, type: `${nodeType}${calledAs}`, typeVersion: 1 },
		...{ position: [200, 0], parameters, credentials },
		...{ onError, retryOnFail, maxTries, waitBetweenTries: 1 },
	};
}

beforeAll(installStore);

const credentialTypes: Record<string, CustomerMessagingApi | CustomerMessagingPartnerApi> = {
	customerMessagingApi: new CustomerMessagingApi(),
	customerMessagingPartnerApi: new CustomerMessagingPartnerApi(),
};

/** What a run uses of n8n's helper: it gives one credential, and authenticates requests as its type does. */
const credentialsHelper = (stored: n8n.ICredentialDataDecryptedObject) => ({
	getParentTypes: () => [],
	preAuthentication: async () => undefined,
	isCredentialUsableByNode: () => true,
	getCredentialsProperties: (type: string) => credentialTypes[type]?.properties ?? [],
	authenticate: async (
		credentials: n8n.ICredentialDataDecryptedObject,
		type: string,
		options: n8n.IHttpRequestOptions,
	) => await credentialTypes[type]?.authenticate(credentials, options),
	getDecrypted: async (...call: Parameters<n8n.ICredentialsHelper['getDecrypted']>) => {
		const [additionalData, , , mode, executeData, , evaluated] = call;
		const data = { ...stored };
		const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');
		if (!evaluated || !Object.values(data).some(isExpression)) return data;
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } =
			evaluated;
		return workflow.expression.getParameterValue(
			...([data as n8n.INodeParameters, runExecutionData, runIndex, itemIndex, node.name] as const),
			...([connectionInputData, mode, getAdditionalKeys(additionalData, mode, null)] as const),
			...([executeData, false, data as n8n.INodeParameters] as const),
		);
	},
});

/** n8n never gives two executions the same ID. */
let executions = 0;

/** Where n8n is reached. The sandbox's address is of this machine too. */
export const n8nAddress = 'http://localhost:5678';

export function additionalDataOf(
	credential: n8n.ICredentialDataDecryptedObject,
	mode: n8n.WorkflowExecuteMode,
	executionId = `execution ${++executions}`,
): n8n.IWorkflowExecuteAdditionalData {
	const workflowData = { id: 'workflow', name: 'test', nodes: [], connections: {} };
	return {
		credentialsHelper: credentialsHelper(credential),
		hooks: new ExecutionLifecycleHooks(mode, executionId, workflowData as never),
		executionId,
		currentNodeExecutionIndex: 0,
		variables: { brand: 'sandbox-brand' },
		externalSecretsProxy: { hasProvider: () => false },
		restApiUrl: `${n8nAddress}/rest`,
		instanceBaseUrl: '',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: `${n8nAddress}/webhook-waiting`,
		formWaitingBaseUrl: `${n8nAddress}/form-waiting`,
	} as unknown as n8n.IWorkflowExecuteAdditionalData;
}

type Shape = Pick<
	Order,
	'timezone' | 'workflowId' | 'rowsPerRun' | 'connections' | 'splits' | 'fails'
>;

export function workflowOf(subject: n8n.INode, rows: n8n.IDataObject[], shape: Shape = {}) {
	const types = { source: surroundings(rows, shape), [subject.type]: node };
	const typeOf = (name: string): n8n.INodeType => {
		const found = types[name];
		if (!found) throw new Error(`No such node type: ${name}`);
		return found;
	};
	const { timezone, workflowId = 'workflow', rowsPerRun } = shape;
	const round: Connection[] = rowsPerRun ? [[nodeName, 0, 'Source']] : [];
	const { connections: list = [['Source', 0, nodeName], ...round] } = shape;
	const connections: n8n.IConnections = {};
	for (const [from, output, to] of list) {
		const outputs = ((connections[from] ??= { main: [] }).main ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type: n8n.NodeConnectionTypes.Main, index: 0 });
	}
	const nodes = [...new Set(list.flatMap(([from, , to]) => [from, to]))].map((name, column) =>
		name === nodeName
			? subject
			: {
					...{ id: name.toLowerCase(), name, type: 'source', typeVersion: 1, parameters: {} },
					position: [column * 200, 0] as [number, number],
				},
	);
	return new n8n.Workflow({
		...{ id: workflowId, name: 'test', active: false, nodes, connections },
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
		settings: { executionOrder: 'v1', ...(timezone ? { timezone } : {}) },
	});
}

/** The last run of the node, and each, as there are several in a loop. */
export function reportOf(run: n8n.IRun) {
	const { runData, error } = run.data.resultData;
	const runs = (runData[nodeName] ?? []).map(({ data, error, hints = [] }): Output => {
		const [output, failed] = data?.main ?? [];
		return { output: output ?? [], failed: failed ?? [], error, hints };
	});
	const last: Output = runs.at(-1) ?? { output: [], failed: [], hints: [] };
	return { ...last, run, runs, error: last.error ?? error };
}
