import {
	isEmpty,
	optional,
	collectProblems,
	required,
	toCollection,
	toForm,
} from '../../../nodes/CustomerMessaging/fields/field';
import { text } from '../../../nodes/CustomerMessaging/fields/text';
import { flag, integer } from '../../../nodes/CustomerMessaging/fields/values';

const fields = {
	title: text('Title', { reaches: 'nobody', modelMayFill: true }),
	dnd: flag('DND', { reaches: 'nobody', modelMayFill: true }),
	segment_id: integer('A Segment', { reaches: 'nobody', modelMayFill: true }),
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
		expect(collectProblems(error?.issues ?? [])).toEqual([
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
		expect(collectProblems(error?.issues ?? []).map(({ field }) => field)).toEqual(['segment_id']);
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
		expect(collectProblems([issue(path)])).toEqual([{ field, message: 'No' }]);
	});
});
