import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const anna = 'anna@example.com';
const phone = '+49 171 3920001';
const columns = { dataMode: 'autoMapInputData', userIdField: 'id' };
const mapped: INodeParameters = { resource: 'user', operation: 'create', ...columns };
const mappedEvent: INodeParameters = { ...order.trackEvent, ...columns };

/** The attributes of each user or event that arrives. */
async function sent(parameters: INodeParameters, rows: IDataObject[]) {
	node.sandbox.reset();
	const { error } = await node.run(parameters, { rows });
	expect(error).toBeUndefined();
	return node.elements().map((one) => (one.user_attributes ?? one.attributes ?? {}) as IDataObject);
}

const namesSent = async (parameters: INodeParameters, row: IDataObject) =>
	(await sent(parameters, [row])).map((one) => Object.keys(one));

describe('The column with the ID', () => {
	const row = { customerId: 7, email: anna, plan: 'gold' };
	const lacking =
		"The input has no column 'userID'. Columns: customerId, email, plan. Enter the one with the user's ID under 'User ID Column'";

	it.each([
		['userID', row, lacking],
		['customerId', { customerId: '' }, "Column 'customerId': User ID is empty. Fill it in"],
	])('is named if it is %s and the row is %j', async (userIdField, input, message) => {
		expect(await node.refusal({ ...mapped, userIdField }, input)).toBe(message);
	});

	it.each(['customerId', "={{$json['customerId']}}", '={{ $json.idColumn + "" }}'])(
		'is found where User ID Column is %s',
		async (userIdField) => {
			const parameters = { ...mapped, userIdField, ignoreFields: 'idColumn' };
			await sent(parameters, [{ ...row, idColumn: 'customerId' }]);
			const user_attributes = { email: anna, plan: 'gold' };
			expect(node.elements()).toEqual([{ userID: '7', user_attributes }]);
		},
	);

	it('names items where it was dragged', async () => {
		const rows = ['C-1', 'C-2'].map((customerId) => ({ plan: 'gold', customerId, email: 'anna' }));
		const dragged = { ...mapped, userIdField: '={{ $json.customerId }}' };
		const { error } = await node.run(dragged, { rows });
		expect(error?.description).toContain('Items 0 (C-1), 1 (C-2)');
	});
});

describe('Ignore Columns', () => {
	const ofUserAndEvent = (ignoreFields: string) =>
		[mapped, mappedEvent].map((one) => ({ ...one, ignoreFields }));

	it.each<[entered: string, columns: string[], left: string[]]>([
		['notes', ['Notes', 'city'], ['city']],
		['notes', ['notes', 'Notes', 'NOTES'], ['Notes', 'NOTES']],
		['größe', ['GRÖSSE', 'Größe'], ['GRÖSSE']],
		['plan', [' plan', 'plan', 'city'], ['city']],
		[' plan ,\n city', ['plan', 'city', 'zip'], ['zip']],
		['"plan"', ['plan', '"plan"'], ['plan']],
		['={{ $json.skip }}', ['skip', 'x', 'city'], ['skip', 'city']],
		[',, ,', ['city'], ['city']],
	])('%j of %j leaves %j', async (entered, names, left) => {
		const row = { id: 'C-1', ...Object.fromEntries(names.map((name) => [name, 'x'])) };
		for (const parameters of ofUserAndEvent(entered))
			expect(await namesSent(parameters, row)).toEqual([left]);
	});

	it('must be text', async () => {
		for (const parameters of ofUserAndEvent('={{ ["a"] }}'))
			expect(await node.refusal(parameters, { id: 'C-1', a: 'x' })).toBe(
				'Ignore Columns must be text that names columns',
			);
	});
});

