import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from './orders';
import { bodies, onlyArrival, run, useSandbox } from './service';

const sandbox = useSandbox();

const userRows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `C-${index}` }));
const fromRows = { ...order.createUser, userID: '={{ $json.id }}' };

async function attributesOf(parameters: INodeParameters, row: IDataObject = {}): Promise<unknown> {
	await run(sandbox(), parameters, { rows: [row] });
	const { body, outcome } = onlyArrival(sandbox());
	expect(outcome).toBe('accepted');
	const { nv } = body as { nv: Array<{ user_attributes: unknown }> };
	return nv[0]?.user_attributes;
}

describe('batches', () => {
	it.each([
		['a hundred at a time by default', {}, [100, 100, 50]],
		['as many at a time as asked for', { batchSize: 120 }, [120, 120, 10]],
		['all at once where they fit', { batchSize: 250 }, [250]],
	])('hold %s', async (_, options, sizes) => {
		const rows = userRows(250);
		const { output } = await run(
			sandbox(),
			{ ...fromRows, options: { ...options, concurrency: 1 } },
			{ rows },
		);

		const lists = bodies(sandbox()).map((body) => (body as { nv: Array<{ userID: string }> }).nv);
		expect(lists.map(({ length }) => length)).toEqual(sizes);
		expect(lists.flat().map(({ userID }) => userID)).toEqual(rows.map(({ id }) => id));
		expect(output.map(({ json }) => json.userID)).toEqual(rows.map(({ id }) => id));
		expect(output.map(({ json }) => json.batch)).toEqual(
			sizes.flatMap((size, index) => Array.from({ length: size }, () => ({ index, size }))),
		);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((__, item) => ({ item })));
	});

	it('keep users apart whose extra fields differ', async () => {
		await run(
			sandbox(),
			{
				...fromRows,
				additionalFields: { extraBodyFields: '={{ { list: $json.list } }}' },
				options: { concurrency: 1 },
			},
			{
				rows: [
					{ id: 'A', list: 1 },
					{ id: 'B', list: 1 },
					{ id: 'C', list: 2 },
				],
			},
		);
		const one = (userID: string) => ({ userID, user_attributes: {} });
		expect(bodies(sandbox())).toStrictEqual([
			{ nv: [one('A'), one('B')], list: 1 },
			{ nv: [one('C')], list: 2 },
		]);
	});
});

describe('defined below', () => {
	it('leaves out what is empty', async () => {
		const parameters = {
			...order.createUser,
			name: '',
			email: '={{ $json.email }}',
			mobile: '={{ $json.none }}',
		};
		expect(await attributesOf(parameters, { email: null })).toEqual({});
	});

	it('keeps the types of custom attributes', async () => {
		const names = ['text', 'count', 'share', 'yes', 'no', 'zero', 'list', 'nested'];
		const attributes = names.map((name) => ({ name, value: `={{ $json.${name} }}` }));
		const row = {
			text: '42',
			count: 42,
			share: 0.5,
			yes: true,
			no: false,
			zero: 0,
			list: [1, 'a'],
			nested: { a: { b: 1 } },
		};
		const parameters = { ...order.createUser, customAttributes: { attributes } };
		expect(await attributesOf(parameters, row)).toStrictEqual(row);
	});

	it('leaves out custom attributes without a value', async () => {
		const attributes = [
			{ name: 'plan', value: '' },
			{ name: 'gone', value: '={{ $json.nothing }}' },
			{ name: 'city', value: 'Pune' },
		];
		const parameters = { ...order.createUser, customAttributes: { attributes } };
		expect(await attributesOf(parameters)).toEqual({ city: 'Pune' });
	});

	it('sends an ID that is a number as text', async () => {
		await run(sandbox(), fromRows, { rows: [{ id: 1001 }] });
		expect(bodies(sandbox())).toStrictEqual([{ nv: [{ userID: '1001', user_attributes: {} }] }]);
	});
});

describe('mapped from the input', () => {
	const mapped = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };

	it('makes every other field an attribute and keeps its type', async () => {
		const fields = {
			name: 'Ravi Iyer',
			email: 'ravi@example.com',
			mobile: '+919812345679',
			points: 1200,
			vip: false,
			tags: ['a', 'b'],
			address: { city: 'Pune' },
		};
		expect(await attributesOf(mapped, { userID: 'C-1', ...fields })).toStrictEqual(fields);
		expect(onlyArrival(sandbox()).body).toMatchObject({ nv: [{ userID: 'C-1' }] });
	});

	it('takes the ID from the field that is named', async () => {
		const parameters = { ...mapped, userIdField: 'customerId' };
		await run(sandbox(), parameters, { rows: [{ customerId: 7, userID: 'other', city: 'Pune' }] });
		expect(bodies(sandbox())).toStrictEqual([
			{ nv: [{ userID: '7', user_attributes: { userID: 'other', city: 'Pune' } }] },
		]);
	});

	it('leaves out what is to be ignored and what is empty', async () => {
		const parameters = { ...mapped, ignoreFields: 'row_number, updatedAt' };
		const row = {
			userID: 'C-1',
			row_number: 3,
			updatedAt: 'today',
			city: 'Pune',
			zip: '',
			plan: null,
		};
		expect(await attributesOf(parameters, row)).toEqual({ city: 'Pune' });
	});

	it('adds extra fields beside the list of users', async () => {
		const parameters = { ...mapped, additionalFields: { extraBodyFields: '{ "source": "crm" }' } };
		await run(sandbox(), parameters, { rows: [{ userID: 'C-1', city: 'Pune' }] });
		expect(bodies(sandbox())).toStrictEqual([
			{ nv: [{ userID: 'C-1', user_attributes: { city: 'Pune' } }], source: 'crm' },
		]);
	});
});
