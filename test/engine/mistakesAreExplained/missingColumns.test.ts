import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

/** Why each row is refused; undefined if it is sent. */
async function refusals(parameters: INodeParameters, rows: IDataObject[]) {
	sandbox().reset();
	const { error, output, failed } = await run(sandbox(), parameters, {
		rows,
		onError: 'continueErrorOutput',
	});
	expect(error).toBeUndefined();
	expect(output.length + failed.length).toBe(rows.length);
	return failed.map(({ json }) => json.error as string);
}

const titled = (title: string): INodeParameters => ({ ...order.pushSend, title });

const ann = { id: 'C-1', first_name: 'Ann', total: 7 };

describe('A placeholder of a column that no item has', () => {
	it.each<[code: string, row: IDataObject, proposed: string]>([
		['$json.firstname', ann, '$json.first_name'],
		['$json.firstName', ann, '$json.first_name'],
		['$json.first', ann, '$json.first_name'],
		['$json.frist_name', ann, '$json.first_name'],
		['$json["First Name"]', ann, '$json.first_name'],
		['$json.FIRST_NAME', ann, '$json.first_name'],
		['$json.firstname', { 'First Name': 'Ann' }, '$json["First Name"]'],
		['$json.firstname.toUpperCase()', ann, '$json.first_name.toUpperCase()'],
		['$json.firstname.trim().toTitleCase()', ann, '$json.first_name.trim().toTitleCase()'],
		["'Dr. ' + $json.firstname", ann, "'Dr. ' + $json.first_name"],
		['$input.item.json.firstname', ann, '$json.first_name'],
		['$json.firstname', { body: { first_name: 'Ann' } }, '$json.body.first_name'],
		['$json.body.firstname', { body: { first_name: 'Ann' } }, '$json.body.first_name'],
		['$json.user.firstname', { user: { first_name: 'Ann' } }, '$json.user.first_name'],
		['$json.usr.name', { user: { name: 'Ann' } }, '$json.user.name'],
	])('proposes the nearest, and nothing else: %s of %j', async (code, row, proposed) => {
		for (const rows of [[row], [row, row]])
			for (const told of await refusals(titled(`=Hi {{ ${code} }}!`), rows)) {
				expect(told).toMatch(new RegExp(`Did you mean .*\\?$`));
				expect(told).toContain(`Did you mean {{ ${proposed} }}?`);
				expect(told).not.toMatch(/friend|Skip Text Check|Filter/);
			}
		expect(await refusals(titled(`=Hi {{ ${proposed} }}!`), [row])).toEqual([]);
	});

	it('is found beside another one', async () => {
		const rows = [{ first_name: 'Ann', last_name: 'Ng' }];
		const [told] = await refusals(titled('={{ $json.firstname }} {{ $json.lastname }}'), rows);
		expect(told).toBe(
			'Title: {{ $json.firstname }} is empty. Did you mean {{ $json.first_name }}?; Title: {{ $json.lastname }} is empty. Did you mean {{ $json.last_name }}?',
		);
	});

	it('is found in an ID', async () => {
		const [told] = await refusals({ ...order.pushSend, user_id: '=C-{{ $json.userid }}' }, [
			{ user_id: 'x' },
		]);
		expect(told).toContain('Did you mean {{ $json.user_id }}?');
		expect(told).not.toContain('Filter');
	});

	it('is refused with the columns in a list without a near one', async () => {
		const rows = [
			{ id: '1', vorname: 'Ann' },
			{ id: '2', vorname: 'Bo', city: 'Pune' },
		];
		const told = await refusals(titled('=Hi {{ $json.firstname }}!'), rows);
		const why = 'No item has this column. Columns: id, vorname, city';
		expect(told).toEqual(Array(2).fill(`Title: {{ $json.firstname }} is empty. ${why}`));
	});

	it('is one that a single item without a near one may lack', async () => {
		const [told] = await refusals(titled('=Hi {{ $json.firstName }}!'), [{ lastName: 'Ng' }]);
		expect(told).toContain("Write {{ $json.firstName || 'friend' }}");
	});

	it('is none where another item has it', async () => {
		const rows = [{ first_name: 'Ann' }, { firstname: 'Bo', first_name: 'Bo' }];
		const [told, ...others] = await refusals(titled('=Hi {{ $json.firstname }}!'), rows);
		expect(others).toEqual([]);
		expect(told).toContain("Write {{ $json.firstname || 'friend' }}");
	});
});

