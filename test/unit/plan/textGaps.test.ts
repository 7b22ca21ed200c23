import type { Operation } from '../../../nodes/CustomerMessaging/operations/operation';
import { InputColumns } from '../../../nodes/CustomerMessaging/plan/missingColumns';
import * as placeholders from '../../../nodes/CustomerMessaging/plan/textGaps';
import { text } from '../../../nodes/CustomerMessaging/fields/text';
import { readByN8n } from '../support/readByN8n';

const row = {
	...{ city: 'Pune', spaces: ' ', empty: '', nothing: null, zero: 0, no: false },
	...{ nested: { city: 'Goa', nothing: null }, list: [] as string[] },
};

const title = text('Title', { reaches: 'nobody', modelMayFill: true });
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
	const find = placeholders.textGaps(
		operation,
		{ raw: read, evaluate, isTool },
		new InputColumns([]),
	);
	const gaps = find({ index: 0, parameters: {}, json: row });
	return { codes: gaps.map(({ code }) => code), gaps, evaluated };
}

test.each([
	['=Welcome, {{ $json.name }}!', '$json.name'],
	['=Welcome, {{$json["First Name"]}}!', '$json["First Name"]'],
	['=Hi {{ $json.spaces }}!', '$json.spaces'],
	["=Hi {{ $json.empty.split(' ')[0] }}!", "$json.empty.split(' ')[0]"],
	['=Hi {{ $json.list }}!', '$json.list'],
	['=Hi {{ $input.item.json.name }}!', '$input.item.json.name'],
	// Beside what n8n writes.
	['=Hi {{ $json.name }}, it is {{ $now.year > 2000 ? "now" : "" }}', '$json.name'],
	['={{ $json.name.trim() }}, {{ $json.city.trim() }}', '$json.name.trim()'],
	["=Dear {{ $json.vip ? 'Dr.' : '' }} {{ $json.name.trim() }}!", '$json.name.trim()'],
])('In the text %j, a placeholder is empty: %s', (raw, code) => {
	expect(search(raw).codes).toEqual([code]);
});

test.each([
	'=Hi {{ $json.city }}!',
	'=Hi {{ $json.zero }} and {{ $json.no }}!',
	'=Hi {{ $json.city.trim() }}{{ $json.nested.city.trim() }}!',
	// The expression decides what is written.
	"=Hi{{ $json.vip ? ' ' + $json.name : '' }}!",
	"=Hi {{ $json.name ?? '' }}!",
	"=Hi {{ $json.name.ifEmpty('') }}!",
	'=Hi {{ $json.list.map((one) => one.name) }}!',
])('In the text %j, no placeholder is empty', (raw) => {
	expect(search(raw).codes).toEqual([]);
});

test.each([
	...['={{ $json.name }}', '= {{ $json.name }}\n', 'Hi {{ $json.name }}', '=Hi', 5, null],
])('%j has no text around a placeholder, so it is not searched', (raw) => {
	expect(search(raw)).toEqual({ codes: [], gaps: [], evaluated: [] });
});

test('A column is read without n8n', () => {
	expect(search('=Hi {{ $json.city }} {{ $json.name }}{{ $now }}!').evaluated).toEqual([]);
	const { evaluated } = search('=Hi {{ $json.city.trim() }} {{ $now }}!');
	expect(evaluated).toEqual(['$json.city.trim()']);
});

test('An empty placeholder is left to the model for a tool, which has no columns', () => {
	const advice = "Use $fromAI, or turn on 'Skip Text Check'";
	expect(search('=Hi {{ name }}!', true).gaps).toMatchObject([{ advice }]);
});

test.each([
	['$json.name', "$json.name || 'friend'"],
	['$json.a.b["c d"]', `$json.a?.b?.["c d"] || 'friend'`],
	["$json.name.split(' ')[0]", "$json.name?.split(' ')[0] || 'friend'"],
	["$('A').item.json.a.b", "$('A').item.json.a?.b || 'friend'"],
])('The fallback that a message suggests for %s is %s, which n8n can read', (code, better) => {
	expect(placeholders.withFallback(code, 'friend')).toBe(better);
	if (code.startsWith('$json')) expect(readByN8n(`=Hi {{ ${better} }}!`, {})).toBe('Hi friend!');
});

test.each([
	['={{ $json.date }}', '$json.date'],
	["={{ $('Form').item.json.when }}", "$('Form').item.json.when"],
	...[
		...['{{ $json.date }}', "={{ $json.date || '' }}", '={{ $json.date }}{{ $json.time }}'],
		...["={{ $fromAI('date') }}", '=', undefined],
	].map((raw): [unknown, undefined] => [raw, undefined]),
])('The one plain placeholder that %j is as a whole is %j', (raw, code) => {
	expect(placeholders.plainPlaceholder(raw)).toBe(code);
});
