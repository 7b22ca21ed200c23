import {
	gapFinder,
	plainPlaceholder,
	withFallback,
} from '../../../nodes/CustomerMessaging/run/textGaps';
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

/** The gaps that the node finds after n8n has evaluated the text. */
function gaps(raw: string, json: typeof row | undefined = row) {
	return gapFinder(raw)?.(readByN8n(raw, row), json);
}

describe('An empty placeholder in a text', () => {
	it.each([
		['=Welcome, {{ $json.name }}!', '$json.name'],
		['=Welcome, {{$json["First Name"]}}!', '$json["First Name"]'],
		['={{ $json.empty }} from {{ $json.city }}', '$json.empty'],
		['={{ $json.city }} {{ $json.nothing }}', '$json.nothing'],
		['=Hi {{ $json.spaces }}!', '$json.spaces'],
		['=Hi {{ $json.nested.nothing }}!', '$json.nested.nothing'],
		['=Hi {{ $json.name.first }}!', '$json.name.first'],
		['=Hi {{ $json.name.trim() }}!', '$json.name.trim()'],
		['=Hi {{ $json.empty.toTitleCase() }}!', '$json.empty.toTitleCase()'],
		["=Hi {{ $json.empty.split(' ')[0] }}!", "$json.empty.split(' ')[0]"],
		["=Tags {{ $json.list.join(', ') }}.", "$json.list.join(', ')"],
		['=Hi {{ $json.list }}!', '$json.list'],
		['=Hi {{ $input.item.json.name }}!', '$input.item.json.name'],
		['=Hi {{ $json.name }}, it is {{ $now.year > 2000 ? "now" : "" }}', '$json.name'],
		['=Hi {{ $json.name.trim() }} of {{ $json.city.trim() }}!', '$json.name.trim()'],
		['=Hi\n{{ $json.name }}: "C:\\temp"', '$json.name'],
	])('is found in %j', (raw, code) => {
		expect(gaps(raw)).toEqual([code]);
	});

	it.each([
		'=Hi {{ $json.city }}!',
		'=Hi {{ $json.zero }} and {{ $json.no }}!',
		'=Hi {{ $json.city.trim() }} of {{ $json.nested.city.trim() }}!',
		'=Hi {{ $json.city.trim() }}{{ $json.nested.city.trim() }}!',
	])('is not found in %j, where each has a value', (raw) => {
		expect(gaps(raw)).toEqual([]);
	});

	it.each([
		['a ternary', "=Hi{{ $json.vip ? ' ' + $json.name : '' }}!"],
		['??', "=Hi {{ $json.name ?? '' }}!"],
		['||', "=Hi {{ $json.name || '' }}!"],
		['ifEmpty', "=Hi {{ $json.name.ifEmpty('') }}!"],
		['a calculation', '=Hi {{ $json.zero + 1 }}!'],
		['an arrow function', '=Hi {{ $json.list.map((one) => one.name) }}!'],
		['another variable', '=Hi {{ $vars.name }}!'],
	])('is allowed where the expression decides what is written: %s', (_, raw) => {
		expect(gaps(raw) ?? []).toEqual([]);
	});

	it.each(['={{ $json.name }}', '= {{ $json.name }}\n', 'Hi {{ $json.name }}', '=Hi', 5, null])(
		'is not searched in %j, which has no text around a placeholder',
		(raw) => {
			expect(gapFinder(raw)).toBeUndefined();
		},
	);

	it('is not reported while it could have a value in another place', () => {
		const find = gapFinder('={{ $json.a.trim() }}, {{ $json.b.trim() }}');
		expect(find?.(', Bob, Ann')).toEqual([]);
		expect(find?.(', Bob')).toEqual(['$json.a.trim()']);
		expect(find?.('Bob, ')).toEqual(['$json.b.trim()']);
		expect(find?.(', ')).toEqual(['$json.a.trim()', '$json.b.trim()']);
	});

	it.each([
		['={{ $json.name }}{{ $now }} x', 'today x', '$json.name'],
		['={{ $now }}, {{ $json.name }}', 'Nov 23, 2026, ', '$json.name'],
		['={{ $json.a.trim() }}-{{ $json.b.trim() }}-{{ $json.c.trim() }}', '-y-z', '$json.a.trim()'],
	])('is found beside what n8n wrote: %s as %j', (raw, text, code) => {
		expect(gapFinder(raw)?.(text, {})).toEqual([code]);
	});

	it.each([
		['=Hi {{ $json.name.trim() }}!', 'Oh, Hi !'],
		['=!!{{ $json.name.trim() }}!!', '!!!'],
	])('is not found where n8n wrote another text than expected: %s as %j', (raw, text) => {
		expect(gapFinder(raw)?.(text, {})).toEqual([]);
	});

	it('is found by the text alone where $json is not the item, as for a tool', () => {
		const find = gapFinder('=Hi {{ $json.name }}!');
		expect(find?.('Hi !')).toEqual(['$json.name']);
		expect(find?.('Hi Ann!')).toEqual([]);
	});

	it('is found in an item even if n8n wrote another text than expected', () => {
		const find = gapFinder('=Hi {{ $json.name }} \\ {{ $now }}');
		expect(find?.('something else', {})).toEqual(['$json.name']);
		expect(find?.(undefined, {})).toEqual(['$json.name']);
		expect(gapFinder('=Hi {{ $now }} {{ $json.name.trim() }}')?.('else', {})).toEqual([]);
	});

	it('is not an expression that decides by itself to write nothing, beside one that cannot', () => {
		const find = gapFinder("=Dear {{ $json.vip ? 'Dr.' : '' }} {{ $json.name.trim() }}!");
		expect(find?.('Dear  Ann!', {})).toEqual([]);
		expect(find?.('Dear Dr. !', {})).toEqual(['$json.name.trim()']);
	});

	it('is found in the text of another node', () => {
		const find = gapFinder("=Hi {{ $('Get customer').item.json.name }} of {{ $json.city }}");
		expect(find?.('Hi  of Pune', row)).toEqual(["$('Get customer').item.json.name"]);
		expect(find?.('Hi Ann of Pune', row)).toEqual([]);
	});
});

describe('The fallback that a message suggests', () => {
	it.each([
		['$json.name', "$json.name || 'friend'"],
		['$json.a.b["c d"]', `$json.a?.b?.["c d"] || 'friend'`],
		['$json.name.trim()', "$json.name?.trim() || 'friend'"],
		["$json.name.split(' ')[0]", "$json.name?.split(' ')[0] || 'friend'"],
		['$json.a?.b.c', "$json.a?.b?.c || 'friend'"],
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
		['={{$json["Send Date"].trim()}}', '$json["Send Date"].trim()'],
		["={{ $('Form').item.json.when }}", "$('Form').item.json.when"],
	])('is %j', (raw, code) => {
		expect(plainPlaceholder(raw)).toBe(code);
	});

	it.each([
		'{{ $json.date }}',
		'=2026-11-23T{{ $json.time }}',
		"={{ $json.date || '' }}",
		'={{ $json.date }}{{ $json.time }}',
		"={{ $fromAI('date') }}",
		'=',
		undefined,
	])('is not %j', (raw) => {
		expect(plainPlaceholder(raw)).toBeUndefined();
	});
});
