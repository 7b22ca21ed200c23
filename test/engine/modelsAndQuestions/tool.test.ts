import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import type { Order } from '../support/engine';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

type CalledAs = Order['calledAs'];

/** The tool of an agent. n8n lays the model's arguments over the values of the agent's item. */
const toolOf = (parameters: INodeParameters, row: IDataObject = {}, calledAs: CalledAs = 'Tool') =>
	agentTool({ parameters, credential: node.credential, calledAs }, row);

/** Why a call of the tool is refused. */
async function refusalOf(
	parameters: INodeParameters,
	args: IDataObject,
	item: IDataObject = {},
	calledAs?: CalledAs,
): Promise<string> {
	const tool = toolOf(parameters, { ...item, ...args }, calledAs);
	const told = await tool.invoke(args).then(String, ({ message }: Error) => message);
	expect(node.sandbox.record).toEqual([]);
	return told;
}

/** A run of the node as the call of a tool. The node knows a second try by its rows, so each call has its own. */
const call = async (parameters: INodeParameters, row: IDataObject, calledAs: CalledAs = 'Tool') =>
	await node.run(parameters, { rows: [{ ...row }], calledAs });

const hello = { title: 'Hello', message: 'Your parcel is here' };
const url = 'https://example.com/offers';
const words = {
	title: "={{ $fromAI('title', 'Title of the notification, at most 70 characters', 'string') }}",
	message: "={{ $fromAI('message', 'Text, at most 130 characters', 'string') }}",
	url,
};
const toOne = {
	...{ resource: 'push', operation: 'send', platforms: ['web', 'ios'], ...words },
	user_id: "={{ $fromAI('user_id', 'ID of the user to notify', 'string') }}",
};
const once = { sendOnce: true, sendOnceKey: 'Spring sale' };
const toAll = { ...order.pushToAll, ...once, ...words };
const toSegment = { ...order.pushToSegment, ...once };
const review = { ...order.pushSend, operation: 'sendAndWait' };

test('The tool of an agent shows the model the fields that were left to it, sends to the user whom it named, and answers shortly', async () => {
	const args = { user_id: 'u-1', ...hello };
	const tool = toolOf(toOne, args);
	expect(Object.keys(tool.schema.shape).sort()).toEqual(['message', 'title', 'user_id']);
	expect(tool.description).toBe('Send push to user in Customer Messaging');
	const answer = String(await tool.invoke(args));
	const body = { ...args, url };
	expect(node.sandbox.accepted()).toMatchObject([
		{ path: '/api/v1/web/send', body },
		{ path: '/api/v1/ios/send', body },
	]);
	const resultOn = (platform: string) => ({ outcome: 'accepted', platform, statusCode: 200 });
	expect(JSON.parse(answer)).toMatchObject([resultOn('web'), resultOn('ios')]);
	expect(answer.length).toBeLessThan(500);
});

const fromAI = "={{ $fromAI('anything', '', 'string') }}";
const because = (label: string) =>
	`'${label}' is left to the model, because its expression can read the model's words or another item's value`;

test.each<[string, INodeParameters]>([
	['Segment', { ...toSegment, segment_id: "={{ $from\\u0041I('anything', '', 'json') }}" }],
	['When Run by Hand', { ...toAll, testRuns: "={{ $fromAi('anything', '', 'string') }}" }],
	['Operation', { ...toAll, operation: fromAI }],
	['Preview Only', { ...toAll, options: { previewOnly: fromAI } }],
])('%s left to the model is refused by name', async (label, parameters) => {
	const args = { ...hello, user_id: 'u-1', anything: '/api/v1/web/broadcast/all' };
	expect(await refusalOf(parameters, args)).toContain(`'${label}' is left to the model`);
});

const x = '={{ $json.x }}';
test.each<[string, INodeParameters, INodeParameters]>([
	['Segment', toSegment, { segment_id: { __rl: true, mode: 'id', value: x } }],
	['CC Email', order.emailSend, { additionalFields: { email_cc: x } }],
	['Operation', { ...order.pushSend, ...once }, { operation: x }],
])("What the model adds to its arguments does not choose the value of '%s'", async (...one) => {
	const [label, parameters, more] = one;
	const told = await refusalOf({ ...parameters, ...more }, { x: 7 }, { x: 42 });
	expect(told).toContain(because(label));
});

