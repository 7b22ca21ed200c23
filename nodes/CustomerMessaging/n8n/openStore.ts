import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { errorMessage } from '../shared/formatting';
import type { Waiting } from './busyDatabase';
import { EntryStore } from './entryStore';

/** n8n's store, or why it is unavailable. */
export type StoreAccess =
	| { store: EntryStore }
	/** n8n-core runs without n8n, and therefore without a store. */
	| { missing: true }
	/** n8n cannot read it; the text is n8n's message. */
	| { failure: string };

/** Calls that wait for their turn, by workflow. */
const turns = new Map<string, Promise<unknown>>();

/** Opens n8n's list of what a node has processed: one database row per workflow and node. */
export async function openStore(
	context: IExecuteFunctions,
	waiting: Waiting,
): Promise<StoreAccess> {
	try {
		const stored = await context.helpers.getProcessedDataCount('node', { mode: 'entries' });
		const store = new EntryStore(context.helpers, {
			workflow: String(context.getWorkflow().id),
			node: context.getNode().id,
			waiting,
			random: Math.random,
			turns,
			mayLock: !listNodes(context).some(usesRowOfWorkflow),
			stored,
		});
		return { store };
	} catch (error) {
		return isMissingStore(error) ? { missing: true } : { failure: errorMessage(error) };
	}
}

/** n8n-core asserts that n8n has given it a store. */
function isMissingStore(error: unknown): boolean {
	return (
		typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_ASSERTION'
	);
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
