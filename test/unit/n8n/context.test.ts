import type { IExecuteFunctions, INode, IWebhookFunctions } from 'n8n-workflow';

import { readLinkRequest } from '../../../nodes/CustomerMessaging/n8n/answerRequest';
import { findStore } from '../../../nodes/CustomerMessaging/n8n/context';

/** The store in a workflow with another node. */
function find(other: Partial<INode>, isWorkflowShown = true) {
	const own = { id: 'subject', name: 'Subject', type: 'n.subject', parameters: {} };
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

const removeDuplicates = 'n8n-nodes-base.removeDuplicates';

test.each<[INode['parameters'], string, boolean]>([
	[{}, removeDuplicates, true],
	[{ scope: 'node' }, removeDuplicates, true],
	[{ scope: 'workflow' }, 'n8n-nodes-base.set', true],
	[{ scope: 'workflow' }, removeDuplicates, false],
	[{ scope: '={{ $json.scope }}' }, removeDuplicates, false],
])('Beside a node with %j of %s, the row of the workflow may be a lock: %s', (...row) => {
	const [options, type, mayLock] = row;
	const other = { type, parameters: { options } };
	expect([find(other).mayLock, find(other, false).mayLock]).toEqual([mayLock, mayLock]);
});

test('The name of the node can neither end the expression of an answer nor add to it', () => {
	const context = {
		getRequestObject: () => ({}),
		getQueryData: () => ({}),
		getBodyData: () => undefined,
		getHeaderData: () => ({}),
		getNode: () => ({ name: '"] }} {{ $env' }),
		evaluateExpression: (expression: string) => expression,
	};
	expect(readLinkRequest(context as unknown as IWebhookFunctions).stored).toBe(
		String.raw`{{ $node["\"] \u007d\u007d \u007b\u007b $env"].context["asked"] }}`,
	);
});
