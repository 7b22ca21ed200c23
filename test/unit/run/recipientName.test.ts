import { email } from '../../../nodes/CustomerMessaging/operations/email';
import type { Operation, Resource } from '../../../nodes/CustomerMessaging/operations/operation';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { recipientNamer } from '../../../nodes/CustomerMessaging/run/recipientName';

const operationOf = ({ operations }: Resource, name: string): Operation => {
	const found = operations.find(({ value }) => value === name);
	if (!found) throw new Error(`There is no ${name}`);
	return found;
};
const user = resources.find(({ value }) => value === 'user') as Resource;
const send = operationOf(email, 'send');
const create = operationOf(user, 'create');

function nameOf(
	operation: Operation | undefined,
	parameters: Record<string, unknown>,
	{ json = {}, raw = parameters }: { json?: object; raw?: Record<string, unknown> } = {},
) {
	const read = (name: string) => {
		const value = parameters[name];
		if (value instanceof Error) throw value;
		return value;
	};
	const items = [{ json: {} }, { json: { ...json } }];
	return recipientNamer({ operation }, items, { read, raw: (name) => raw[name] })(1);
}

test.each<[string, unknown, string | undefined]>([
	['its text', ' anna@example.com ', 'anna@example.com'],
	['its number', 42, '42'],
	['forty characters of it', 'x'.repeat(41), `${'x'.repeat(40)}…`],
	['nothing where it is empty', ' ', undefined],
	['nothing where it is missing', undefined, undefined],
	['nothing where it is a list', ['anna@example.com'], undefined],
	['nothing where its expression cannot be evaluated', new Error('no column'), undefined],
])('A message is named after its recipient by %s', (_, value, expected) => {
	expect(nameOf(send, { recipientBy: 'email', email: value, mobile: 'other' })).toBe(expected);
});

test('A message whose kind of recipient cannot be read is not named', () => {
	expect(nameOf(send, { recipientBy: new Error('no column'), email: 'a@example.com' })).toBe(
		undefined,
	);
});

test('A user is named after the ID in the form', () => {
	expect(nameOf(create, { dataMode: 'defineBelow', userID: 'u-1', userIdField: 'id' })).toBe('u-1');
});

test('A user of mapped columns is named after the column with the ID', () => {
	const parameters = { dataMode: 'autoMapInputData', userID: 'u-1', userIdField: 'id' };
	expect(nameOf(create, parameters, { json: { id: 'u-2' } })).toBe('u-2');
	expect(nameOf(create, { ...parameters, userIdField: 7 }, { json: { id: 'u-2' } })).toBe(
		undefined,
	);
});

test('A user of mapped columns is named after a column that was dragged, not after its value', () => {
	const parameters = { dataMode: 'autoMapInputData', userIdField: 'u-2' };
	const raw = { userIdField: '={{ $json.id }}' };
	expect(nameOf(create, parameters, { json: { id: 'u-2', 'u-2': 'wrong' }, raw })).toBe('u-2');
});

test('A broadcast and a run without an operation name nobody', () => {
	const parameters = { recipientBy: 'email', email: 'a@example.com', userID: 'u-1' };
	expect(nameOf(operationOf(email, 'broadcastAll'), parameters)).toBe(undefined);
	expect(nameOf(undefined, parameters)).toBe(undefined);
});
