import { runInNewContext } from 'node:vm';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Arrival } from '../../../sandbox';
import { asWorkflow } from '../../../sandbox/inbox/asWorkflow';
import type { Workflow } from '../../../sandbox/inbox/workflow';
import { freezeClock } from '../support/clock';
import { full, present } from '../support/endpoints';
import { nodeType } from '../support/engine';
import { useNewStore } from '../support/memoryStore';
import { mapped, push } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

// The clock comes first, so that the sandbox uses it too. It recognizes an immediate campaign by its time of arrival.
freezeClock(present);
const node = useNode();

async function received(parameters: INodeParameters, rows: IDataObject[] = [{}]): Promise<Arrival> {
	node.sandbox.reset();
	useNewStore();
	await node.run(parameters, { rows });
	return node.onlyArrival();
}

/** The copy of what arrived, as it comes back from the clipboard. */
function copyOf(arrival: Arrival): Workflow {
	const copy = asWorkflow(arrival);
	if (!copy) throw new Error(`No copy of ${arrival.path}`);
	return JSON.parse(JSON.stringify(copy.workflow)) as Workflow;
}

/** Runs the copy as n8n would: first the Code node, if there is one, and then our node with its items. */
async function receivedAgain({ nodes }: Workflow): Promise<Arrival> {
	const code = nodes.find(({ type }) => type === 'n8n-nodes-base.code');
	const items = code
		? (runInNewContext(`(() => {${String(code.parameters.jsCode)}})()`) as Array<{ json: object }>)
		: [{ json: {} }];
	const node = nodes.find(({ type }) => type === nodeType);
	const rows = items.map(({ json }) => JSON.parse(JSON.stringify(json)) as IDataObject);
	return await received(node?.parameters as INodeParameters, rows);
}

/** A copy that sends the same again. */
async function faithfulCopy(parameters: INodeParameters, rows?: IDataObject[]): Promise<Workflow> {
	const first = await received(parameters, rows);
	expect(first.outcome).toBe('accepted');
	const workflow = copyOf(first);
	const again = await receivedAgain(workflow);
	expect([again.host, again.path, again.body]).toStrictEqual([first.host, first.path, first.body]);
	return workflow;
}

const toPath = { path: '/api/v1/event/track?mode=async', body: '[{ "text": "={{ 1 }}" }]' };
it.each([
	...full,
	...['baseUrl', 'pushUrl', 'mailUrl'].map((host) => ({
		name: `a custom request to ${host}`,
		parameters: { ...order.customPost, ...toPath, host },
	})),
])('A copy of $name sends the same with every optional field', async ({ parameters }) => {
	await faithfulCopy(parameters);
});

it.each([
	...['=1+1', '={{ "}}" }} {{', '="\\u007b {{ 1 }}', "=`${1}` \\ ' %} //", 'Hello {{ 1 + 1 }}'],
])('The text %j, which n8n takes for an expression, stays as it is in a copy', async (text) => {
	const title = '={{ $json.text }}';
	const options = { skipTextCheck: true };
	const parameters = push({ title, message: title, additionalFields: { tag: title }, options });
	await faithfulCopy(parameters, [{ text }]);
});

const points = {
	...{ count: 42, share: 0.5, vip: true, off: false },
	...{ tags: ['a', { b: [{}] }], address: { city: { name: 'Pune' } } },
};

const eventOf = mapped('event', {
	event_name: '={{ $json.what }}',
	event_time: '={{ $json.at }}',
	userIdField: 'id',
	ignoreFields: 'what, at, worth, context',
	additionalFields: {
		ltv: '={{ $json.worth }}',
		extraEventFields: '={{ $json.context }}',
		extraBodyFields: '{ "source": "shop" }',
	},
});
const placed = {
	...{ id: 'C-1', what: 'Order Placed', at: '2027-03-01T10:00:00Z', worth: 49.9, total: 49.9 },
	...{ items: [{ sku: 'A-1', quantity: 2 }], gift: false, note: '=1+1' },
	context: { context: { channel: 'web' } },
};
const signedUp = { id: '=C-2', what: '=Signed Up', at: '2027-03-02T10:00:00Z', plan: 'pro' };

it.each<[string, INodeParameters, IDataObject[]]>([
	['Users', mapped('user'), [{ userID: '=C-1', name: '=Ravi', ...points }, { userID: 'C-2' }]],
	['Events', eventOf, [placed, signedUp, { ...placed, id: 'C-3', worth: 0 }]],
])('A copy of several %s keeps their values and types', async (name, parameters, rows) => {
	const { nodes, connections } = await faithfulCopy(parameters, rows);
	expect(nodes.map((node) => node.name)).toEqual([name, 'Customer Messaging']);
	expect(connections).toEqual({
		[name]: { main: [[{ node: 'Customer Messaging', type: 'main', index: 0 }]] },
	});
});
