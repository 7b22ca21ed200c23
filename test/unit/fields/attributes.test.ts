import { saying } from '../support/saying';
import * as fields from '../../../nodes/CustomerMessaging/fields/attributes';

const field = 'customAttributes';
const again = 'Correct it or choose another type';

function readAssignments(...assignments: object[]) {
	const form = { name: field, displayName: 'Custom Attributes' };
	return fields.readAssignments(form, { assignments }, { sendEmptyValues: true });
}

test.each<[unknown, unknown, unknown]>([
	['string', 7, '7'],
	['string', new Date(0), '1970-01-01T00:00:00+0000'],
	['number', '1.50', 1.5],
	['number', '1e3', 1_000],
	['boolean', ' TRUE ', true],
	['array', '["a"]', ['a']],
	[['string'], 7, 7],
])('Of the type %j, %p is read as %p', (type, value, converted) => {
	const read = readAssignments({ name: 'plan', value, type });
	expect(read).toEqual({ attributes: [{ field, name: 'plan', value: converted }], problems: [] });
});

test.each<[string, unknown, string]>([
	['string', { a: 1 }, `must be text, but it is a list or object. ${again}`],
	['number', '1,500', `must be a number, but it is '1,500'. ${again}`],
	['boolean', 'maybe', `must be true or false, but it is 'maybe'. ${again}`],
	['array', '{}', `must be a list such as ["a", "b"], but it is '{}'. ${again}`],
	['object', '[]', `must be an object such as { "key": "value" }, but it is '[]'. ${again}`],
])('Of the type %s, %p is not read', (type, value, message) => {
	const problems = [saying(`The attribute 'plan' ${message}`, field)];
	const others = { name: 'age', value: 7, type: 'number' };
	const attributes = [{ field, name: 'age', value: 7 }];
	expect(readAssignments({ name: 'plan', value, type }, others)).toEqual({ attributes, problems });
});

const lostDate =
	"contains 'Invalid DateTime', which an expression leaves where a value is missing or is not text. Correct the expression, or turn on 'Skip Text Check'";
const half =
	'contains half a character, for instance of an emoji that was cut in two. Cut the text elsewhere';
const broken = 'contains a line break. Write it on one line';
const deep = "The attribute 'plan' contains a field called";

test.each<[string, unknown, string]>([
	['pl\nan', 'x', `The name of the attribute 'pl an' ${broken}`],
	['plan \ud83d', 'x', `The name of the attribute 'plan \ufffd' ${half}`],
	['plan', { deep: { 'pl\nan': 1 } }, `${deep} 'pl an' under 'deep' whose name ${broken}`],
	['since', ['Invalid DateTime'], `The attribute 'since' ${lostDate}`],
])('The attribute %j of %j is refused: %s', (name, value, message) => {
	const found = (options: object) => fields.unsendableAttributes([{ field, name, value }], options);
	expect(found({})).toEqual([saying(message, field)]);
	if (message.includes('Skip Text Check')) expect(found({ skipTextCheck: true })).toEqual([]);
});
