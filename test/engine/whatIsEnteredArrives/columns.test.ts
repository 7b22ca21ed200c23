import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const anna = 'anna@example.com';
const phone = '+49 171 3920001';
const columns = { dataMode: 'autoMapInputData', userIdField: 'id' };
const mapped: INodeParameters = { resource: 'user', operation: 'create', ...columns };
const mappedEvent: INodeParameters = { ...order.trackEvent, ...columns };

const attributes = () =>
	node.elements().map((one) => (one.user_attributes ?? one.attributes ?? {}) as IDataObject);
const namesSent = () => attributes().map((one) => Object.keys(one));

describe('The column with the ID', () => {
	const row = { customerId: 'C-1', email: anna, plan: 'gold' };
	const lacking =
		"The input has no column 'userID'. Columns: customerId, email, plan. Enter the one with the user's ID under 'User ID Column'";

	it.each([
		['userID', row, lacking],
		['customerId', { customerId: '' }, "Column 'customerId': User ID is empty. Fill it in"],
	])('is named if it is %s and the row is %j', async (userIdField, input, message) => {
		const told = await node.stops({ ...mapped, userIdField }, { rows: [input] });
		expect(told).toBe(`Nothing was sent: ${message}`);
	});

	it.each(['customerId', "={{$json['customerId']}}", '={{ $json.idColumn + "" }}'])(
		'is found where User ID Column is %s',
		async (userIdField) => {
			const rows = [{ ...row, idColumn: 'customerId' }];
			await node.run({ ...mapped, userIdField, ignoreFields: 'idColumn' }, { rows });
			const user_attributes = { email: anna, plan: 'gold' };
			expect(node.bodies()).toEqual([{ nv: [{ userID: 'C-1', user_attributes }] }]);
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
	const rowOf = (names: string[]): IDataObject => {
		return { id: 'C-1', ...Object.fromEntries(names.map((name) => [name, 'x'])) };
	};

	it.each<[entered: string, columns: string[], sent: string[]]>([
		['notes', ['Notes', 'city'], ['city']],
		['notes', ['notes', 'Notes', 'NOTES'], ['Notes', 'NOTES']],
		['größe', ['GRÖSSE', 'Größe'], ['GRÖSSE']],
		['plan', [' plan', 'plan', 'city'], ['city']],
		[' plan ,\n city', ['plan', 'city', 'zip'], ['zip']],
		['"plan"', ['plan', '"plan"'], ['plan']],
		['={{ $json.skip }}', ['skip', 'x', 'city'], ['skip', 'city']],
		[',, ,', ['city'], ['city']],
	])('%j of %j leaves %j', async (entered, names, left) => {
		for (const parameters of ofUserAndEvent(entered)) {
			node.sandbox.reset();
			expect((await node.run(parameters, { rows: [rowOf(names)] })).error).toBeUndefined();
			expect(namesSent()).toEqual([left]);
		}
	});

	it('must be text', async () => {
		for (const parameters of ofUserAndEvent('={{ ["a"] }}'))
			expect(await node.stops(parameters, { rows: [rowOf(['a'])] })).toBe(
				'Nothing was sent: Ignore Columns must be text that names columns',
			);
	});
});

describe('A column of Email Column, Mobile Column or Name Column', () => {
	const german = { options: { defaultCountry: 'DE' } };
	const asAttributes = { emailField: '', mobileField: ' ', nameField: '={{ "" }}' };
	const clearing = { options: { sendEmptyValues: true } };
	const asTheyAre = { 'E-Mail': anna, Mobile: '0171', Name: 'Anna', email: 'b@example.com' };
	const others = { 'E-Mail 1': anna, emails: [anna], Na_me: 'x', email_opt_in: true, name: 'Anna' };
	const both = { email: anna, 'E-Mail': 'b@example.com' };
	const second = { email: 'b@example.com' };
	const named = { emailField: 'Mail (privat)' };
	const dragged = { emailField: "={{ $json['Mail (privat)'] }}" };
	const byKind = { emailField: '={{ $json.kind + "" }}' };

	it.each<[what: string, row: IDataObject, sent: IDataObject, more?: INodeParameters]>([
		['becomes that value', { ' E-MAIL ': anna }, { email: anna }],
		['with another hyphen', { 'E\u2011Mail': anna }, { email: anna }],
		['with spaces nobody sees', { '\ufeffe\u00a0mail': anna }, { email: anna }],
		['of a country', { MOBILE: '0171 3920001' }, { mobile: '+491713920001' }, german],
		['entered', { Handy: phone }, { mobile: '+491713920001' }, { mobileField: 'handy' }],
		['entered with spaces', { 'Full-Name': 'A' }, { name: 'A' }, { nameField: ' full name ' }],
		['entered', { 'Mail (privat)': anna }, { email: anna }, named],
		['dragged', { 'Mail (privat)': anna }, { email: anna }, dragged],
		['computed', { kind: 'Login', Login: anna }, { kind: 'Login', email: anna }, byKind],
		['is none of another name', others, others],
		['is left as it is where the field is empty', asTheyAre, asTheyAre, asAttributes],
		['is another one beside an exact name', both, both],
		['gives way to Ignore Columns', both, second, { ignoreFields: 'email' }],
		['may be ignored', { ...both, a: 1 }, { a: 1 }, { ignoreFields: 'email, E-Mail' }],
		['is cleared as its field', { 'E-Mail': '', Name: null }, { email: '', name: '' }, clearing],
	])('%s: %j', async (_, row, sent, more = {}) => {
		const report = await node.run({ ...mapped, ...more }, { rows: [{ id: 'C-1', ...row }] });
		expect(report.error).toBeUndefined();
		expect(node.elements()).toEqual([{ userID: 'C-1', user_attributes: sent }]);
	});

	it('counts where it is filled, in each item', async () => {
		const rows = [
			{ id: 'C-1', Email: anna, 'e-mail': '' },
			{ id: 'C-2', Email: null, 'e-mail': 'ben@example.com' },
			{ id: 'C-3', email: ' ', EMAIL: 'cleo@example.com' },
			{ id: 'C-4', Email: 'NULL', 'E-Mail': 'dan@example.com' },
			{ id: 'C-5', plan: 'gold' },
		];
		const { error } = await node.run({ ...mapped, emailField: 'Email', ...clearing }, { rows });
		expect(error).toBeUndefined();
		expect(attributes()).toEqual([
			...[{ email: anna }, { email: 'ben@example.com' }, { email: 'cleo@example.com' }],
			...[{ email: 'dan@example.com' }, { plan: 'gold' }],
		]);
	});

	it.each<[row: IDataObject, more: INodeParameters, named: string[]]>([
		[{ Email: anna, 'e-mail': anna }, {}, ['Email', 'e-mail']],
		[{ Kontakt: anna, email: 'b@example.com' }, { emailField: 'Kontakt' }, ['Kontakt', 'email']],
	])('is refused where two are filled: %j', async (row, more, [one, other]) => {
		const rows = [
			{ id: 'C-1', ...row },
			{ id: 'C-2', email: 'cleo@example.com', Kontakt: '' },
		];
		const [told, ...others] = await node.refusals({ ...mapped, ...more }, rows);
		expect(others).toEqual([]);
		expect(told).toContain(`The columns '${one}' and '${other}' both become the attribute '`);
		expect(attributes()).toEqual([{ email: 'cleo@example.com' }]);
	});

	it.each<[row: IDataObject, told: string]>([
		[{ 'E-Mail': 'anna' }, "Column 'E-Mail': Email 'anna' is not an email address"],
		[{ Mobile: '0171 3920001' }, "Column 'Mobile': Mobile '"],
		[{ Name: ['Anna'] }, "Column 'Name': Name must be text"],
		[{ email: 'anna' }, "Email 'anna' is not an email address"],
	])('is refused by the rule of its field: %j', async (row, told) => {
		const [found, ...others] = await node.refusals(mapped, [{ id: 'C-1', ...row }]);
		expect(others).toEqual([]);
		expect(found?.slice(0, told.length)).toBe(told);
		const leftOut = { ...mapped, options: { leaveOutInvalid: true } };
		await node.run(leftOut, { rows: [{ id: 'C-1', ...row, plan: 'x' }] });
		expect(attributes()).toEqual([{ plan: 'x' }]);
	});

	it.each([
		['mobileField', 'Mobile Column', 'Handy'],
		['nameField', 'Name Column', '={{ $json.Kunde }}'],
		['emailField', 'Email Column', 'Email'],
	])('is refused if it is entered and no item has it: %s', async (field, label, entered) => {
		const rows = [
			{ id: 'C-1', plan: 'gold' },
			{ id: 'C-2', '\ufeffcity': 'Pune' },
		];
		const refused = await node.refusals({ ...mapped, [field]: entered }, rows);
		const name = entered.replace(/^.*\.(\w+) \}\}$/, '$1');
		const told = `No item has the column '${name}' of '${label}'. Columns: id, plan, city. Enter one of them, or leave '${label}' empty`;
		expect(refused).toEqual([told, told]);
		expect(node.sandbox.record).toEqual([]);
	});

	it('must be a name', async () => {
		const rows = [{ id: 'C-1', x: [1] }];
		const refused = await node.refusals({ ...mapped, emailField: '={{ [1] }}' }, rows);
		expect(refused).toEqual(['Email Column must be text that names columns']);
	});

	it('may be the one with the ID too', async () => {
		await node.run({ ...mapped, userIdField: 'E-Mail' }, { rows: [{ 'E-Mail': anna }] });
		expect(node.elements()).toEqual([{ userID: anna, user_attributes: { email: anna } }]);
	});

	it('is an attribute like any other in an event', async () => {
		await node.run(mappedEvent, { rows: [{ id: 'C-1', 'E-Mail': anna, Name: 'Anna' }] });
		expect(attributes()).toEqual([{ 'E-Mail': anna, Name: 'Anna' }]);
	});
});

