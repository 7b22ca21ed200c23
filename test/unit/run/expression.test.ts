import { parseTemplate } from '../../../nodes/CustomerMessaging/run/parameters';

const path = (...keys: string[]) => ({
	steps: keys.map((key) => ({ key, isOptional: false })),
});

test('A text is split into its text and its placeholders, each with what it reads', () => {
	expect(parseTemplate('=Hi {{ $json.name ?? "you" }} of {{$json.a["b c"]}}!')).toEqual([
		'Hi ',
		{
			code: ' $json.name ?? "you" ',
			expression: { operator: '??', operands: [path('name'), { value: 'you' }] },
		},
		' of ',
		{ code: '$json.a["b c"]', expression: { operands: [path('a', 'b c')] } },
		'!',
	]);
});

test('A placeholder that only n8n can evaluate keeps its code, beside others that are understood', () => {
	expect(parseTemplate('={{ $json.name.trim() }} {{ $json.city }} {{ $json')).toEqual([
		{ code: ' $json.name.trim() ', expression: undefined },
		' ',
		{ code: ' $json.city ', expression: { operands: [path('city')] } },
		' ',
		{ code: ' $json', expression: undefined },
	]);
});

test('Each way to write a step is read, also an optional one', () => {
	const [placeholder] = parseTemplate(`={{ $json?.a["b.[c]"]?.["?.d"].$e['"'] }}`) ?? [];
	expect(placeholder).toMatchObject({
		expression: {
			operands: [
				{
					steps: [
						{ key: 'a', isOptional: true },
						{ key: 'b.[c]', isOptional: false },
						{ key: '?.d', isOptional: true },
						{ key: '$e', isOptional: false },
						{ key: '"', isOptional: false },
					],
				},
			],
		},
	});
});

test('Literals keep their type', () => {
	const [placeholder] = parseTemplate('={{ $json.a || 1.5 || true || null }}') ?? [];
	expect(placeholder).toMatchObject({
		expression: {
			operator: '||',
			operands: [path('a'), { value: 1.5 }, { value: true }, { value: null }],
		},
	});
});

test.each([5, null, 'Hello {{ $json.name }}', '=\\{{ $json.name }}'])('%j is not split', (raw) => {
	expect(parseTemplate(raw)).toBeUndefined();
});

test.each([
	'|| $json.a)',
	'($json.a || 1) ?? 2',
	'$json.a)',
	'$json.a $json.b',
	'$json.a ?? $json.b || 1',
	'()',
	'',
])('What is no complete expression is left to n8n: %j', (code) => {
	expect(parseTemplate(`=Hi {{${code}}}`)).toEqual(['Hi ', { code, expression: undefined }]);
});
