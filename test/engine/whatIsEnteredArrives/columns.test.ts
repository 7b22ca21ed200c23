import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useLogLines } from '../support/logLines';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();
const lines = useLogLines();

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

/** The only request of a run that nothing stops, and the warnings of that run. */
async function warnings(rows: IDataObject[], parameters: INodeParameters = mapped) {
	node.sandbox.reset();
	const { error, hints } = await node.run(parameters, { rows });
	expect(error).toBeUndefined();
	return hintsOf({ hints: hints.filter(({ type }) => type === 'warning') });
}

describe('The column with the ID', () => {
	const row = { customerId: 'C-1', email: anna, plan: 'gold' };
	const lacking =
		"The input has no column 'userID'. Columns: customerId, email, plan. Enter the one with the user's ID under 'User ID Field'";
	const empty = "User ID (column 'customerId') is empty. Fill it in";

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
	])('is found where User ID Field is %s', async (userIdField) => {
		const rows = [{ ...row, idColumn: 'customerId' }];
		await node.run({ ...mapped, userIdField, ignoreFields: 'idColumn' }, { rows });
		const user_attributes = { email: anna, plan: 'gold' };
		expect(node.bodies()).toEqual([{ nv: [{ userID: 'C-1', user_attributes }] }]);
	});
});

describe('Ignore Fields', () => {
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
		['"notes"', ['Notes', 'city'], ['city']],
		["plan, 'Name, First'", ['Name, First', 'plan', 'city'], ['city']],
		['“Name, First”', ['Name, First', 'city'], ['city']],
		[' "Name, First" ,plan', ['Name, First', 'plan'], []],
		['\'He said "hi, you"\'', ['He said "hi, you"', 'city'], ['city']],
		['" plan"', [' plan', 'plan'], ['plan']],
		['plan', [' plan', 'plan'], [' plan']],
		['"quoted"', ['"quoted"', 'quoted'], ['quoted']],
		['notes, ["Name, First"], city', ['notes', 'Name, First', 'city', 'plan'], ['plan']],
		["['first name']", ['First Name', 'city'], ['city']],
		['[notes]', ['[notes]', 'notes'], ['notes']],
		['={{ $json.skip }}', ['skip', 'x', 'city'], ['skip', 'city']],
		["O'Brien, it's", ["O'Brien", "it's", 'city'], ['city']],
		['"open, city', ['"open', 'city', 'plan'], ['plan']],
		['a.b, c', ['a.b', 'a', 'c'], ['a']],
		[',, ,', ['city'], ['city']],
		['"", plan', [' ', 'plan', 'city'], ['city']],
	])('%j of %j leaves %j', async (entered, names, left) => {
		for (const parameters of ofUserAndEvent(entered)) {
			await warnings([rowOf(names)], parameters);
			expect(namesSent()).toEqual([left]);
		}
	});

	it('is named where a column has no name, and looks at the columns of each row', async () => {
		for (const parameters of ofUserAndEvent(''))
			expect(await messageOf(parameters, [rowOf([''])])).toContain(
				'A column has no name. Give it one, or enter "" under \'Ignore Fields\'',
			);
		const rows = [rowOf(['notes', 'Notes'], 'C-0'), rowOf(['Notes', 'city'])];
		await node.run({ ...mapped, ignoreFields: 'notes' }, { rows });
		expect(namesSent()).toEqual([['Notes'], ['city']]);
	});

	// An expression that gives what a column holds, the column, and how its name is written instead.
	it.each<[entered: string, column: string, value: string | number, name: string]>([
		['={{ $json.notes }}', 'notes', 'private', 'notes'],
		['={{ $json["notes"] }}', 'notes', 'private, city of birth', 'notes'],
		['={{ $json.row_number }}', 'row_number', 2, 'row_number'],
		["={{ $json['Name, First'] }}", 'Name, First', 'Ana', '"Name, First"'],
	])('refuses what a column holds: %s', async (entered, column, value, name) => {
		const rows = [{ id: 'C-1', [column]: value }];
		for (const parameters of ofUserAndEvent(entered)) {
			node.sandbox.reset();
			const told = await messageOf(parameters, rows);
			expect(told).toContain(`which the column holds, and not its name. Write ${name} as`);
			await warnings(rows, { ...parameters, ignoreFields: name });
			expect(namesSent()).toEqual([[]]);
		}
	});

	it.each<[entered: string, columns: string[], better: string]>([
		['city, name,first', ['Name, First', 'city'], '"Name, First"'],
		['Name, First', ['Name, First', 'Name'], '"Name, First"'],
		['Total, net, gross', ['Total, net, gross', 'plan'], '"Total, net, gross"'],
		['Size "L", XL', ['Size "L", XL'], '\'Size "L", XL\''],
	])('refuses a name that a comma divides: %j of %j', async (ignoreFields, names, better) => {
		const rows = [rowOf(['city']), rowOf(names, 'C-2')];
		const refused = await node.refusals({ ...mapped, ignoreFields }, rows);
		const why = expect.stringContaining(`Write its name in quotation marks: ${better}`) as string;
		expect(refused).toEqual([why, why]);
		expect(node.sandbox.record).toEqual([]);
		await node.run({ ...mapped, ignoreFields: better }, { rows: [rowOf(names)] });
		expect(namesSent()).toEqual([names.slice(1)]);
	});

	it.each<[entered: string, columns: string[], meant: string | undefined]>([
		['Notess', ['notes'], 'notes'],
		['ntoes', ['notes'], 'notes'],
		['row number', ['row_number'], 'row_number'],
		['"Name, Frst"', ['Name, First'], 'Name, First'],
		['row_number', ['city', 'number'], undefined],
		['address2', ['address1', 'address'], undefined],
		['notes', ['Notes', 'note'], undefined],
		['ids', ['id'], undefined],
	])('warns of a name that is nearly one: %j of %j', async (ignoreFields, names, near) => {
		const told = await warnings([rowOf(names)], { ...mapped, ignoreFields });
		expect(told).toHaveLength(near === undefined ? 0 : 1);
		expect(lines).toEqual(told.map((message) => ['warn', message]));
		if (near === undefined) return;
		expect(told[0]).toContain(`but '${near}' is one, and it is sent`);
		const better = near.includes(',') ? `"${near}"` : near;
		expect(await warnings([rowOf(names)], { ...mapped, ignoreFields: better })).toEqual([]);
		expect(namesSent()).toEqual([names.filter((name) => name !== near)]);
	});
});

