import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { mapped as ofMapped } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

/** What people see as an empty cell. */
const emptyCells = ['', ' ', '\t', '\r\n', '\u00a0', '\u2007', '\u3000', '\ufeff', '\u200b'];

freezeClock('2026-11-01T12:00:00.000Z');
const node = useNode();

const column = '={{ $json.value }}';
const mapped = ofMapped('user', { userIdField: 'id' });
const assigned = (types: string, value: string, name?: string) =>
	types.split(' ').map((type) => ({ id: type, name: name ?? type, type, value }));

/** The attributes of each user that arrived. */
const users = () => node.elements().map(({ user_attributes }) => user_attributes);

describe('A space in an optional cell', () => {
	const attributes = { assignments: assigned('string number boolean array object', column) };
	const all = (keys: string) => Object.fromEntries(keys.split(' ').map((key) => [key, column]));
	const ofPush = all(Object.keys({ ...order.appearance, ...order.devices }).join(' '));
	const ofEmail = all('track_open reply_to email_cc dnd');

	const ofUser = { ...all('name email mobile'), customAttributes: attributes };
	const ofEvent = { ...all('event_time scheduleTimezone'), attributes };
	const moreOfEvent = all('ltv extraEventFields');

	it.each<[string, INodeParameters, INodeParameters, additionalFields: INodeParameters]>([
		['a user', order.createUser, ofUser, all('extraBodyFields')],
		['an event', order.trackEvent, ofEvent, moreOfEvent],
		['a push', order.pushSend, { options: all('defaultCountry') }, ofPush],
		['an email', order.emailSend, {}, ofEmail],
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
	const options = { leaveOutInvalid: true };

	it.each<[name: string, value: unknown]>([
		['mobile', '12'],
		['email', 'anna at example.com'],
		['city', 'M\ufffdnchen'],
		['points', 1234567890123456789],
		['nested', { a: ['\ud83d'] }],
	])('sends a user without an invalid value: %s %j', async (name, value) => {
		const rows = [{ id: 'C-1', [name]: value, plan: 'gold' } as IDataObject];
		const assignments = [
			...assigned('string', '={{ $json.plan }}', 'plan'),
			...assigned('string', `={{ $json.${name} }}`, name),
		];
		const entered = { ...order.createUser, customAttributes: { assignments } };
		for (const parameters of [mapped, entered]) {
			node.sandbox.reset();
			expect(await node.stops(parameters, { rows })).toContain('Nothing was sent');
			const report = await node.run({ ...parameters, options }, { rows });
			expect(users()).toEqual([{ plan: 'gold' }]);
			expect(hintsOf(report)).toContain(
				`Left out as not valid: 1 value, '${name}' in item 0 (C-1). The service keeps what it had. To see why, turn off 'Leave Out Invalid Values' in a preview.`,
			);
		}
	});

	const fields = { email: column, mobile: column };
	const assignments = [...assigned('number boolean', column), ...assigned('string', 'gold')];
	const name = '={{ $json.first }} {{ $json.last }}';
	const typed = { ...order.createUser, ...fields, name, customAttributes: { assignments } };
	const misread = { name: '={{ $json.first | upcase }}', email: '={{ $json.e-mail }}' };
	const ofUsers = [
		{ id: 'C-1', mobile: '12', email: 'anna@example.com' },
		{ id: 'C-2', mobile: '13', email: 'none' },
		{ id: 'C-3', mobile: '+4915112345678', email: '' },
	];
	const rest = [{ email: 'anna@example.com' }, {}, { mobile: '+4915112345678' }];
	const counted =
		"Left out as not valid: 3 values, 'mobile' in items 0 (C-1), 1 (C-2), 'email' in item 1 (C-2)";
	const clearing = { ...mapped, options: { sendEmptyValues: true } };
	const emptyCity = [{ id: 'C-1', mobile: '12', city: '' }];
	const ofOne = (names: string) => names.split(' ').map((one) => `'${one}' in item 0 (C-1)`);
	const ofTyped = ofOne('name email mobile number boolean');
	const misreadUser = { ...order.createUser, ...misread };
	const noneYet = [{ first: 'Ana', value: 'none yet' }];
	const ofAna = [{ first: 'Ana', 'e-mail': 'ana@example.com' }];

	it.each<[string, INodeParameters, IDataObject[], unknown[], told: string[]]>([
		['several values, counted by field', mapped, ofUsers, rest, [counted]],
		['fields and values of another type', typed, noneYet, [{ string: 'gold' }], ofTyped],
		['fields whose code n8n misreads', misreadUser, ofAna, [{}], ofOne('name email')],
		['them without clearing any', clearing, emptyCity, [{ city: '' }], ofOne('mobile')],
	])('leaves out %s', async (_, parameters, rows, attributes, told) => {
		const all = { ...(parameters.options as object), ...options };
		const report = await node.run({ ...parameters, options: all }, { rows });
		expect(users()).toEqual(attributes);
		for (const part of told) expect(hintsOf(report)[0]).toContain(part);
	});

	const badExtra = { ...mapped, additionalFields: { extraBodyFields: '[1]' } };
	const mappedEvent = { ...mapped, ...order.trackEvent };
	it.each<[string, INodeParameters, IDataObject]>([
		['User ID is empty', mapped, { id: '', mobile: '12' }],
		["a field called 'constructor'", mapped, { id: 'C-1', constructor: 'x' }],
		['Extra Body Fields must be an object', badExtra, { id: 'C-1' }],
		['read in the wrong encoding', mappedEvent, { id: 'C-1', city: 'M\ufffdnchen' }],
	])('still refuses a row if %s', async (told, parameters, row) => {
		expect(await node.refusal({ ...parameters, options }, row)).toContain(told);
	});
});
