import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, event, mapped, push, sms } from '../support/mistakes';
import { useNode } from '../support/node';

const node = useNode();

const refused = async (parameters: INodeParameters, row: IDataObject = {}) =>
	await node.refusal(parameters, row);

/** What arrives for a field. */
async function sent(parameters: INodeParameters, row: IDataObject, key: string) {
	expect(await refused(parameters, row)).toBeUndefined();
	return node.arrived(key)[0];
}

const titled = (title: string) => push({ title });
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

	it.each(inside)(
		'is refused with the path to its first value: %s of %j',
		async (code, row, path) => {
			expect(await refused(at(`={{ ${code} }}`), row)).toMatch(/must be|is not/);
			for (const [key, parameters] of places) {
				const found = await refused(parameters(`={{ ${code} }}`), row);
				expect(found).toMatch(/must be|is not/);
				expect(found).toContain(`. Take one of its values, such as {{ ${path} }}`);
				expect(await sent(parameters(`={{ ${path} }}`), row, key)).toBe('a@b.example');
			}
		},
	);

	it.each(inside.filter(([, , path]) => !/tags\[0\]$/.test(path)))(
		'is refused within a text: %s of %j',
		async (code, row, path) => {
			const found = await refused(titled(`=To {{ ${code} }}!`), row);
			expect(found).toMatch(/\}\} is an? (?:list|object)\. /);
			expect(found).toContain(`Take one of its values, such as {{ ${path} }}`);
			expect(await sent(titled(`=To {{ ${path} }}!`), row, 'title')).toBe('To a@b.example!');
		},
	);

	it.each<[row: IDataObject, column: string, path: string, value: string]>([
		[{ id: 'C-1', email: [{ value: 'a@b.c' }] }, 'email', '$json.email?.[0]?.value', 'a@b.c'],
		[{ id: 'C-1', name: { first: 'Ann' } }, 'name', '$json.name?.first', 'Ann'],
		[{ id: ['C-1'] }, 'id', '$json.id?.[0]', 'C-1'],
	])('is refused in a mapped column: %j', async (row, column, path, value) => {
		const found = await refused(mapped('user', { userIdField: 'id' }), row);
		expect(found).toContain(`must be text, but it is`);
		expect(found).toContain(
			`In an Edit Fields node before this one, turn on Include Other Input Fields and add the field ${column} with {{ ${path} }}`,
		);
		expect(await sent(titled(`={{ ${path} }}`), row, 'title')).toBe(value);
	});

	it.each([[[]], [[null]], [{}], [{ a: '' }]])(
		'is refused without a path where it holds nothing: %j',
		async (tags) => {
			expect(await refused(titled('={{ $json.tags }}'), { tags })).toMatch(
				/^Title must be text, but it is (?:a list|of type object)$/,
			);
		},
	);

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
					expect(await refused(parameters(`={{ ${code} }}`), { value })).toMatch(/must be/);
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
		[`${cdn}my\u00a0image.png`, `${cdn}my%20image.png`],
		[`${cdn}my\timage.png`, `${cdn}my%20image.png`],
		[` ${cdn}my image.png `, `${cdn}my%20image.png`],
	])('is refused with what to write: %j', async (link, meant) => {
		const space = /[^\S ]/.test(link) ? '/\\s/g' : "' '";
		const code = `.trim().replaceAll(${space}, '%20')`;
		const shown = link.trim().replace(/\s+/g, ' ');
		for (const [key, label, parameters] of places) {
			expect(await refused(parameters('={{ $json.link }}'), { link })).toBe(
				`${label} '${shown}' holds a space. Write ${meant}. In an expression, add ${code}`,
			);
			expect(await sent(parameters(`={{ $json.link${code} }}`), { link }, key)).toBe(meant);
		}
	});

	it.each(['see our shop', 'javascript:alert( 1 )'])(
		'is no link for another reason too: %s',
		async (url) => {
			expect(await refused(push({ url }))).toContain('is not a link');
		},
	);
});

describe('A date that programs write for none', () => {
	it.each([
		...['0001-01-01T00:00:00', '0001-01-01 00:00:00', '0001-01-01T00:00:00Z', '0001-01-01'],
		...['0000-00-00', '0000-00-00 00:00:00', '0000-01-01T00:00:00.000Z'],
	])('is refused as such: %s', async (value) => {
		expect(await refused(at('={{ $json.value }}'), { value })).toContain(
			`${value.slice(0, 10)} stands for a missing date. Take another column, or leave such items out with a Filter node`,
		);
	});

	it('is not one that the calendar lacks', async () => {
		expect(await refused(at('2026-02-30T09:00'))).toContain('2026-02-30 is not in the calendar');
	});
});