/** What n8n's Edit Fields node gives for an expression, which is then a column of its own. */
async function editFields(rows: IDataObject[], field: string, code: string) {
	node.sandbox.reset();
	const assignments = [{ id: '1', name: field, value: `={{ ${code} }}`, type: 'string' }];
	const parameters = { ...order.createUser, userID: '={{ "C-" + $itemIndex }}' };
	const options = { sendEmptyValues: true, defaultCountry: 'DE' };
	await node.run({ ...parameters, customAttributes: { assignments }, options }, { rows });
	return rows.map((row, index) => ({ ...row, [field]: attributes()[index]?.[field] ?? null }));
}

/** The field to add, and the code for it, that a warning advises. */
function adviceIn(told = ''): [field: string, code: string] {
	const [, field = '', code = ''] = /add the field (\w+) with \{\{ (.*?) \}\}/.exec(told) ?? [];
	return [field, code];
}

describe('A mapped column that misses its field', () => {
	const rows = [{ id: '1', Email: anna }];

	it.each<[row: IDataObject, path: string, field: 'email' | 'mobile' | 'name']>([
		[{ Email: anna }, 'Email', 'email'],
		[{ 'E-Mail': anna }, 'E-Mail', 'email'],
		[{ ' email': anna }, ' email', 'email'],
		[{ 'E-mail 1 - Value': anna }, 'E-mail 1 - Value', 'email'],
		[{ customer_email: anna, plan: 'gold' }, 'customer_email', 'email'],
		[{ 'Correo electrónico': anna }, 'Correo electrónico', 'email'],
		[{ メールアドレス: anna }, 'メールアドレス', 'email'],
		[{ login: anna }, 'login', 'email'],
		[{ properties: { email: { value: anna } } }, 'properties.email.value', 'email'],
		[{ emails: [{ type: 'work', value: anna }] }, 'emails.0.value', 'email'],
		[{ contacts: [{ emails: [{ address: anna }] }] }, 'contacts.0.emails.0.address', 'email'],
		[{ 'id-profiles': [{ ids: [{ value: anna }] }] }, 'id-profiles.0.ids.0.value', 'email'],
		[{ owner: 'sales@example.com', Email: anna }, 'Email', 'email'],
		[{ email: '', 'E-Mail': anna }, 'E-Mail', 'email'],
		[{ MobilePhone: phone }, 'MobilePhone', 'mobile'],
		[{ 'Phone Number': '0171 3920001' }, 'Phone Number', 'mobile'],
		[{ phone: 491713920001 }, 'phone', 'mobile'],
		[{ Handy: "'+491713920001" }, 'Handy', 'mobile'],
		[{ 'Tel.': 'tel:+491713920001' }, 'Tel.', 'mobile'],
		[{ phones: [{ number: phone }] }, 'phones.0.number', 'mobile'],
		[{ phone: phone, mobile_phone: phone }, 'mobile_phone', 'mobile'],
		[{ Name: 'Anna' }, 'Name', 'name'],
		[{ 'Full Name': 'Anna' }, 'Full Name', 'name'],
	])('is named in a warning: %j', async (row, path, field) => {
		const input: IDataObject[] = [{ id: 'C-1', ...row }];
		const [told, ...others] = await warnings(input);
		expect(others).toEqual([]);
		expect(told).toContain(`The column '${path}' is stored`);
		const what = { email: 'email address', mobile: 'mobile number', name: 'name' }[field];
		expect(told).toContain(`so 1 user has no ${what}`);
		expect(lines).toEqual([['warn', told]]);

		// The advice, followed to the letter, also for a row without the column.
		const better = await editFields([...input, { id: 'C-2' }], ...adviceIn(told));
		const options = { defaultCountry: 'DE' };
		expect(await warnings(better, { ...mapped, options })).toEqual([]);
		const right = { email: anna, mobile: '+491713920001', name: 'Anna' }[field];
		expect(attributes().map((one) => one[field])).toEqual([right, undefined]);
	});

	it('is not every column that sounds like one', async () => {
		for (const row of [
			{ email: anna, 'E-Mail': 'private@example.com', mobile: phone, Phone: '+1 212 555 0100' },
			{ email_opt_in: true, 'E-Mail verified': 'yes', mailing_city: 'Pune', mails: 12 },
			{ phone_verified_at: '2026-11-24', phone_type: 'work', cell: 'B12' },
			{ hotel: '4711', phones: [] },
			{ name: 'Anna', Name: 'Anna B.', first_name: 'Anna', company: { name: 'Acme' } },
			{ order: 1234567, zip: '80331', total: '49.90', iban: 'DE02120300000000202051' },
			{ Email: '', 'E-Mail': null, MobilePhone: ' ' },
		])
			expect(await warnings([{ id: 'C-1', ...row }])).toEqual([]);
		expect(lines).toEqual([]);
	});

	it('is named with the others that miss it, and what keeps the addresses that are right', async () => {
		const input = [
			{ id: '1', email: 'ana@example.com', login: 'x@example.com' },
			{ id: '2', Email: 'ben@example.com' },
			{ id: '3', traits: { email: 'cleo@example.com' } },
			{ id: '4', 'E-Mail': '' },
		];
		const [told] = await warnings(input);
		expect(told).toContain(
			"The columns 'Email', 'traits.email' are stored as attributes of their own, so 2 users have no email address",
		);
		const better = await editFields(input, ...adviceIn(told));
		const right = ['ana@example.com', 'ben@example.com', 'cleo@example.com', null];
		expect(better.map(({ email }) => email as unknown)).toEqual(right);
	});

	it.each<[string, INodeParameters]>([
		['once it is ignored', { ...mapped, ignoreFields: 'Email' }],
		['in an event', mappedEvent],
		['where fields are entered', { ...order.createUser, userID: anna }],
	])('is named in a preview too, but not %s', async (_, parameters) => {
		expect(await warnings(rows, parameters)).toEqual([]);
		expect(await warnings(rows, { ...mapped, options: { previewOnly: true } })).toHaveLength(1);
		expect(node.sandbox.record).toEqual([]);
	});
});

