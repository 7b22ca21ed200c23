import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IRun,
	type IRunExecutionData,
	type Workflow,
} from 'n8n-workflow';

import {
	additionalDataOf,
	type Order,
	type Report,
	reportOf,
	subjectOf,
	workflowOf,
} from './engine';

import { openPage, type Page, type PageRequest } from './pages';

export interface Execution extends Report {
	id: number;
}

/** What happens to an execution in addition to what its workflow does. */
export interface Course extends Partial<Order> {
	/** Whether the n8n process was killed meanwhile. Then it stores nothing of this execution. */
	isKilled?: () => boolean;
	/** The execution that calls the workflow, as n8n's Execute Sub-workflow does. */
	caller?: Caller;
}

/** The node at which the caller began; n8n 1 does not tell that. */
export interface Caller {
	executionId: string;
	beganAt?: string;
}

interface Stored {
	/** Undefined for a first execution that was killed: n8n then starts over from the trigger. */
	data?: IRunExecutionData;
	order: Order;
}

/** Executions as n8n stores them: a retry starts with the stored data of the one that is retried. */
export class ExecutionList {
	private readonly stored = new Map<number, Stored>();
	/** Whether the node before the one under test throws. */
	sourceFails = false;

	/** Starts an execution as its trigger would, or by hand. */
	async start(order: Order & Course): Promise<Execution> {
		const { caller, mode = caller ? 'integrated' : 'webhook' } = order;
		const id = this.stored.size + 1;
		this.stored.set(id, { order });
		const workflow = this.workflowOf(order);
		const process = new WorkflowExecute(
			additionalDataOf(order.credential, mode, String(id), order.webhookUrl),
			mode,
			caller && dataOfCall(workflow, caller),
		);
		const execution = caller
			? process.processRunExecutionData(workflow)
			: process.run({ workflow, startNode: workflow.getNode('Source') ?? undefined });
		order.started?.(() => execution.cancel());
		return this.store(id, await execution, order);
	}

	/** Presses Retry; `changes` are made to the workflow before, as with "currently saved workflow". */
	async retry({ id: failed }: Pick<Execution, 'id'>, changes: Course = {}): Promise<Execution> {
		const found = this.stored.get(failed);
		if (!found) throw new Error(`No such execution: ${failed}`);
		const order = { ...found.order, ...changes };
		const { data: stored } = found;
		if (!stored) return await this.start({ ...order, mode: 'retry' });

		const data = dataForRetry({ data: stored });
		const workflow = this.workflowOf(order);
		for (const item of data.executionData?.nodeExecutionStack ?? []) {
			item.node = workflow.getNode(item.node.name) ?? item.node;
		}
		const id = this.stored.size + 1;
		this.stored.set(id, { data: copyOf(data), order });
		const additionalData = additionalDataOf(order.credential, 'retry', String(id));
		const execution = new WorkflowExecute(additionalData, 'retry', data).processRunExecutionData(
			workflow,
		);
		changes.started?.(() => execution.cancel());
		return this.store(id, await execution, order);
	}

	/** Goes on with an execution whose time to wait is over, as n8n does. */
	async timeIsOver(execution: Pick<Execution, 'id'>): Promise<Execution> {
		const { id } = execution;
		if (!this.stored.get(id)?.data?.waitTill) throw new Error(`Execution ${id} does not wait`);
		return await this.goOn(execution, copyOf);
	}

	/** Goes on with an execution that n8n only took for dead, because another worker was killed. */
	async goOn({ id }: Pick<Execution, 'id'>, dataOf = forRetry): Promise<Execution> {
		const { data, order } = this.stored.get(id) ?? {};
		if (!data || !order) throw new Error(`No such execution: ${id}`);
		const { credential, mode = 'webhook' } = order;
		const additionalData = additionalDataOf(credential, mode, String(id));
		const execution = new WorkflowExecute(additionalData, mode, dataOf(data));
		return this.store(id, await execution.processRunExecutionData(this.workflowOf(order)), order);
	}

	/** Opens the link of an execution that waits, as far as n8n passes it on to the node. */
	async open({ id }: Pick<Execution, 'id'>, request: PageRequest): Promise<Page> {
		const found = this.stored.get(id);
		if (!found?.data) throw new Error(`No such execution: ${id}`);
		const data = copyOf(found.data);
		return await openPage(this.workflowOf(found.order), data, request, {
			...additionalDataOf(found.order.credential, 'webhook', String(id)),
		});
	}

	/** What n8n stores with an execution for the node. */
	memoryOf({ run }: Execution): unknown {
		return run.data.executionData?.contextData;
	}

	private workflowOf(order: Order) {
		const { rows = [{}], timezone, workflowId } = order;
		return workflowOf(subjectOf(order), rows, timezone, () => this.sourceFails, workflowId);
	}

	private store(
		id: number,
		run: IRun,
		{ isKilled, started: _, caller: __, ...order }: Order & Course,
	): Execution {
		if (!isKilled?.()) this.stored.set(id, { data: copyOf(run.data), order });
		return { id, ...reportOf(run) };
	}
}

/** What n8n starts a sub-workflow with. */
function dataOfCall(workflow: Workflow, { executionId, beganAt }: Caller): IRunExecutionData {
	const node = workflow.getNode('Source');
	if (!node) throw new Error('The workflow has no node that gives its rows');
	const executionContext = {
		version: 1 as const,
		establishedAt: Date.now(),
		source: 'manual' as const,
		...(beganAt ? { triggerNode: { name: 'First', type: beganAt } } : {}),
	};
	return createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node, data: { main: [[{ json: {} }]] }, source: null }],
		},
		parentExecution: { executionId, workflowId: 'caller', executionContext },
	});
}

/** What a retry starts with: what n8n stored, without the run that failed. */
export function dataForRetry({ data: stored }: Pick<IRun, 'data'>): IRunExecutionData {
	const data = copyOf(stored);
	const { lastNodeExecuted = '', runData } = data.resultData;
	delete data.resultData.error;
	if (runData[lastNodeExecuted]?.at(-1)?.error) runData[lastNodeExecuted]?.pop();
	return data;
}

const forRetry = (data: IRunExecutionData) => dataForRetry({ data });

function copyOf(data: IRunExecutionData): IRunExecutionData {
	return JSON.parse(JSON.stringify(data)) as IRunExecutionData;
}
