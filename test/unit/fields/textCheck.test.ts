import { leftoverIn } from '../../../nodes/CustomerMessaging/fields/nobody';
import { text } from '../../../nodes/CustomerMessaging/fields/text';

const look = { reaches: 'nobody', modelMayFill: true } as const;

describe('What an expression leaves in a text', () => {
	it.each([
		['Hello undefined', "'undefined'"],
		['undefined, your order', "'undefined'"],
		['<p>undefined</p>', "'undefined'"],
		['<a href="undefined">', "'undefined'"],
		['Total: $NaN', "'NaN'"],
		['NaN% off', "'NaN'"],
		['Hi [object Object]!', "'[object Object]'"],
		['{{ $json.name }}', "'{{ $json.name }}'"],
		['Hi {{\n$json.name\n}}, hello', "'{{ $json.name }}'"],
		['<style>a{b:c}</style>{{x}}', "'{{x}}'"],
		['<!-- a --><b>undefined</b>', "'undefined'"],
		['Hello undefined <!-- a --> and welcome', "'undefined'"],
		['Hello undefined<!-- a -->Welcome', "'undefined'"],
		['undefinedhttps://shop.example/a', "'undefined'"],
		['{{ a }}', "'{{ a }}'"],
		['1{{ a }}', "'{{ a }}'"],
		['}}{{ a }}', "'{{ a }}'"],
		['{{}}', "'{{}}'"],
		['<script>unclosed undefined', "'undefined'"],
	])('%j is refused for %s', (words, found) => {
		expect(leftoverIn(words)).toContain(`contains ${found}, which`);
	});

	it.each([
		'',
		'Undefined behaviour',
		'an undefined-behaviour test',
		'see http://shop.example/undefined',
		'see https://shop.example/undefined }}',
		'<a href="https://shop.example/undefined/x">Shop</a>',
		'<style>.undefined { } a::after { content: "{{ }}" }</style>',
		'<SCRIPT>if (x === undefined) {{ }}</SCRIPT >',
		'<!-- {{ a }} --> text',
		'{{ never closed',
		'{{}',
		'curly } { and { one } and }} {{',
		'object Object',
	])('%j is allowed', (words) => {
		expect(leftoverIn(words)).toBeUndefined();
	});

	it('is allowed where the option says so', () => {
		const title = text('Title', look);
		const message =
			"Title contains 'undefined', which an expression leaves where a value is missing or is not text. Correct the expression, or turn on 'Skip Text Check' if customers are to read it";
		expect(title.schema.safeParse('undefined').error?.issues.map((issue) => issue.message)).toEqual(
			[message],
		);
		expect(title.schemaWith?.({ skipTextCheck: true }).parse('undefined')).toBe('undefined');
	});
});
