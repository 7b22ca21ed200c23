import fc from 'fast-check';

/** Values that expressions read, or stumble over. */
export const row = {
	...{ city: 'Pune', 'First Name': 'Asha', yes: true, no: false, empty: '', '': 'no name' },
	...{ age: 7, none: 0, negative: -1.5, minusZero: -0, large: 1e21, notANumber: NaN },
	...{ nothing: null, notSet: undefined, list: ['a'] },
	nested: { deep: { name: 'x', nothing: null }, list: [1, 2] },
	odd: '={{ 1 }} {{ $json.city }} \\ "\'`',
	when: '2026-11-23T09:30:00.000Z',
	date: new Date('2026-11-23T09:30:00Z'),
	halfEmoji: 'a\ud83d',
	...{ Größe: 'L', $price: 3, $: 'dollar', class: 'reserved', 'a.first(x)': 'like a call' },
	...{ 'two\nlines': 'n', 'two\rlines': 'r', 'two\u2028lines': 'ls' },
	...{ toString: 'own', constructor: 'own', __proto: 'p', arguments: 'a' },
};

const others = ['deep', 'name', 'missing', 'a b', "it's", 'length'];
const key = fc.constantFrom(...Object.keys(row), ...others);

const value = fc.oneof(
	fc.string(),
	fc.constantFrom('', '0', 'null', '{{ $json.city }}', '\u2028', '2026-11-23'),
	fc.double(),
	fc.integer(),
	fc.boolean(),
	fc.constantFrom(null, undefined, [], ['x'], new Date(0), new Map([['name', 1]])),
	fc.record({ name: fc.oneof(fc.string(), fc.constant(null)), deep: fc.constantFrom(null, {}) }),
);

export const randomRow = fc.dictionary(key, value).map((some) => ({ ...row, ...some }));

const step = fc.oneof(
	{ weight: 3, arbitrary: key.map((name) => `.${name}`) },
	key.map((name) => `["${name}"]`),
	key.map((name) => `['${name}']`),
	key.map((name) => `?.${name}`),
	key.map((name) => `?.["${name}"]`),
);

const path = fc
	.array(step, { minLength: 1, maxLength: 3, size: '-1' })
	.map((steps) => `$json${steps.join('')}`);

const words = [
	...['Hello', 'x y', '', '{{', '}', '}}', '(guest)', 'e.g.(x)', 'Hi.first(x)', '$if(', '0'],
];
const literal = fc.oneof(
	fc.constantFrom(...words, '👍', '\t', '@{name}@', "it's", '\ud800').map((word) => `"${word}"`),
	fc.constantFrom(...words, '2026-11-23T09:30:00.000Z').map((word) => `'${word}'`),
	fc.string().map((word) => JSON.stringify(word)),
	fc.constantFrom('0', '1', '1.50', '0.1', '12345678901234567890', '-1', '1e3', '007', '.5', '1.'),
	fc.constantFrom('true', 'false', 'null', 'undefined', 'NaN', 'nullable', '`x`', '/* */ 1'),
);

const space = fc.oneof(
	{ weight: 6, arbitrary: fc.constant(' ') },
	fc.constantFrom('', '\n', '\t\r\n', '\u00a0'),
);

const { expression } = fc.letrec<{ expression: string; operand: string }>((tie) => ({
	operand: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		{ weight: 5, arbitrary: path },
		{ weight: 3, arbitrary: literal },
		{ weight: 1, arbitrary: tie('expression').map((inner) => `(${inner})`) },
	),
	expression: fc
		.tuple(
			fc.array(tie('operand'), { minLength: 1, maxLength: 4, size: '-1' }),
			fc.array(
				fc.oneof({ weight: 9, arbitrary: fc.constant('') }, fc.constantFrom('??', '||', '+')),
			),
			fc.constantFrom('??', '||'),
			space,
		)
		.map(([operands, others, usual, around]) =>
			operands.reduce((left, right, index) => {
				const operator = others[index - 1] || usual;
				return `${left}${around}${operator}${around}${right}`;
			}),
		),
}));

const placeholder = fc
	.tuple(space, expression, space)
	.map(([before, code, after]) => `{{${before}${code}${after}}}`);

const text = fc.oneof(
	fc.string({ maxLength: 6 }),
	fc.constantFrom('', ' ', '\n', 'Hi, ', '\\', '"', '`${1}`', '{', '}', '}}', '{{', '{{ }}', '='),
	fc.constantFrom('p { color: red }', '@media{a{b:c}}', '\u2028', 'e.g. a.first(x)', 'toString'),
);

/** Parameters with expressions. This node reads about half of them without n8n. */
export const randomTemplate = fc.oneof(
	placeholder.map((only) => `=${only}`),
	fc
		.array(fc.oneof(placeholder, text), { minLength: 1, maxLength: 4 })
		.map((parts) => `=${parts.join('')}`),
);