describe('A column of Email Column, Mobile Column or Name Column', () => {
	const german = { options: { defaultCountry: 'DE' } };
	const asAttributes = { emailField: '', mobileField: ' ', nameField: '={{ "" }}' };
	const clearing = { options: { sendEmptyValues: true } };
	const ignoring = { ignoreFields: 'email, E-Mail' };
	const cleared = { email: '', name: '', a: null };
	const asTheyAre = { 'E-Mail': anna, Mobile: '0171', Name: 'Anna', email: 'b@example.com' };
	const otherTypes = { points: 1200, vip: false, a: { city: 'Pune' }, userID: 'other' };
	const others = { 'E-Mail 1': anna, emails: [anna], Na_me: 'x', name: 'Anna', ...otherTypes };
	const both = { email: anna, 'E-Mail': 'b@example.com' };
	const named = { emailField: 'Mail (privat)' };
	const dragged = { emailField: "={{ $json['Mail (privat)'] }}" };
	const byKind = { emailField: '={{ $json.kind + "" }}' };

	it.each<[what: string, row: IDataObject, arrives: IDataObject, more?: INodeParameters]>([
		['becomes that value', { ' E-MAIL ': anna }, { email: anna }],
		['with another hyphen', { 'E\u2011Mail': anna }, { email: anna }],
		['with spaces nobody sees', { '\ufeffe\u00a0mail': anna }, { email: anna }],
		['of a country', { MOBILE: '0171 3920001' }, { mobile: '+491713920001' }, german],
		['entered with spaces', { 'Full-Name': 'A' }, { name: 'A' }, { nameField: ' full name ' }],
		['entered', { 'Mail (privat)': anna }, { email: anna }, named],
		['dragged', { 'Mail (privat)': anna }, { email: anna }, dragged],
		['computed', { kind: 'Login', Login: anna }, { kind: 'Login', email: anna }, byKind],
		['is none of another name', others, others],
		['is left as it is where the field is empty', asTheyAre, asTheyAre, asAttributes],
		['is another one beside an exact name', both, both],
		['gives way', both, { email: 'b@example.com' }, { ignoreFields: 'email' }],
		['may be ignored', { ...both, a: 1, b: '', c: null }, { a: 1 }, ignoring],
		['is cleared as its field', { 'E-Mail': '', Name: null, a: null }, cleared, clearing],
	])('%s: %j', async (_, row, arrives, more = {}) => {
		expect(await sent({ ...mapped, ...more }, [{ id: 'C-1', ...row }])).toEqual([arrives]);
	});

	it('counts where it is filled, in each item', async () => {
		const rows = [
			{ id: 'C-1', Email: anna, 'e-mail': '' },
			{ id: 'C-2', Email: null, 'e-mail': 'ben@example.com' },
			{ id: 'C-3', Email: 'NULL', 'E-Mail': 'dan@example.com' },
			{ id: 'C-4', plan: 'gold' },
		];
		const ofEmails = [anna, 'ben@example.com', 'dan@example.com'].map((email) => ({ email }));
		const parameters = { ...mapped, emailField: 'Email', ...clearing };
		expect(await sent(parameters, rows)).toEqual([...ofEmails, { plan: 'gold' }]);
	});

	it.each<[row: IDataObject, more: INodeParameters, told: string]>([
		[
			{ Email: anna, 'e-mail': anna },
			{},
			"The columns 'Email' and 'e-mail' both become the attrib",
		],
		[
			{ Kontakt: anna, email: anna },
			{ emailField: 'Kontakt' },
			"The columns 'Kontakt' and 'email' ",
		],
		[{ 'E-Mail': 'anna' }, {}, "Column 'E-Mail': Email 'anna' is not an email address"],
		[{ Mobile: '0171 3920001' }, {}, "Column 'Mobile': Mobile '"],
		[{ Name: ['Anna'] }, {}, "Column 'Name': Name must be text"],
		[{ email: 'anna' }, {}, "Email 'anna' is not an email address"],
	])('is refused where two are filled, or by the rule of its field: %j', async (...one) => {
		const [row, more, told] = one;
		const rows = [
			{ id: 'C-1', ...row },
			{ id: 'C-2', email: 'cleo@example.com', Kontakt: '' },
		];
		expect(await node.refusals({ ...mapped, ...more }, rows)).toEqual([
			expect.stringContaining(told),
		]);
		expect(node.elements()).toMatchObject([{ userID: 'C-2' }]);
	});

	it.each([
		['mobileField', 'Mobile Column', 'Handy', 'Handy'],
		['nameField', 'Name Column', '={{ $json.Kunde }}', 'Kunde'],
		['emailField', 'Email Column', 'Email', 'Email'],
	])('is refused if it is entered and no item has it: %s', async (...one) => {
		const [field, label, entered, name] = one;
		const rows = [
			{ id: 'C-1', plan: 'gold' },
			{ id: 'C-2', '\ufeffcity': 'Pune' },
		];
		const told = `No item has the column '${name}' of '${label}'. Columns: id, plan, city. Enter one of them, or leave '${label}' empty`;
		expect(await node.refusals({ ...mapped, [field]: entered }, rows)).toEqual([told, told]);
	});

	it('must be a name', async () => {
		const told = await node.refusal({ ...mapped, emailField: '={{ [1] }}' }, { id: 'C-1' });
		expect(told).toBe('Email Column must be text that names columns');
	});

	it('may be the one with the ID too', async () => {
		await sent({ ...mapped, userIdField: 'E-Mail' }, [{ 'E-Mail': anna }]);
		expect(node.elements()).toEqual([{ userID: anna, user_attributes: { email: anna } }]);
	});

	it('is an attribute like any other in an event', async () => {
		const row = { 'E-Mail': anna, Name: 'Anna' };
		expect(await sent(mappedEvent, [{ id: 'C-1', ...row }])).toEqual([row]);
	});
});

