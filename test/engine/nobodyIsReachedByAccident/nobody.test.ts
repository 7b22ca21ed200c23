import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { bodies, keyCredential, run, useSandbox } from '../support/service';
import { agentTool } from '../support/agentTool';
import {
	attributesLikeNobody,
	namesLikeNobody,
	nobody,
	nobodysIds,
	somebodysIds,
} from '../support/values/nobody';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

/** Values that are no data: what is left of another one, which is refused in attributes. */
const rowsOf = (values: readonly unknown[]) => values.map((value) => ({ value }) as IDataObject);

const each = async (parameters: INodeParameters, rows: IDataObject[]) =>
	await run(sandbox(), parameters, { rows, onError: 'continueErrorOutput' });

/** What is wrong with each row that is refused. */
async function refusals(parameters: INodeParameters, rows: IDataObject[]): Promise<string[]> {
	const { failed, error } = await each(parameters, rows);
	expect(error).toBeUndefined();
	return failed.map(({ json }) => json.error as string);
}

const mapped = (resource: string): INodeParameters => ({
	resource,
	operation: resource === 'user' ? 'create' : 'track',
	dataMode: 'autoMapInputData',
	userIdField: 'id',
	...(resource === 'event' ? { event_name: 'Order Placed' } : {}),
});

/** The attributes of the only user that arrived. */
function attributes(): unknown {
	const [body] = bodies(sandbox()) as Array<{ nv: Array<{ user_attributes: unknown }> }>;
	return body?.nv.map((one) => one.user_attributes);
}

describe('An ID that is nobody', () => {
	it.each<[string, INodeParameters]>([
		['of a user', { ...order.createUser, userID: '={{ $json.value }}' }],
		['of an event', { ...order.trackEvent, userID: '={{ $json.value }}' }],
		['of a push', { ...order.pushSend, user_id: '={{ $json.value }}' }],
		[
			'of a device',
			{ ...order.pushSend, recipientBy: 'subscription_id', subscription_id: '={{ $json.value }}' },
		],
		['of an email', { ...order.emailSend, recipientBy: 'user_id', user_id: '={{ $json.value }}' }],
	])('is refused in every row: %s', async (_, parameters) => {
		const rows = rowsOf([...nobody, ...nobodysIds, 0]);
		expect(await refusals(parameters, rows)).toHaveLength(rows.length);
		expect(sandbox().record).toEqual([]);
	});

	it('is refused as a mapped column', async () => {
		const rows = [...nobody, ...nobodysIds].map((id) => ({ id, city: 'Pune' }));
		expect(await refusals(mapped('user'), rows)).toHaveLength(rows.length);
	});

	it('is not what only looks like it', async () => {
		const rows = rowsOf(somebodysIds);
		expect(await refusals({ ...order.pushSend, user_id: '={{ $json.value }}' }, rows)).toEqual([]);
		expect(bodies(sandbox()).map((body) => (body as IDataObject).user_id)).toEqual(somebodysIds);
	});

	it.each([
		[
			'0',
			/'0', which stands for a missing value, so that all items with it would be the same recipient/,
		],
		[
			'1001.0',
			/'1001\.0', a whole number that was written with decimals\. If the ID is 1001, remove them/,
		],
		['0042,00', /If the ID is 0042, remove them/],
		['1.23457E+12', /which a spreadsheet has rounded, so that its last digits are lost/],
		[1234567890123456789, /n8n has rounded it already\. Take a column that holds it as text/],
	])('is refused with what to do: %s', async (value, message) => {
		const parameters = { ...order.createUser, userID: '={{ $json.value }}' };
		const [refusal] = await refusals(parameters, rowsOf([value]));
		expect(refusal).toMatch(message);
		const [, advice] = /remove them: (\{\{ .* \}\})$/.exec(refusal ?? '') ?? [];
		if (!advice) return;
		sandbox().reset();
		const userID = `=${advice.replace('$json.column', '$json.value')}`;
		await each({ ...order.createUser, userID }, rowsOf([value, 1001, 'C-1']));
		const [body] = bodies(sandbox()) as Array<{ nv: Array<{ userID: unknown }> }>;
		expect(body?.nv.map((one) => one.userID)).toEqual([
			String(value).split(/[.,]/)[0],
			'1001',
			'C-1',
		]);
	});

	const ofCustomer: Array<[string, IDataObject, string]> = [
		["={{ 'cust-' + $json.id }}", { id: null }, "contains 'null', because $json.id is empty"],
		["={{ 'cust-' + $json.id }}", {}, "contains 'undefined', because $json.id is empty"],
		["={{ 'cust-' + $json.id }}", { id: 'NULL' }, "contains 'NULL', because $json.id is 'NULL'"],
		[
			"={{ 'cust' + String($json.a.id) }}",
			{ a: { id: null } },
			"contains 'null', because $json.a.id",
		],
		['={{ `cust-${$json["id"]}` }}', { id: null }, 'contains \'null\', because $json["id"]'],
		["={{ 'c-' + Number($json.id) }}", {}, "contains 'NaN', because $json.id is empty"],
		['=cust-{{ $json.id }}', { id: null }, '{{ $json.id }} is empty'],
		['=cust-{{ $json.id }}', { id: '#N/A' }, "{{ $json.id }} is '#N/A'"],
	];
	it.each(ofCustomer)('is refused within another text: %s of %j', async (userID, row, found) => {
		for (const options of [{}, { skipTextCheck: true }]) {
			const [refusal] = await refusals({ ...order.createUser, userID, options }, [row]);
			expect(refusal).toContain(found);
		}
		expect(sandbox().record).toEqual([]);
	});

	it('may hold such words of its own', async () => {
		const userID = "={{ 'null-' + $json.id + ($json.suffix ?? '') }}";
		const rows = [{ id: 'anna.null' }, { id: 'undefined' + 'ness' }];
		expect(await refusals({ ...order.createUser, userID }, rows)).toEqual([]);
	});
});

