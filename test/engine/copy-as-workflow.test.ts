import { runInNewContext } from 'node:vm';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Arrival } from '../../sandbox';
import { asWorkflow, type Received } from '../../sandbox/inbox/asWorkflow';
import type { Workflow } from '../../sandbox/inbox/workflow';
import { full, minimal, present } from './support/endpoints';
import { nodeType } from './support/engine';
import * as order from './support/orders';
import { freezeClock, onlyArrival, run, useSandbox } from './support/service';

// The clock comes first, so that the sandbox uses it too. It recognizes an immediate campaign by its time of arrival.
freezeClock(present);
const sandbox = useSandbox();

/** Runs the node, and returns what the service received. */
async function received(parameters: INodeParameters, rows: IDataObject[] = [{}]): Promise<Arrival> {
	sandbox().reset();
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

it.each(minimal)(
	'A copy of $name sends the same with only its required fields',
	async ({ parameters }) => {
		await expectRoundTrip(parameters);
	},
);

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

describe('Recipients', () => {
	const ways: Array<[string, string, string, INodeParameters]> = [
		['push', 'subscription_id', 'sub-7', order.pushSend],
		['email', 'mobile', '+919812345670', order.emailSend],
		['email', 'user_id', 'C-7', order.emailSend],
		['email', 'campaign_id', '5501', order.emailSend],
		['sms', 'user_id', 'C-7', order.smsSend],
	];
	it.each(ways)('of %s are copied by %s', async (_, key, value, parameters) => {
		await expectRoundTrip({ ...parameters, recipientBy: key, [key]: value });
	});

	it('keep the type of a campaign ID', async () => {
		await expectRoundTrip({
			...order.smsSend,
			recipientBy: 'campaign_id',
			campaign_id: '={{ 5501 }}',
		});
	});
});

it('A copy keeps the partner token', async () => {
	const workflow = await expectRoundTrip({ ...order.pushSend, authentication: 'partnerToken' });
	expect(workflow.nodes[0]?.parameters.authentication).toBe('partnerToken');
});

describe('Schedules', () => {
	const at = { sendAt: 'at', scheduledFor: '2027-03-05T09:30', scheduleTimezone: 'Asia/Kolkata' };
	const next = {
		sendAt: 'next',
		nextTime: '09:30',
		nextDays: ['monday'],
		scheduleTimezone: 'Asia/Kolkata',
	};

	it.each([
		['a push at a time', { ...order.pushSend, ...at }, 'at'],
		['a push on the next Monday', { ...order.pushToAll, ...next }, 'at'],
		['a push after a delay', { ...order.pushSend, sendAt: 'delay', time: 90 }, 'delay'],
		['an email at a time', { ...order.emailSend, ...at }, 'at'],
		['an SMS on the next Monday', { ...order.smsToSegment, ...next }, 'at'],
		['an SMS at once', { ...order.smsSend, sendAt: 'now' }, 'now'],
	])('of %s', async (_, parameters, sendAt) => {
		const workflow = await expectRoundTrip(parameters);
		expect(workflow.nodes[0]?.parameters.sendAt).toBe(sendAt);
	});

	it('of a push in another form are copied as they are', async () => {
		const extraBodyFields = '{ "schedule_date": "05/03/2027", "schedule_time": "14:00" }';
		await expectRoundTrip({ ...order.pushSend, additionalFields: { extraBodyFields } });
	});

	it('of an email in another form become now, and the copy says so', async () => {
		const arrival = await received(order.emailSend);
		const { workflow, notes } = copyOf({
			...arrival,
			body: {
				...order.emailCampaign,
				email: 'a@example.com',
				schedule_date: 5032027,
				schedule_time: 1400,
			},
		});
		expect(workflow.nodes[0]?.parameters.sendAt).toBe('now');
		expect(notes).toEqual(['Its schedule is in an unknown format, so the copy sends at once.']);
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

	it('stay as they are over several lines', async () => {
		await expectRoundTrip({ ...order.smsSend, message: '={{ $json.text }}', options }, [
			{ text: '=1\n{{ 2 }}\n"3"' },
		]);
	});

	// Titles hold no line separators.
	it.each([...texts, '=line\u2028separator\u2029s'])(
		'%j stays as it is in an attribute',
		async (text) => {
			const assignments = [{ id: '1', name: 'note', value: '={{ $json.text }}', type: 'string' }];
			const workflow = await expectRoundTrip(
				{
					...order.createUser,
					name: '={{ $json.text }}',
					customAttributes: { assignments },
					options,
				},
				[{ text }],
			);
			expect(workflow.nodes).toHaveLength(1);
		},
	);
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
	const cleared = { userID: 'C-1', name: '', plan: null, city: '', points: 1 };

	it('keep the types of their attributes, one alone', async () => {
		const { nodes } = await expectRoundTrip(mapped, [
			{ userID: 'C-1', name: 'Ravi Iyer', ...points },
		]);
		expect(nodes[0]?.parameters.dataMode).toBe('defineBelow');
	});

	it.each([
		['one alone', [cleared]],
		['several together', [cleared, { ...cleared, userID: 'C-2' }]],
	])('keep attributes that are cleared, %s', async (_, rows) => {
		await expectRoundTrip({ ...mapped, options: { sendEmptyValues: true } }, rows);
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

	it('stay in one request, however many', async () => {
		const rows = Array.from({ length: 150 }, (_, index) => ({ userID: `C-${index}` }));
		const parameters = {
			...mapped,
			options: { batchSize: 150 },
			additionalFields: { extraBodyFields: '{ "source": "crm" }' },
		};
		await expectRoundTrip(parameters, rows);
	});

	it.each([1, 2])('keep an attribute called __proto__, %i together', (count) => {
		const user = JSON.parse(
			'{"userID":"C-1","user_attributes":{"__proto__":"x","a":"\\"__proto__\\":"}}',
		) as object;
		const received = {
			...anyUserCreation,
			body: { nv: Array.from({ length: count }, () => user) },
		};
		const { jsCode, customAttributes } = asWorkflow(received)?.workflow.nodes[0]?.parameters ?? {};
		const attributes =
			customAttributes ?? (runInNewContext(`(() => {${jsCode as string}})()`) as unknown);
		const json = '{"userID":"C-1","__proto__":"x","a":"\\"__proto__\\":"}';
		expect(JSON.stringify(attributes)).toBe(
			count === 1
				? '{"assignments":[{"id":"1","name":"__proto__","value":"x","type":"string"},{"id":"2","name":"a","value":"\\"__proto__\\":","type":"string"}]}'
				: `[{"json":${json}},{"json":${json}}]`,
		);
	});

	it('may have an attribute called like the field of the ID', async () => {
		const rows = [
			{ id: 'C-1', userID: 'other' },
			{ id: 'C-2', userID: 'third' },
		];
		await expectRoundTrip({ ...mapped, userIdField: 'id' }, rows);
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

	it('keep their values and types, one alone', async () => {
		const { nodes } = await expectRoundTrip(mapped, [placed]);
		expect(nodes).toHaveLength(1);
		expect(nodes[0]?.parameters).toStrictEqual({
			resource: 'event',
			operation: 'track',
			scheduleTimezone: 'UTC',
			dataMode: 'defineBelow',
			userID: 'C-1',
			event_name: 'Order Placed',
			attributes: {
				assignments: [
					{ id: '1', name: 'total', value: '={{ 49.9 }}', type: 'number' },
					{
						id: '2',
						name: 'items',
						value: expect.stringContaining('JSON.parse') as string,
						type: 'array',
					},
					{ id: '3', name: 'gift', value: '={{ false }}', type: 'boolean' },
					{ id: '4', name: 'note', value: '={{ "=1+1" }}', type: 'string' },
				],
			},
			event_time: '2027-03-01T10:00:00',
			additionalFields: {
				ltv: 49.9,
				extraEventFields: '{\n  "context": {\n    "channel": "web"\n  }\n}',
				extraBodyFields: '{\n  "source": "shop"\n}',
			},
		});
	});

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

	it('stay in one request, however many', async () => {
		const rows = Array.from({ length: 150 }, (_, index) => ({ ...placed, id: `C-${index}` }));
		await expectRoundTrip({ ...mapped, options: { batchSize: 150 } }, rows);
	});

	it('may have attributes called like the columns of the copy', async () => {
		const names = { userID: 'a', event_name: 'b', event_time: 'c', ltv: 1, more: 'd' };
		await expectRoundTrip(mapped, [
			{ ...placed, ...names },
			{ ...placed, ...names, _ltv: 2 },
		]);
	});

	it.each([1, 2])('keep empty attributes, %i together', async (count) => {
		const rows = Array.from({ length: count }, (_, index) => ({
			id: `C-${index}`,
			what: 'Left',
			at: '2027-03-02T10:00:00Z',
			context: { attributes: { plan: null, city: '' } },
		}));
		await expectRoundTrip(mapped, rows);
	});

	it.each([
		['without a time', {}],
		['with a time in another format', { event_time: '01.03.2027 10:00' }],
		['with an empty user ID', { userID: '', event_time: '2027-03-01 10:00:00' }],
	])('become a custom request, %s', (_, change) => {
		const body = { nv: [{ userID: 'C-1', event_name: 'Left', ...change }] };
		const received = { ...anyUserCreation, path: '/api/v1/event/create', api: 'event', body };
		const copy = asWorkflow(received as Received);
		expect(copy?.workflow.nodes[0]?.parameters).toMatchObject({
			resource: 'customRequest',
			path: '/api/v1/event/create',
			api: 'event',
			body: JSON.stringify(body, null, 2),
		});
	});
});

const anyUserCreation = {
	time: Date.parse(present),
	host: 'base',
	path: '/api/v1/user/create',
	headers: {},
	api: 'user',
} as const;

describe('Large integers', () => {
	const id = 9223372036854775807n;
	const parametersOf = (received: Received) =>
		asWorkflow(received)?.workflow.nodes.at(-1)?.parameters;

	it('are text in a field, and digits in JSON', () => {
		const path = '/api/v1/web/broadcast/segment';
		const body = { ...order.notification, segment_id: id, notification_id: id, more: [id] };
		expect(parametersOf({ ...anyUserCreation, path, body })).toMatchObject({
			segment_id: { __rl: true, mode: 'id', value: '9223372036854775807' },
			additionalFields: {
				notification_id: '9223372036854775807',
				extraBodyFields: '{\n  "more": [\n    9223372036854775807\n  ]\n}',
			},
		});
	});

	it('are digits in a custom request', () => {
		expect(
			parametersOf({ ...anyUserCreation, path: '/api/v1/report/x', body: { id } }),
		).toMatchObject({ body: '{\n  "id": 9223372036854775807\n}' });
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

	it('says so if the host is not known', async () => {
		const arrival = await received(order.customPost);
		expect(copyOf({ ...arrival, host: 'any' }).notes).toEqual([
			'All hosts have the same address here, so check the host of the copy.',
		]);
	});
});

it.each([['text'], [7], [null], [undefined]])('The body %j has no copy', async (body) => {
	expect(asWorkflow({ ...(await received(order.pushSend)), body })).toBeUndefined();
});

it('A copy sends what no field of the form can hold in another way', async () => {
	const arrival = await received(order.pushSend);
	const body = {
		...order.notification,
		user_id: 'C-1',
		notification_id: 0,
		ios_ifv: 'x',
		subscription_id: 's',
	};
	const { workflow } = copyOf({ ...arrival, body });
	expect((await receivedAgain(workflow)).body).toStrictEqual(body);
});
