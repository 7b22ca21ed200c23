import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, event, mapped, push, sms, user } from '../support/mistakes';
import { useNode } from '../support/node';

const node = useNode();

const titled = (title: string) => push({ title });

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
	])('proposes the nearest: %s as %s of %j', async (code, proposed, row = ann) => {
		for (const rows of [[row], [row, row]]) {
			const told = await node.refusals(titled(`=Hi {{ ${code} }}!`), rows);
			expect(told).toHaveLength(rows.length);
			for (const one of told) {
				expect(one).toMatch(/Did you mean .*\?$/);
				expect(one).toContain(`Did you mean {{ ${proposed} }}?`);
				expect(one).not.toMatch(/friend|Skip Text Check|Filter/);
			}
		}
		expect(await node.refusals(titled(`=Hi {{ ${proposed} }}!`), [row])).toEqual([]);
	});

	it('is found beside another one', async () => {
		const rows = [{ first_name: 'Ann', last_name: 'Ng' }];
		const parameters = titled('={{ $json.firstname }} {{ $json.lastname }}');
		expect(await node.refusals(parameters, rows)).toEqual([
			'Title: {{ $json.firstname }} is empty. Did you mean {{ $json.first_name }}?; Title: {{ $json.lastname }} is empty. Did you mean {{ $json.last_name }}?',
		]);
	});

	it('is found in an ID', async () => {
		const told = await node.refusal(push({ user_id: '=C-{{ $json.userid }}' }), { user_id: 'x' });
		expect(told).toContain('Did you mean {{ $json.user_id }}?');
		expect(told).not.toContain('Filter');
	});

	it('is refused with the columns in a list without a near one', async () => {
		const rows = [{ id: '1' }, { id: '2', vorname: 'Bo', city: 'Pune' }];
		const told = await node.refusals(titled('=Hi {{ $json.firstname }}!'), rows);
		const why = 'No item has this column. Columns: id, vorname, city';
		expect(told).toEqual(Array(2).fill(`Title: {{ $json.firstname }} is empty. ${why}`));
	});

	it.each<[string, IDataObject[]]>([
		['that a single item without a near one may lack', [{ lastName: 'Ng' }]],
		['if another item has it', [{ first_name: 'Ann' }, { firstName: 'Bo', first_name: 'Bo' }]],
	])('is none %s', async (_, rows) => {
		expect(await node.refusals(titled('=Hi {{ $json.firstName }}!'), rows)).toEqual([
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
		expect(await node.refusals(push(changes), [row])).toEqual([`${why} ${told}`]);
	});

	it('takes one line for all rows', async () => {
		const rows = ['a', 'b'].map((column) => ({ id: '', [column]: 1 }));
		const { error } = await node.run(push({ user_id: '={{ $json.id }}' }), { rows });
		const words = `User ID is empty. {{ $json.id }} gives nothing. ${another}, a, b. Items 0–1.`;
		expect(String(error?.description).split('<br>')[0]).toBe(words);
	});
});

describe('Users of whom no item has a mapped column', () => {
	const named = { name: '={{ $json.fullname }}', email: '={{ $json.mail }}' };
	const columns = { userID: '={{ $json.id }}', ...named };
	const assigned = (value: string) => {
		const assignments = [{ id: '1', name: 'plan', type: 'string', value }];
		return { customAttributes: { assignments } };
	};
	const rows = ['1', '2'].map((id) => ({ id, full_name: 'Ann', adress: 'ann@example.com' }));

	it('are refused with the columns', async () => {
		const told =
			'No item has a value in the columns that are mapped: {{ $json.fullname }}, {{ $json.mail }}. Columns: id, full_name, adress. Did you mean {{ $json.full_name }}?';
		expect(await node.refusals(user(columns), rows)).toEqual([told, told]);
		expect(node.bodies()).toEqual([]);
		const { error } = await node.run(user(columns), { rows });
		expect(error?.message).toBe(`Nothing was sent: ${told}`);
	});

	it('are refused with attributes of their own, and where another column is there but empty', async () => {
		const empty = rows.map((row) => ({ ...row, mail: '' }));
		const parameters = user({ ...columns, ...assigned('={{ $json.tarif }}') });
		const [told] = await node.refusals(parameters, empty);
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
		expect(await node.refusals(user({ ...columns, ...changes }), input)).toEqual([]);
		expect(node.bodies()).toHaveLength(1);
	});
});

/** What arrives for a field. */
async function sent(parameters: INodeParameters, row: IDataObject, key: string) {
	expect(await node.refusal(parameters, row)).toBeUndefined();
	return node.arrived(key)[0];
}

const at = (scheduledFor: string) => sms({ sendAt: 'at', scheduledFor });

