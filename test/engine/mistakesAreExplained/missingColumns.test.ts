import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { push, user } from '../support/mistakes';
import { useNode } from '../support/node';

const node = useNode();

const refused = async (parameters: INodeParameters, rows: IDataObject[]) =>
	await node.refusals(parameters, rows);
const titled = async (title: string, rows: IDataObject[]) => await refused(push({ title }), rows);

describe('A placeholder of a column that no item has', () => {
	const ann = { id: 'C-1', first_name: 'Ann', total: 7 };
	const inBody = { body: { first_name: 'Ann' } };

	it.each<[code: string, proposed: string, row?: IDataObject]>([
		['$json.firstname', '$json.first_name'],
		['$json.first', '$json.first_name'],
		['$json.frist_name', '$json.first_name'],
		['$json["First Name"]', '$json.first_name'],
		['$json.firstname', '$json["First Name"]', { 'First Name': 'Ann' }],
		['$json.firstname.toUpperCase()', '$json.first_name.toUpperCase()'],
		["'Dr. ' + $json.firstname", "'Dr. ' + $json.first_name"],
		['$input.item.json.firstname', '$json.first_name'],
		['$json.firstname', '$json.body.first_name', inBody],
		['$json.body.firstname', '$json.body.first_name', inBody],
		['$json.user.firstname', '$json.user.first_name', { user: { first_name: 'Ann' } }],
		['$json.usr.name', '$json.user.name', { user: { name: 'Ann' } }],
	])(
		'proposes the nearest, and nothing else: %s as %s of %j',
		async (code, proposed, row = ann) => {
			for (const rows of [[row], [row, row]]) {
				const told = await titled(`=Hi {{ ${code} }}!`, rows);
				expect(told).toHaveLength(rows.length);
				for (const one of told) {
					expect(one).toMatch(/Did you mean .*\?$/);
					expect(one).toContain(`Did you mean {{ ${proposed} }}?`);
					expect(one).not.toMatch(/friend|Skip Text Check|Filter/);
				}
			}
			expect(await titled(`=Hi {{ ${proposed} }}!`, [row])).toEqual([]);
		},
	);

	it('is found beside another one', async () => {
		const rows = [{ first_name: 'Ann', last_name: 'Ng' }];
		expect(await titled('={{ $json.firstname }} {{ $json.lastname }}', rows)).toEqual([
			'Title: {{ $json.firstname }} is empty. Did you mean {{ $json.first_name }}?; Title: {{ $json.lastname }} is empty. Did you mean {{ $json.last_name }}?',
		]);
	});

	it('is found in an ID', async () => {
		const [told] = await refused(push({ user_id: '=C-{{ $json.userid }}' }), [{ user_id: 'x' }]);
		expect(told).toContain('Did you mean {{ $json.user_id }}?');
		expect(told).not.toContain('Filter');
	});

	it('is refused with the columns in a list without a near one', async () => {
		const bo = { id: '2', vorname: 'Bo', city: 'Pune' };
		const told = await titled('=Hi {{ $json.firstname }}!', [{ id: '1', vorname: 'Ann' }, bo]);
		const why = 'No item has this column. Columns: id, vorname, city';
		expect(told).toEqual(Array(2).fill(`Title: {{ $json.firstname }} is empty. ${why}`));
	});

	it.each<[string, IDataObject[]]>([
		['that a single item without a near one may lack', [{ lastName: 'Ng' }]],
		['if another item has it', [{ first_name: 'Ann' }, { firstName: 'Bo', first_name: 'Bo' }]],
	])('is none %s', async (_, rows) => {
		expect(await titled('=Hi {{ $json.firstName }}!', rows)).toEqual([
			expect.stringContaining("Write {{ $json.firstName || 'friend' }}"),
		]);
	});
});

describe('A required field whose expression gives nothing', () => {
	const another = 'Fill it in, or choose another column. Columns: id';

	it.each<[changes: Record<string, string>, row: IDataObject, told: string]>([
		[{ user_id: '={{ $json.userid }}' }, { user_id: 'C-1' }, 'Did you mean {{ $json.user_id }}?'],
		[{ user_id: '={{ $json.customer }}' }, { id: 'C-1', city: 'Pune' }, `${another}, city`],
		[{ user_id: '={{ $json.id }}' }, { id: '', city: 'Pune' }, `${another}, city`],
		[{ title: '={{ $json.name }}' }, {}, 'Fill it in'],
		[{ title: ' ' }, { id: 'C-1' }, 'Fill it in'],
	])('is refused with it and the columns: %j of %j', async (changes, row, told) => {
		const [[field = '', written = ''] = []] = Object.entries(changes);
		const what = `${field === 'title' ? 'Title' : 'User ID'} is empty.`;
		const why = written.startsWith('=') ? `${what} ${written.slice(1)} gives nothing.` : what;
		expect(await refused(push(changes), [row])).toEqual([`${why} ${told}`]);
	});

	it('takes one line for all rows', async () => {
		const rows = ['a', 'b'].map((column) => ({ id: '', [column]: 1 }));
		const { error } = await node.run(push({ user_id: '={{ $json.id }}' }), { rows });
		expect(String(error?.description).split('<br>')[0]).toBe(
			`User ID is empty. {{ $json.id }} gives nothing. ${another}, a, b. Items 0–1.`,
		);
	});
});

describe('Users of whom no item has a mapped column', () => {
	const columns = {
		userID: '={{ $json.id }}',
		name: '={{ $json.fullname }}',
		email: '={{ $json.mail }}',
	};
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
		expect(await refused(user(columns), rows)).toEqual([told, told]);
		expect(node.bodies()).toEqual([]);
		const { error } = await node.run(user(columns), { rows });
		expect(error?.message).toBe(`Nothing was sent: ${told}`);
	});

	it('are refused with attributes of their own, and where another column is there but empty', async () => {
		const empty = rows.map((row) => ({ ...row, mail: '' }));
		const parameters = user({ ...columns, ...assigned('={{ $json.tarif }}') });
		const [told] = await refused(parameters, empty);
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
		expect(await refused(user({ ...columns, ...changes }), input)).toEqual([]);
		expect(node.bodies()).toHaveLength(1);
	});
});
