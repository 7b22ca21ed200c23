import type { IDataObject, INodeParameters } from 'n8n-workflow';

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
