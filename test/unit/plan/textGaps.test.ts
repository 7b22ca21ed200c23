import type { Operation } from '../../../nodes/CustomerMessaging/operations/operation';
import { InputColumns } from '../../../nodes/CustomerMessaging/plan/missingColumns';
import {
	plainPlaceholder,
	textGaps,
	withFallback,
} from '../../../nodes/CustomerMessaging/plan/textGaps';
import { text } from '../../../nodes/CustomerMessaging/fields/text';
import { readByN8n } from '../support/readByN8n';

const row = {
	city: 'Pune',
	spaces: ' ',
	empty: '',
	nothing: null,
	zero: 0,
	no: false,
	nested: { city: 'Goa', nothing: null },
	list: [] as string[],
};

const title = {
	...text('Title', { reaches: 'nobody', modelMayFill: true }),
	gapExample: 'friend',
};
const operation: Pick<Operation, 'form' | 'fields'> = {
	form: [{ displayName: 'Title', name: 'title', type: 'string', default: '', ...title }],
	fields: { required: { title }, optional: {} },
};

/** The gaps that the node finds in a title, and what it has n8n evaluate for that. */
function search(raw: unknown, isTool = false) {
	const evaluated: string[] = [];
	const evaluate = (code: string) => {
		evaluated.push(code);
		return readByN8n(`={{ ${code} }}`, row);
	};
	const read = (name: string) => (name === 'title' ? raw : undefined);
	const find = textGaps(operation, { raw: read, evaluate, isTool }, new InputColumns([]));
	return { gaps: find({ index: 0, parameters: {}, json: row }), evaluated };
}

function gaps(raw: unknown) {
	return search(raw).gaps.map(({ code }) => code);
}

describe('An empty placeholder in a text', () => {
	it.each([
		['=Welcome, {{ $json.name }}!', '$json.name'],
		['=Welcome, {{$json["First Name"]}}!', '$json["First Name"]'],
		['={{ $json.city }} {{ $json.nothing }}', '$json.nothing'],
		['=Hi {{ $json.spaces }}!', '$json.spaces'],
		['=Hi {{ $json.name.trim() }}!', '$json.name.trim()'],
		["=Hi {{ $json.empty.split(' ')[0] }}!", "$json.empty.split(' ')[0]"],
		['=Hi {{ $json.list }}!', '$json.list'],
		['=Hi {{ $input.item.json.name }}!', '$input.item.json.name'],
		['=Hi {{ $json.name }}, it is {{ $now.year > 2000 ? "now" : "" }}', '$json.name'],
	])('is found in %j', (raw, code) => {
		expect(gaps(raw)).toEqual([code]);
	});

	it.each([
		'=Hi {{ $json.city }}!',
		'=Hi {{ $json.zero }} and {{ $json.no }}!',
		'=Hi {{ $json.city.trim() }}{{ $json.nested.city.trim() }}!',
	])('is not found in %j, where each has a value', (raw) => {
		expect(gaps(raw)).toEqual([]);
	});

	it.each([
		['a ternary', "=Hi{{ $json.vip ? ' ' + $json.name : '' }}!"],
		['??', "=Hi {{ $json.name ?? '' }}!"],
		['ifEmpty', "=Hi {{ $json.name.ifEmpty('') }}!"],
		['an arrow function', '=Hi {{ $json.list.map((one) => one.name) }}!'],
	])('is allowed where the expression decides what is written: %s', (_, raw) => {
		expect(gaps(raw)).toEqual([]);
	});

	it.each(['={{ $json.name }}', '= {{ $json.name }}\n', 'Hi {{ $json.name }}', '=Hi', 5, null])(
		'is not searched in %j, which has no text around a placeholder',
		(raw) => {
			expect(search(raw)).toEqual({ gaps: [], evaluated: [] });
		},
	);

	it('is read without n8n where it is a column', () => {
		expect(search('=Hi {{ $json.city }} {{ $json.name }}{{ $now }}!').evaluated).toEqual([]);
		expect(search('=Hi {{ $json.city.trim() }} {{ $now }}!').evaluated).toEqual([
			'$json.city.trim()',
		]);
	});

	it('is left to the model for a tool, which has no columns', () => {
		expect(search('=Hi {{ name }}!', true).gaps.map(({ advice }) => advice)).toEqual([
			"Use $fromAI, or turn on 'Skip Text Check'",
		]);
	});

	it('is found beside what n8n wrote', () => {
		expect(gaps('={{ $json.name }}{{ $now }} x')).toEqual(['$json.name']);
		expect(gaps('={{ $json.name.trim() }}, {{ $json.city.trim() }}')).toEqual([
			'$json.name.trim()',
		]);
		expect(gaps("=Dear {{ $json.vip ? 'Dr.' : '' }} {{ $json.name.trim() }}!")).toEqual([
			'$json.name.trim()',
		]);
	});
});

describe('The fallback that a message suggests', () => {
	it.each([
		['$json.name', "$json.name || 'friend'"],
		['$json.a.b["c d"]', `$json.a?.b?.["c d"] || 'friend'`],
		['$json.name.trim()', "$json.name?.trim() || 'friend'"],
		["$json.name.split(' ')[0]", "$json.name?.split(' ')[0] || 'friend'"],
		["$('A').item.json.a.b", "$('A').item.json.a?.b || 'friend'"],
	])('for %s is %s', (code, better) => {
		expect(withFallback(code, 'friend')).toBe(better);
	});

	it.each(['$json.name', '$json.a.b["c d"]', '$json.name.trim()', "$json.name.split(' ')[0]"])(
		'gives n8n a text where %s is missing',
		(code) => {
			expect(readByN8n(`=Hi {{ ${withFallback(code, 'friend')} }}!`, {})).toBe('Hi friend!');
		},
	);
});

describe('A parameter that is one plain placeholder', () => {
	it.each([
		['={{ $json.date }}', '$json.date'],
		["={{ $('Form').item.json.when }}", "$('Form').item.json.when"],
	])('is %j', (raw, code) => {
		expect(plainPlaceholder(raw)).toBe(code);
	});

	it.each([
		'{{ $json.date }}',
		"={{ $json.date || '' }}",
		'={{ $json.date }}{{ $json.time }}',
		"={{ $fromAI('date') }}",
		'=',
		undefined,
	])('is not %j', (raw) => {
		expect(plainPlaceholder(raw)).toBeUndefined();
	});
});
