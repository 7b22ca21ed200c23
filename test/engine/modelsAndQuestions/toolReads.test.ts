import {
	createRunExecutionData,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
	NodeHelpers,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { agentTool } from '../support/agentTool';
import type { Order, Report } from '../support/engine';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { bodies, keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const once = { sendOnce: true, sendOnceKey: 'Spring sale' };
const toSegment = { ...order.pushToSegment, ...once };
const wayOut = (name: string) => `{{ $('Edit Fields').first().json.${name} }}`;

/** A call by an agent, as n8n makes it: the model's arguments lie over the values of the agent's item. */
async function call(
	parameters: INodeParameters,
	item: IDataObject,
	args: IDataObject,
	calledAs: Order['calledAs'] = 'Tool',
): Promise<Report> {
	return await run(sandbox(), parameters, { rows: [{ ...item, ...args }], calledAs });
}

async function refusalOf(
	parameters: INodeParameters,
	item: IDataObject,
	args: IDataObject,
	calledAs: Order['calledAs'] = 'Tool',
): Promise<string> {
	const credential = keyCredential(sandbox());
	const tool = agentTool({ parameters, credential, calledAs }, { ...item, ...args });
	const told = await tool.invoke(args).then(String, ({ message }: Error) => message);
	expect(sandbox().record).toEqual([]);
	return told;
}

describe('What the model adds to its arguments does not choose', () => {
	test.each<[string, string, INodeParameters, IDataObject, IDataObject]>([
		[
			'the segment',
			"'Segment' is left to the model, because it reads $json",
			{ ...toSegment, segment_id: '={{ $json.segment }}' },
			{ segment: 42 },
			{ segment: 7 },
		],
		[
			'the segment by a locator',
			"'Segment' is left to the model, because it reads $json",
			{ ...toSegment, segment_id: { __rl: true, mode: 'id', value: '={{ $json.segment }}' } },
			{ segment: 42 },
			{ segment: 7 },
		],
		[
			'the key of Send Once',
			"'Send Once Key' is left to the model, because it reads $json",
			{ ...toSegment, sendOnceKey: '={{ $json.campaign }}' },
			{ campaign: 'Spring sale' },
			{ campaign: 'Another' },
		],
		[
			'how the recipient is named',
			"'Recipient By' is left to the model, because it reads $json",
			{ ...order.smsSend, recipientBy: '={{ $json.by }}', campaign_id: '5501' },
			{ by: 'mobile' },
			{ by: 'campaign_id' },
		],
		[
			'who gets a copy',
			"'CC Email' is left to the model, because it reads $json",
			{ ...order.emailSend, additionalFields: { email_cc: '={{ $json.email_cc }}' } },
			{ email_cc: 'team@shop.example.com' },
			{ email_cc: 'foreign@example.org' },
		],
		[
			'the path of a custom request',
			"'Path' is left to the model, because it reads $json",
			{ ...order.customPost, path: '=/api/v1/event/{{ $json.path }}' },
			{ path: 'track' },
			{ path: 'other' },
		],
		[
			'the operation',
			"'Operation' is left to the model, because it reads $json",
			{ ...order.pushSend, ...once, operation: '={{ $json.operation }}' },
			{ operation: 'send' },
			{ operation: 'broadcastAll' },
		],
		[
			'the resource',
			"'Resource' is left to the model, because it reads $json",
			{ ...order.pushSend, resource: '={{ $json.resource }}' },
			{ resource: 'push' },
			{ resource: 'push' },
		],
		[
			'the text of a field that it may fill in',
			"'Message' is left to the model, because it reads $json",
			{ ...order.pushSend, message: '=Hello {{ $json.name }}' },
			{ name: 'Anna' },
			{ name: 'Ben' },
		],
		[
			'the value of an attribute',
			"'Custom Attributes' is left to the model, because it reads $json",
			{
				...order.createUser,
				customAttributes: {
					assignments: [{ id: '1', name: 'city', value: '={{ $json.city }}', type: 'string' }],
				},
			},
			{ city: 'Berlin' },
			{ city: 'Paris' },
		],
		[
			'the attributes of a user',
			"'Data Mode' is left to the model, because all that it passes is sent. Choose Define Below",
			{ resource: 'user', operation: 'create', dataMode: 'autoMapInputData', userIdField: 'id' },
			{ id: 'u-1' },
			{ id: 'u-2', vip: true },
		],
		[
			'the attributes of an event',
			"'Data Mode' is left to the model, because all that it passes is sent. Choose Define Below",
			{ ...order.trackEvent, dataMode: '={{ "autoMapInputData" }}', userIdField: 'id' },
			{ id: 'u-1' },
			{ id: 'u-2' },
		],
	])('%s', async (_, message, parameters, item, args) => {
		expect(await refusalOf(parameters, item, args)).toContain(message);
	});

	test('who is asked, in human review', async () => {
		const parameters = { ...review, user_id: '={{ $json.reviewer }}' };
		expect(
			await refusalOf(parameters, { reviewer: 'manager' }, { reviewer: 'me' }, 'HitlTool'),
		).toContain("'User ID' is left to the model, because it reads $json");
	});
});

test('The refusal names the way out, and $fromAI only where a model may fill in the field', async () => {
	const segment = { ...toSegment, segment_id: '={{ $json.segment }}' };
	expect(await refusalOf(segment, { segment: 42 }, { segment: 7 })).toBe(
		`Nothing was sent: 'Segment' is left to the model, because it reads $json, which can hold the model's words or another item's value. Set it to a fixed value. For a value of each item, place Loop Over Items (batch size 1), Edit Fields and the agent in this order. Then enter ${wayOut('segment_id')}`,
	);
	const title = { ...order.pushSend, title: '={{ $json.title }}' };
	expect(await refusalOf(title, { title: 'Hello' }, {})).toContain(
		`Set it to a fixed value or to $fromAI. For a value of each item, place Loop Over Items (batch size 1), Edit Fields and the agent in this order. Then enter ${wayOut('title')}`,
	);
});

test('The way out sends to the segment of the item, whatever the model adds', async () => {
	const stored = createRunExecutionData({
		resultData: {
			runData: {
				Source: [
					{
						startTime: 0,
						executionTime: 0,
						executionIndex: 0,
						source: [],
						data: { main: [[{ json: { segment: 42 } }]] },
					},
				],
			},
		},
	});
	const parameters = { ...toSegment, segment_id: "={{ $('Source').first().json.segment }}" };
	const tool = agentTool(
		{ parameters, stored, credential: keyCredential(sandbox()) },
		{ segment: 7 },
	);
	await tool.invoke({ segment: 7 });
	expect(bodies(sandbox())).toEqual([{ ...order.notification, segment_id: 42 }]);
});

describe('The code of an expression', () => {
	const row = { segment: 42, n: 1, 'segment id': 42, list: [41, 42] };

	test.each([
		['$json', '{{ $json.segment }}', '$json'],
		['$json in brackets', "{{ $json['segment'] }}", '$json'],
		['$json behind a fallback', '{{ 42 || $json.segment }}', '$json'],
		['$json in a template', '{{ `${$json.segment}` }}', '$json'],
		['$json in a template of a template', '{{ `a${`b${$json.segment}`}` }}', '$json'],
		['$json in a template with braces', '{{ `${({ a: 1 }).a}${$json.segment}` }}', '$json'],
		['$json after quotes that do not match', `{{ "'" + $json.segment + "'" }}`, '$json'],
		['$json after a quote in a template', "{{ `'${$json.segment}'` }}", '$json'],
		['$json after a quote in a comment', "{{ /* ' */ $json.segment /* ' */ }}", '$json'],
		['$json after a comment on one line', "{{ // '\n $json.segment // '\n }}", '$json'],
		['$json after a brace in a comment', '{{ // ${\n({}, $json.segment) // } `\n }}', '$json'],
		[
			'$json between regular expressions',
			`{{ /'/.test('') + $json.segment + /'/.test('') }}`,
			'$json',
		],
		['$json between divisions', '{{ 84 / 2 + $json.n - 84 / 84 }}', '$json'],
		[
			'$json after a comment in a regular expression',
			'{{ /[/*]/.test("") + $json.segment + /[*/]/ }}',
			'$json',
		],
		['a node inside quotes around $json', `{{ "$('" + $json.segment + "').first()" }}`, '$json'],
		[
			'a node in a regular expression around $json',
			`{{ /$('/ && $json.segment && /').first(/ }}`,
			'$',
		],
		['$json as an argument', "{{ $('Source').first($json.n).json.segment }}", '$json'],
		['$json as a property', '{{ { $json }.$json.segment }}', '$json'],
		['$json as an argument of $if', '{{ $if(true, $json.segment, 1) }}', '$json'],
		['$json in one of two placeholders', '4{{ 2 }}{{ $json.none }}', '$json'],
		['$json without an end', '{{ $json.segment', '$json'],
		['$data', '{{ $data.segment }}', '$data'],
		['$input', '{{ $input.first().json.segment }}', '$input'],
		['$input.item', '{{ $input.item.json.segment }}', '$input'],
		['$items()', '{{ $items()[0].json.segment }}', '$items'],
		['$item()', '{{ $item(0).$node["Source"].json.segment }}', '$item'],
		['$node', '{{ $node["Source"].json.segment }}', '$node'],
		['$self', '{{ $self.segment }}', '$self'],
		['$parameter', '{{ $parameter.title.length }}', '$parameter'],
		['$rawParameter', '{{ $rawParameter.title.length }}', '$rawParameter'],
		['$evaluateExpression', '{{ $evaluateExpression("42") }}', '$evaluateExpression'],
		['$thisItem', '{{ $thisItem.json.segment }}', '$thisItem'],
		['$prevNode', '{{ $prevNode.name.length }}', '$prevNode'],
		['$binary', '{{ $binary.data.fileName }}', '$binary'],
		['$itemIndex', '{{ $itemIndex + 42 }}', '$itemIndex'],
		['$runIndex', '{{ $runIndex + 42 }}', '$runIndex'],
		['$position', '{{ $position + 42 }}', '$position'],
		['$getPairedItem', '{{ $getPairedItem("Source", {}, {}) }}', '$getPairedItem'],
		['$tool', '{{ $tool.parameters.segment }}', '$tool'],
		['.item of a node', "{{ $('Source').item.json.segment }}", "$('Source').item"],
		[
			'.item with a space before the node',
			"{{ $ ('Source').item.json.segment }}",
			"$ ('Source').item",
		],
		['.item by optional chaining', "{{ $('Source')?.item.json.segment }}", "$('Source')?.item"],
		[
			'.item behind a trusted call',
			"{{ $('Source').first() && $('Source').item.json.segment }}",
			"$('Source').item",
		],
		['.item in brackets', `{{ $("Source")['item'].json.segment }}`, '$("Source")'],
		[
			'.itemMatching()',
			"{{ $('Source').itemMatching(0).json.segment }}",
			"$('Source').itemMatching",
		],
		['.pairedItem()', "{{ $('Source').pairedItem(0).json.segment }}", "$('Source').pairedItem"],
		['a node by another name', "{{ ((f) => f('Source').item)($).json.segment }}", '$'],
		[
			'a node whose name is computed',
			"{{ $('Sou' + 'rce').first().json.segment }}",
			"$('Sou' + 'rce').first",
		],
		['.first without a call', "{{ $('Source').first.call(0).json.segment }}", "$('Source').first"],
	])('is refused if it reads %s', async (_, code, found) => {
		const parameters = { ...toSegment, segment_id: `=${code}` };
		expect(await refusalOf(parameters, row, {})).toContain(
			`'Segment' is left to the model, because it reads ${found}`,
		);
	});

	test.each([
		['a backslash', '{{ \\u0024json.segment }}', 'a backslash'],
		['a backslash in a string', '{{ "\\x24json" }}', 'a backslash'],
		['a backslash before braces', '\\{{ $json.segment }}', 'a backslash before braces'],
		['this', "{{ this['$' + 'json'].segment }}", 'this'],
		['this in a template', "{{ `${this['$json'].segment}` }}", 'this'],
		['globalThis', '{{ globalThis.segment }}', 'globalThis'],
		['Function', "{{ Function('return 42')() }}", 'Function'],
		['Reflect', "{{ Reflect.get({}, 'a') }}", 'Reflect'],
		['eval', "{{ eval('42') }}", 'eval'],
		['constructor', '{{ $workflow.constructor.name }}', 'constructor'],
		['constructor in quotes', "{{ $now['constructor'].name }}", 'constructor'],
		['a computed key', "{{ $workflow['con' + 'structor'].name }}", 'a key made of texts'],
		['a computed key in a template', "{{ $now[`con${'structor'}`].name }}", 'a key made of texts'],
		["n8n's own name of all data", "{{ ___n8n_data['$json'].segment }}", '___n8n_data'],
		['an open quotation mark', "{{ 'a + $json.segment }}", 'an open quotation mark'],
		['an HTML comment', '{{ 42 <!-- `\n + $json.segment <!-- `\n }}', 'an HTML comment'],
	])('is refused if it contains %s', async (_, code, found) => {
		const parameters = { ...toSegment, segment_id: `=${code}` };
		expect(await refusalOf(parameters, row, {})).toContain(
			`'Segment' is left to the model, because it contains ${found}, which can hide`,
		);
	});

	test.each([
		['no expression', '42'],
		['a number', '={{ 42 }}'],
		['a text that looks like code', "={{ '$json is not read'.length + 25 }}"],
		['a comment', '={{ /* $json */ 42 // $json\n }}'],
		['$(…).first()', "={{ $('Source').first().json.segment }}"],
		['$(…).first() with spaces', "={{ $ ( 'Source' )\n.first ().json.segment }}"],
		['$(…)?.first()', '={{ $("Source")?.first().json.segment }}'],
		['$(…).last()', "={{ $('Source').last().json['segment id'] }}"],
		['$(…).all()', "={{ $('Source').all()[0].json.list[1] }}"],
		['$(…).all().map()', "={{ $('Source').all().map((one) => one.json.segment)[0] }}"],
		['$(…).isExecuted', "={{ $('Source').isExecuted ? 42 : 7 }}"],
		['$(…).params', "={{ 42 + Object.keys($('Source').params).length }}"],
		['$(…).first() in a template', '={{ `${$("Source").first().json.segment}` }}'],
		['a division', "={{ ($('Source').first().json.segment * 2) / 2 }}"],
		[
			'nodes on both sides of a division',
			"={{ $('Source').first().json.segment / $('Source').first().json.n }}",
		],
		['a regular expression', "={{ '4 2'.replace(/ /g, '') }}"],
		['Math and parseInt', "={{ Math.round(parseInt('42', 10)) }}"],
		['JSON', `={{ JSON.parse('{"a": 42}').a }}`],
		['DateTime', "={{ DateTime.fromISO('2026-01-01').year - 1984 }}"],
		['$now', '={{ $now.year > 2000 ? 42 : 7 }}'],
		['a key computed of numbers', '={{ [42, 42, 42, 42, 42, 42, 42][$now.weekday - 1] }}'],
		['$if', '={{ $if(true, 42, 7) }}'],
		['$max and $min', '={{ $min($max(42, 7), 99) }}'],
		['$ifEmpty', "={{ $ifEmpty('', 42) }}"],
		['$jmespath', "={{ $jmespath({ a: 42 }, 'a') }}"],
		['$workflow', "={{ $workflow.name === 'test' ? 42 : 7 }}"],
		['$execution', '={{ $execution.id ? 42 : 7 }}'],
		['$vars', '={{ $vars.none ?? 42 }}'],
	])('passes with %s', async (_, segment_id) => {
		const { error } = await call({ ...toSegment, segment_id }, row, {});
		expect(error?.message).toBeUndefined();
		expect(bodies(sandbox())).toMatchObject([{ segment_id: 42 }]);
	});

	test('passes as n8n writes it for a field that is left to the model', async () => {
		const title =
			"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Title', `The title, e.g. \"It's $5\"`, 'string') }}";
		await call(
			{ ...order.pushSend, title, message: '={{ $fromai("text") }} now' },
			{},
			{
				Title: 'Hello',
				text: 'Come',
			},
		);
		expect(bodies(sandbox())).toMatchObject([{ title: 'Hello', message: 'Come now' }]);
	});

	test('is refused if the key of $fromAI reads $json', async () => {
		const title = '={{ $fromAI($json.key) }}';
		const { error } = await call({ ...order.pushSend, title }, { key: 'a' }, { a: 'Hello' });
		expect(error?.message).toContain("'Title' is left to the model, because it reads $json");
		expect(sandbox().record).toEqual([]);
	});

	test('is free in a run that no agent calls', async () => {
		await run(sandbox(), { ...toSegment, segment_id: '={{ $json.segment }}' }, { rows: [row] });
		expect(bodies(sandbox())).toMatchObject([{ segment_id: 42 }]);
	});
});

const review: INodeParameters = {
	resource: 'push',
	operation: 'sendAndWait',
	platforms: ['web'],
	recipientBy: 'user_id',
	user_id: 'manager',
	title: 'The agent asks',
	message: 'May it?',
};
const asked = { tool: 'Send push', toolParameters: { user_id: 'C-1' } };

describe('In human review', () => {
	// As n8n 2.8.4 and 2.41.3 write it for the node.
	test.each([
		['=The agent wants to call {{ $tool.name }}', 'The agent wants to call Send push'],
		[
			'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}',
			'The agent wants to run this tool: Send push\n\nInput:\n{"user_id":"C-1"}',
		],
		['={{ $tool.parameters }}', '{"user_id":"C-1"}'],
		['=To {{ $tool.parameters.user_id }}?', 'To C-1?'],
		['={{ $fromAI("why") }}', 'It is late'],
	])('the message may say what the tool would get: %s', async (message, text) => {
		const { error } = await call(
			{ ...review, message },
			{},
			{ ...asked, why: 'It is late' },
			'HitlTool',
		);
		expect(error?.message).toBeUndefined();
		const [body] = bodies(sandbox()) as IDataObject[];
		expect(body).toMatchObject({ user_id: 'manager', title: 'The agent asks', message: text });
	});

	test.each<[string, INodeParameters, string]>([
		['Message', { message: '={{ $json.toolParameters.user_id }}' }, '$json'],
		['Title', { title: '={{ $tool.name }}' }, '$tool'],
		['User ID', { user_id: '={{ $tool.parameters.user_id }}' }, '$tool'],
		['User ID', { user_id: "={{ $('Source').item.json.user_id }}" }, "$('Source').item"],
		['Platforms', { platforms: '={{ $json.platforms }}' }, '$json'],
		['Response Type', { responseType: '={{ $json.type }}' }, '$json'],
		[
			'Approval Options',
			{
				approvalOptions: { values: { approvalType: 'double', approveLabel: '={{ $json.label }}' } },
			},
			'$json',
		],
	])('%s is refused if it holds %j', async (label, more, found) => {
		expect(await refusalOf({ ...review, ...more }, {}, asked, 'HitlTool')).toContain(
			`'${label}' is left to the model, because it reads ${found}`,
		);
	});
});

describe('An ID that the model fills in', () => {
	const ids = [
		['User ID', { ...order.pushSend, user_id: '={{ $fromAI("id") }}' }],
		['User ID', { ...order.smsSend, recipientBy: 'user_id', user_id: '={{ $fromAI("id") }}' }],
		['User ID', { ...order.createUser, userID: '={{ $fromAI("id") }}' }],
		['User ID', { ...order.trackEvent, userID: '={{ $fromAI("id") }}' }],
		[
			'Subscription ID',
			{
				...order.pushSend,
				recipientBy: 'subscription_id',
				subscription_id: '={{ $fromAI("id") }}',
			},
		],
	] as const;
	const several = [
		'u-1,u-2',
		'u-1;u-2',
		'*',
		'u*',
		'u-1 u-2',
		'u-1\tu-2',
		'u-1\nu-2',
		'u-1\u00a0u-2',
	];

	test.each(ids)('names one person: %s, %j', async (label, parameters) => {
		for (const id of several)
			expect(await refusalOf(parameters, {}, { id })).toMatch(
				new RegExp(
					`^Nothing was sent: ${label} is .+, but an ID that a model fills in cannot contain a comma, semicolon, asterisk or space. Pass one ID`,
				),
			);
		const { error } = await call(parameters, {}, { id: 'u-1' });
		expect(error?.message).toBeUndefined();
		expect(sandbox().record).toHaveLength(1);
	});

	test('may contain what a fixed ID contains if a person sets it', async () => {
		await call({ ...order.pushSend, user_id: 'u-1, Berlin' }, {}, {});
		expect(bodies(sandbox())).toMatchObject([{ user_id: 'u-1, Berlin' }]);
	});
});

/** The form of the node as the editor shows it. */
const { description } = new CustomerMessaging();
const { properties } = description;

const operations = properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) => {
		const of = (displayOptions?.show?.resource ?? []) as string[];
		return options.flatMap((one) => ('value' in one ? [[of[0] ?? '', String(one.value)]] : []));
	});

