import type { IDataObject } from 'n8n-workflow';

/** A list or an object of a row, and the path to its first value, which is `a@b.example`. */
export const inside: ReadonlyArray<readonly [code: string, row: IDataObject, path: string]> = [
	['$json.tags', { tags: ['a@b.example', 'x'] }, '$json.tags[0]'],
	['$json.emails', { emails: [{ value: 'a@b.example', primary: true }] }, '$json.emails[0].value'],
	['$json.email', { email: { address: 'a@b.example' } }, '$json.email.address'],
	[
		'$json.data.contact',
		{ data: { contact: { none: null, 'E-Mail': ['', 'a@b.example'] } } },
		'$json.data.contact["E-Mail"][1]',
	],
	[`$('Source').item.json.tags`, { tags: ['a@b.example'] }, `$('Source').item.json.tags[0]`],
];

/** Links with spaces, and how to write them. */
export const spaced: ReadonlyArray<readonly [written: string, meant: string]> = [
	['https://cdn.example.com/my image.png', 'https://cdn.example.com/my%20image.png'],
	['https://cdn.example.com/a  b c.png?x=1 2', 'https://cdn.example.com/a%20%20b%20c.png?x=1%202'],
	['https://cdn.example.com/my\u00a0image.png', 'https://cdn.example.com/my%20image.png'],
	['https://cdn.example.com/my\timage.png', 'https://cdn.example.com/my%20image.png'],
	[' https://cdn.example.com/my image.png ', 'https://cdn.example.com/my%20image.png'],
];

/** What programs and databases write for a missing date. */
export const noDates: readonly string[] = [
	...['0001-01-01T00:00:00', '0001-01-01 00:00:00', '0001-01-01T00:00:00Z', '0001-01-01'],
	...['0000-00-00', '0000-00-00 00:00:00', '0000-01-01T00:00:00.000Z'],
];
