import { country } from '../../../nodes/CustomerMessaging/fields/country';
import { email, emailList } from '../../../nodes/CustomerMessaging/fields/email';
import {
	byName,
	type Field,
	collectLabels,
	oncePerOptions,
} from '../../../nodes/CustomerMessaging/fields/field';
import type { FieldConfig } from '../../../nodes/CustomerMessaging/fields/fieldForm';
import { jsonObject } from '../../../nodes/CustomerMessaging/fields/json';
import { httpsLink, link } from '../../../nodes/CustomerMessaging/fields/link';
import { minutes } from '../../../nodes/CustomerMessaging/fields/minutes';
import { mobile, senderMobile } from '../../../nodes/CustomerMessaging/fields/mobile';
import { number } from '../../../nodes/CustomerMessaging/fields/number';
import { segment, segmentSearch } from '../../../nodes/CustomerMessaging/fields/segment';
import { identifier, key, line, text } from '../../../nodes/CustomerMessaging/fields/text';
import { flag, int64, integer } from '../../../nodes/CustomerMessaging/fields/values';

const config = { reaches: 'nobody', modelMayFill: true } as const;

/** What is wrong with a value, or the value that is sent. */
function outcomeOf({ schema }: Field, value: unknown): unknown {
	const read = schema.safeParse(value);
	return read.success ? read.data : read.error.issues.map(({ message }) => message).join('; ');
}

describe('In the form,', () => {
	it.each<[string, Field, object]>([
		['a text', text('A', config), { type: 'string', default: '' }],
		['a line', line('A', config), { type: 'string', default: '' }],
		['a key', key('A', config), { type: 'string', default: '' }],
		['an identifier', identifier('A', config), { type: 'string', default: '' }],
		['a list of emails', emailList('A', config), { type: 'string', default: '' }],
		[
			'an integer',
			integer('A', config),
			{ type: 'number', default: null, typeOptions: { minValue: 1, numberPrecision: 0 } },
		],
		['an int64', int64('A', config), { type: 'string', default: '' }],
		['a number', number('A', config), { type: 'number', default: null }],
		['a flag', flag('A', config), { type: 'boolean', default: false }],
		['a JSON object', jsonObject('A', config), { type: 'json', default: '{}' }],
	])('%s has its type and an empty default', (_what, field, form) => {
		expect(field.form).toEqual({ displayName: 'A', ...form });
		expect(field.modelMayFill).toBe(true);
	});

	it.each<[string, (config: FieldConfig) => Field]>([
		['a text', (other) => text('A', other)],
		['an integer', (other) => integer('A', other)],
		['an int64', (other) => int64('A', other)],
		['a number', (other) => number('A', other)],
		['a flag', (other) => flag('A', other)],
		['a JSON object', (other) => jsonObject('A', other)],
		['a country', (other) => country('A', other)],
		['a link', (other) => link('A', other)],
		['a duration', (other) => minutes('A', other)],
	])('%s can be configured otherwise, and be kept from models', (_what, make) => {
		const { form, modelMayFill } = make({ reaches: 'nobody', modelMayFill: false, default: 'x' });
		expect(form.default).toBe('x');
		expect(form).not.toHaveProperty('modelMayFill');
		expect(modelMayFill).toBe(false);
	});

	it.each<[string, Field, string]>([
		['a link', link('A', config), 'e.g. https://example.com/page'],
		['an HTTPS link', httpsLink('A', config), 'e.g. https://example.com/page'],
		['an email', email('A', config), 'e.g. nathan@example.com'],
		['a mobile number', mobile('A', config), 'e.g. +4915112345678'],
	])('%s has an example', (_what, { form }, placeholder) => {
		expect(form).toEqual({ displayName: 'A', type: 'string', default: '', placeholder });
	});

	it('a country is chosen from a list', () => {
		const { form } = country('Default Country', config);
		expect(form).toMatchObject({ type: 'options', default: '' });
		expect(form.options).toContainEqual({ value: 'DE', name: 'Germany' });
		expect(form.options).toContainEqual({ value: 'AF', name: 'Afghanistan' });
		expect(form.options).toContainEqual({ value: 'ZW', name: 'Zimbabwe' });
	});

	it('a duration is a number from 0 on, and 0 at first', () => {
		expect(minutes('Frequency Capping', config).form).toEqual({
			displayName: 'Frequency Capping (Minutes)',
			type: 'number',
			default: 0,
			typeOptions: { minValue: 0 },
		});
	});

	it('a segment is chosen from the list of the credential or entered as a number', () => {
		const { form, modelMayFill } = segment('Segment', 'Who is reached');
		expect(modelMayFill).toBe(false);
		expect(form).toMatchObject({
			displayName: 'Segment',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			description:
				"Who is reached. The service's reference does not say where the account shows the ID of a segment; its support can tell you.",
			modes: [
				{
					name: 'list',
					type: 'list',
					typeOptions: { searchListMethod: segmentSearch, searchable: true },
				},
				{
					name: 'id',
					type: 'string',
					validation: [
						{
							type: 'regex',
							properties: {
								regex: '^\\s*[1-9][0-9]*\\s*$',
								errorMessage: 'Enter a whole number, 1 or more',
							},
						},
					],
				},
			],
		});
		expect(segmentSearch).toBe('searchSegments');
	});
});