describe('A text in which nobody is greeted', () => {
	const greeting = (title: string) => ({ ...order.pushSend, title });

	it('is refused for every such placeholder, and as a whole', async () => {
		for (const title of ['=Hi {{ $json.value }}!', '={{ $json.value }}']) {
			const rows = rowsOf([...nobody, 'None', '[object Object]', 'Invalid DateTime']);
			expect(await refusals(greeting(title), rows)).toHaveLength(rows.length);
		}
		expect(sandbox().record).toEqual([]);
	});

	it('is sent to people with such names', async () => {
		const options = { sendDuplicates: true };
		const rows = rowsOf(namesLikeNobody);
		expect(await refusals({ ...greeting('=Hi {{ $json.value }}!'), options }, rows)).toEqual([]);
	});

	it.each(['NULL', '\\N', '#N/A', 'n/a'])(
		'is refused with a placeholder that helps: %s',
		async (value) => {
			const [refusal] = await refusals(greeting('=Hi {{ $json.value }}!'), rowsOf([value]));
			const [, advice] =
				/Write (\{\{ .* \}\}), or turn on 'Skip Text Check'$/.exec(refusal ?? '') ?? [];
			const rows = rowsOf([value, '', null, 'Ann']);
			const title = `=Hi ${advice}!`;
			const options = { sendDuplicates: true };
			expect(await refusals({ ...greeting(title), options }, [...rows, {}])).toEqual([]);
			expect(bodies(sandbox()).map((body) => (body as IDataObject).title)).toEqual([
				'Hi friend!',
				'Hi friend!',
				'Hi friend!',
				'Hi Ann!',
				'Hi friend!',
			]);
		},
	);

	const names: Array<[string, IDataObject, string | undefined]> = [
		["=Hi {{ $json.first + ' ' + $json.last }}", { first: 'Ana', last: null }, 'null'],
		["={{ 'Hi ' + $json.first + ' ' + $json.last }}", { first: 'Ana' }, 'undefined'],
		["={{ 'Hi ' + $json.first }}", { first: '#REF!' }, '#REF!'],
		['=Hi {{ $json.first.concat($json.last) }}', { first: 'Ana', last: null }, 'null'],
		['={{ $json.first.concat($json.last) }}', { first: 'Ana', last: null }, 'null'],
		["=Hi {{ $json.first + ' ' + $json.last }}", { first: 'Ana', last: 'Null' }, undefined],
		["=Hi {{ $json.first + ' ' + ($json.last ?? '') }}", { first: 'Ana' }, undefined],
		[
			"=Now {{ $json.rate + ' interest' }} {{ $json.more ?? '' }}",
			{ rate: 'null Prozent' },
			undefined,
		],
		["=Now {{ 'null Prozent' + ($json.more ?? '') }}", {}, undefined],
		["=Now {{ 'null Prozent für ' + $json.name }}", { name: null }, 'null'],
		["=Now {{ ($json.more ?? '') + $json.rate }}", { rate: 'null Prozent' }, undefined],
		['=Now {{ [$json.first, $json.last].join(" ") }}', { first: 'Ana' }, undefined],
	];
	it.each(names)('is refused where a value is missing: %s of %j', async (title, row, word) => {
		const found = await refusals(greeting(title), [row]);
		expect(found).toHaveLength(word === undefined ? 0 : 1);
		if (word !== undefined) expect(found[0]).toContain(`contains '${word}', because $json.`);
		expect(sandbox().record).toHaveLength(word === undefined ? 1 : 0);
	});

	it('is refused with a correction that helps', async () => {
		const title = "=Hi {{ $json.first + ' ' + $json.last }}";
		const [refusal] = await refusals(greeting(title), [{ first: 'Ana', last: null }]);
		expect(refusal).toContain("Write ($json.last ?? '') in place of $json.last");
		const better = title.replace('$json.last', "($json.last ?? '')");
		expect(await refusals(greeting(better), [{ first: 'Ana', last: null }])).toEqual([]);
		expect(bodies(sandbox())).toMatchObject([{ title: 'Hi Ana ' }]);
	});

	it('is refused where an agent calls the node', async () => {
		const parameters = { ...order.pushSend, title: "={{ 'Hi ' + $fromAI('name') }}" };
		const tool = agentTool({ parameters, credential: keyCredential(sandbox()) });
		await expect(tool.invoke({ name: '[object Object]' })).rejects.toThrow('[object Object]');
		expect(sandbox().record).toEqual([]);
	});

	it('is sent with Skip Text Check', async () => {
		const parameters = { ...greeting('=Hi {{ $json.value }}'), options: { skipTextCheck: true } };
		expect(await refusals(parameters, rowsOf(['NULL']))).toEqual([]);
		expect(bodies(sandbox())).toMatchObject([{ title: 'Hi NULL' }]);
	});
});