test.each<[INodeParameters, dataMode: string]>([
	[order.createUser, 'autoMapInputData'],
	[order.trackEvent, '={{ "autoMapInputData" }}'],
])('What the model adds is no attribute of a mapped %j', async (parameters, dataMode) => {
	const mapped = { ...parameters, dataMode, userIdField: 'id' };
	expect(await refusalOf(mapped, { id: 'u-2', vip: true }, { id: 'u-1' })).toContain(
		"'Data Mode' is left to the model, because all that it passes is sent. Choose Define Below",
	);
});

test('The refusal names the way out, and $fromAI only where a model may fill in the field', async () => {
	const wayOut = (name: string) =>
		`For a value of each item, place Loop Over Items (batch size 1), Edit Fields and the agent in this order. Then enter {{ $('Edit Fields').first().json.${name} }}`;
	const segment = { ...toSegment, segment_id: '={{ $json.segment }}' };
	expect(await refusalOf(segment, { segment: 7 })).toBe(
		`Nothing was sent: ${because('Segment')}. Set it to a fixed value. ${wayOut('segment_id')}`,
	);
	const title = { ...order.pushSend, title: '={{ $json.title }}' };
	const why = `Set it to a fixed value or to $fromAI. ${wayOut('title')}`;
	expect(await refusalOf(title, {}, { title: 'Hello' })).toContain(why);
});

describe('The code of an expression', () => {
	const row = { segment: 42, n: 1, 'segment id': 42, list: [41, 42] };
	const names = '$data $input $items $node $self $parameter $evaluateExpression $itemIndex $tool';

	test.each([
		'{{ $json.segment }}',
		'{{ `${({ a: 1 }).a}${$json.segment}` }}',
		"{{ /* ' */ $json.segment /* ' */ }}",
		"{{ // '\n $json.segment // '\n }}",
		'{{ /[/*]/.test("") + $json.segment + /[*/]/ }}',
		`{{ "$('" + $json.segment + "').first()" }}`,
		`{{ /$('/ && $json.segment && /').first(/ }}`,
		"{{ $('Source').first($json.n).json.segment }}",
		'{{ $if(true, $json.segment, 1) }}',
		'{{ $json.segment',
		"{{ $('Source').item.json.segment }}",
		"{{ $ ('Source').item.json.segment }}",
		`{{ $("Source")['item'].json.segment }}`,
		"{{ $('Source').itemMatching(0).json.segment }}",
		"{{ ((f) => f('Source').item)($).json.segment }}",
		"{{ $('Sou' + 'rce').first().json.segment }}",
		...names.split(' ').map((name) => `{{ ${name}.segment }}`),
		'{{ \\u0024json.segment }}',
		"{{ this['$' + 'json'].segment }}",
		"{{ Function('return 42')() }}",
		"{{ eval('42') }}",
		"{{ $workflow['con' + 'structor'].name }}",
		"{{ 'a + $json.segment }}",
		'{{ 42 // $json }}',
		"{{ $('Source').all()[0].json.list[1] }}",
		...["{{ $('Source').first().json.segment / 1 }}", "{{ ' 42'.replace(/ /g, '') }}"],
		...['{{ $if(true, 42, 7) }}', '{{ $execution.id ? 42 : 7 }}', '{{ $workflow.id }}'],
		"{{ $vars.a.constructor('return 42')() }}",
		'{{ 42 <!-- `\n + $json.segment <!-- `\n }}',
	])('is refused for what it reads, or for what can hide it: %s', async (code) => {
		const { error } = await call({ ...toSegment, segment_id: `=${code}` }, row);
		expect(error?.message).toContain(because('Segment'));
		expect(node.sandbox.record).toEqual([]);
	});

	test.each([
		...['42', '={{ 42 }}', '={{ $vars.none ?? 42 }}', "={{ '4' + '2' }}", "={{ ' 42 '.trim() }}"],
		...["={{ '$json is not read'.length + 25 }}", '={{ `42` }}', '=4{{ /*two*/ 2 }}'],
		...["={{ $('Source').first().json.segment }}", '={{ $("Source")?.first().json.segment }}'],
		...["={{ $('Source').last().json['segment id'] }}", "={{ $('Source').first().json.list[1] }}"],
		`={{ $today.plus({ days: 1 }).toFormat("'42'") }}`,
	])('passes: %s', async (segment_id) => {
		const { error } = await call({ ...toSegment, segment_id }, row);
		expect(error?.message).toBeUndefined();
		expect(node.bodies()).toMatchObject([{ segment_id: 42 }]);
	});

	test('passes as n8n writes it for the model, unless the key of $fromAI reads $json', async () => {
		const title =
			"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Title', `The title, e.g. \"It's $5\"`, 'string') }}";
		const parameters = { ...order.pushSend, title, message: '={{ $fromai("text") }} now' };
		await call(parameters, { Title: 'Hello', text: 'Come' });
		const byKey = { ...order.pushSend, title: '={{ $fromAI($json.key) }}' };
		const { error } = await call(byKey, { key: 'a', a: 'Hello' });
		expect(error?.message).toContain(because('Title'));
		expect(node.bodies()).toMatchObject([{ title: 'Hello', message: 'Come now' }]);
	});
});

