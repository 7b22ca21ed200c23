import 'reflect-metadata';

import { Container } from '@n8n/di';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager';
import {
	type ExecutionError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
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
	/** The input rows. By default one empty row. */
	rows?: IDataObject[];
	/** A credential whose addresses and secrets are the sandbox's. */
	credential: ICredentialDataDecryptedObject;
	/** n8n's ID of the node, which is another one after it was cut and pasted. */
	nodeId?: string;
	/** n8n's ID of the credential. */
	credentialId?: string;
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	mode?: WorkflowExecuteMode;
	/** As what an agent calls it: n8n makes two more types of the node, a tool and a step of human review. */
	calledAs?: 'Tool' | 'HitlTool';
	workflowId?: string;
	/** IANA zone of the workflow. */
	timezone?: string;
	/** n8n's WEBHOOK_URL. */
	webhookUrl?: string;
	/** Called with a way to stop the execution, as the Stop button does. */
	started?: (stop: () => void) => void;
}

export interface Report {
	run: IRun;
	/** The first output: what was accepted or previewed, and failed items if On Error is Continue. */
	output: INodeExecutionData[];
	/** Error output. */
	failed: INodeExecutionData[];
	/** What stopped the workflow. */
	error?: ExecutionError;
	hints: NodeExecutionHint[];
}

/** Calls of `execute()` that have not ended: n8n does not wait for them when an execution is stopped. */
const running = new Set<Promise<unknown>>();

/** The node under test, whose calls can be waited for, and whose outputs have to fit their schema. */
export class ObservedNode extends CustomerMessaging {
	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const call = CustomerMessaging.prototype.execute.call(this);
		running.add(call);
		const output = await call.finally(() => running.delete(call));
		compareWithSchema(this, output.flat());
		return output;
	}
}

afterEach(() => expect(observed.misfits.splice(0)).toEqual([]));

// n8n's engine makes this for every node, and its timer would keep Jest from ending.
afterAll(() => Container.get(SSHClientsManager).onShutdown());

/** Waits until the node has really ended, also in executions that were stopped. */
export async function untilNodeEnds(): Promise<void> {
	await Promise.allSettled(running);
}

/** A node that outputs the rows of the test, or throws if `fails` says so. */
function sourceOf(rows: IDataObject[], fails: () => boolean = () => false): INodeType {
	return {
		description: {
			displayName: 'Source',
			name: 'source',
			group: ['trigger'],
			version: 1,
			description: 'Gives the rows of the test',
			defaults: { name: 'Source' },
			inputs: [],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		execute: async () => {
			if (fails()) throw new Error('The source is not available');
			return [rows.map((json, item) => ({ json, pairedItem: { item } }))];
		},
	};
}

/** Runs the node once with n8n's own engine, after a node that provides the rows. */
export async function execute(order: Order): Promise<Report> {
	const { rows = [{}], credential, mode = 'webhook' } = order;
	const workflow = workflowOf(subjectOf(order), rows, order.timezone);
	const execution = new WorkflowExecute(additionalDataOf(credential, mode), mode).run({
		workflow,
		startNode: workflow.getNode('Source') ?? undefined,
	});
	order.started?.(() => execution.cancel());
	return reportOf(await execution);
}

/** The node as it is stored in a workflow. */
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

/** What n8n provides for a run. */
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

export function workflowOf(
	subject: INode,
	rows: IDataObject[],
	timezone?: string,
	sourceFails?: () => boolean,
	id = 'workflow',
): Workflow {
	const types: Record<string, INodeType> = {
		source: sourceOf(rows, sourceFails),
		[subject.type]: new ObservedNode(),
	};
	const typeOf = (name: string): INodeType => {
		const found = types[name];
		if (!found) throw new Error(`No such node type: ${name}`);
		return found;
	};
	return new Workflow({
		id,
		name: 'test',
		active: false,
		nodes: [
			{
				id: 'source',
				name: 'Source',
				type: 'source',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			subject,
		],
		connections: {
			Source: { main: [[{ node: nodeName, type: NodeConnectionTypes.Main, index: 0 }]] },
		},
		nodeTypes: {
			getByName: typeOf,
			getByNameAndVersion: typeOf,
			getKnownTypes: () => ({}),
		},
		settings: timezone ? { timezone } : {},
	});
}

export function reportOf(run: IRun): Report {
	const data = run.data.resultData.runData[nodeName]?.at(-1);
	return {
		run,
		output: data?.data?.main?.[0] ?? [],
		failed: data?.data?.main?.[1] ?? [],
		error: data?.error ?? run.data.resultData.error,
		hints: data?.hints ?? [],
	};
}
