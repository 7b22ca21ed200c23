import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { mapped as mappedFrom } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';
import { rowsOf } from '../support/sends';

freezeClock('2027-03-04T15:06:07.890Z');
const node = useNode();

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
		const mapped = mappedFrom('event', { ...fields, ...names });
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
		const rows = rowsOf(250).map(({ id }) => ({ id: kind === 'user' ? id : `C-${id.slice(-1)}` }));
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
});

/** What people see as an empty cell. */
const emptyCells = ['', ' ', '\t', '\r\n', '\u00a0', '\u2007', '\u3000', '\ufeff', '\u200b'];

const column = '={{ $json.value }}';
const mapped = mappedFrom('user', { userIdField: 'id' });

/** The attributes of each user that arrived. */
const users = () => node.elements().map(({ user_attributes }) => user_attributes);

describe('A space in an optional cell', () => {
	const types = ['string', 'number', 'boolean', 'array', 'object'];
	const attributes = assigned(types.map((type) => `${type}:${type}`).join(' '), column);
	const all = (keys: string) => Object.fromEntries(keys.split(' ').map((key) => [key, column]));
	const ofPush = all(Object.keys({ ...order.appearance, ...order.devices }).join(' '));
	const ofUser = { ...all('name email mobile'), customAttributes: attributes };
	const ofEvent = { ...all('event_time scheduleTimezone'), attributes };

	it.each<[string, INodeParameters, INodeParameters, additionalFields: INodeParameters]>([
		['a user', order.createUser, ofUser, all('extraBodyFields')],
		['an event', order.trackEvent, ofEvent, all('ltv extraEventFields')],
		['a push', order.pushSend, { options: all('defaultCountry') }, ofPush],
		['an email', order.emailSend, {}, all('track_open reply_to email_cc dnd')],
	])('counts as empty in every field of %s', async (_, least, filled, additionalFields) => {
		const sent = async (parameters: INodeParameters, value?: string | null) => {
			node.sandbox.reset();
			await node.run(parameters, { rows: [{ id: 'C-1', value }], timezone: 'UTC' });
			return node.onlyArrival().body;
		};
		const empty = await sent(least, '');
		for (const cell of [null, undefined, ...emptyCells]) {
			const body = await sent({ ...least, ...filled, additionalFields }, cell);
			expect([cell, body]).toEqual([cell, empty]);
		}
	});

	it('counts as empty in mapped columns, and clears them with Send Empty Values', async () => {
		const ofCell = (cell: string) => ({ name: cell, email: cell, mobile: cell, city: cell });
		const rows = emptyCells.map((cell, index) => ({ id: `C-${index}`, ...ofCell(cell) }));
		await node.run(mapped, { rows });
		expect(users()).toEqual(rows.map(() => ({})));
		node.sandbox.reset();
		await node.run({ ...mapped, options: { sendEmptyValues: true } }, { rows });
		expect(users()).toEqual(rows.map(() => ofCell('')));
	});
});

it('A name of several columns may be empty for a user', async () => {
	const name = "={{ [$json.first, $json.last].filter(Boolean).join(' ') }}";
	const parameters = { ...order.createUser, userID: '={{ "C-" + $itemIndex }}', name };
	await node.run(parameters, { rows: [{ first: 'Ana', last: null }, {}] });
	expect(users()).toEqual([{ name: 'Ana' }, {}]);
});

describe('Leave Out Invalid Values', () => {
	const leavingOut = (parameters: INodeParameters): INodeParameters => ({
		...parameters,
		options: { ...(parameters.options as object), leaveOutInvalid: true },
	});
	const leftOut = (what: string) =>
		`Left out as not valid: ${what}. The service keeps what it had. To see why, turn off 'Leave Out Invalid Values' in a preview.`;

	it.each<[name: string, value: unknown]>([
		['mobile', '12'],
		['email', 'anna at example.com'],
		['city', 'M\ufffdnchen'],
		['points', 1234567890123456789],
		['nested', { a: ['\ud83d'] }],
	])('sends a user without an invalid value: %s %j', async (name, value) => {
		const rows = [{ id: 'C-1', [name]: value, plan: 'gold' } as IDataObject];
		const entered = { ...order.createUser, customAttributes: assigned(`plan ${name}`) };
		for (const parameters of [mapped, entered]) {
			node.sandbox.reset();
			expect(await node.stops(parameters, { rows })).toContain('Nothing was sent');
			const report = await node.run(leavingOut(parameters), { rows });
			expect(users()).toEqual([{ plan: 'gold' }]);
			expect(hintsOf(report)).toContain(leftOut(`1 value, '${name}' in item 0 (C-1)`));
		}
	});

	const two = [
		{ id: 'C-1', mobile: '12', email: 'anna@example.com', plan: 'gold' },
		{ id: 'C-2', mobile: '13', email: 'none' },
	];
	const ofTwo = "3 values, 'mobile' in items 0 (C-1), 1 (C-2), 'email' in item 1 (C-2)";
	const customAttributes = assigned('age:number vip:boolean plan');
	const typed = { ...order.createUser, mobile: '={{ $json.age }}', customAttributes };
	const ofTyped =
		"3 values, 'age' in item 0 (C-1), 'vip' in item 0 (C-1), 'mobile' in item 0 (C-1)";
	const ofAge = [{ age: 'x', vip: 'x', plan: 'gold' }];
	const names = { name: '={{ $json.first | upcase }}', email: '={{ $json.e-mail }}' };
	const misread = { ...order.createUser, ...names };
	const ofMisread = "2 values, 'name' in item 0 (C-1), 'email' in item 0 (C-1)";
	const clearing = { ...mapped, options: { sendEmptyValues: true } };
	const ofOne = "1 value, 'mobile' in item 0 (C-1)";

	it.each<[string, INodeParameters, IDataObject[], sent: unknown[], told: string]>([
		['counted by field', mapped, two, [{ email: 'anna@example.com', plan: 'gold' }, {}], ofTwo],
		['of another type', typed, ofAge, [{ plan: 'gold' }], ofTyped],
		['that n8n misreads', misread, [{ first: 'Ana', 'e-mail': 'x' }], [{}], ofMisread],
		[
			'without clearing them',
			clearing,
			[{ id: 'C-1', mobile: '1', city: '' }],
			[{ city: '' }],
			ofOne,
		],
	])('leaves out values %s', async (_, parameters, rows, sent, told) => {
		const report = await node.run(leavingOut(parameters), { rows });
		expect(users()).toEqual(sent);
		expect(hintsOf(report)).toContain(leftOut(told));
	});

	const badExtra = { ...mapped, additionalFields: { extraBodyFields: '[1]' } };
	const mappedEvent = { ...mapped, ...order.trackEvent };
	it.each<[string, INodeParameters, IDataObject]>([
		['User ID is empty', mapped, { id: '', mobile: '12' }],
		["An attribute must not be called 'constructor'", mapped, { id: 'C-1', constructor: 'x' }],
		['Extra Body Fields must be an object', badExtra, { id: 'C-1' }],
		['read in the wrong encoding', mappedEvent, { id: 'C-1', city: 'M\ufffdnchen' }],
	])('still refuses a row if %s', async (told, parameters, row) => {
		expect(await node.refusal(leavingOut(parameters), row)).toContain(told);
	});
});
