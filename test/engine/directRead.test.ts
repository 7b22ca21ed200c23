import fc from 'fast-check';
import type { IDataObject, IExecuteData, INodeExecutionData } from 'n8n-workflow';

import { directReader } from '../../nodes/CustomerMessaging/run/directRead';
import { nodeName, subjectOf, workflowOf } from './support/engine';

// Thousands of random expressions, each read by n8n too.
jest.setTimeout(60_000);

const workflow = workflowOf(subjectOf({ parameters: {} }), []);

/** The value that n8n itself reads, or the reason why it refuses. */
function byN8n(raw: unknown, json: IDataObject): unknown {
	const input: INodeExecutionData[] = [{ json, pairedItem: { item: 0 } }];
	const executeData = {
		data: { main: [input] },
		node: workflow.getNode(nodeName),
		source: null,
	} as IExecuteData;
	try {
		return workflow.expression.getParameterValue(
			raw as string,
			null,
			0,
			0,
			nodeName,
			input,
			'webhook',
			{},
			executeData,
		);
	} catch (error) {
		return `refused: ${String(error)}`;
	}
}

const row = {
	city: 'Pune',
	'First Name': 'Asha',
	age: 7,
	none: 0,
	negative: -1.5,
	large: 1e21,
	yes: true,
	no: false,
	empty: '',
	nothing: null,
	nested: { deep: { name: 'x' }, list: [1, 2] },
	list: ['a'],
	odd: '={{ 1 }} {{ $json.city }} \\ "\'`',
	when: '2026-11-23T09:30:00.000Z',
	Größe: 'L',
	$price: 3,
	'two\nlines': 'n',
	'two\rlines': 'r',
	'two\u2028lines': 'ls',
	constructor: 'own',
	__proto: 'p',
	arguments: 'a',
};

test.each<[unknown, unknown]>([
	['={{ $json.city }}', 'Pune'],
	['={{$json.city}}', 'Pune'],
	['={{ $json["First Name"] }}', 'Asha'],
	["={{ $json['First Name'] }}", 'Asha'],
	['={{ $json.nested.deep["name"] }}', 'x'],
	['={{ $json.age }}', 7],
	['={{ $json.none }}', 0],
	['={{ $json.no }}', false],
	['={{ $json.odd }}', row.odd],
	['=Hello {{ $json["First Name"] }} from {{ $json.city }}!', 'Hello Asha from Pune!'],
	['={{ $json.city }}{{ $json.age }}', 'Pune7'],
	['= {{ $json.city }}\n', ' Pune\n'],
	['={{ $json.none }} of {{ $json.large }}, {{ $json.negative }}', '0 of 1e+21, -1.5'],
	[
		{ tag: '={{ $json.city }}', track: true, notification_id: 5 },
		{ tag: 'Pune', track: true, notification_id: 5 },
	],
	[
		{ attributes: [{ name: 'town', value: '={{ $json.city }}' }] },
		{ attributes: [{ name: 'town', value: 'Pune' }] },
	],
])('%j is read from the item itself, as n8n reads it', (raw, value) => {
	expect(directReader(raw)?.(row)).toEqual(value);
	expect(byN8n(raw, row)).toEqual(value);
});

test.each([
	'={{ $json.missing }}',
	'={{ $json.nothing }}',
	'={{ $json.nested }}',
	'={{ $json.list[0] }}',
	'={{ $json.nested.list.length }}',
	'={{ $json.city.length }}',
	'={{ $json.city.toUpperCase() }}',
	'={{ $json.city }} {{ $json.yes }}',
	'={{ $json.city }} {{ $json.missing }}',
	'={{ $json.age + 1 }}',
	'={{ $json["ci" + "ty"] }}',
	'={{ $json.constructor }}',
	'={{ $json["constructor"] }}',
	'={{ $json.__proto }}',
	'={{ $json.arguments }}',
	'={{ $json.toString }}',
	'={{ $json.Größe }}',
	'={{ $json["two\nlines"] }}',
	"={{ $json['two\rlines'] }}",
	'={{ $json["two\u2028lines"] }}',
	'={{ $json?.city }}',
	'={{ $input.item.json.city }}',
	'={{ $("Source").item.json.city }}',
	'={{ $now }}',
	'=\\{{ $json.city }}',
	'=a {{ $json.city',
	'=a }} {{ $json.city }}',
	'=the .constructor of {{ $json.city }}',
	'=plain',
])('%s is left to n8n', (raw) => {
	expect(directReader(raw)?.(row)).toBeUndefined();
});

test('Whatever is read from the item is what n8n reads', () => {
	const key = fc.constantFrom(...Object.keys(row), 'missing', 'a b', "it's", 'x');
	const path = fc.oneof(
		key.map((name) => `{{ $json.${name} }}`),
		key.map((name) => `{{$json["${name}"]}}`),
		key.map((name) => `{{ $json['${name}']  }}`),
		fc.tuple(key, key).map(([one, other]) => `{{ $json.${one}["${other}"] }}`),
		fc.constantFrom(
			'{{ $json.nested.deep.name }}',
			'{{ $json.nested.deep }}',
			'{{ 1 }}',
			'{{',
			'}}',
			'{{ }}',
		),
	);
	const words = fc.oneof(
		fc.string({ maxLength: 6 }),
		fc.constantFrom('', ' ', '\n', 'Hi, ', '\\', '"', '`${1}`', '{', '='),
	);
	const value = fc.oneof(
		fc.string(),
		fc.double(),
		fc.integer(),
		fc.boolean(),
		fc.constant(null),
		fc.constant({ x: 1 }),
	);
	const json = fc.dictionary(key, value).map((some) => ({ ...row, ...some }));
	const expression = fc
		.array(fc.oneof(path, words), { minLength: 1, maxLength: 4 })
		.map((parts) => `=${parts.join('')}`);
	let direct = 0;

	fc.assert(
		fc.property(expression, json, (raw, item) => {
			const read = directReader(raw)?.(item);
			if (read === undefined) return;
			direct++;
			expect(read).toEqual(byN8n(raw, item));
		}),
		{ numRuns: 3_000 },
	);
	// About a tenth is read directly; far fewer would say little.
	expect(direct).toBeGreaterThan(200);
});
