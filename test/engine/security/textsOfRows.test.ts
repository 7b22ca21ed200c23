import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import { email, event, push, sms, user } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const assigned = (type: string, value: string) => ({
	assignments: [{ id: '1', name: 'more', type, value }],
});

/** The JSON fields of the node, and what arrives of each. */
const places: Record<string, [(json: string) => INodeParameters, () => unknown]> = {
	'Extra Body Fields': [
		(json) => ({ ...order.pushToAll, additionalFields: { extraBodyFields: json } }),
		() => {
			const { title, message, url, ...more } = node.onlyArrival().body as IDataObject;
			expect({ title, message, url }).toEqual(order.notification);
			return more;
		},
	],
	'Extra Event Fields': [
		(json) => ({ ...order.trackEvent, additionalFields: { extraEventFields: json } }),
		() => {
			const { userID, event_name, event_time, ...more } = node.elements()[0] ?? {};
			expect([userID, event_name]).toEqual(['C-1', 'Order Placed']);
			return more;
		},
	],
	'the body of a custom request': [
		(json) => ({ ...order.customPost, body: json }),
		() => node.onlyArrival().body,
	],
	'an attribute of the type Object': [
		(json) => ({ ...order.createUser, customAttributes: assigned('object', json) }),
		() => (node.elements()[0]?.user_attributes as IDataObject).more,
	],
};

const sneaky = 'x", "email_cc": "spy@evil.example';
const windows = 'C:\\temp\\new "folder"\n\u2028\ttail \\';

describe.each(Object.entries(places))('In %s', (_, [parametersOf, arrived]) => {
	const sent = async (json: string, row: IDataObject) => {
		node.sandbox.reset();
		const { error, failed } = await node.run(parametersOf(json), {
			rows: [row],
			onError: 'continueErrorOutput',
		});
		expect([error, failed.map(({ json: { error: why } }) => why)]).toEqual([undefined, []]);
		return arrived();
	};
	it.each<[template: string, value: unknown, arrives: unknown]>([
		// Between quotation marks, a value is text.
		['={ "note": "{{ $json.value }}" }', sneaky, { note: sneaky }],
		['={ "note": "{{ $json.value }}" }', windows, { note: windows }],
		['={ "note": "Hi {{ $json.value }}, bye" }', sneaky, { note: `Hi ${sneaky}, bye` }],
		['={ "note": "\\"{{ $json.value }}\\"" }', sneaky, { note: `"${sneaky}"` }],
		['={ "p": "C:\\\\a", "note": "{{ $json.value }}" }', 'b\\', { p: 'C:\\a', note: 'b\\' }],
		['={ "{{ $json.value }}": 1 }', sneaky, { [sneaky]: 1 }],
		['={ "note": "{{ $json.value }}" }', 7, { note: '7' }],
		['={ "note": "{{ $json.value }}" }', null, { note: '' }],
		['={ "note": "{{ $json.value }}" }', { a: 'b"c' }, { note: '{"a":"b\\"c"}' }],
		// Elsewhere, a value is JSON.
		['={ "note": {{ $json.value }} }', 'plain', { note: 'plain' }],
		['={ "note": {{ $json.value }} }', sneaky, { note: sneaky }],
		['={ "note": {{ $json.value }} }', '{"a":[1]}', { note: { a: [1] } }],
		['={ "note": {{ $json.value }}, "b": [{{ $json.value }}] }', 7, { note: 7, b: [7] }],
		['={ "note": {{ $json.value }} }', null, { note: null }],
		['={ "note": {{ JSON.stringify({ a: $json.value }) }} }', sneaky, { note: { a: sneaky } }],
		// A placeholder that is alone gives the whole.
		['={{ $json.value }}', { note: sneaky }, { note: sneaky }],
		['={{ JSON.stringify({ note: $json.value.replace(/\\{/g, "") }) }}', '{{x', { note: 'x' }],
		['{ "note": "{{ $json.value }}" }', 'n8n does not read it', { note: '{{ $json.value }}' }],
	])('%s of %j', async (template, value, arrives) => {
		expect(await sent(template, { value } as IDataObject)).toEqual(arrives);
	});

	it('a date is written as n8n writes it in JSON', async () => {
		const template = '={ "at": "{{ $json.at.toDateTime() }}", "or": {{ $json.at.toDateTime() }} }';
		const at = '2026-03-01T10:00:00.000+00:00';
		const found = (await sent(template, { at })) as { at: string; or: string };
		const written = [found.at, found.or].map((text) => Date.parse(text));
		expect(written).toEqual([Date.parse(at), Date.parse(at)]);
	});

	const noJson =
		/is not valid JSON\. Write an object such as \{ "key": "value" \}|must be an object such as/;
	const noResult = /contains a calculation under '\$json\.count \* 2' without a result/;
	const tooLarge = /contains a number under '\$json\.large' with so many digits/;
	const backslash =
		/has a backslash before a brace, which n8n and JSON read differently\. Put that text into a column with an Edit Fields node before, and write \{\{ \$json\.column \}\} in its place$/;
	it.each([
		['={ "note": {{ $json.value }} {{ $json.other }} }', noJson],
		['={ {{ $json.value }} }', noJson],
		[`={ 'note': '{{ $json.value }}' }`, noJson],
		['={ "note": "{{ $json.count * 2 }}" }', noResult],
		['={ "note": {{ $json.large }} }', tooLarge],
		['={ "dir": "C:\\\\{{ $json.value }}" }', backslash],
		['={ "a": "\\{", "note": "{{ $json.value }}" }', backslash],
	])('%s is refused', async (template, why) => {
		const value = '"a": 1, "email_cc": "spy@evil.example"';
		const row = { value, other: ', "b": 2', large: 12345678901234567000 };
		expect(await node.refusal(parametersOf(template), row)).toMatch(why);
	});
});