describe('A country', () => {
	it.each([
		['DE', 'DE'],
		[' de ', 'DE'],
		['gb', 'GB'],
	])('is %j', (value, code) => {
		expect(outcomeOf(country('Default Country', config), value)).toBe(code);
	});

	it.each([
		['XX', "'XX'"],
		['Germany', "'Germany'"],
		['', 'empty'],
		[undefined, 'empty'],
		[49, "'49'"],
		[['DE'], 'a list or object'],
	])('is not %j', (value, shown) => {
		expect(outcomeOf(country('Default Country', config), value)).toBe(
			`Default Country must be a country by its two letters, such as DE, but it is ${shown}`,
		);
	});
});

describe('A duration in minutes', () => {
	it.each([
		[0, 0],
		['0', 0],
		[90, 90],
		[1.5, 1.5],
		[' 1.25 ', 1.25],
		['10', 10],
	])('is %j', (value, read) => {
		expect(outcomeOf(minutes('Frequency Capping', config), value)).toBe(read);
	});

	it.each([
		-1,
		'-1',
		'+1',
		'1e3',
		'0x10',
		'x1',
		'1x',
		'1.',
		'.5',
		'',
		' ',
		'1,5',
		NaN,
		Infinity,
		true,
		null,
		[1],
	])('is not %p', (value) => {
		expect(outcomeOf(minutes('Frequency Capping', config), value)).toBe(
			'Frequency Capping must be a number of minutes, 0 or more',
		);
	});
});

describe('A number', () => {
	it.each([
		[49.9, 49.9],
		[-1, -1],
		[0, 0],
		[' +49.90 ', 49.9],
		['-7', -7],
		['12', 12],
	])('is %j', (value, read) => {
		expect(outcomeOf(number('LTV', config), value)).toBe(read);
	});

	it.each([
		['49,90', "'49,90'"],
		['x1', "'x1'"],
		['1x', "'1x'"],
		['1.', "'1.'"],
		['1e3', "'1e3'"],
		['', 'empty'],
		[null, 'empty'],
		[[1], 'a list or object'],
		[true, "'true'"],
	])('is not %j', (value, shown) => {
		expect(outcomeOf(number('LTV', config), value)).toBe(
			`LTV must be a number with a decimal point, such as 49.90, but it is ${shown}`,
		);
	});

	it.each([2 ** 53, '9007199254740993', NaN, Infinity])('is not sent inexactly: %p', (value) => {
		expect(outcomeOf(number('LTV', config), value)).toBe(
			'LTV is a number too large to be sent exactly. Enter a smaller one',
		);
	});
});

describe('A segment', () => {
	it.each([
		[42, 42],
		['42', 42],
		[{ __rl: true, mode: 'id', value: ' 42 ' }, 42],
		[{ mode: 'list', value: 42 }, 42],
	])('is %j', (value, id) => {
		expect(outcomeOf(segment('Segment', ''), value)).toBe(id);
	});

	it('is refused if none is chosen, even where it may be left out', () => {
		const message = 'Segment is not filled in. Enter a whole number, 1 or more';
		expect(outcomeOf(segment('Segment', ''), { mode: 'list', value: '' })).toBe(message);
		expect(outcomeOf(segment('Segment', ''), '')).toBe(message);
	});

	it.each([{ value: 42 }, { mode: 'id' }, [42]])('is not %j', (value) => {
		expect(outcomeOf(segment('Segment', ''), value)).toBe(
			'Segment must be a whole number, 1 or more, but it is a list or object',
		);
	});
});

