import {
	readAssignments,
	unsendableAttributes,
	attributeOfType,
} from '../../../nodes/CustomerMessaging/fields/attributes';

const form = { name: 'customAttributes', displayName: 'Custom Attributes' };

function read(assignments: unknown, sendEmpty = false) {
	return readAssignments(form, { assignments }, sendEmpty);
}

function attribute(name: string, value: unknown) {
	return { field: 'customAttributes', name, value };
}

describe('The list of attributes in the form', () => {
	it('names the attribute whose value has the wrong type, and reads the others', () => {
		expect(
			read([
				{ name: 'age', value: 'old', type: 'number' },
				{ name: 'plan', value: 'gold', type: 'string' },
			]),
		).toEqual({
			attributes: [attribute('plan', 'gold')],
			problems: [
				{
					field: 'customAttributes',
					message:
						"The attribute 'age' must be a number, but it is 'old'. Correct it or choose another type",
				},
			],
		});
	});
});

describe('A value of the type', () => {
	it.each<[string, unknown, unknown]>([
		['string', ' a ', ' a '],
		['string', 7, '7'],
		['string', false, 'false'],
		['string', '', ''],
		// Refused later, with all other numbers that are not exact.
		['string', 2 ** 53, 2 ** 53],
		['string', new Date(0), '1970-01-01T00:00:00+0000'],
		['number', 7, 7],
		['number', ' -7 ', -7],
		['number', '1.50', 1.5],
		['number', '1e3', 1_000],
		['number', '', null],
		['boolean', true, true],
		['boolean', ' TRUE ', true],
		['boolean', null, null],
		['array', [1, ['a'], null], [1, ['a'], null]],
		['array', '["a"]', ['a']],
		['array', '', null],
		['object', { a: 1 }, { a: 1 }],
		['object', '{ "a": 1 }', { a: 1 }],
		['object', undefined, null],
		['a newer type', 'x', 'x'],
		['constructor', 'x', 'x'],
	])('%s is read from %p as %p', (type, value, converted) => {
		expect(attributeOfType(type, value)).toEqual({ value: converted });
	});

	it('that is not text is sent as it is', () => {
		expect(attributeOfType(undefined, '7')).toEqual({ value: '7' });
		expect(attributeOfType(['string'], 7)).toEqual({ value: 7 });
	});

	const again = 'Correct it or choose another type';

	it.each<[string, unknown, string]>([
		['string', [1], 'must be text, but it is a list or object. Choose the type Array'],
		['string', { a: 1 }, 'must be text, but it is a list or object. Choose the type Object'],
		['number', 'x7', `must be a number, but it is 'x7'. ${again}`],
		['number', '1,500', `must be a number, but it is '1,500'. ${again}`],
		['number', true, `must be a number, but it is 'true'. ${again}`],
		['boolean', 'maybe', `must be true or false, but it is 'maybe'. ${again}`],
		['array', '{}', `must be a list such as ["a", "b"], but it is '{}'. ${again}`],
		['array', 7, `must be a list such as ["a", "b"], but it is '7'. ${again}`],
		['object', '[]', `must be an object such as { "key": "value" }, but it is '[]'. ${again}`],
	])('%s is not read from %p', (type, value, rule) => {
		expect(attributeOfType(type, value)).toEqual({ rule });
	});
});

describe('An attribute is refused if', () => {
	const messagesOf = (...attributes: Array<[name: string, value: unknown]>) =>
		unsendableAttributes(
			attributes.map(([name, value]) => attribute(name, value)),
			{},
		);
	const refusal = (message: string) => [{ field: 'customAttributes', message }];

	it('its name has more than a thousand characters', () => {
		expect(messagesOf(['x'.repeat(1_000), 'x'])).toEqual([]);
		expect(messagesOf(['x'.repeat(1_001), 'x'])).toEqual(
			refusal('An attribute has a name of 1001 characters. Shorten it to 1000'),
		);
	});

	it.each([
		['pl\0an', "'pl\ufffdan' contains an invisible character. Remove it"],
		['pl\nan', "'pl an' contains a line break. Write it on one line"],
		[
			'plan \ud83d',
			"'plan \ufffd' contains half a character, for instance of an emoji that was cut in two. Cut the text elsewhere",
		],
	])('its name cannot be sent: %j', (name, rule) => {
		expect(messagesOf([name, 'x'])).toEqual(refusal(`The name of the attribute ${rule}`));
		const [, wrong] = rule.split("' ");
		const nested = messagesOf(['plan', { deep: { [name]: 1 } }]);
		expect(nested[0]?.message).toContain("The attribute 'plan' contains a field called '");
		expect(nested[0]?.message).toContain(`under 'deep' whose name ${wrong}`);
	});

	it('it holds what is left of a missing date, unless the text check is off', () => {
		expect(messagesOf(['since', ['Invalid DateTime']])).toEqual(
			refusal(
				"The attribute 'since' contains 'Invalid DateTime', which an expression leaves where a date is missing or cannot be read. Correct the expression, or turn on 'Skip Text Check'",
			),
		);
		const all = [attribute('since', 'Invalid Date')];
		expect(unsendableAttributes(all, { skipTextCheck: true })).toEqual([]);
	});
});
