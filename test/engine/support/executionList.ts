import * as n8n from 'n8n-workflow';

import * as engine from './engine';
import { openPage, type PageRequest } from './pages';

export interface Execution extends engine.Report {
	id: number;
}

/** What happens to an execution in addition to what its workflow does. */
export interface Course extends Partial<engine.Order> {
	/** Whether the n8n process was killed meanwhile. Then it stores nothing of this execution. */
	isKilled?: () => boolean;
	/** The execution that calls the workflow, as n8n's Execute Sub-workflow does. */
	caller?: { executionId: string; /** n8n 1 does not tell it. */ beganAt?: string };
}

interface Stored {
	/** Undefined for a first execution that was killed: n8n then starts over from the trigger. */
	data?: n8n.IRunExecutionData;
	order: engine.Order;
}

/** Executions as n8n stores them: a retry starts with the stored data of the one that is retried. */
export class ExecutionList {
	private readonly stored: Stored[] = [];
	sourceFails = false;

	async start(order: engine.Order & Course): Promise<Execution> {
		const { caller, mode = caller ? 'integrated' : 'webhook' } = order;
		const course = { ...order, mode };
		const dataOf = caller && ((workflow: n8n.Workflow) => dataOfCall(workflow, caller));
		return await this.run(this.begin(course), course, dataOf);
	}

	/** Presses Retry; `changes` are made to the workflow before, as with "currently saved workflow". */
	async retry({ id: failed }: Pick<Execution, 'id'>, changes: Course = {}): Promise<Execution> {
		const { data: stored, order: before } = this.find(failed);
		const order: engine.Order & Course = { ...before, ...changes, mode: 'retry' };
		if (!stored) return await this.start(order);
		const data = dataForRetry(stored);
		return await this.run(this.begin(order, data), order, (workflow) => {
			for (const item of data.executionData?.nodeExecutionStack ?? [])
				item.node = workflow.getNode(item.node.name) ?? item.node;
			return data;
		});
	}

	/** Goes on with an execution whose time to wait is over, as n8n does. */
	async timeIsOver({ id }: Pick<Execution, 'id'>): Promise<Execution> {
		const { data, order } = this.find(id);
		if (!data?.waitTill) throw new Error(`Execution ${id} does not wait`);
		return await this.run(id, order, () => copyOf(data));
	}

	/** Goes on with an execution that n8n only took for dead, because another worker was killed. */
	async goOn({ id }: Pick<Execution, 'id'>): Promise<Execution> {
		const { data, order } = this.find(id);
		return await this.run(id, order, data && (() => dataForRetry(data)));
	}

	/** Opens the link of an execution that waits, as far as n8n passes it on to the node. */
	async open({ id }: Pick<Execution, 'id'>, request: PageRequest) {
		const { data, order } = this.find(id);
		if (!data) throw new Error(`Execution ${id} was killed`);
		const workflow = engine.workflowOf(engine.subjectOf(order), order.rows ?? [{}], order);
		const additionalData = engine.additionalDataOf(order.credential, 'webhook', String(id));
		return await openPage(workflow, copyOf(data), request, additionalData);
	}

	private find(id: number): Stored {
		const found = this.stored[id - 1];
		if (!found) throw new Error(`No such execution: ${id}`);
		return found;
	}

	private begin(course: engine.Order & Course, data?: n8n.IRunExecutionData): number {
		const { isKilled: _isKilled, started: _started, caller: _caller, ...order } = course;
		return this.stored.push({ data: data && copyOf(data), order });
	}

	private async run(id: number, course: engine.Order & Course, dataOf?: engine.DataOf) {
		const order = { ...course, fails: () => this.sourceFails };
		const run = await engine.runWorkflow(order, String(id), dataOf);
		if (!course.isKilled?.()) this.find(id).data = copyOf(run.data);
		return { id, ...engine.reportOf(run) };
	}
}

/** What n8n starts a sub-workflow with. */
function dataOfCall(
	workflow: n8n.Workflow,
	{ executionId, beganAt }: NonNullable<Course['caller']>,
): n8n.IRunExecutionData {
	const node = workflow.getNode('Source');
	if (!node) throw new Error('The workflow has no node that gives its rows');
	const executionContext = {
		...{ version: 1 as const, establishedAt: Date.now(), source: 'manual' as const },
		...(beganAt ? { triggerNode: { name: 'First', type: beganAt } } : {}),
	};
	return n8n.createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node, data: { main: [[{ json: {} }]] }, source: null }],
		},
		parentExecution: { executionId, workflowId: 'caller', executionContext },
	});
}

/** What a retry starts with: what n8n stored, without the run that failed. */
function dataForRetry(stored: n8n.IRunExecutionData): n8n.IRunExecutionData {
	const data = copyOf(stored);
	const { lastNodeExecuted = '', runData } = data.resultData;
	delete data.resultData.error;
	if (runData[lastNodeExecuted]?.at(-1)?.error) runData[lastNodeExecuted]?.pop();
	return data;
}

const copyOf = (data: n8n.IRunExecutionData) =>
	JSON.parse(JSON.stringify(data)) as n8n.IRunExecutionData;
