import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { findStore } from '../../../nodes/CustomerMessaging/n8n/context';

const own: Partial<INode> = { id: 'subject', name: 'Subject', type: 'n.subject', parameters: {} };

/** A Remove Duplicates node; without a scope, n8n uses that of the node. */
function removeDuplicates(scope?: string): Partial<INode> {
	const parameters = { options: scope === undefined ? {} : { scope } };
	return { type: 'n8n-nodes-base.removeDuplicates', parameters };
}

/** The store in a workflow with another node. */
function find(other: Partial<INode>, isWorkflowShown = true) {
	const context = {
		helpers: {},
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => own,
		workflow: isWorkflowShown ? { nodes: { Subject: own, Other: other } } : undefined,
		// n8n 1 shows only those that are connected with the node, and their parameters on request.
		getParentNodes: (_name: string, { includeNodeParameters = false } = {}) =>
			isWorkflowShown ? [] : [{ ...other, parameters: includeNodeParameters && other.parameters }],
		getChildNodes: () => [],
	};
	return findStore(context as unknown as IExecuteFunctions);
}

test.each([
	['has its own row', removeDuplicates()],
	['has the row of its node', removeDuplicates('node')],
	[
		'is of another kind',
		{ type: 'n8n-nodes-base.set', parameters: { options: { scope: 'workflow' } } },
	],
])('The row of the workflow is free to be a lock where the other node %s', (_, other) => {
	expect([find(other).mayLock, find(other, false).mayLock]).toEqual([true, true]);
});

test.each(['workflow', '={{ $json.scope }}'])(
	'The row of the workflow is left to a Remove Duplicates node with the scope %s',
	(scope) => {
		const other = removeDuplicates(scope);
		expect([find(other).mayLock, find(other, false).mayLock]).toEqual([false, false]);
	},
);

test('The rows are named after the workflow and the node', () => {
	expect(find(own)).toMatchObject({ workflow: 'workflow', node: 'workflow subject' });
});
