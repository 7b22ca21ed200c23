import type { IDataObject, IExecuteData, INodeExecutionData } from 'n8n-workflow';

import { nodeName, subjectOf, workflowOf } from './engine';

const workflow = workflowOf(subjectOf({ parameters: {} }), []);

/** The value that n8n itself reads, or the reason why it refuses. */
export function readByN8n(raw: unknown, json: IDataObject): unknown {
	const input: INodeExecutionData[] = [{ json, pairedItem: { item: 0 } }];
	const executeData = {
		data: { main: [input] },
		node: workflow.getNode(nodeName),
		source: null,
	} as IExecuteData;
	try {
		return workflow.expression.getParameterValue(
			raw as string,
			null,
			0,
			0,
			nodeName,
			input,
			'webhook',
			{},
			executeData,
		);
	} catch (error) {
		return `refused: ${String(error)}`;
	}
}
