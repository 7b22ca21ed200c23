import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** n8n's calls, each of which reads a database row and writes it back whole. */
export type StoreCalls = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed' | 'clearAllProcessedItems' | 'getProcessedDataCount'
>;

/** n8n's store of processed items: one database row for the node, and one for the workflow. */
export interface N8nStore {
	calls: StoreCalls;
	/** Identifies the row of the workflow in this process. */
	workflow: string;
	/** Identifies the row of the node in this process. */
	node: string;
	/** Whether the row of the workflow is free to be a lock. */
	mayLock: boolean;
}

export function findStore(context: IExecuteFunctions): N8nStore {
	const workflow = String(context.getWorkflow().id);
	return {
		calls: context.helpers,
		workflow,
		node: `${workflow} ${context.getNode().id}`,
		mayLock: !listNodes(context).some(usesRowOfWorkflow),
	};
}

type SeenNode = Pick<INode, 'type'> & Partial<Pick<INode, 'parameters'>>;

/** The nodes of the workflow, or if n8n does not show them, those that are connected with this one. */
function listNodes(context: IExecuteFunctions): SeenNode[] {
	const { workflow } = context as { workflow?: { nodes?: Record<string, SeenNode> } };
	if (workflow?.nodes) return Object.values(workflow.nodes);
	const { name } = context.getNode();
	const withParameters = { includeNodeParameters: true };
	return [
		...context.getParentNodes(name, withParameters),
		...context.getChildNodes(name, withParameters),
	];
}

/** Whether a node is a Remove Duplicates whose scope is the workflow, or may be: the lock would make it fail. */
function usesRowOfWorkflow({ type, parameters }: SeenNode): boolean {
	if (!type.endsWith('.removeDuplicates')) return false;
	const { scope = 'node' } = (parameters?.options ?? {}) as { scope?: unknown };
	return scope !== 'node';
}