describe('A list or an object in place of a value', () => {
	const places: Array<[key: string, (written: string) => INodeParameters]> = [
		['email', (written) => email({ email: written })],
		['title', titled],
		['user_id', (user_id) => push({ user_id })],
		['reply_to', (reply_to) => email({ additionalFields: { reply_to } })],
	];

	const contact = { none: null, 'E-Mail': ['', 'a@b.example'] };
	/** The path leads to the first value. */
	const inside: Array<[code: string, row: IDataObject, path: string]> = [
		['$json.emails', { emails: [{ value: 'a@b.example' }] }, '$json.emails[0].value'],
		['$json.data.contact', { data: { contact } }, '$json.data.contact["E-Mail"][1]'],
		[`$('Source').item.json.tags`, { tags: ['a@b.example'] }, `$('Source').item.json.tags[0]`],
	];

	it.each(inside)('is refused with the path to a value: %s of %j', async (code, row, path) => {
		expect(await node.refusal(at(`={{ ${code} }}`), row)).toMatch(/must be|is not/);
		for (const [key, parameters] of places) {
			const found = await node.refusal(parameters(`={{ ${code} }}`), row);
			expect(found).toMatch(/must be|is not/);
			expect(found).toContain(`. Take one of its values, such as {{ ${path} }}`);
			expect(await sent(parameters(`={{ ${path} }}`), row, key)).toBe('a@b.example');
		}
		// n8n writes a list of texts with commas.
		if (path.endsWith('tags[0]')) return;
		const found = await node.refusal(titled(`=To {{ ${code} }}!`), row);
		expect(found).toMatch(/\}\} is an? (?:list|object)\. /);
		expect(found).toContain(`Take one of its values, such as {{ ${path} }}`);
		expect(await sent(titled(`=To {{ ${path} }}!`), row, 'title')).toBe('To a@b.example!');
	});

	it.each<[row: IDataObject, column: string, path: string, value: string]>([
		[{ id: 'C-1', email: [{ value: 'a@b.c' }] }, 'email', '$json.email?.[0]?.value', 'a@b.c'],
		[{ id: 'C-1', name: { first: 'Ann' } }, 'name', '$json.name?.first', 'Ann'],
		[{ id: ['C-1'] }, 'id', '$json.id?.[0]', 'C-1'],
	])('is refused in a mapped column: %j', async (row, column, path, value) => {
		const found = await node.refusal(mapped('user', { userIdField: 'id' }), row);
		expect(found).toContain(`must be text, but it is`);
		expect(found).toContain(
			`In an Edit Fields node before this one, turn on Include Other Input Fields and add the field ${column} with {{ ${path} }}`,
		);
		expect(await sent(titled(`={{ ${path} }}`), row, 'title')).toBe(value);
	});

	it.each([[[]], [[null]], [{}], [{ a: '' }]])('has no path if it is empty: %j', async (tags) => {
		const words = /^Title must be text, but it is (?:a list|of type object)$/;
		expect(await node.refusal(titled('={{ $json.tags }}'), { tags })).toMatch(words);
	});

	it('is refused wherever it is, although it cannot be written as text', async () => {
		for (const parameters of [
			titled,
			(user_id: string) => push({ user_id }),
			(sendOnceKey: string) => push({ sendOnce: true, sendOnceKey }),
			(event_name: string) => event({ event_name }),
			(userIdField: string) => mapped('user', { userIdField }),
		])
			for (const value of [{ toString: 1 }, [{ toString: 1 }], { toString: null, valueOf: 1 }])
				for (const code of ['$json.value', "$json.value || 'x'"])
					expect(await node.refusal(parameters(`={{ ${code} }}`), { value })).toMatch(/must be/);
	});

	it('is written into a text as n8n does where its values are texts', async () => {
		const row = { tags: ['a', 'b'] };
		expect(await sent(titled('=About {{ $json.tags }}'), row, 'title')).toBe('About a,b');
	});
});

describe('A link with a space', () => {
	const places = [
		['url', 'URL', (url: string) => push({ url })],
		['image_url', 'Image URL', (image_url: string) => push({ additionalFields: { image_url } })],
	] as const;

	const cdn = 'https://cdn.example.com/';

	it.each([
		[`${cdn}a  b c.png?x=1 2`, `${cdn}a%20%20b%20c.png?x=1%202`],
		[`${cdn}my\timage.png`, `${cdn}my%20image.png`],
		[` ${cdn}my image.png `, `${cdn}my%20image.png`],
	])('is refused with what to write: %j', async (link, meant) => {
		const space = /[^\S ]/.test(link) ? '/\\s/g' : "' '";
		const code = `.trim().replaceAll(${space}, '%20')`;
		const shown = link.trim().replace(/\s+/g, ' ');
		for (const [key, label, parameters] of places) {
			expect(await node.refusal(parameters('={{ $json.link }}'), { link })).toBe(
				`${label} '${shown}' holds a space. Write ${meant}. In an expression, add ${code}`,
			);
			expect(await sent(parameters(`={{ $json.link${code} }}`), { link }, key)).toBe(meant);
		}
	});

	it.each(['see our shop', 'javascript:alert( 1 )'])('is no link at all: %s', async (url) => {
		expect(await node.refusal(push({ url }))).toContain('is not a link');
	});
});

describe('A date that programs write for none', () => {
	it.each([
		...['0001-01-01T00:00:00', '0001-01-01 00:00:00', '0001-01-01T00:00:00Z', '0001-01-01'],
		...['0000-00-00', '0000-01-01T00:00:00.000Z'],
	])('is refused as such: %s', async (value) => {
		expect(await node.refusal(at('={{ $json.value }}'), { value })).toContain(
			`${value.slice(0, 10)} stands for a missing date. Take another column, or leave such items out with a Filter node`,
		);
	});

	it('is not one that the calendar lacks', async () => {
		const told = await node.refusal(at('2026-02-30T09:00'));
		expect(told).toContain('2026-02-30 is not in the calendar');
	});
});