describe('Users without email, mobile and name', () => {
	const counted = (users: string, columns: string) =>
		`${users}. If a column holds them, enter its name under 'Email Column', 'Mobile Column' or 'Name Column'; otherwise, leave the field empty. Columns: ${columns}.`;
	const rows = [1, 2, 3].map((one) => ({ id: `C-${one}`, Mail: anna, Handy: phone }));
	const some = [rows[0] ?? {}, { ...rows[1], name: 'Ben' }, { ...rows[2], email: '' }];

	const withEmail = rows.map(({ id, Handy }) => ({ id, 'E-Mail': anna, Handy }));
	const ofAll = counted('3 of 3 users came without email, mobile and name', 'id, Mail, Handy');
	const ofSome = counted(
		'2 of 3 users came without email, mobile and name',
		'id, Mail, Handy, name, email',
	);
	const noMobile = counted('None of 3 users came with mobile', 'id, E-Mail, Handy');
	const entered = { ...mapped, emailField: 'Mail', mobileField: 'Handy' };
	const nothing = { ...mapped, emailField: '', mobileField: '', nameField: '' };

	it.each<[string, INodeParameters, IDataObject[], told: string[]]>([
		['are counted', mapped, rows, [ofAll]],
		['are counted alone', mapped, some, [ofSome]],
		['are none once the columns are entered', entered, rows, []],
		['are told apart from users of whom nobody has a number', mapped, withEmail, [noMobile]],
		['may have no number where none is looked for', { ...mapped, mobileField: '' }, withEmail, []],
		['are not counted where nothing is mapped', nothing, rows, []],
		['are not counted in events', mappedEvent, rows, []],
	])('%s', async (_, parameters, all, told) => {
		const hints = hintsOf(await node.run(parameters, { rows: all }));
		expect(hints.filter((hint) => hint.includes('came with'))).toEqual(told);
	});
});