describe('Users without email, mobile and name', () => {
	const counted = (users: string, names: string) =>
		`${users}. If a column holds them, enter its name under 'Email Column', 'Mobile Column' or 'Name Column'; otherwise, leave the field empty. Columns: ${names}.`;
	const rows = [1, 2, 3].map((one) => ({ id: `C-${one}`, Mail: anna, Handy: phone }));
	const some = rows.map((row, index) => (index === 1 ? { ...row, name: 'Ben' } : row));
	const withEmail = rows.map(({ id, Handy }) => ({ id, 'E-Mail': anna, Handy }));
	const without = 'users came without email, mobile and name';
	const noMobile = counted('None of 3 users came with mobile', 'id, E-Mail, Handy');
	const entered = { ...mapped, emailField: 'Mail', mobileField: 'Handy' };
	const nothing = { ...mapped, emailField: '', mobileField: '', nameField: '' };

	it.each<[string, INodeParameters, IDataObject[], told?: string]>([
		['are counted', mapped, rows, counted(`3 of 3 ${without}`, 'id, Mail, Handy')],
		['are counted alone', mapped, some, counted(`2 of 3 ${without}`, 'id, Mail, Handy, name')],
		['are none once the columns are entered', entered, rows],
		['are told apart from users of whom nobody has a number', mapped, withEmail, noMobile],
		['may have no number where none is looked for', { ...mapped, mobileField: '' }, withEmail],
		['are not counted where nothing is mapped', nothing, rows],
		['are not counted in events', mappedEvent, rows],
	])('%s', async (...[, parameters, all, told]) => {
		const hints = hintsOf(await node.run(parameters, { rows: all }));
		expect(hints.find((hint) => hint.includes('came with'))).toBe(told);
	});
});

