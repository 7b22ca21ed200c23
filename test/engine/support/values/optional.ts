import type { IDataObject } from 'n8n-workflow';

/** What people see as an empty cell. */
export const emptyCells: readonly string[] = [
	...['', ' ', '   ', '\t', '\n', '\r\n', '\u00a0', '\u2007', '\u3000', '\ufeff', '\u200b'],
];

const both = '{{ $json.first }} {{ $json.last }}';
const three = { first: 'Ana', middle: '', last: 'Ng' };

/** A text of several placeholders, a row that lacks some, and the text that the advice gives. */
export const joinedTexts: ReadonlyArray<
	readonly [text: string, row: IDataObject, joined: string, allMissing: string]
> = [
	[both, { first: '', last: 'Ng' }, 'Ng', ''],
	[both, { first: 'Ana', last: 'NULL' }, 'Ana', ''],
	[both, { first: 'Ana', last: ' ' }, 'Ana', ''],
	[both, { first: '\u00a0', last: 7 }, '7', ''],
	['{{ $json.first }}{{ $json.last }}', { first: 'Ana' }, 'Ana', ''],
	['{{$json["First Name"]}} {{ $json.last }} ', { 'First Name': 'Ana' }, 'Ana', ''],
	['{{ $json.last }}, {{ $json.first }}', { first: 'Ana', last: '' }, 'Ana', ''],
	['{{ $json.first }} {{ $json.middle }} {{ $json.last }}', three, 'Ana Ng', ''],
	['{{ $json.a.first }} {{ $json.a.last.trim() }}', { a: { first: 'Ana' } }, 'Ana', ''],
	[`${both} ({{ $json.no }})`, { first: 'Ana', no: 7 }, 'Ana (7)', ' (7)'],
	[`Hi ${both}!`, { first: 'Ana', last: '  ' }, 'Hi Ana!', 'Hi friend!'],
	[`Hi ${both}!`, { last: 'n/a' }, 'Hi friend!', 'Hi friend!'],
];

/** An attribute whose value is not valid. */
export const invalidValues: ReadonlyArray<readonly [name: string, value: unknown]> = [
	['mobile', '12'],
	['mobile', '0171 3920001'],
	['email', 'anna at example.com'],
	['email', ['anna@example.com']],
	['name', '[object Object]'],
	['name', { first: 'Anna' }],
	['city', 'M\ufffdnchen'],
	['points', 1234567890123456789],
	['score', NaN],
	['nested', { a: ['\ud83d'] }],
];