describe('A key of Send Once that is nobody', () => {
	const once = (sendOnceKey: string) => ({ ...order.pushSend, sendOnce: true, sendOnceKey });

	it('is refused as a whole and as a placeholder', async () => {
		for (const key of ['={{ $json.value }}', '=order-{{ $json.value }}']) {
			const rows = rowsOf([...nobody, 'None']);
			const found = await refusals(once(key), rows);
			expect(found).toHaveLength(rows.length);
			for (const one of found) expect(one).toMatch(/^Send Once Key contains /);
		}
		expect(sandbox().record).toEqual([]);
	});

	it('may hold such words of its own', async () => {
		const rows = rowsOf(['null Prozent', 'order-null', 'Null', '0', '-']);
		expect(await refusals(once('={{ $json.value }}'), rows)).toEqual([]);
	});
});

describe('An attribute that is nobody', () => {
	const hint =
		/^(\d+) values? (?:was|were) taken as empty, because (?:it|they) stands? for a missing one: /;

	it('is not sent, and counted', async () => {
		const rows = nobody.map((value, index) => ({
			id: `C-${index}`,
			name: value,
			email: value,
			mobile: value,
			city: value,
			kept: 'x',
		}));
		const { output, hints } = await each(mapped('user'), rows);
		expect(output).toHaveLength(rows.length);
		expect(attributes()).toEqual(rows.map(() => ({ kept: 'x' })));
		const [told] = hints.map(({ message }) => message).filter((message) => hint.test(message));
		expect(told).toMatch(new RegExp(`^${nobody.length * 4} values were`));
		expect(told).toContain(`'city' (${nobody.length}, such as`);
		expect(told).toContain("turn on 'Skip Text Check' under Options");
	});

	it('is not sent where each attribute is set, whatever its type', async () => {
		const types = ['string', 'number', 'boolean', 'array', 'object'];
		const assignments = types.map((type) => ({ name: type, type, value: '={{ $json.value }}' }));
		const fields = { name: '={{ $json.value ?? $json.company }}', email: '={{ $json.value }}' };
		const parameters = { ...order.createUser, ...fields, customAttributes: { assignments } };
		const { output, hints, failed } = await each(parameters, rowsOf(['NULL']));
		expect(failed.map(({ json }) => json.error)).toEqual([]);
		expect(output.map(({ json }) => json.outcome)).toEqual(['accepted']);
		expect(attributes()).toEqual([{}]);
		expect(hints.map(({ message }) => message).join()).toMatch(/7 values were taken as empty/);
	});

	it('clears the attribute with Send Empty Values, and is sent with Skip Text Check', async () => {
		const rows = [{ id: 'C-1', city: '#N/A' }];
		await each({ ...mapped('user'), options: { sendEmptyValues: true } }, rows);
		expect(attributes()).toEqual([{ city: '' }]);
		sandbox().reset();
		const { hints } = await each({ ...mapped('user'), options: { skipTextCheck: true } }, rows);
		expect(attributes()).toEqual([{ city: '#N/A' }]);
		expect(hints).toEqual([]);
	});

	it('is not sent with an event', async () => {
		await each(mapped('event'), [{ id: 'C-1', coupon: 'NULL', total: 7 }]);
		expect(bodies(sandbox())).toMatchObject([{ nv: [{ attributes: { total: 7 } }] }]);
	});

	it('is not a name or an answer that only looks like it', async () => {
		const rows = [
			...namesLikeNobody.map((name, index) => ({ id: `N-${index}`, name })),
			...attributesLikeNobody.map((answer, index) => ({ id: `A-${index}`, answer })),
		];
		const { hints } = await each(mapped('user'), rows);
		expect(attributes()).toEqual(rows.map(({ id: _, ...rest }) => rest));
		expect(hints.some(({ message }) => hint.test(message))).toBe(false);
	});

	it('is refused if it is what is left of another value', async () => {
		const lost = ['[object Object]', 'Invalid DateTime', 'since [object Object]'];
		const rows = lost.map((city, index) => ({ id: `C-${index}`, city }));
		expect(await refusals(mapped('user'), rows)).toHaveLength(lost.length);
	});
});

