import type { ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { startServer } from '../support/localServer';
import { accountOf, hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';
import { rowsOf } from '../support/sends';

freezeClock('2027-03-04T15:06:07.890Z');
const node = useNode();

const columns = { dataMode: 'autoMapInputData' };
const dayInIndia = "DateTime.fromISO('2026-11-23T09:30', { zone: 'Asia/Kolkata' })";

/** The only user or event that arrives for a row. */
async function arriving(
	parameters: INodeParameters,
	row: IDataObject = {},
	timezone?: string,
): Promise<IDataObject | undefined> {
	await node.run(parameters, { rows: [row], timezone });
	const [element, ...others] = node.elements();
	expect(others).toEqual([]);
	expect(node.sandbox.accepted()).toHaveLength(1);
	return element;
}

/** Attributes as n8n adds them when a column is dragged to the list: `name:type`, with the column's value or another. */
const assigned = (names: string, value?: string) => ({
	assignments: names.split(' ').map((one) => {
		const [name = '', type = 'string'] = one.split(':');
		return { id: `of-${name}`, name, type, value: value ?? `={{ $json.${name} }}` };
	}),
});

describe('A user defined below', () => {
	it('keeps the types of custom attributes', async () => {
		const simple = { text: '42', count: 42, share: 0.5, yes: true, no: false, zero: 0 };
		const row = { ...simple, list: [1, 'a'], nested: { a: { b: 1 } } };
		const names = Object.keys(row).map((name) => `${name}:any`);
		const customAttributes = assigned(names.join(' '));
		const user = await arriving({ ...order.createUser, customAttributes }, row);
		expect(user?.user_attributes).toStrictEqual(row);
	});

	const thatDay = '2026-11-23T09:30:00+0530';
	it.each<[string, string, unknown]>([
		['a time with its zone', `={{ ${dayInIndia} }}`, thatDay],
		['a Date', '={{ new Date(0) }}', '1970-01-01T00:00:00+0000'],
		['a time in an object', `={{ { list: [${dayInIndia}] } }}`, { list: [thatDay] }],
		['a time as n8n writes it', '2026-11-23T09:30:00.000Z', '2026-11-23T09:30:00+0000'],
		['a day', '2026-11-23', '2026-11-23'],
		['a time without a zone', '2026-11-23T09:30:00', '2026-11-23T09:30:00'],
		['a text with a time', 'From 2026-11-23T09:30:00.000Z', 'From 2026-11-23T09:30:00.000Z'],
	])("sends %s in the service's format", async (_, value, sent) => {
		const customAttributes = assigned(`x:${typeof sent}`, value);
		const user = await arriving({ ...order.createUser, customAttributes });
		expect(user?.user_attributes).toStrictEqual({ x: sent });
	});

	it('clears attributes without a value where asked to, but not those that the row lacks', async () => {
		const parameters = {
			...order.createUser,
			...{ name: '', email: '={{ $json.email }}', mobile: '={{ $json.lacking }}' },
			customAttributes: assigned(
				'text number:number boolean:boolean list:array object:object lacking',
			),
			options: { sendEmptyValues: true },
		};
		const empty = { text: '', number: '', boolean: '', list: '', object: '', email: '' };
		const user = await arriving(parameters, empty);
		const others = { number: null, boolean: null, list: null, object: null };
		expect(user?.user_attributes).toStrictEqual({ text: '', ...others });
	});
});

describe('A user mapped from the input', () => {
	const mapped = { resource: 'user', operation: 'create', ...columns };
	const contact = { name: 'Ravi Iyer', email: 'ravi@example.com', mobile: '+919812345679' };
	const fields = { ...contact, points: 1200, vip: false, tags: ['a', 'b'], a: { city: 'Pune' } };
	const clears = { ignoreFields: 'plan', options: { sendEmptyValues: true } };
	const empty = { city: 'Pune', zip: '', tier: null, email: '' };

	const ignored = { ignoreFields: 'row_number, updatedAt' };
	const ofSheet = { row_number: 3, updatedAt: 'today', city: 'Pune', zip: '', plan: null };
	const withOther = { userID: 'other', city: 'Pune' };

	it.each<[string, INodeParameters, IDataObject, IDataObject]>([
		['every other field and its type', {}, { id: 7, ...fields }, fields],
		['what is not the ID', {}, { id: 7, ...withOther }, withOther],
		['no ignored and no empty fields', ignored, { id: 7, ...ofSheet }, { city: 'Pune' }],
		[
			'empty fields where asked to',
			clears,
			{ id: 7, plan: '', ...empty, mobile: null },
			{ ...empty, mobile: '' },
		],
	])('has as attributes %s', async (_, more, row, user_attributes) => {
		const parameters = { ...mapped, userIdField: 'id', ...more };
		expect(await arriving(parameters, row)).toStrictEqual({ userID: '7', user_attributes });
	});
});

describe('An event', () => {
	it('keeps lists and objects in attributes, such as the items of an order', async () => {
		const items = [{ sku: 'A-1', price: 19.9, quantity: 2 }];
		const attributes = assigned('items:array total:number');
		const event = await arriving({ ...order.trackEvent, attributes }, { items, total: '39.80' });
		expect(event?.attributes).toStrictEqual({ items, total: 39.8 });
	});

	it.each([
		['49.90', 49.9],
		[0, 0],
	])('has the lifetime value %j as a number', async (ltv, sent) => {
		const event = await arriving({ ...order.trackEvent, additionalFields: { ltv } });
		expect(event?.ltv).toBe(sent);
	});

	it.each([
		['of now', '', '2027-03-04 15:06:07'],
		['of a column', '={{ $json.at }}', '2027-03-01 10:00:00'],
	])('mapped from the input has every other field, and a time %s', async (...one) => {
		const [, event_time, sent] = one;
		const mapped = { ...order.trackEvent, ...columns, userIdField: 'customer', event_time };
		const names = { event_name: '={{ $json.event }}', ignoreFields: 'event, at' };
		const attributes = { plan: 'pro', seats: 3, trial: false };
		const row = { customer: 'C-7', event: 'Signed Up', at: '2027-03-01T10:00:00Z', no: '' };
		expect(await arriving({ ...mapped, ...names }, { ...row, ...attributes })).toStrictEqual({
			...{ userID: 'C-7', event_name: 'Signed Up', attributes, event_time: sent },
		});
	});

	it.each([
		['in the timezone that was chosen', '2026-07-01T09:30', 'Asia/Kolkata', '2026-07-01 04:00:00'],
		["in the workflow's timezone", '2026-07-01 09:30:15', '', '2026-07-01 07:30:15'],
		['with an offset', '2026-07-01T09:30:00+0530', 'Europe/Berlin', '2026-07-01 04:00:00'],
		['in the future', '2028-01-01T00:00:00Z', '', '2028-01-01 00:00:00'],
	])('has its time in UTC if it is given %s', async (_, event_time, scheduleTimezone, written) => {
		const parameters = { ...order.trackEvent, event_time, scheduleTimezone };
		expect((await arriving(parameters, {}, 'Europe/Berlin'))?.event_time).toBe(written);
	});

	it('has the earlier one of two times, with a hint, where clocks go back', async () => {
		const at = { event_time: '2026-10-25T02:30', scheduleTimezone: 'Europe/Berlin' };
		const report = await node.run({ ...order.trackEvent, ...at });
		expect(node.elements()).toMatchObject([{ event_time: '2026-10-25 00:30:00' }]);
		expect(hintsOf(report)).toEqual([
			expect.stringContaining("For the later one, switch 'Event Time' to Expression and enter"),
		]);
	});
});

describe('A batch', () => {
	it.each([
		['user', {}, [100, 100, 50]],
		['user', { batchSize: 120 }, [120, 120, 10]],
		['user', { batchSize: 250 }, [250]],
		['event', {}, [100, 100, 50]],
	])('of each %s, in the order of the rows, has %j', async (kind, more, sizes) => {
		const isUser = kind === 'user';
		// Several events may be of one user.
		const rows = rowsOf(250).map(({ id }) => ({ id: isUser ? id : `C-${id.slice(-1)}` }));
		const ids = rows.map(({ id }) => id);
		const parameters = {
			...(isUser ? order.createUser : order.trackEvent),
			...{ userID: '={{ $json.id }}', options: { ...more, concurrency: 1 } },
		};
		const report = await node.run(parameters, { rows });
		expect(node.sandbox.record.map(({ api }) => api)).toEqual(sizes.map(() => kind));
		expect(node.bodies().map((body) => (body as { nv: unknown[] }).nv.length)).toEqual(sizes);
		expect(node.elements().map(({ userID }) => userID)).toEqual(ids);
		const batches = sizes.flatMap((size, index) => Array<object>(size).fill({ index, size }));
		const { resource, operation } = parameters;
		expect(report.output).toMatchObject(
			ids.map((userID, item) => ({
				json: { outcome: 'accepted', resource, operation, userID, batch: batches[item] },
				pairedItem: { item },
			})),
		);
		expect(hintsOf(report)).toEqual([]);
	});

	it('of events does not wait for earlier events of the same user', async () => {
		const held: ServerResponse[] = [];
		let isFirst = true;
		// After the first, no response is sent before the other five requests have arrived.
		const server = await startServer((response) => {
			if (isFirst) response.writeHead(200).end('{}');
			else held.push(response);
			isFirst = false;
			if (held.length === 5) for (const one of held) one.writeHead(200).end('{}');
		});
		const { output } = await node.run(
			{ ...order.trackEvent, options: { batchSize: 1, concurrency: 6 } },
			{ rows: Array.from({ length: 6 }, () => ({})), credential: accountOf(server) },
		);
		await server.close();
		expect(output.map(({ json }) => json.outcome)).toEqual(Array(6).fill('accepted'));
	});
});
