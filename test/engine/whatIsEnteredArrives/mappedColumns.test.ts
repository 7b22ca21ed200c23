import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useLogLines } from '../support/logLines';
import * as order from '../support/orders';
import { bodies, run, useSandbox } from '../support/service';
import { metFields, missedFields } from '../support/values/mappedColumns';

const sandbox = useSandbox();
const lines = useLogLines();

const mapped: INodeParameters = {
	resource: 'user',
	operation: 'create',
	dataMode: 'autoMapInputData',
	userIdField: 'id',
};

async function warnings(rows: IDataObject[], parameters: INodeParameters = mapped) {
	const { error, hints } = await run(sandbox(), parameters, { rows });
	expect(error).toBeUndefined();
	return hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
}

const attributes = () =>
	(bodies(sandbox()) as Array<{ nv: Array<{ user_attributes: IDataObject }> }>).flatMap(({ nv }) =>
		nv.map(({ user_attributes }) => user_attributes),
	);

/** What n8n's Edit Fields node gives for an expression, which is then a column of its own. */
async function editFields(rows: IDataObject[], field: string, code: string) {
	sandbox().reset();
	const value = `={{ ${code} }}`;
	const assignments = [{ id: '1', name: field, value, type: 'string' }];
	const parameters = { ...order.createUser, userID: '={{ "C-" + $itemIndex }}' };
	const options = { sendEmptyValues: true, defaultCountry: 'DE' };
	await run(sandbox(), { ...parameters, customAttributes: { assignments }, options }, { rows });
	return rows.map((row, index) => ({ ...row, [field]: attributes()[index]?.[field] ?? null }));
}

describe('A mapped column that misses its field', () => {
	it.each(missedFields)('is named in a warning: %j', async (row, path, field) => {
		const rows: IDataObject[] = [{ id: 'C-1', ...row }];
		const [told, ...others] = await warnings(rows);
		expect(others).toEqual([]);
		expect(told).toContain(`The column '${path}' is stored`);
		const what = { email: 'email address', mobile: 'mobile number', name: 'name' }[field];
		expect(told).toContain(`so 1 user has no ${what}`);
		expect(lines).toEqual([['warn', told]]);

		// The advice, followed to the letter, also for a row without the column.
		const [, code = ''] = /add the field \w+ with \{\{ (.*?) \}\}/.exec(told ?? '') ?? [];
		const better = await editFields([...rows, { id: 'C-2' }], field, code);
		sandbox().reset();
		const options = { defaultCountry: 'DE' };
		expect(await warnings(better, { ...mapped, options })).toEqual([]);
		const right = { email: 'anna@example.com', mobile: '+491713920001', name: 'Anna' }[field];
		expect(attributes().map((one) => one[field])).toEqual([right, undefined]);
	});

	it('is not every column that sounds like one', async () => {
		for (const row of metFields) expect(await warnings([{ id: 'C-1', ...row }])).toEqual([]);
		expect(lines).toEqual([]);
	});

	it('is named with the others that miss it, and what keeps the addresses that are right', async () => {
		const rows = [
			{ id: '1', email: 'ana@example.com', login: 'x@example.com' },
			{ id: '2', Email: 'ben@example.com' },
			{ id: '3', traits: { email: 'cleo@example.com' } },
			{ id: '4', 'E-Mail': '' },
		];
		const [told] = await warnings(rows);
		expect(told).toContain(
			"The columns 'Email', 'traits.email' are stored as attributes of their own, so 2 users have no email address",
		);
		const [, code = ''] = /add the field email with \{\{ (.*?) \}\}/.exec(told ?? '') ?? [];
		const better = await editFields(rows, 'email', code);
		expect(better.map(({ email }) => email)).toEqual([
			'ana@example.com',
			'ben@example.com',
			'cleo@example.com',
			null,
		]);
	});

	it('is no longer named once it is ignored', async () => {
		const rows = [{ id: '1', Email: 'anna@example.com' }];
		expect(await warnings(rows, { ...mapped, ignoreFields: 'Email' })).toEqual([]);
	});

	it('is named in a preview too', async () => {
		const parameters = { ...mapped, options: { previewOnly: true } };
		expect(await warnings([{ id: '1', Email: 'anna@example.com' }], parameters)).toHaveLength(1);
		expect(sandbox().record).toEqual([]);
	});

	it('is of users only, and of no field that is entered', async () => {
		const rows = [{ id: '1', Email: 'anna@example.com' }];
		const tracked = { ...mapped, resource: 'event', operation: 'track', event_name: 'x' };
		expect(await warnings(rows, tracked)).toEqual([]);
		expect(await warnings(rows, { ...order.createUser, userID: 'anna@example.com' })).toEqual([]);
	});
});

describe('A User ID Field that holds addresses', () => {
	it.each([
		['email', 'anna@example.com', 'email'],
		['Email', 'anna@example.com', 'email'],
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

		const [, added = '', code = ''] =
			/add the field (\w+) with \{\{ (.*?) \}\}/.exec(told ?? '') ?? [];
		const better = await editFields(rows, added, code);
		sandbox().reset();
		const userIdField = added === field ? column : added;
		if (added !== field) expect(told).toContain(`enter ${added} under 'User ID Field'`);
		expect(await warnings(better, { ...mapped, userIdField })).toEqual([]);
		const right = field === 'mobile' ? '+491713920001' : 'anna@example.com';
		expect(bodies(sandbox())).toMatchObject([
			{ nv: [{ userID: address, user_attributes: { [field]: right, plan: 'gold' } }] },
		]);
	});

	it('gets none if an attribute holds one, or if they are IDs', async () => {
		const byEmail = { ...mapped, userIdField: 'login' };
		const rows = [{ login: 'anna@example.com', email: 'anna@example.org' }, { login: 'C-1001' }];
		expect(await warnings(rows, byEmail)).toEqual([]);
	});
});
