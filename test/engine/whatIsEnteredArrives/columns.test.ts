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

async function messageOf(parameters: INodeParameters, rows: IDataObject[]): Promise<string> {
	const { error } = await node.run(parameters, { rows });
	expect(node.sandbox.record).toEqual([]);
	return String(error?.message);
}

describe('The column with the ID', () => {
	const row = { customerId: 'C-1', email: anna, plan: 'gold' };
	const lacking =
		"The input has no column 'userID'. Columns: customerId, email, plan. Enter the one with the user's ID under 'User ID Column'";
	const empty = "Column 'customerId': User ID is empty. Fill it in";

	it.each([
		['userID', row, lacking],
		['customerId', { customerId: '' }, empty],
	])('is named if it is %s and the row is %j', async (userIdField, input, message) => {
		const told = await messageOf({ ...mapped, userIdField }, [input]);
		expect(told).toBe(`Nothing was sent: ${message}`);
	});

	it.each([
		...['customerId', '={{ $json.customerId }}'],
		...["={{$json['customerId']}}", '={{ $json.idColumn + "" }}'],
	])('is found where User ID Column is %s', async (userIdField) => {
		const rows = [{ ...row, idColumn: 'customerId' }];
		await node.run({ ...mapped, userIdField, ignoreFields: 'idColumn' }, { rows });
		const user_attributes = { email: anna, plan: 'gold' };
		expect(node.bodies()).toEqual([{ nv: [{ userID: 'C-1', user_attributes }] }]);
	});
});

describe('Ignore Columns', () => {
	const ofUserAndEvent = (ignoreFields: string) =>
		[mapped, mappedEvent].map((one) => ({ ...one, ignoreFields }));
	const rowOf = (names: string[], id = 'C-1'): IDataObject => {
		return { id, ...Object.fromEntries(names.map((name) => [name, 'x'])) };
	};

	it.each<[entered: string, columns: string[], sent: string[]]>([
		['notes', ['Notes', 'city'], ['city']],
		['NOTES', [' notes ', 'city'], ['city']],
		['notes', ['notes', 'Notes', 'NOTES'], ['Notes', 'NOTES']],
		['größe', ['GRÖSSE', 'Größe'], ['GRÖSSE']],
		['plan', [' plan', 'plan', 'city'], ['city']],
		[' plan ,\n city', ['plan', 'city', 'zip'], ['zip']],
		['"plan"', ['plan', '"plan"'], ['plan']],
		['[notes]', ['[notes]', 'notes'], ['notes']],
		['={{ $json.skip }}', ['skip', 'x', 'city'], ['skip', 'city']],
		["O'Brien, it's", ["O'Brien", "it's", 'city'], ['city']],
		['a.b, c', ['a.b', 'a', 'c'], ['a']],
		['notess', ['notes'], ['notes']],
		[',, ,', ['city'], ['city']],
	])('%j of %j leaves %j', async (entered, names, left) => {
		for (const parameters of ofUserAndEvent(entered)) {
			node.sandbox.reset();
			expect((await node.run(parameters, { rows: [rowOf(names)] })).error).toBeUndefined();
			expect(namesSent()).toEqual([left]);
		}
	});

	it('looks at the columns of each row', async () => {
		const rows = [rowOf(['notes', 'Notes'], 'C-0'), rowOf(['Notes', 'city'])];
		await node.run({ ...mapped, ignoreFields: 'notes' }, { rows });
		expect(namesSent()).toEqual([['Notes'], ['city']]);
	});

	it('must be text', async () => {
		for (const parameters of ofUserAndEvent('={{ ["a"] }}'))
			expect(await messageOf(parameters, [rowOf(['a'])])).toBe(
				'Nothing was sent: Ignore Columns must be text that names columns',
			);
	});
});

/** The user that arrives for a row, and what the run says. */
async function userOf(row: IDataObject, more: INodeParameters = {}) {
	node.sandbox.reset();
	const report = await node.run({ ...mapped, ...more }, { rows: [{ id: 'C-1', ...row }] });
	expect(report.error).toBeUndefined();
	const [{ userID, user_attributes } = {}, ...others] = node.elements();
	expect([userID, ...others]).toEqual(['C-1']);
	return { user_attributes, hints: hintsOf(report) };
}