test('An agent cannot ask and wait, and the answer says where to place the node', async () => {
	const why = "cannot use 'Send and Wait for Response' as a tool of its own";
	expect(await refusalOf(review, hello)).toContain(why);
});

const reviewed = { tool: 'Send push', toolParameters: { user_id: 'C-1' }, why: 'It is late' };
const written = 'The agent wants to run this tool: Send push\n\nInput:\n{"user_id":"C-1"}';
/** As n8n writes it for the node. */
const usual =
	'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}';
test.each([
	[usual, written],
	['=To {{ $tool.parameters.user_id }}?', 'To C-1?'],
	['={{ $fromAI("why") }}', 'It is late'],
])('In review, the message may say what the tool would get: %s', async (message, text) => {
	const { error } = await call({ ...review, message }, reviewed, 'HitlTool');
	expect(error?.message).toBeUndefined();
	const { title } = order.notification;
	expect(node.bodies()).toMatchObject([{ user_id: 'C-1', title, message: text }]);
});

const labels = { approvalType: 'double', approveLabel: '={{ $json.label }}' };
test.each<[string, INodeParameters]>([
	['Message', { message: '={{ $json.toolParameters.user_id }}' }],
	['Title', { title: '={{ $tool.name }}' }],
	['User ID', { user_id: '={{ $tool.parameters.user_id }}' }],
	['Approval Options', { approvalOptions: { values: labels } }],
])('In review, %s is refused if it holds %j', async (label, more) => {
	const told = await refusalOf({ ...review, ...more }, reviewed, {}, 'HitlTool');
	expect(told).toContain(because(label));
});

const id = '={{ $fromAI("id") }}';
test.each<[string, INodeParameters, INodeParameters]>([
	['User ID', order.pushSend, { user_id: id }],
	['User ID', order.createUser, { userID: id }],
	['Subscription ID', order.pushSend, { recipientBy: 'subscription_id', subscription_id: id }],
])('An ID that the model fills in names one person: %s of %j', async (label, to, more) => {
	const parameters = { ...to, ...more };
	const why =
		', but an ID that a model fills in cannot contain a comma, semicolon, asterisk or space. Pass one ID';
	for (const between of [',', ';', ' ', '\u00a0', '*']) {
		const told = await refusalOf(parameters, { id: `u-1${between}u-2` });
		expect(told).toContain(`Nothing was sent: ${label} is `);
		expect(told).toContain(why);
	}
	await call(parameters, { id: 'u-1' });
	expect(node.sandbox.record).toHaveLength(1);
});

test('An ID that a person sets may contain a comma, as elsewhere', async () => {
	await call({ ...order.pushSend, user_id: 'u-1, Berlin' }, {});
	expect(node.bodies()).toMatchObject([{ user_id: 'u-1, Berlin' }]);
});