describe('A User ID Field that holds addresses', () => {
	it.each([
		['email', anna, 'email'],
		['Email', anna, 'email'],
		['mobile', '+491713920001', 'mobile'],
		['Telefon', '+491713920001', 'mobile'],
		['phone', '491713920001', 'mobile'],
	])('gets a warning if no attribute holds them: %s', async (column, address, field) => {
		const rows: IDataObject[] = [{ [column]: address, plan: 'gold' }];
		const [told, ...others] = await warnings(rows, { ...mapped, userIdField: column });
		expect(others).toEqual([]);
		expect(told).toContain(`User ID (column '${column}') holds`);
		expect(told).toContain(`no attribute '${field}'`);
		expect(lines).toEqual([['warn', told]]);

		const [added, code] = adviceIn(told);
		const better = await editFields(rows, added, code);
		const userIdField = added === field ? column : added;
		if (added !== field) expect(told).toContain(`enter ${added} under 'User ID Field'`);
		expect(await warnings(better, { ...mapped, userIdField })).toEqual([]);
		const right = field === 'mobile' ? '+491713920001' : anna;
		const user_attributes = { [field]: right, plan: 'gold' };
		expect(node.elements()).toMatchObject([{ userID: address, user_attributes }]);
	});

	it('gets none if an attribute holds one, or if they are IDs', async () => {
		const rows = [{ login: anna, email: 'anna@example.org' }, { login: 'C-1001' }];
		expect(await warnings(rows, { ...mapped, userIdField: 'login' })).toEqual([]);
	});
});

