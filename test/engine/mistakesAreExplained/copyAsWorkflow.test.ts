import { runInNewContext } from 'node:vm';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Arrival } from '../../../sandbox';
import { asWorkflow } from '../../../sandbox/inbox/asWorkflow';
import type { Workflow } from '../../../sandbox/inbox/workflow';
import { full, present } from '../support/endpoints';
import { nodeType } from '../support/engine';
import * as order from '../support/orders';
import { useNewStore } from '../support/memoryStore';
import { freezeClock, onlyArrival, run, useSandbox } from '../support/service';

// The clock comes first, so that the sandbox uses it too. It recognizes an immediate campaign by its time of arrival.
freezeClock(present);
const sandbox = useSandbox();

/** Runs the node, and returns what the service received. */
async function received(parameters: INodeParameters, rows: IDataObject[] = [{}]): Promise<Arrival> {
	sandbox().reset();
	useNewStore();
	await run(sandbox(), parameters, { rows });
	return onlyArrival(sandbox());
}

function copyOf(arrival: Arrival): { workflow: Workflow; notes: string[] } {
	const copy = asWorkflow(arrival);
	if (!copy) throw new Error(`No copy of ${arrival.path}`);
	// As it comes back from the clipboard.
	return JSON.parse(JSON.stringify(copy)) as typeof copy;
}

/** Runs the copy as n8n would: first the Code node, if there is one, and then our node with its items. */
async function receivedAgain({ nodes }: Workflow): Promise<Arrival> {
	const code = nodes.find(({ type }) => type === 'n8n-nodes-base.code');
	const items = code
		? (runInNewContext(`(() => {${String(code.parameters.jsCode)}})()`) as Array<{
				json: IDataObject;
			}>)
		: [{ json: {} }];
	const [node] = nodes.filter(({ type }) => type === nodeType);
	return await received(
		node?.parameters as INodeParameters,
		items.map(({ json }) => JSON.parse(JSON.stringify(json)) as IDataObject),
	);
}

async function expectRoundTrip(
	parameters: INodeParameters,
	rows?: IDataObject[],
): Promise<Workflow> {
	const first = await received(parameters, rows);
	expect(first.outcome).toBe('accepted');
	const { workflow } = copyOf(first);
	const again = await receivedAgain(workflow);
	expect([again.host, again.path, again.body]).toStrictEqual([first.host, first.path, first.body]);
	return workflow;
}

it.each(full)(
	'A copy of $name sends the same with every optional field',
	async ({ parameters }) => {
		await expectRoundTrip(parameters);
	},
);

it('A copy is what n8n puts on its clipboard: one node, its fields where the form has them', async () => {
	const { workflow } = copyOf(
		await received({
			...order.pushToSegment,
			additionalFields: { tag: 'news', extraBodyFields: '{"level":3}' },
		}),
	);
	expect(workflow).toStrictEqual({
		nodes: [
			{
				id: 'customer-messaging',
				name: 'Customer Messaging',
				type: 'n8n-nodes-customer-messaging.customerMessaging',
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					resource: 'push',
					operation: 'broadcastSegment',
					platforms: ['web'],
					segment_id: { __rl: true, mode: 'id', value: '42' },
					...order.notification,
					sendAt: 'now',
					additionalFields: { tag: 'news', extraBodyFields: '{\n  "level": 3\n}' },
				},
			},
		],
		connections: {},
	});
});

describe('Texts that n8n would take for expressions', () => {
	const options = { skipTextCheck: true };
	const texts = [
		'=1+1',
		'={{ $env }}',
		'=',
		'={{ "}}" }} {{',
		'="\\u007b {{ 1 }}',
		'Hello {{ 1 + 1 }}',
		'{{ $json }}',
		'=a.constructor and a. constructor',
		"=`${1}` \\ ' %} //",
	];

	it.each(texts)('%j stays as it is in a message', async (text) => {
		const [title, message] = ['={{ $json.text }}', '={{ $json.text }}'];
		await expectRoundTrip(
			{ ...order.pushSend, title, message, additionalFields: { tag: title }, options },
			[{ text }],
		);
	});
});

describe('Users', () => {
	const mapped = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };
	const points = {
		count: 42,
		share: 0.5,
		vip: true,
		off: false,
		tags: ['a', { b: [{}] }],
		address: { city: { name: 'Pune' } },
	};

	it('keep the types of their attributes, one alone', async () => {
		const { nodes } = await expectRoundTrip(mapped, [
			{ userID: 'C-1', name: 'Ravi Iyer', ...points },
		]);
		expect(nodes[0]?.parameters.dataMode).toBe('defineBelow');
	});

	it('keep the types of their attributes, several together', async () => {
		const { nodes, connections } = await expectRoundTrip(mapped, [
			{ userID: '=C-1', name: '=Ravi', ...points },
			{ userID: 'C-2' },
		]);
		expect(nodes.map(({ name }) => name)).toEqual(['Users', 'Customer Messaging']);
		expect(connections).toEqual({
			Users: { main: [[{ node: 'Customer Messaging', type: 'main', index: 0 }]] },
		});
	});
});

describe('Events', () => {
	const mapped = {
		resource: 'event',
		operation: 'track',
		dataMode: 'autoMapInputData',
		event_name: '={{ $json.what }}',
		event_time: '={{ $json.at }}',
		userIdField: 'id',
		ignoreFields: 'what, at, worth, context',
		additionalFields: {
			ltv: '={{ $json.worth }}',
			extraEventFields: '={{ $json.context }}',
			extraBodyFields: '{ "source": "shop" }',
		},
	};
	const placed = {
		id: 'C-1',
		what: 'Order Placed',
		at: '2027-03-01T10:00:00Z',
		worth: 49.9,
		context: { context: { channel: 'web' } },
		total: 49.9,
		items: [{ sku: 'A-1', quantity: 2 }],
		gift: false,
		note: '=1+1',
	};

	it('keep their values and types, several together', async () => {
		const { nodes, connections } = await expectRoundTrip(mapped, [
			placed,
			{ id: '=C-2', what: '=Signed Up', at: '2027-03-02T10:00:00Z', plan: 'pro' },
			{ ...placed, id: 'C-3', worth: 0 },
		]);
		expect(nodes.map(({ name }) => name)).toEqual(['Events', 'Customer Messaging']);
		expect(connections).toEqual({
			Events: { main: [[{ node: 'Customer Messaging', type: 'main', index: 0 }]] },
		});
	});
});

describe('A custom request', () => {
	it.each(['baseUrl', 'pushUrl', 'mailUrl'])('to %s', async (host) => {
		await expectRoundTrip({
			...order.customPost,
			host,
			path: '/api/v1/event/track?mode=async',
			body: '[{ "text": "={{ 1 }}" }]',
		});
	});
});
