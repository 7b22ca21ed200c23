import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { openStore } from '../../../nodes/CustomerMessaging/n8n/openStore';
import { N8nStore } from '../../../simulation/n8nStore';

const waiting = { now: () => 0, sleep: async () => undefined, cancelled: () => false };
const own: Partial<INode> = { id: 'subject', name: 'Subject', type: 'n.subject', parameters: {} };

/** A Remove Duplicates node; without a scope, n8n uses that of the node. */
function removeDuplicates(scope?: string): Partial<INode> {
	const parameters = { options: scope === undefined ? {} : { scope } };
	return { type: 'n8n-nodes-base.removeDuplicates', parameters };
}

/** Opens the store in a workflow with another node, and writes to it. */
async function open(other: Partial<INode>, isWorkflowShown = true) {
	const store = new N8nStore();
	const calls = store.connect(async () => undefined);
	const seen: number[] = [];
	const at = (scope: string) => ({ workflow: '', node: 'n:subject' })[scope] ?? 'of nobody';
	const context = {
		helpers: {
			checkProcessedAndRecord: async (items: string[], scope: string, options: { mode: string }) =>
				await calls.checkProcessedAndRecord(items, at(scope), options),
			removeProcessed: async (items: string[], scope: string) =>
				await calls.removeProcessed(items, at(scope)),
			clearAllProcessedItems: async (scope: string) =>
				await calls.clearAllProcessedItems(at(scope)),
			getProcessedDataCount: async (scope: string) => await calls.getProcessedDataCount(at(scope)),
		},
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => own,
		workflow: isWorkflowShown ? { nodes: { Subject: own, Other: other } } : undefined,
		// n8n 1 shows only those that are connected with the node, and their parameters on request.
		getParentNodes: (_name: string, { includeNodeParameters = false } = {}) =>
			isWorkflowShown ? [] : [{ ...other, parameters: includeNodeParameters && other.parameters }],
		getChildNodes: () => [],
	};
	const access = await openStore(context as unknown as IExecuteFunctions, waiting);
	if (!('store' in access)) throw new Error('There is no store');
	await access.store.exclusively(async (list) => {
		seen.push(store.readData('').length);
		await list.add(['entry']);
	});
	expect(store.readData('n:subject')).toEqual(['entry']);
	expect(store.readData('')).toEqual([]);
	return { isLocked: access.store.isLocked, hadLock: (seen[0] ?? 0) > 0 };
}

test.each([
	['has its own row', removeDuplicates()],
	['has the row of its node', removeDuplicates('node')],
	[
		'is of another kind',
		{ type: 'n8n-nodes-base.set', parameters: { options: { scope: 'workflow' } } },
	],
])('The list is locked while it is written where the other node %s', async (_, other) => {
	expect(await open(other)).toEqual({ isLocked: true, hadLock: true });
});

test.each(['workflow', '={{ $json.scope }}'])(
	'The row of the workflow is left to a Remove Duplicates node with the scope %s',
	async (scope) => {
		expect(await open(removeDuplicates(scope))).toEqual({ isLocked: false, hadLock: false });
		expect(await open(removeDuplicates(scope), false)).toEqual({ isLocked: false, hadLock: false });
	},
);

test.each([
	['n8n-core runs without n8n', { code: 'ERR_ASSERTION' }, { missing: true }],
	[
		'the database is locked',
		new Error('SQLITE_BUSY: database is locked'),
		{ failure: 'SQLITE_BUSY: database is locked' },
	],
	[
		'a table is missing',
		Object.assign(new Error('no such table'), { code: 'SQLITE_ERROR' }),
		{ failure: 'no such table' },
	],
	['nobody knows why', null, { failure: 'null' }],
	['nobody says why', 'no table', { failure: 'no table' }],
])('Where there is no store because %s, that is told', async (_, thrown, expected) => {
	const getProcessedDataCount = jest.fn().mockRejectedValue(thrown);
	const context = { helpers: { getProcessedDataCount } };
	expect(await openStore(context as unknown as IExecuteFunctions, waiting)).toEqual(expected);
});
