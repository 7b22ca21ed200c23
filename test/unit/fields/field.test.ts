import {
	isEmpty,
	optional,
	problemsOf,
	required,
	toCollection,
	toForm,
} from '../../../nodes/CustomerMessaging/fields/field';
import { httpsLink, link } from '../../../nodes/CustomerMessaging/fields/link';
import { text } from '../../../nodes/CustomerMessaging/fields/text';
import { flag, integer } from '../../../nodes/CustomerMessaging/fields/values';

// Fifty thousand links.
jest.setTimeout(60_000);

const fields = {
	title: text('Title', { modelMayFill: true }),
	dnd: flag('DND', { modelMayFill: true }),
	segment_id: integer('A Segment', { modelMayFill: true }),
};

it.each([
	[undefined, true],
	[null, true],
	['', true],
	[' ', false],
	[0, false],
	[false, false],
	[[], false],
	[{}, false],
])('%j is empty: %p', (value, expected) => {
	expect(isEmpty(value)).toBe(expected);
});

describe('The form', () => {
	it('has the fields in their order, under their keys', () => {
		expect(toForm(fields).map(({ name, displayName }) => [name, displayName])).toEqual([
			['title', 'Title'],
			['dnd', 'DND'],
			['segment_id', 'A Segment'],
		]);
	});

	it('has those of a collection sorted by label', () => {
		expect(toCollection(fields).map(({ displayName }) => displayName)).toEqual([
			'A Segment',
			'DND',
			'Title',
		]);
	});
});

describe('Required fields', () => {
	it('are all named at once if they are missing', () => {
		const { error } = required(fields).safeParse({});
		expect(problemsOf(error?.issues ?? [])).toEqual([
			{ field: 'title', message: 'Title is empty. Fill it in' },
			{ field: 'dnd', message: 'DND must be true or false, but it is empty' },
			{
				field: 'segment_id',
				message: 'A Segment is not filled in. Enter a whole number, 1 or more',
			},
		]);
	});

	it('leave out everything else', () => {
		const all = { title: 'a', dnd: true, segment_id: 1, other: 'x' };
		expect(required(fields).parse(all)).toStrictEqual({ title: 'a', dnd: true, segment_id: 1 });
	});
});

describe('Optional fields', () => {
	it('are left out if they are empty', () => {
		expect(
			optional(fields, 'Options').parse({ title: '', dnd: null, segment_id: undefined }),
		).toStrictEqual({});
		expect(optional(fields, 'Options').parse(undefined)).toStrictEqual({});
		expect(optional(fields, 'Options').parse({ dnd: false })).toStrictEqual({ dnd: false });
	});

	it.each([['tag=news'], [[{ title: 'a' }]], [7], [new Map()]])(
		'are refused where they are no object: %j',
		(value) => {
			const { error } = optional(fields, 'Options').safeParse(value);
			expect(error?.issues.map(({ message }) => message)).toEqual([
				'Options must be an object that contains its fields by name',
			]);
		},
	);

	it('are refused if they are filled in wrongly', () => {
		const { error } = optional(fields, 'Options').safeParse({ segment_id: 0 });
		expect(problemsOf(error?.issues ?? []).map(({ field }) => field)).toEqual(['segment_id']);
	});
});

describe('A problem', () => {
	const issue = (path: Array<string | number>) => ({
		code: 'custom' as const,
		path,
		message: 'No',
	});

	it.each([
		[['must', 'title'], 'title'],
		[['platforms', 0], 'platforms'],
		[['may', 'list', 2, 'name'], 'name'],
		[[], ''],
	])('at %j goes by the name %j', (path, field) => {
		expect(problemsOf([issue(path)])).toEqual([{ field, message: 'No' }]);
	});
});

describe('Links', () => {
	const isLink = (value: string) =>
		link('URL', { modelMayFill: true }).schema.safeParse(value).success;
	const isHttps = (value: string) =>
		httpsLink('URL', { modelMayFill: true }).schema.safeParse(value).success;

	it.each([
		['https://example.com', true, true],
		['http://example.com', true, false],
		['myapp://page', true, false],
		['myapp://', false, false],
		['blob://x/y', false, false],
		['about://blank', false, false],
		['ws://example.com', false, false],
		['wss://example.com', false, false],
		['https:example.com', false, false],
		['https://exam\\ple.com', false, false],
		['https://example.com/a\u2028b', false, false],
		[' https://example.com ', true, true],
		['tel:+4915112345678', true, false],
		['TEL:112', true, false],
		['tel:*#06#', false, false],
		['tel://112', true, false],
		['sms:+4915112345678?body=Hello', true, false],
		['mailto:a@example.com', true, false],
		['mailto:', false, false],
		['javascript:alert(1)', false, false],
		['data:text/html,x', false, false],
		['localhost:3000', false, false],
		['example.com:8080/a', false, false],
		['https://example.com/👨‍👩‍👧.png', true, true],
		['https://exam\u200dple.com/', false, false],
		['https://example.com/\u202ea', false, false],
	])('%j is a link: %p, an HTTPS link: %p', (value, asLink, asHttps) => {
		expect([isLink(value), isHttps(value)]).toEqual([asLink, asHttps]);
	});

	// Node 20's URL.canParse, once compiled, says no to hosts with letters such as ü.
	it('are read alike in the first row and in the fifty thousandth', () => {
		const refused = Array.from({ length: 50_000 }, (_, row) => row).filter(
			() => !isLink('https://münchen.example/straße'),
		);
		expect(refused.length).toBe(0);
	});

	it('say what is wrong and show it', () => {
		const { error } = httpsLink('Image URL', { modelMayFill: true }).schema.safeParse(
			'http://example.com/a.png',
		);
		expect(error?.issues.map(({ message }) => message)).toEqual([
			"Image URL 'http://example.com/a.png' is not an HTTPS link. Write it as https://example.com/image.png",
		]);
	});
});
