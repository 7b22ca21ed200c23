import type { ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';
import { rowsOf } from '../support/sends';

freezeClock('2027-03-04T15:06:07.890Z');
const node = useNode();

const columns = { dataMode: 'autoMapInputData' };

/** The only user or event that arrives for a row. */
async function arriving(parameters: INodeParameters, row: IDataObject = {}, timezone?: string) {
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
	it('keeps the types of custom attributes, and has times in the format of the service', async () => {
		const simple = { text: '42', count: 42, share: 0.5, yes: true, no: false, zero: 0 };
		const row = { ...simple, list: [1, 'a'], nested: { a: { b: 1 } } };
		const names = Object.keys(row).map((name) => `${name}:any`);
		const inIndia = "DateTime.fromISO('2026-11-23T09:30', { zone: 'Asia/Kolkata' })";
		const { assignments } = assigned('times:any', `={{ [${inIndia}, new Date(0)] }}`);
		assignments.push(...assigned(names.join(' ')).assignments);
		const user = await arriving({ ...order.createUser, customAttributes: { assignments } }, row);
		const times = ['2026-11-23T09:30:00+0530', '1970-01-01T00:00:00+0000'];
		expect(user?.user_attributes).toStrictEqual({ ...row, times });
	});

	it('clears attributes without a value where asked to, but not those that the row lacks', async () => {
		const names = 'text number:number boolean:boolean list:array object:object lacking';
		const parameters = {
			...{ ...order.createUser, name: '', options: { sendEmptyValues: true } },
			...{ email: '={{ $json.email }}', mobile: '={{ $json.lacking }}' },
			customAttributes: assigned(names),
		};
		const empty = { text: '', number: '', boolean: '', list: '', object: '', email: '' };
		const user = await arriving(parameters, empty);
		const others = { number: null, boolean: null, list: null, object: null };
		expect(user?.user_attributes).toStrictEqual({ text: '', ...others });
	});
});

describe('A user mapped from the input', () => {
	const mapped = { resource: 'user', operation: 'create', ...columns, userIdField: 'id' };
	const fields = { name: 'Ravi Iyer', points: 1200, vip: false, tags: ['a'], a: { city: 'Pune' } };
	const clears = { options: { sendEmptyValues: true } };
	const empty = { city: 'Pune', zip: '', tier: null, email: '' };

	it.each<[string, INodeParameters, IDataObject, IDataObject]>([
		['every other field and its type', {}, fields, fields],
		['what is not the ID', {}, { userID: 'other' }, { userID: 'other' }],
		['no empty fields', {}, empty, { city: 'Pune' }],
		['empty fields where asked to', clears, { ...empty, mobile: null }, { ...empty, mobile: '' }],
	])('has as attributes %s', async (_, more, row, user_attributes) => {
		const user = await arriving({ ...mapped, ...more }, { id: 7, ...row });
		expect(user).toStrictEqual({ userID: '7', user_attributes });
	});
});

describe('An event', () => {
	it('keeps lists and objects in attributes, such as the items of an order', async () => {
		const items = [{ sku: 'A-1', price: 19.9, quantity: 2 }];
		const attributes = assigned('items:array total:number');
		const parameters = { ...order.trackEvent, attributes, additionalFields: { ltv: '49.90' } };
		const event = await arriving(parameters, { items, total: '39.80' });
		expect(event).toMatchObject({ attributes: { items, total: 39.8 }, ltv: 49.9 });
	});

	it.each([
		['of now', '', '2027-03-04 15:06:07'],
		['of a column', '={{ $json.at }}', '2027-03-01 10:00:00'],
	])('mapped from the input has every other field, and a time %s', async (...one) => {
		const [, event_time, sent] = one;
		const fields = { userIdField: 'customer', event_time, additionalFields: { ltv: 0 } };
		const names = { event_name: '={{ $json.event }}', ignoreFields: 'event, at' };
		const attributes = { plan: 'pro', seats: 3, trial: false };
		const row = { customer: 'C-7', event: 'Signed Up', at: '2027-03-01T10:00:00Z', no: '' };
		const mapped = { ...order.trackEvent, ...columns, ...fields, ...names };
		const identity = { userID: 'C-7', event_name: 'Signed Up', event_time: sent };
		const event = await arriving(mapped, { ...row, ...attributes });
		expect(event).toStrictEqual({ ...identity, attributes, ltv: 0 });
	});

	it.each([
		['in the timezone that was chosen', '2026-07-01T09:30', 'Asia/Kolkata', '2026-07-01 04:00:00'],
		["in the workflow's timezone", '2028-07-01 09:30:15', '', '2028-07-01 07:30:15'],
		['as a Date', '={{ $json.at }}', '', '2026-11-24 08:30:00'],
	])('has its time in UTC if it is given %s', async (_, event_time, scheduleTimezone, written) => {
		const parameters = { ...order.trackEvent, event_time, scheduleTimezone };
		const row = { at: new Date('2026-11-24T08:30:00Z') };
		expect((await arriving(parameters, row, 'Europe/Berlin'))?.event_time).toBe(written);
	});

	it('has the earlier one of two times, with a hint, where clocks go back', async () => {
		const at = { event_time: '2026-10-25T02:30', scheduleTimezone: 'Europe/Berlin' };
		const report = await node.run({ ...order.trackEvent, ...at });
		expect(node.elements()).toMatchObject([{ event_time: '2026-10-25 00:30:00' }]);
		expect(hintsOf(report)).toEqual([
			expect.stringContaining('For the later one, give 2026-10-25T02:30:00.000+01:00'),
		]);
	});
});

describe('A batch', () => {
	it.each([
		['user', { batchSize: 120 }, [120, 120, 10]],
		['event', {}, [100, 100, 50]],
	])('of each %s, in the order of the rows, has %j', async (kind, more, sizes) => {
		const least = kind === 'user' ? order.createUser : order.trackEvent;
		// Several events may be of one user.
		const rows = rowsOf(250).map(({ id }) => ({ id: kind === 'user' ? id : id.slice(-1) }));
		const options = { ...more, concurrency: 1 };
		const report = await node.run({ ...least, userID: '={{ $json.id }}', options }, { rows });
		expect(node.sandbox.record.map(({ api }) => api)).toEqual(sizes.map(() => kind));
		expect(node.bodies().map((body) => (body as { nv: unknown[] }).nv.length)).toEqual(sizes);
		expect(node.elements().map(({ userID }) => userID)).toEqual(rows.map(({ id }) => id));
		const batches = sizes.flatMap((size, index) => Array<object>(size).fill({ index, size }));
		expect(report.output).toMatchObject(
			rows.map(({ id: userID }, item) => ({
				json: { outcome: 'accepted', userID, batch: batches[item] },
				pairedItem: { item },
			})),
		);
		expect(hintsOf(report)).toEqual([]);
	});

	it('of events does not wait for earlier events of the same user', async () => {
		const held: ServerResponse[] = [];
		let isFirst = true;
		// After the first, no response is sent before the other five requests have arrived.
		const answer = (response: ServerResponse) => {
			if (isFirst) response.writeHead(200).end('{}');
			else held.push(response);
			isFirst = false;
			if (held.length === 5) for (const one of held) one.writeHead(200).end('{}');
		};
		const parameters = { ...order.trackEvent, options: { batchSize: 1, concurrency: 6 } };
		const rows = Array.from({ length: 6 }, () => ({}));
		const { output } = await node.against(answer, { parameters, rows });
		expect(output.map(({ json }) => json.outcome)).toEqual(Array(6).fill('accepted'));
	});
});
