import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, type IDataObject } from 'n8n-workflow';

import {
	additionalDataOf,
	nodeName,
	type Order,
	type Report,
	reportOf,
	subjectOf,
	workflowOf,
} from './engine';

/** The execution that calls the workflow, and the node at which it began; n8n 1 does not tell that. */
export interface Caller {
	executionId: string;
	beganAt?: string;
}

/** Runs the node in a workflow that another execution calls, as n8n does for Execute Sub-workflow. */
export async function call(order: Order, { executionId, beganAt }: Caller): Promise<Report> {
	const { rows = [{}], credential } = order;
	const workflow = workflowOf(subjectOf(order), rows, order.timezone);
	const node = workflow.getNode('Source');
	if (!node) throw new Error(`There is nothing before ${nodeName}`);
	const executionContext = {
		version: 1 as const,
		establishedAt: Date.now(),
		source: 'manual' as const,
		...(beganAt ? { triggerNode: { name: 'First', type: beganAt } } : {}),
	};
	const parentExecution = { executionId, workflowId: 'caller', executionContext };
	const data = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [
				{ node, data: { main: [rows.map((json: IDataObject) => ({ json }))] }, source: null },
			],
		},
		parentExecution,
	});
	const additionalData = additionalDataOf(credential, 'integrated');
	const run = new WorkflowExecute(additionalData, 'integrated', data).processRunExecutionData(
		workflow,
	);
	return reportOf(await run);
}