/** A parameter by its label, and a value of it that holds the expression. */
type Place = [label: string, parameters: INodeParameters];

/** What n8n keeps of the parameters: those that the form shows. */
function kept(parameters: INodeParameters): unknown {
	return NodeHelpers.getNodeParameters(properties, parameters, false, false, null, description);
}

/** All places for an expression in the parameters of an operation, each with the choice that shows it. */
function placesOf(resource: string, operation: string, expression: string): Place[] {
	const ofOperation = properties.filter(({ type, name, displayOptions: { show = {} } = {} }) => {
		const { resource: of = [resource], operation: when = [operation] } = show;
		const isOther = type === 'notice' || ['resource', 'operation'].includes(name);
		return !isOther && of.includes(resource) && when.includes(operation);
	});
	const choices = ofOperation.flatMap(({ name, type, options = [] }): INodeParameters[] => {
		if (type === 'boolean') return [{ [name]: true }];
		const values = type === 'options' ? options : [];
		return values.map((one) => ({ [name]: 'value' in one ? one.value : '' }));
	});
	return ofOperation.flatMap((property) =>
		valuesOf(property, expression).flatMap(([label, value]): Place[] => {
			const shown = [{}, ...choices]
				.map((choice) => ({ resource, operation, ...choice, [property.name]: value }))
				.find((parameters) =>
					JSON.stringify(kept(parameters)).includes(JSON.stringify(expression)),
				);
			return shown ? [[label, shown]] : [];
		}),
	);
}