describe('Numbers and yes or no in other notations', () => {
	const column = "$json['Col A']?.toString()";
	const asking = (type: string, value: string) => {
		const assignments = [{ id: '1', name: 'x', value, type }];
		return { ...order.createUser, customAttributes: { assignments } };
	};

	const yesNo = `[${column}.toLowerCase()]`;
	it.each<[type: string, value: string, code: string, sent: unknown]>([
		['number', '49,90', `${column}.replace(',', '.')`, 49.9],
		['number', '4.410,23', `${column}.replaceAll('.', '').replace(',', '.')`, 4410.23],
		['number', '4,410.23', `${column}.replaceAll(',', '')`, 4410.23],
		['boolean', 'ja', `({ 'ja': true, 'nein': false })${yesNo}`, true],
		['boolean', 'Nein', `({ 'ja': true, 'nein': false })${yesNo}`, false],
		['boolean', 'yes', `({ 'yes': true, 'no': false })${yesNo}`, true],
	])('of type %s are refused with what reads %s', async (type, value, code, sent) => {
		const kind = type === 'number' ? 'a number' : 'true or false';
		const rows = [{ 'Col A': value }];
		expect(await messageOf(asking(type, "={{ $json['Col A'] }}"), rows)).toBe(
			`Nothing was sent: Custom Attributes: The attribute 'x' must be ${kind}, but it is '${value}'. Convert it: {{ ${code} }}`,
		);
		await node.run(asking(type, `={{ ${code} }}`), { rows });
		expect(attributes()).toEqual([{ x: sent }]);
	});

	it.each(['4,410', 'many', '1.2.3'])('are not converted if unclear: %s', async (value) => {
		const told = await messageOf(asking('number', value), [{}]);
		expect(told).toContain(`but it is '${value}'. Correct it or choose another type`);
	});

	it('need one expression, and take one line, with and without dots in the thousands', async () => {
		const rows = ['49,90', '4.410,23', '9,90', '1.000,00', '5,5', '7,0'].map((sum) => ({ sum }));
		const { error } = await node.run(asking('number', '={{ $json.sum }}'), { rows });
		expect(error?.message).toContain('6 of 6 items need a correction');
		const code = "{{ $json.sum?.toString().replaceAll('.', '').replace(',', '.') }}";
		const told = String(error?.description).replaceAll('&#39;', "'").split('<br>');
		expect(told[0]).toMatch(/it is '4\.410,23'.* 6 items, for example item 1/);
		expect(told[0]).toContain(code);
		expect(told).toHaveLength(2);
	});

	it('are converted where the field has no column of its own', async () => {
		const tracked = { ...order.trackEvent, additionalFields: { ltv: '={{ $json.sum }}' } };
		expect(await messageOf(tracked, [{ sum: '49,90' }])).toMatch(
			/such as 49\.90, but it is '49,90'\. Convert it: \{\{ \$json\.column\?\.toString\(\)\.replace\(',', '\.'\) \}\}$/,
		);
	});

	it('are named where mapped columns keep them as text', async () => {
		const mobile = '+4915112345678';
		const rows = [
			{ id: '1', sum: '49,90', age: '7', zip: '04109', note: '1', count: 1, mobile },
			{ id: '2', sum: '4.410,23', age: '', zip: '80331', note: 'x', count: 2, mobile: '' },
		];
		expect(hintsOf(await node.run(mapped, { rows }))).toEqual([
			"Columns hold numbers that stay text: 'sum' (such as '49,90'), 'age' (such as '7'). To send numbers, choose Define Below and the type Number, or convert them in an Edit Fields node before. For codes, such as postal codes, text is right.",
		]);
	});
});

it('With Include Input Fields, an item holds its columns, and what the node adds under result', async () => {
	const outputs = async (more: INodeParameters) => {
		const fields = { user_id: '={{ $json.id }}', title: '={{ $json.title }}' };
		const options = { includeInputFields: true, ...more };
		const rows = [row, { id: 'C-2', title: '' }];
		const onError = 'continueRegularOutput';
		const { output } = await node.run({ ...order.pushSend, ...fields, options }, { rows, onError });
		return output.map(({ json }) => json);
	};
	const row = { id: 'C-1', title: 'Hello', result: 'old' };
	const [sent, refused] = await outputs({});
	expect(sent).toMatchObject({ ...row, result: { outcome: 'accepted', user_id: 'C-1' } });
	expect(Object.keys(sent ?? {})).toEqual(Object.keys(row));
	expect(Object.keys(refused ?? {})).toEqual(['error', 'outcome', 'details']);
	const [shown] = await outputs({ previewOnly: true });
	expect(shown).toMatchObject({ ...row, result: { outcome: 'preview', user_id: 'C-1' } });
});
