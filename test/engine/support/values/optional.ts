import type { IDataObject } from 'n8n-workflow';

/** What people see as an empty cell. */
export const emptyCells: readonly string[] = [
	...['', ' ', '   ', '\t', '\n', '\r\n', '\u00a0', '\u2007', '\u3000', '\ufeff', '\u200b'],
];

/** A text of several placeholders, a row that lacks some, and the text that the advice gives. */
export const joinedTexts: ReadonlyArray<
	readonly [text: string, row: IDataObject, joined: string, allMissing: string]
> = [
	['{{ $json.first }} {{ $json.last }}', { first: 'Ana', last: null }, 'Ana', ''],
	['{{ $json.first }} {{ $json.last }}', { first: '', last: 'Ng' }, 'Ng', ''],
	['{{ $json.first }} {{ $json.last }}', { first: 'Ana', last: 'NULL' }, 'Ana', ''],
	['{{ $json.first }}{{ $json.last }}', { first: 'Ana' }, 'Ana', ''],
	['{{$json["First Name"]}} {{ $json.last }} ', { 'First Name': 'Ana' }, 'Ana', ''],
	['{{ $json.last }}, {{ $json.first }}', { first: 'Ana', last: '' }, 'Ana', ''],
	[
		'{{ $json.first }} {{ $json.middle }} {{ $json.last }}',
		{ first: 'Ana', middle: '', last: 'Ng' },
		'Ana Ng',
		'',
	],
	['{{ $json.a.first }} {{ $json.a.last.trim() }}', { a: { first: 'Ana' } }, 'Ana', ''],
	['{{ $json.first }} {{ $json.last }}', { first: 'Ana', last: ' ' }, 'Ana', ''],
	['{{ $json.first }} {{ $json.last }}', { first: '\u00a0', last: 7 }, '7', ''],
	[
		'{{ $json.first }} {{ $json.last }} ({{ $json.no }})',
		{ first: 'Ana', no: 7 },
		'Ana (7)',
		' (7)',
	],
	['Hi {{ $json.first }} {{ $json.last }}!', { first: 'Ana', last: '  ' }, 'Hi Ana!', 'Hi friend!'],
	['Hi {{ $json.first }} {{ $json.last }}!', { first: 'Ana', last: null }, 'Hi Ana!', 'Hi friend!'],
	['Hi {{ $json.first }} {{ $json.last }}!', { last: 'n/a' }, 'Hi friend!', 'Hi friend!'],
	[
		'{{ $json.title }} {{ $json.last }}, your order {{ $json.no }}',
		{ title: '', last: 'Ng', no: 7 },
		'Ng, your order 7',
		'friend, your order 7',
	],
];

/** An attribute whose value is not valid. */
export const invalidValues: ReadonlyArray<readonly [name: string, value: unknown]> = [
	['mobile', '12'],
	['mobile', '0171 3920001'],
	['mobile', '+49 171 3920001 / +49 171 3920002'],
	['mobile', 'none yet'],
	['email', 'anna at example.com'],
	['email', 'anna@example.com, ben@example.com'],
	['email', ['anna@example.com']],
	['name', '[object Object]'],
	['name', { first: 'Anna' }],
	['name', 'J\ufffdrg'],
	['city', 'M\ufffdnchen'],
	['city', 'Invalid DateTime'],
	['points', 1234567890123456789],
	['score', NaN],
	['nested', { a: ['\ud83d'] }],
];