/** The values of a parameter that hold the expression, each with the label that a refusal names. */
function valuesOf(
	property: INodeProperties,
	expression: string,
): Array<[string, NodeParameterValueType]> {
	const { displayName, type, options = [] } = property;
	if (type === 'collection')
		return (options as INodeProperties[]).flatMap((option) =>
			valuesOf(option, expression).map(([label, value]): [string, NodeParameterValueType] => [
				label,
				{ [option.name]: value },
			]),
		);
	const whole: [string, NodeParameterValueType] = [displayName, expression];
	if (type === 'assignmentCollection')
		return ['name', 'value'].map((part) => {
			const one = { id: '1', name: 'a', value: 'b', type: 'string', [part]: expression };
			return [displayName, { assignments: [one] }];
		});
	if (type === 'resourceLocator')
		return [whole, [displayName, { __rl: true, mode: 'id', value: expression }]];
	if (type === 'multiOptions') return [whole, [displayName, ['web', expression]]];
	if (type !== 'fixedCollection') return [whole];
	return options.flatMap((group) =>
		('values' in group ? group.values : []).map((one): [string, NodeParameterValueType] => [
			displayName,
			{ [group.name]: { [one.name]: expression } },
		]),
	);
}

describe.each(operations)(
	'In a call of %s: %s, each parameter is refused',
	(resource, operation) => {
		test('if it reads $json', async () => {
			const places = placesOf(resource, operation, '={{ $json.x }}');
			expect(places.length).toBeGreaterThan(2);
			const calledAs = operation === 'sendAndWait' ? 'HitlTool' : 'Tool';
			const passed = [];
			for (const [label, parameters] of places) {
				const told = await refusalOf(parameters, {}, {}, calledAs);
				if (!told.includes(`'${label}' is left to the model, because it reads $json`))
					passed.push([label, parameters, told]);
			}
			expect(passed).toEqual([]);
		});
	},
);