describe('Names of columns', () => {
	it('lose spaces at both ends and a byte order mark', async () => {
		const row = { '\ufeffid': 'C-1', ' plan ': 'gold', 'first name\u00a0': 'Anna', city: 'Pune' };
		for (const parameters of [mapped, mappedEvent]) {
			const arrived = await sent({ ...parameters, ignoreFields: 'city' }, [row]);
			expect(arrived).toEqual([{ plan: 'gold', 'first name': 'Anna' }]);
			expect(node.elements()[0]?.userID).toBe('C-1');
		}
		const named = { ...mapped, userIdField: '\ufeffid', ignoreFields: ' \ufeffplan' };
		expect(await sent(named, [row])).toEqual([{ 'first name': 'Anna', city: 'Pune' }]);
	});

	it.each([
		['customAttributes', order.createUser],
		['attributes', order.trackEvent],
	])('lose them where columns are dragged to %s', async (list, parameters) => {
		const value = "={{ $json['\ufeffplan '] }}";
		const assignments = [{ id: '1', name: '\ufeffplan ', value, type: 'string' }];
		const entered = { ...parameters, [list]: { assignments } };
		expect(await sent(entered, [{ '\ufeffplan ': 'gold' }])).toEqual([{ plan: 'gold' }]);
	});

	it.each(['', ' ', '\ufeff'])('must not be empty: %j', async (name) => {
		for (const parameters of [mapped, mappedEvent])
			expect(await node.refusal(parameters, { id: 'C-1', [name]: 'x' })).toBe(
				'A column has no name. Give it one',
			);
	});
});

describe('A whole webhook', () => {
	const headers = { authorization: 'Bearer secret', cookie: 'session=secret' };
	const call = { headers, params: {}, query: {}, body: { id: 'C-1', email: anna } };

	it.each<[row: IDataObject, ignoreFields?: string]>([
		[{ ...call, webhookUrl: 'https://n8n.example/webhook/1', executionMode: 'test' }],
		[{ id: 'C-1', headers, query: { email: anna } }],
		[{ ...call, body: [{ id: 'C-1' }] }],
		[{ ...call, id: 'C-1' }, 'body, query'],
	])('is refused, and nothing of it is stored: %j', async (row, ignoreFields = '') => {
		for (const parameters of [mapped, mappedEvent])
			expect(await node.refusal({ ...parameters, ignoreFields }, row)).toBe(
				'The item is a whole webhook call, and its headers would be stored as attributes. Map {{ $json.body }} or {{ $json.query }} instead: enter it, or the object inside it, in an Edit Fields node before, in mode JSON. For a list, use Split Out',
			);
	});

	it.each<[row: IDataObject, ignoreFields: string, left: string[]]>([
		[{ id: 'C-1', ...call }, 'headers', ['params', 'query', 'body']],
		[{ id: 'C-1', headers: 'none', body: {} }, '', ['headers', 'body']],
		[{ id: 'C-1', headers, body: 'Hello' }, '', ['headers', 'body']],
	])('is not every item with such columns: %j', async (row, ignoreFields, left) => {
		for (const parameters of [mapped, mappedEvent])
			expect(await namesSent({ ...parameters, ignoreFields }, row)).toEqual([left]);
	});
});

it('With Include Input Fields, an item holds its columns, and what the node adds under result', async () => {
	const row = { id: 'C-1', title: 'Hello', result: 'old' };
	// A column that the node's result has too.
	const rows = [row, { id: 'C-2', title: '', outcome: 'won' }];
	const outputs = async (more: INodeParameters) => {
		const fields = { user_id: '={{ $json.id }}', title: '={{ $json.title }}' };
		const parameters = {
			...order.pushSend,
			...fields,
			options: { includeInputFields: true, ...more },
		};
		const { output } = await node.run(parameters, { rows, onError: 'continueRegularOutput' });
		return output.map(({ json }) => json);
	};
	const [accepted, refused] = await outputs({});
	expect(accepted).toMatchObject({ ...row, result: { outcome: 'accepted', user_id: 'C-1' } });
	expect(Object.keys(accepted ?? {})).toEqual(Object.keys(row));
	expect(Object.keys(refused ?? {})).toEqual(['id', 'title', 'outcome', 'error', 'result']);
	const result = { error: refused?.error, outcome: 'invalid', details: { outcome: 'invalid' } };
	expect(refused).toMatchObject({ ...rows[1], result });
	const [shown] = await outputs({ previewOnly: true });
	expect(shown).toMatchObject({ ...row, result: { outcome: 'preview', user_id: 'C-1' } });
});