it('A list in the body of a custom request, and in an attribute, takes the texts of each item as they are', async () => {
	const rows = [{ value: '", "x' }, { value: 'c\\d' }];
	const concurrency = { options: { concurrency: 1 } };
	await node.run({ ...order.customPost, body: '=["{{ $json.value }}"]', ...concurrency }, { rows });
	const customAttributes = assigned('array', '=["{{ $json.value }}"]');
	await node.run({ ...order.createUser, customAttributes }, { rows });
	const more = [{ more: ['", "x'] }, { more: ['c\\d'] }];
	expect(node.bodies()).toEqual([
		...[['", "x'], ['c\\d']],
		{ nv: more.map((user_attributes) => ({ userID: 'C-1', user_attributes })) },
	]);
});

// The service replaces `@{mobile}@` in a message by the recipient's own data.

const whole = '={{ $json.value }}';
const more = (additionalFields: INodeParameters) => ({ additionalFields });
const extra = (extraBodyFields: string) => email(more({ extraBodyFields }));
const linked = (button_two_url: string) => push(more({ button_two_url }));

const refusalOf = (label: string, found = '@{mobile}@') =>
	`${label} contains '${found}', which the service replaces by the recipient's own data, and an expression gave it. Remove it where it comes from. If it is meant, write it in '${label}' itself, outside of {{ }}`;

describe('A template of the service that an expression gives is refused', () => {
	it.each<[label: string, parameters: INodeParameters, value?: unknown]>([
		// Beside fixed text.
		['Title', push({ title: '=Hi {{ $json.value }}' })],
		['Subject', email({ subject: '={{ $json.value }} answered' })],
		['Content', email({ content: '=<p>{{ $json.value }}</p>' })],
		['Message', sms({ message: '=Hi @{name}@, {{ $json.value }}' })],
		['Sender Name', email({ sender_name: '=Acme for {{ $json.value }}' })],
		['Tag', push(more({ tag: '=of-{{ $json.value }}' }))],
		// In code that puts texts together.
		['Title', push({ title: '={{ "Hi " + $json.value }}' })],
		['Title', push({ title: '={{ "Hi NAME".replace("NAME", $json.value) }}' })],
		// In links and images, as a part or as a whole.
		['URL', push({ url: whole }), 'https://evil.example/?m=@{mobile}@'],
		['Image URL', push(more({ image_url: whole })), 'https://evil.example/@{mobile}@.png'],
		['Button Two URL', linked(whole), 'mailto:a@evil.example?body=@{mobile}@'],
		// In JSON.
		['Extra Body Fields', extra('={ "preheader": "{{ $json.value }}" }')],
		['Extra Body Fields', extra('={ "a": {{ $json.value }} }'), '"@\\u007bmobile}@"'],
		['Extra Body Fields', extra('={{ JSON.stringify({ a: $json.value }) }}')],
		['Body', { ...order.customPost, body: '={ "text": "Hi {{ $json.value }}" }' }],
		['Message', { ...order.smsSend, operation: 'sendAndWait', message: '=May {{ $json.value }}?' }],
		// In broadcasts, and in questions.
		['Message', { ...order.pushToAll, message: '=Hi {{ $json.value }}' }],
		// Skip Text Check is for texts that look wrong.
		['Title', push({ title: '=Hi {{ $json.value }}', options: { skipTextCheck: true } })],
	])('in %s: %j', async (label, parameters, value = '@{mobile}@') => {
		const found = await node.refusal(parameters, { value } as IDataObject);
		expect(found).toBe(refusalOf(label));
	});

	it.each<[text: string, row: IDataObject, found: string]>([
		['=Hi @{ {{ $json.value }}', { value: 'mobile}@' }, '@{ mobile}@'],
		['=Hi {{ $json.a }}{{ $json.b }}', { a: '@{mob', b: 'ile}@' }, '@{mobile}@'],
		['=Hi {{ $json.value }}@{name}@', { value: '@{mobile}' }, '@{mobile}@'],
		['=Hi @{name}@, {{ $json.value }}', { value: 'see evil.example/@{name}@' }, '@{name}@'],
		['=Hi {{ $json.value }}', { value: '@{first\nname}@' }, '@{first name}@'],
	])('across the parts of a text: %j with %j', async (message, row, found) => {
		expect(await node.refusal(push({ message }), row)).toBe(refusalOf('Message', found));
	});

	it('for its item alone, and others are sent', async () => {
		const good = ['Hello', '@mobile', '{mobile}', '@ {mobile} @', 'a@b.example'];
		const rows = ['@{mobile}@', ...good].map((value) => ({ value }));
		const own = { user_id: '={{ "C-" + $itemIndex }}', message: '=Says: {{ $json.value }}' };
		expect(await node.refusals(push(own), rows)).toEqual([refusalOf('Message')]);
		const sent = good.map((text) => `Says: ${text}`);
		expect(node.arrived('message').sort()).toEqual(sent.sort());
	});
});

