import { SupplyDataContext } from 'n8n-core';
import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import * as n8n from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { additionalDataOf, type Order, subjectOf, workflowOf } from './engine';

/** What the tests use of LangChain's tool, whose own types are too deep for the compiler. */
interface Tool {
	schema: { shape: object };
	description: string;
	invoke(args: object): Promise<unknown>;
}

interface ToolOrder extends Pick<
	Order,
	'parameters' | 'retryOnFail' | 'onError' | 'credential' | 'mode' | 'calledAs'
> {
	stored?: n8n.IRunExecutionData;
}

/** In the newest n8n, the execution of the agent holds an isolate in which expressions are evaluated. */
interface Isolated {
	acquireIsolate?: () => Promise<unknown>;
	releaseIsolate?: () => Promise<unknown>;
}

/** The node as an AI agent of one execution gets it, through n8n's own wrapper. */
export function agentTool(order: ToolOrder, agentsRow: n8n.IDataObject = {}): Tool {
	const { credential, mode = 'webhook' } = order;
	const { stored = n8n.createRunExecutionData() } = order;
	const node = subjectOf(order);
	const nodeType = new CustomerMessaging();
	const workflow = workflowOf(node, [{}]);
	const input = { main: [[{ json: agentsRow }]] };
	const additionalData = additionalDataOf(credential, mode);
	const contextOf = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			workflow.getNode(node.name) ?? node,
			additionalData,
			mode,
			stored,
			runIndex,
			input.main[0] ?? [],
			{},
			n8n.NodeConnectionTypes.AiTool,
			{ node, data: input, source: null },
			[],
			new AbortController().signal,
		);
	const handleToolInvocation = makeHandleToolInvocation(contextOf, node, nodeType, stored);
	// As an unknown first: comparing LangChain's types with ours takes the linter a minute.
	const made: { response: unknown } = createNodeAsTool({ node, nodeType, handleToolInvocation });
	const tool = made.response as Tool;
	const invoke = tool.invoke.bind(tool);
	const expression: n8n.Workflow['expression'] & Isolated = workflow.expression;
	tool.invoke = async (args) => {
		await expression.acquireIsolate?.();
		try {
			return await invoke(args);
		} finally {
			await expression.releaseIsolate?.();
		}
	};
	return tool;
}
