import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

const userRows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `C-${index}` }));
const fromRows = { ...order.createUser, userID: '={{ $json.id }}' };

/** An attribute as n8n adds it when a column is dragged to the list. */
const dragged = (name: string, type: string) => ({
	id: `of-${name}`,
	name,
	value: `={{ $json.${name} }}`,
	type,
});
const zoned = "={{ DateTime.fromISO('2026-11-23T09:30', { zone: 'Asia/Kolkata' }) }}";

async function attributesOf(parameters: INodeParameters, row: IDataObject = {}): Promise<unknown> {
	await run(sandbox(), parameters, { rows: [row] });
	const { body, outcome } = onlyArrival(sandbox());
	expect(outcome).toBe('accepted');
	const { nv } = body as { nv: Array<{ user_attributes: unknown }> };
	return nv[0]?.user_attributes;
}

describe('Batches', () => {
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
});

describe('Defined below', () => {
	it('keeps the types of custom attributes', async () => {
		const names = ['text', 'count', 'share', 'yes', 'no', 'zero', 'list', 'nested'];
		const assignments = names.map((name) => dragged(name, 'any'));
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
		const parameters = { ...order.createUser, customAttributes: { assignments } };
		expect(await attributesOf(parameters, row)).toStrictEqual(row);
	});

	it("sends dates in the service's format", async () => {
		const assignments = [
			{ id: '1', name: 'zoned', value: zoned, type: 'string' },
			{ id: '2', name: 'utc', value: '={{ new Date(0) }}', type: 'string' },
			{
				id: '3',
				name: 'nested',
				value: `={{ { list: [${zoned.slice(3, -2)}] } }}`,
				type: 'object',
			},
			{ id: '4', name: 'written', value: '2026-11-23T09:30:00.000Z', type: 'string' },
			{ id: '5', name: 'day', value: '2026-11-23', type: 'string' },
			{ id: '6', name: 'local', value: '2026-11-23T09:30:00', type: 'string' },
			{ id: '7', name: 'within', value: 'From 2026-11-23T09:30:00.000Z', type: 'string' },
		];
		expect(
			await attributesOf({ ...order.createUser, customAttributes: { assignments } }),
		).toStrictEqual({
			zoned: '2026-11-23T09:30:00+0530',
			utc: '1970-01-01T00:00:00+0000',
			nested: { list: ['2026-11-23T09:30:00+0530'] },
			written: '2026-11-23T09:30:00+0000',
			day: '2026-11-23',
			local: '2026-11-23T09:30:00',
			within: 'From 2026-11-23T09:30:00.000Z',
		});
	});

	it('clears attributes without a value where asked to, but not those that the row lacks', async () => {
		const columns = ['text', 'number', 'boolean', 'list', 'object', 'lacking'];
		const types = ['string', 'number', 'boolean', 'array', 'object', 'string'];
		const parameters = {
			...order.createUser,
			...{ name: '', email: '={{ $json.email }}', mobile: '={{ $json.lacking }}' },
			customAttributes: {
				assignments: columns.map((name, index) => dragged(name, types[index] ?? '')),
			},
			options: { sendEmptyValues: true },
		};
		const empty = { text: '', number: '', boolean: '', list: '', object: '', email: '' };
		expect(await attributesOf(parameters, empty)).toStrictEqual({
			...{ text: '', number: null, boolean: null, list: null, object: null },
		});
	});
});

describe('Mapped from the input', () => {
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

	it('takes the ID from the named field', async () => {
		const parameters = { ...mapped, userIdField: 'customerId' };
		await run(sandbox(), parameters, { rows: [{ customerId: 7, userID: 'other', city: 'Pune' }] });
		expect(bodies(sandbox())).toStrictEqual([
			{ nv: [{ userID: '7', user_attributes: { userID: 'other', city: 'Pune' } }] },
		]);
	});

	it('leaves out the ignored fields and the empty ones', async () => {
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

	it('clears the empty ones where asked to', async () => {
		const parameters = { ...mapped, ignoreFields: 'plan', options: { sendEmptyValues: true } };
		const row = { city: 'Pune', zip: '', tier: null, email: '', mobile: null };
		expect(await attributesOf(parameters, { userID: 'C-1', plan: '', ...row })).toStrictEqual({
			...row,
			mobile: '',
		});
	});
});