describe('A template of the service is sent as it is', () => {
	const template = 'Hello @{name}@, your order @{order_id}@';
	const link = 'https://shop.example.com/orders/@{order_id}@';

	it.each<[key: string, INodeParameters, arrives: unknown, value?: string]>([
		// In fixed text.
		['message', sms({ message: template }), template],
		['message', sms({ message: '={{ $json.value }}@{name}@@{name}@' }), 'A@{name}@@{name}@', 'A'],
		['url', push({ url: `=${link}?a={{ $json.value }}` }), `${link}?a=A`, 'A'],
		['preheader', extra('={ "preheader": "Hi @{name}@ {{ $json.value }}" }'), 'Hi @{name}@ A', 'A'],
		// As a whole text, such as one of a sheet.
		['message', sms({ message: whole }), template],
		['message', sms({ message: '={{ $json.vip ? $json.a : $json.value }}' }), template],
		['message', sms({ message: "={{ $('Source').item.json.value }}" }), template],
		['message', sms({ message: '= {{ $json.value }}\n' }), ` ${template}\n`],
	])('in %s of %j', async (key, parameters, arrives, value = template) => {
		expect(await node.refusal(parameters, { value })).toBeUndefined();
		expect(node.arrived(key)).toEqual([arrives]);
	});

	it('in attributes of users and events, which are data', async () => {
		const value = 'Ana @{mobile}@';
		const note = { id: '1', name: 'note', type: 'string', value: '=Says {{ $json.value }}' };
		const assignments = [note];
		await node.run(user({ customAttributes: { assignments } }), { rows: [{ value }] });
		await node.run(event({ attributes: { assignments } }), { rows: [{ value }] });
		const sent = node.elements().map((one) => one.user_attributes ?? one.attributes);
		expect(sent).toEqual(Array(2).fill({ note: `Says ${value}` }));
	});
});

describe('What the model of an agent writes is never a template of the service', () => {
	const fromAI = (key: string) => `={{ $fromAI('${key}', 'Such as @{name}@', 'string') }}`;
	const parameters = push({
		...{ title: fromAI('title'), message: fromAI('message') },
		...more({ image_url: fromAI('image_url') }),
	});
	const said = { title: 'Hello', message: 'There', image_url: 'https://shop.example.com/a.png' };

	it.each<[label: string, args: object]>([
		['Title', { title: '@{mobile}@' }],
		['Message', { message: 'Call @{mobile}@' }],
		['Image URL', { image_url: 'https://evil.example/@{mobile}@.png' }],
	])('in %s: %j', async (label, args) => {
		const call = { ...said, ...args };
		const tool = agentTool({ parameters, credential: node.credential, calledAs: 'Tool' }, call);
		const answer = await tool.invoke(call).then(String, ({ message }: Error) => message);
		expect(answer).toContain(refusalOf(label));
		expect(node.sandbox.record).toEqual([]);
	});
});