describe('A list of email addresses', () => {
	const addresses = (count: number) =>
		Array.from({ length: count }, (_, index) => `a${index}@example.com`).join(', ');

	it('takes a hundred addresses and no more', () => {
		expect(outcomeOf(emailList('CC Email', config), addresses(100))).toBe(
			addresses(100).replaceAll(' ', ''),
		);
		expect(outcomeOf(emailList('CC Email', config), addresses(101))).toBe(
			'CC Email contains 101 addresses, and each recipient sees all of them. Enter at most 100',
		);
	});

	it('names the first five that are no addresses', () => {
		const found = String(outcomeOf(emailList('CC Email', config), 'a,b,c,d,e,f')).split('; ');
		expect(found.map((message) => message.slice(0, 'CC Email '.length + 3))).toEqual([
			"CC Email 'a'",
			"CC Email 'b'",
			"CC Email 'c'",
			"CC Email 'd'",
			"CC Email 'e'",
		]);
	});
});

describe('An address with a name in front of it', () => {
	it.each([
		['Sender Email', ", and the name in 'Sender Name'"],
		['Email Sender Address', ", and the name in 'Email Sender Name'"],
		['Reply To', ''],
	])('is refused in %s, and told how to enter it', (label, name) => {
		expect(outcomeOf(email(label, config), 'Acme <news@acme.example>')).toBe(
			`${label} 'Acme <news@acme.example>' has a name in it. Enter only 'news@acme.example'${name}`,
		);
	});

	it.each(['Acme <news@acme.example> x', '<a <news@acme.example>', 'Acme <news>', 'Acme <a b@c>'])(
		'is not what %j looks like',
		(value) => {
			expect(outcomeOf(email('Reply To', config), value)).toBe(
				`Reply To '${value}' is not an email address. Write it as name@example.com`,
			);
		},
	);
});

describe('A phone number that is refused', () => {
	const plus = 'Write it as +4915112345678';

	it.each([
		['0170 1234567', `${plus}, or choose a Default Country under Options`],
		['0049', plus],
		['call me', plus],
	])('is shown: %s', (value, how) => {
		expect(outcomeOf(mobile('Mobile', config), value)).toBe(
			`Mobile '${value}' is not a mobile number with country code. ${how}`,
		);
	});

	it('needs no Default Country if there is one', () => {
		const schema = mobile('Mobile', config).schemaWith?.({ defaultCountry: 'DE' });
		expect(schema?.safeParse('12').error?.issues[0]?.message).toBe(
			`Mobile '12' is not a mobile number with country code. ${plus}`,
		);
	});
});

describe('The sender of an SMS may be a name', () => {
	it.each(['A', 'Ab.c-d_e+f!', "O'Neil & Co", 'Ünäß 12345'])('such as %j', (value) => {
		expect(outcomeOf(senderMobile('Sender Mobile', config), value)).toBe(value);
	});

	it.each(['12', '123456789', 'Twelve chars', 'a*b', '1 2&3', '×÷'])('but not %j', (value) => {
		expect(outcomeOf(senderMobile('Sender Mobile', config), value)).toContain(
			'is not a mobile number with country code',
		);
	});
});

describe('Labels', () => {
	it('are found by name, also in collections, but not those of notices', () => {
		const common = { type: 'string', default: '' } as const;
		const own = { reaches: 'nobody', modelMayFill: false } as const;
		expect(
			collectLabels([
				{ displayName: 'Title', name: 'title', ...own, ...common },
				{
					...{ displayName: 'Options', name: 'options', ...own },
					...{ type: 'collection', default: {} },
					options: [{ displayName: 'Tag', name: 'tag', ...common }],
				},
				{
					...{ displayName: 'Read this.', name: 'notice', ...own },
					...{ type: 'notice', default: '' },
				},
			]),
		).toStrictEqual({ title: 'Title', tag: 'Tag', options: 'Options' });
	});

	it('are sorted without regard to case', () => {
		expect(['b', 'C', 'a', 'B'].sort(byName)).toEqual(['a', 'b', 'B', 'C']);
	});
});

test('What depends on the options of a run is built once for each run.', () => {
	let built = 0;
	const build = oncePerOptions(() => ++built);
	const [one, other] = [{}, {}];
	expect([build(one), build(one), build(other), build(one)]).toEqual([1, 1, 2, 1]);
});