describe('A required field whose expression gives nothing', () => {
	it.each<[changes: INodeParameters, row: IDataObject, told: string]>([
		[
			{ user_id: '={{ $json.userid }}' },
			{ user_id: 'C-1', city: 'Pune' },
			'User ID is empty. {{ $json.userid }} gives nothing. Did you mean {{ $json.user_id }}?',
		],
		[
			{ user_id: '={{ $json.customer }}' },
			{ id: 'C-1', city: 'Pune' },
			'User ID is empty. {{ $json.customer }} gives nothing. Fill it in, or choose another column. Columns: id, city',
		],
		[
			{ user_id: '={{ $json.id }}' },
			{ id: '', city: 'Pune' },
			'User ID is empty. {{ $json.id }} gives nothing. Fill it in, or choose another column. Columns: id, city',
		],
		[
			{ title: '={{ $json.headline }}' },
			{},
			'Title is empty. {{ $json.headline }} gives nothing. Fill it in',
		],
		[{ title: ' ' }, { id: 'C-1' }, 'Title is empty. Fill it in'],
	])('is refused with it and the columns: %j of %j', async (changes, row, told) => {
		expect(await refusals({ ...order.pushSend, ...changes }, [row])).toEqual([told]);
	});

	it('takes one line for all rows', async () => {
		const rows = [
			{ id: '', a: 1 },
			{ id: '', b: 1 },
		];
		const { error } = await run(
			sandbox(),
			{ ...order.pushSend, user_id: '={{ $json.id }}' },
			{ rows },
		);
		expect(String(error?.description).split('<br>')[0]).toBe(
			'User ID is empty. {{ $json.id }} gives nothing. Fill it in, or choose another column. Columns: id, a, b. Items 0–1.',
		);
	});
});

describe('Users of whom no item has a mapped column', () => {
	const mapped = (more: INodeParameters = {}): INodeParameters => ({
		...{ resource: 'user', operation: 'create', userID: '={{ $json.id }}' },
		...{ name: '={{ $json.fullname }}', email: '={{ $json.mail }}', ...more },
	});
	const assigned = (value: string) => ({
		customAttributes: { assignments: [{ id: '1', name: 'plan', type: 'string', value }] },
	});
	const rows = [
		{ id: '1', full_name: 'Ann', adress: 'ann@example.com' },
		{ id: '2', full_name: 'Bo', adress: 'bo@example.com' },
	];

	it('are refused with the columns', async () => {
		const told =
			'No item has a value in the columns that are mapped: {{ $json.fullname }}, {{ $json.mail }}. Columns: id, full_name, adress. Did you mean {{ $json.full_name }}?';
		expect(await refusals(mapped(), rows)).toEqual([told, told]);
		expect(bodies(sandbox())).toEqual([]);
		const { error } = await run(sandbox(), mapped(), { rows });
		expect(error?.message).toBe(`Nothing was sent: ${told}`);
	});

	it('are refused with attributes of their own, and where another column is there but empty', async () => {
		const empty = rows.map((row) => ({ ...row, mail: '' }));
		const [told] = await refusals(mapped(assigned('={{ $json.tarif }}')), empty);
		expect(told).toContain('{{ $json.fullname }}, {{ $json.mail }}, {{ $json.tarif }}');
	});

	it.each<[what: string, changes: INodeParameters, rows: IDataObject[]]>([
		['one item has a value', {}, [...rows, { id: '3', mail: 'cleo@example.com' }]],
		['a field is entered', { name: 'Ann' }, rows],
		['an attribute is entered', assigned('gold'), rows],
		['an expression has a fallback', { name: "={{ $json.fullname || 'Ann' }}" }, rows],
		['the columns are there, and empty', {}, [{ id: '1', fullname: '', mail: null, city: 'Pune' }]],
		['the row holds nothing else', {}, [{ id: '1' }]],
		['empty values are sent', { options: { sendEmptyValues: true } }, rows],
		['nothing is mapped', { name: '', email: '' }, rows],
	])('are sent where %s', async (_what, changes, input) => {
		expect(await refusals(mapped(changes), input)).toEqual([]);
		expect(bodies(sandbox())).toHaveLength(1);
	});
});