describe('A column of Email Column, Mobile Column or Name Column', () => {
	const german = { options: { defaultCountry: 'DE' } };

	it.each<[row: IDataObject, sent: IDataObject, more?: INodeParameters]>([
		[{ email: anna }, { email: anna }],
		...['Email', 'E-Mail', 'e mail', ' E-MAIL ', 'E\u2011Mail', '\ufeffe-mail', 'E\u00a0Mail'].map(
			(column): [IDataObject, IDataObject] => [{ [column]: anna }, { email: anna }],
		),
		[{ Mobile: phone }, { mobile: '+491713920001' }],
		[{ NAME: 'Anna' }, { name: 'Anna' }],
		[{ MOBILE: '0171 3920001' }, { mobile: '+491713920001' }, german],
		[{ Mobile: 491713920001 }, { mobile: '+491713920001' }, german],
		[{ Handy: '0171 3920001' }, { mobile: '+491713920001' }, { ...german, mobileField: 'handy' }],
		[{ 'Full-Name': 'Anna' }, { name: 'Anna' }, { nameField: ' full name ' }],
		[{ Kontakt: anna }, { email: anna }, { emailField: '={{ $json.Kontakt }}' }],
		[{ 'Mail (privat)': anna }, { email: anna }, { emailField: "={{ $json['Mail (privat)'] }}" }],
		[
			{ kind: 'Login', Login: anna },
			{ kind: 'Login', email: anna },
			{ emailField: '={{ $json.kind + "" }}' },
		],
	])('becomes that value and no other attribute: %j', async (row, sent, more = {}) => {
		expect(await userOf(row, more)).toEqual({ user_attributes: sent, hints: [] });
	});

	it.each<IDataObject>([
		...[
			{ e_mail: anna, name: 'Anna' },
			{ 'E-Mail 1': anna, name: 'Anna' },
		],
		...[
			{ email_opt_in: true, email: anna },
			{ emails: [anna], name: 'Anna' },
		],
		{ name: 'Anna', Na_me: 'x' },
	])('is none of another name: %j', async (row) => {
		expect((await userOf(row)).user_attributes).toEqual(row);
	});

	it('is left as it is where the field is empty', async () => {
		const nothing = { emailField: '', mobileField: ' ', nameField: '={{ "" }}' };
		const row = { 'E-Mail': anna, Mobile: '0171', Name: 'Anna', email: 'b@example.com' };
		expect(await userOf(row, nothing)).toEqual({ user_attributes: row, hints: [] });
	});

	it('gives way to Ignore Columns, and an exact name comes before the others', async () => {
		const both = { email: anna, 'E-Mail': 'private@example.com' };
		expect((await userOf(both)).user_attributes).toEqual(both);
		const entered = { emailField: 'E-Mail', ignoreFields: 'email' };
		expect((await userOf(both, entered)).user_attributes).toEqual({ email: both['E-Mail'] });
		const ignored = { ignoreFields: 'email' };
		expect((await userOf(both, ignored)).user_attributes).toEqual({ email: both['E-Mail'] });
		const none = { ignoreFields: 'email, E-Mail' };
		expect((await userOf({ ...both, plan: 'gold' }, none)).user_attributes).toEqual({
			plan: 'gold',
		});
	});

	it('counts where it is filled, in each item', async () => {
		const rows = [
			{ id: 'C-1', Email: anna, 'e-mail': '' },
			{ id: 'C-2', Email: null, 'e-mail': 'ben@example.com' },
			{ id: 'C-3', email: ' ', EMAIL: 'cleo@example.com' },
			{ id: 'C-4', Email: 'NULL', 'E-Mail': 'dan@example.com' },
			{ id: 'C-5', plan: 'gold' },
		];
		const { error } = await node.run({ ...mapped, options: { sendEmptyValues: true } }, { rows });
		expect(error).toBeUndefined();
		expect(attributes()).toEqual([
			...[{ email: anna }, { email: 'ben@example.com' }, { email: 'cleo@example.com' }],
			...[{ email: 'dan@example.com' }, { plan: 'gold' }],
		]);
	});

	it('is cleared as its field is where empty values are sent', async () => {
		const options = { sendEmptyValues: true };
		const { user_attributes } = await userOf({ 'E-Mail': '', Name: null }, { options });
		expect(user_attributes).toEqual({ email: '', name: '' });
	});

	it.each<[row: IDataObject, more: INodeParameters, named: string[]]>([
		[{ Email: anna, 'e-mail': anna }, {}, ['Email', 'e-mail']],
		[{ Mobile: phone, MOBILE: phone }, {}, ['Mobile', 'MOBILE']],
		[{ Kontakt: anna, email: 'b@example.com' }, { emailField: 'Kontakt' }, ['Kontakt', 'email']],
		[{ name: 'Anna', 'name ': 'Ben' }, {}, ['name', 'name']],
		[{ city: 'Pune', ' city': 'Oslo' }, {}, ['city', 'city']],
	])('is refused where two are filled: %j', async (row, more, [one, other]) => {
		const rows = [
			{ id: 'C-1', ...row },
			{ id: 'C-2', email: 'cleo@example.com', Kontakt: '' },
		];
		const [told, ...others] = await node.refusals({ ...mapped, ...more }, rows);
		expect(others).toEqual([]);
		expect(told).toMatch(
			new RegExp(`^The columns '${one}' and '${other}' both become the attribute '\\w+'\\. `),
		);
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
		const [leftOut] = [await userOf({ ...row, plan: 'x' }, { options: { leaveOutInvalid: true } })];
		expect(leftOut?.user_attributes).toEqual({ plan: 'x' });
	});

	it.each([
		['emailField', 'Email Column', 'Kontakt'],
		['mobileField', 'Mobile Column', 'Handy'],
		['nameField', 'Name Column', '={{ $json.Kunde }}'],
		['emailField', 'Email Column', 'Email'],
	])('is refused if it is entered and no item has it: %s', async (field, label, entered) => {
		const rows = [
			{ id: 'C-1', plan: 'gold' },
			{ id: 'C-2', '\ufeffcity': 'Pune' },
		];
		const name = entered.replace(/^.*\.(\w+) \}\}$/, '$1');
		const refused = await node.refusals({ ...mapped, [field]: entered }, rows);
		const told = `No item has the column '${name}' of '${label}'. Columns: id, plan, city. Enter one of them, or leave '${label}' empty`;
		expect(refused).toEqual([told, told]);
		expect(node.sandbox.record).toEqual([]);
	});

	it('is fine if it is entered and another item has it', async () => {
		const rows = [
			{ id: 'C-1', plan: 'gold' },
			{ id: 'C-2', HANDY: phone },
		];
		const { error } = await node.run({ ...mapped, mobileField: 'Handy' }, { rows });
		expect(error).toBeUndefined();
		expect(attributes()).toEqual([{ plan: 'gold' }, { mobile: '+491713920001' }]);
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
	const counted = (users: string, columns = 'id, Mail, Handy') =>
		`${users}. If a column holds them, enter its name under 'Email Column', 'Mobile Column' or 'Name Column'; otherwise, leave the field empty. Columns: ${columns}.`;
	const withoutAny = 'came without email, mobile and name';
	const rows = [1, 2, 3].map((one) => ({ id: `C-${one}`, Mail: anna, Handy: phone }));

	it('are counted in a hint, in a preview too', async () => {
		for (const options of [{}, { previewOnly: true }]) {
			const report = await node.run({ ...mapped, options }, { rows });
			expect(hintsOf(report)).toContain(counted(`3 of 3 users ${withoutAny}`));
		}
	});

	it('are counted alone, and no longer once the columns are entered', async () => {
		const some = [rows[0] ?? {}, { ...rows[1], name: 'Ben' }, { ...rows[2], email: '' }];
		const told = counted(`2 of 3 users ${withoutAny}`, 'id, Mail, Handy, name, email');
		expect(hintsOf(await node.run(mapped, { rows: some }))).toEqual([told]);
		const entered = { emailField: 'Mail', mobileField: 'Handy' };
		expect(hintsOf(await node.run({ ...mapped, ...entered }, { rows }))).toEqual([]);
	});

	it('are told apart from users of whom nobody has a number, in a list', async () => {
		const some = rows.map(({ id, Handy }) => ({ id, 'E-Mail': anna, Handy }));
		const told = counted('None of 3 users came with mobile', 'id, E-Mail, Handy');
		expect(hintsOf(await node.run(mapped, { rows: some }))).toEqual([told]);
		const push = { ...mapped, mobileField: '' };
		expect(hintsOf(await node.run(push, { rows: some }))).toEqual([]);
	});

	it('are not counted where nothing is mapped, in events, and where fields are entered', async () => {
		const nothing = { emailField: '', mobileField: '', nameField: '' };
		for (const parameters of [
			{ ...mapped, ...nothing },
			mappedEvent,
			{ ...order.createUser, userID: '={{ $json.id }}' },
		])
			expect(hintsOf(await node.run(parameters, { rows }))).toEqual([]);
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
		const dragged = { userIdField: "={{ $json['\ufeffid'] }}", ignoreFields: ' \ufeffplan' };
		node.sandbox.reset();
		await node.run({ ...mapped, ...dragged }, { rows: [row] });
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
				expect(await messageOf(parameters, [{ id: 'C-1', [name]: 'x' }])).toBe(
					'Nothing was sent: A column has no name. Give it one',
				);
	});
});

describe('A whole webhook', () => {
	const headers = { authorization: 'Bearer secret', cookie: 'session=secret' };
	const call = { headers, params: {}, query: {}, body: { id: 'C-1', email: anna } };

	it.each<IDataObject>([
		{ ...call, webhookUrl: 'https://n8n.example/webhook/1', executionMode: 'test' },
		{ id: 'C-1', headers, body: { email: anna } },
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
		[call.body, {}, ['email']],
		[{ id: 'C-1', ...call }, { ignoreFields: 'headers' }, ['params', 'query', 'body']],
		[{ id: 'C-1', headers: 'none', body: 'text' }, {}, ['headers', 'body']],
		[{ id: 'C-1', headers }, {}, ['headers']],
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