describe('Names of columns', () => {
	it('lose spaces at both ends and a byte order mark', async () => {
		const row = { '\ufeffid': 'C-1', ' plan ': 'gold', 'first name\u00a0': 'Anna', city: 'Pune' };
		for (const parameters of [mapped, mappedEvent]) {
			node.sandbox.reset();
			await node.run({ ...parameters, ignoreFields: 'city' }, { rows: [row] });
			expect(node.elements()[0]?.userID).toBe('C-1');
			expect(attributes()).toEqual([{ plan: 'gold', 'first name': 'Anna' }]);
		}
		const named = { userIdField: '\ufeffid', ignoreFields: ' \ufeffplan' };
		node.sandbox.reset();
		await node.run({ ...mapped, ...named }, { rows: [row] });
		expect(node.elements()).toMatchObject([
			{ userID: 'C-1', user_attributes: { 'first name': 'Anna', city: 'Pune' } },
		]);
	});

	it.each([
		['customAttributes', order.createUser],
		['attributes', order.trackEvent],
	])('lose them where columns are dragged to %s', async (list, parameters) => {
		const value = "={{ $json['\ufeffplan '] }}";
		const assignments = [{ id: '1', name: '\ufeffplan ', value, type: 'string' }];
		await node.run(
			{ ...parameters, [list]: { assignments } },
			{ rows: [{ '\ufeffplan ': 'gold' }] },
		);
		expect(attributes()).toEqual([{ plan: 'gold' }]);
	});

	it('must not be empty', async () => {
		for (const parameters of [mapped, mappedEvent])
			for (const name of ['', ' ', '\ufeff'])
				expect(await node.stops(parameters, { rows: [{ id: 'C-1', [name]: 'x' }] })).toBe(
					'Nothing was sent: A column has no name. Give it one',
				);
	});
});