describe('A date that comes into a text without a format', () => {
	const written = 'Mon May 06 2030 09:08:09 GMT+0200 (Mitteleuropäische Sommerzeit)';

	it.each<[string, INodeParameters]>([
		['a text', { ...order.pushSend, message: '=On {{ $json.value }}' }],
		['a whole text', { ...order.pushSend, message: '={{ $json.value }}' }],
		['a key', { ...order.pushSend, sendOnce: true, sendOnceKey: '=k {{ $json.value }}' }],
		['an ID', { ...order.pushSend, user_id: '=u {{ $json.value }}' }],
		['a name', { ...order.createUser, name: '=N {{ $json.value }}' }],
		[
			'an attribute',
			{
				...order.createUser,
				customAttributes: {
					assignments: [{ name: 'when', type: 'string', value: '=On {{ $json.value }}' }],
				},
			},
		],
	])('is refused in %s', async (_, parameters) => {
		const days = [0, 1, 2, 3, 4, 5, 6].map((day) => new Date(Date.UTC(2030, day * 2, 6 + day)));
		const rows = rowsOf([written, 'Mon May 06 2030 07:08:09 GMT+0000', ...days.map(String)]);
		expect(await refusals(parameters, rows)).toHaveLength(rows.length);
		expect(sandbox().record).toEqual([]);
	});

	it('is refused with a format that works for a date and for its text', async () => {
		const parameters = { ...order.pushSend, message: '=On {{ $json.date }}' };
		const date = new Date('2030-05-06T07:08:09Z');
		const [refusal] = await refusals(parameters, [{ date: date }]);
		const [, advice] = /Give it one: (\{\{ .* \}\}), or/.exec(refusal ?? '') ?? [];
		const dates = [date, date.toISOString(), '2030-05-06T12:38:09+05:30', '2030-05-06T09:08:09'];
		const message = `=On ${advice}`;
		for (const one of dates) {
			const rows = [{ date: one as string }];
			const { error } = await run(
				sandbox(),
				{ ...parameters, message },
				{ rows, timezone: 'Europe/Berlin' },
			);
			expect(error).toBeUndefined();
		}
		expect(bodies(sandbox()).map((body) => (body as IDataObject).message)).toEqual(
			dates.map(() => 'On 2030-05-06 09:08'),
		);
	});
});
