import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, mapped, push, user } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';

const node = useNode();

/** What stands for nobody as a whole value, wherever it is: an ID, a key, a placeholder, a name, an attribute. */
const nobody = [
	...['null', 'NULL', 'undefined', 'NaN', 'nan', 'n/a', 'N/A', ' NULL '],
	...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NULL!', '#NUM!', '#ERROR!'],
	...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!'],
];
const namesLikeNobody = 'Null,Mrs Null,Nan,Nil,Na,NAN,Nona,Nan Goldin,None Such,-,0'.split(',');

const value = '={{ $json.value }}';
const rowsOf = (all: readonly unknown[]) => all.map((one) => ({ value: one }) as IDataObject);
const attributes = () => node.elements().map(({ user_attributes }) => user_attributes);

const nobodysIds = [
	...[...nobody, 'none', 'None', 'NONE', '-', 'false', 'true', true, false, '0'],
	...['1.23457E+12', '1,23457E+12', '5E-05', '[object Object]', 'Invalid DateTime', 'Invalid Date'],
	'Mon May 06 2030 12:38:09 GMT+0530 (India Standard Time)',
];
const texts = [...nobody, '[object Object]', 'Invalid DateTime'];
const greeting = '=Hi {{ $json.value }}!';
const titled = (title: string) => push({ title, options: { sendDuplicates: true } });
const once = (sendOnceKey: string) => push({ sendOnce: true, sendOnceKey });

it.each<[label: string, INodeParameters, values: unknown[]]>([
	['User ID', user({ userID: value }), nobodysIds],
	['User ID', push({ user_id: value }), nobodysIds],
	['Subscription ID', push({ recipientBy: 'subscription_id', subscription_id: value }), nobodysIds],
	['User ID', email({ recipientBy: 'user_id', user_id: value }), nobodysIds],
	['User ID', mapped('event', { userIdField: 'value' }), nobodysIds],
	['Title', titled(greeting), texts],
	['Title', titled(value), texts],
	["in Send Once Key is '", once(value), nobody],
	["in Send Once Key is '", once('=order-{{ $json.value }}'), nobody],
])('What stands for nobody is refused in every row: %s, %j', async (label, parameters, values) => {
	const told = expect.stringContaining(label) as string;
	expect(await node.refusals(parameters, rowsOf(values))).toEqual(values.map(() => told));
});

it('An ID that only looks like nobody is sent', async () => {
	const ids = [
		...['1234e567', '12e34', '0042', '100', '1001.5', 'v1.0', 'null-1', 'nullah', 'NANCY', 'n-a'],
		...['#1', 'A-0', 'undefined-1', 'chris.null', 'C#REF', '-1', '1.2.0', '2030-05-06'],
	];
	expect(await node.refusals(push({ user_id: value }), rowsOf(ids))).toEqual([]);
	expect(node.arrived('user_id')).toEqual(ids);
	const userID = "={{ 'null-' + $json.value + ($json.suffix ?? '') }}";
	const told = await node.refusals(user({ userID }), rowsOf(['anna.null', 'undefinedness']));
	expect(told).toEqual([]);
});

it.each<[userID: string, row: IDataObject, found: string]>([
	[value, { value: '0' }, "'0', which stands for a missing value, so that all items"],
	[value, { value: 'u-{{' }, "contains '{{', which n8n does not fill in"],
	[value, { value: '1.23457E+12' }, 'which a spreadsheet has rounded, so that its last'],
	[value, { value: 1234567890123456789 }, 'n8n has rounded it already. Take a column that holds'],
	["={{ 'c-' + $json.id }}", { id: null }, "User ID contains 'null', which"],
	["={{ 'c-' + Number($json.id) }}", {}, "User ID contains 'NaN', which"],
	['=c-{{ $json.id }}', { id: null }, '{{ $json.id }} in User ID is empty'],
	['=c-{{ $json.id }}', { id: '#N/A' }, "{{ $json.id }} in User ID is '#N/A'"],
])('An ID of nobody is refused with what to do, also within a text: %s of %j', async (...one) => {
	const [userID, row, found] = one;
	for (const options of [{}, { skipTextCheck: true }])
		expect(await node.refusal(user({ userID, options }), row)).toContain(found);
});

it('A greeting is sent to people with such names, and to all with Skip Text Check', async () => {
	expect(await node.refusals(titled(greeting), rowsOf(namesLikeNobody))).toEqual([]);
	const parameters = push({ title: greeting, options: { skipTextCheck: true } });
	expect(await node.refusal(parameters, { value: 'NULL' })).toBeUndefined();
	expect(node.arrived('title')).toEqual(['Hi NULL!']);
});

const byId = mapped('user', { userIdField: 'id' });
const send = async (parameters: INodeParameters, rows: IDataObject[]) => {
	const report = await node.run(parameters, { rows, onError: 'continueErrorOutput' });
	expect(report.output.map(({ json }) => json.outcome)).toEqual(rows.map(() => 'accepted'));
	return hintsOf(report).join('\n');
};

it('An attribute that is nobody is not sent, and counted', async () => {
	const of = (one: string) => ({ name: one, email: one, mobile: one, city: one, kept: 'x' });
	const rows = nobody.map((one, index) => ({ id: `C-${index}`, ...of(one) }));
	const hints = await send(byId, rows);
	expect(attributes()).toEqual(rows.map(() => ({ kept: 'x' })));
	expect(hints).toContain('Taken as empty, because such values stand for missing ones: ');
	expect(hints).toContain(`'city' (${nobody.length}, such as`);
	expect(hints).toContain("turn on 'Skip Text Check' under Options");
	node.sandbox.reset();
	await send(mapped('event'), [{ userID: 'C-1', coupon: 'NULL', total: 7 }]);
	expect(node.bodies()).toMatchObject([{ nv: [{ attributes: { total: 7 } }] }]);
});

it('An attribute that is nobody is not sent where each attribute is set, whatever its type', async () => {
	const types = ['string', 'number', 'boolean', 'array', 'object'];
	const assignments = types.map((type) => ({ name: type, type, value }));
	const fields = { name: '={{ $json.value ?? $json.company }}', email: value };
	const parameters = user({ ...fields, customAttributes: { assignments } });
	expect(await send(parameters, rowsOf(['NULL']))).toMatch(/Taken as empty, .* and 2 more/);
	expect(attributes()).toEqual([{}]);
});

it.each([
	['clears the attribute with Send Empty Values', { sendEmptyValues: true }, ''],
	['is sent with Skip Text Check', { skipTextCheck: true }, '#N/A'],
])('An attribute that is nobody %s', async (_, options, city) => {
	const hints = await send({ ...byId, options }, [{ id: 'C-1', name: 'Ann', city: '#N/A' }]);
	expect(attributes()).toEqual([{ name: 'Ann', city }]);
	expect(hints === '').toBe(city !== '');
});

it('An attribute that only looks like nobody is sent, such as a name or an answer', async () => {
	const answers = ['None', 'none', 'NA', '-', '0', '0.0', '1.23457E+12', 'null Prozent'];
	const rows = [
		...namesLikeNobody.map((name, index) => ({ id: `N-${index}`, name })),
		...answers.map((answer, index) => ({ id: `A-${index}`, answer })),
	];
	expect(await send(byId, rows)).not.toContain('Taken as empty');
	expect(attributes()).toEqual(rows.map(({ id: _, ...rest }) => rest));
});

it('An attribute that is left of another value is refused', async () => {
	expect(await node.refusal(byId, { id: 'C-1', city: 'since [object Object]' })).toContain(
		"contains '[object Object]', which an expression leaves",
	);
});