describe('A whole webhook', () => {
	const headers = { authorization: 'Bearer secret', cookie: 'session=secret' };
	const call = { headers, params: {}, query: {}, body: { id: 'C-1', email: anna } };

	it.each<IDataObject>([
		{ ...call, webhookUrl: 'https://n8n.example/webhook/1', executionMode: 'test' },
		{ id: 'C-1', headers, query: { email: anna }, body: {} },
		{ ...call, body: [{ id: 'C-1' }] },
		{ ...call, id: 'C-1', ignore: 'body, query' },
	])('is refused, and nothing of it is stored: %j', async (row) => {
		for (const parameters of [mapped, mappedEvent]) {
			const rows = [row, { id: 'C-2', name: 'Ben' }];
			const ignored = { ignoreFields: '={{ $json.ignore + "" }}' };
			node.sandbox.reset();
			const told = await node.refusals({ ...parameters, ...ignored }, rows);
			expect(told).toEqual([
				'The item is a whole webhook call, and its headers would be stored as attributes. Map {{ $json.body }} or {{ $json.query }} instead: enter it, or the object inside it, in an Edit Fields node before, in mode JSON. For a list, use Split Out',
			]);
			expect(node.elements()).toMatchObject([{ userID: 'C-2' }]);
		}
	});

	it.each<[row: IDataObject, more: INodeParameters, left: string[]]>([
		[{ id: 'C-1', ...call }, { ignoreFields: 'headers' }, ['params', 'query', 'body']],
		[{ id: 'C-1', headers: 'none', body: 'text' }, {}, ['headers', 'body']],
		[{ id: 'C-1', headers, body: 'Hello' }, {}, ['headers', 'body']],
	])('is not every item with such columns: %j', async (row, more, left) => {
		for (const parameters of [mapped, mappedEvent]) {
			node.sandbox.reset();
			await node.run({ ...parameters, ...more }, { rows: [row] });
			expect(namesSent()).toEqual([left]);
		}
	});
});

it('With Include Input Fields, an item holds its columns, and what the node adds under result', async () => {
	const outputs = async (more: INodeParameters) => {
		const fields = { user_id: '={{ $json.id }}', title: '={{ $json.title }}' };
		const options = { includeInputFields: true, ...more };
		// A column that the node's result has too.
		const rows = [row, { id: 'C-2', title: '', outcome: 'won' }];
		const onError = 'continueRegularOutput';
		const { output } = await node.run({ ...order.pushSend, ...fields, options }, { rows, onError });
		return output.map(({ json }) => json);
	};
	const row = { id: 'C-1', title: 'Hello', result: 'old' };
	const [sent, refused] = await outputs({});
	expect(sent).toMatchObject({ ...row, result: { outcome: 'accepted', user_id: 'C-1' } });
	expect(Object.keys(sent ?? {})).toEqual(Object.keys(row));
	expect(Object.keys(refused ?? {})).toEqual(['id', 'title', 'outcome', 'error', 'result']);
	expect(refused).toMatchObject({
		...{ id: 'C-2', title: '', outcome: 'won' },
		result: { error: refused?.error, outcome: 'invalid', details: { outcome: 'invalid' } },
	});
	const [shown] = await outputs({ previewOnly: true });
	expect(shown).toMatchObject({ ...row, result: { outcome: 'preview', user_id: 'C-1' } });
});
