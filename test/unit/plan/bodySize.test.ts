import { resources } from '../../../nodes/CustomerMessaging/operations';
import { maxJsonLength, tooLarge } from '../../../nodes/CustomerMessaging/plan/bodySize';

const MAX = 10_000_000;

function operationOf(resource: string, operation: string) {
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (!found) throw new Error('There is no such operation');
	return found;
}

const pushSend = operationOf('push', 'send');
const createUser = operationOf('user', 'create');
const customPost = operationOf('customRequest', 'post');

function delivery(body: Record<string, unknown> | unknown[], envelope?: Record<string, unknown>) {
	return [{ itemIndex: 0, path: '/', buildBody: () => body, envelope }];
}

/** A body whose JSON has exactly this number of characters. */
function bodyOf(characters: number) {
	return { message: 'x'.repeat(characters - JSON.stringify({ message: '' }).length) };
}

test('A body of ten million characters is sent.', () => {
	expect(JSON.stringify(bodyOf(MAX))).toHaveLength(MAX);
	expect(tooLarge(delivery(bodyOf(MAX)), pushSend)).toEqual([]);
});

test('A body of one character more is refused, and its largest field is named.', () => {
	expect(tooLarge(delivery({ title: 'x', ...bodyOf(MAX) }), pushSend)).toEqual([
		{
			field: 'message',
			message: "'Message' is too long: one request carries at most 10000000 characters. Shorten it",
		},
	]);
	expect(tooLarge(delivery(bodyOf(MAX + 1)), pushSend)).toHaveLength(1);
});

test('A nested field is named by its own name.', () => {
	const body = { userID: 'C-1', user_attributes: { plan: 'x', biography: 'x'.repeat(MAX) } };
	expect(tooLarge(delivery(body), createUser)).toEqual([
		{
			field: 'biography',
			message:
				"'biography' is too long: one request carries at most 10000000 characters. Shorten it",
		},
	]);
});

test('A list is named as a whole.', () => {
	const [problem] = tooLarge(delivery({ a: 'x', rows: ['x'.repeat(MAX)] }), createUser);
	expect(problem?.field).toBe('rows');
});

test('What stands beside the list of a batch counts too.', () => {
	const half = 'x'.repeat(MAX / 2);
	expect(tooLarge(delivery({ userID: half }, { note: half }), createUser)).toHaveLength(1);
	expect(tooLarge(delivery({ userID: half }), createUser)).toEqual([]);
	const [problem] = tooLarge(delivery({ userID: 'C-1' }, { note: 'x'.repeat(MAX) }), createUser);
	expect(problem?.field).toBe('note');
});

test('The body of a custom request is one field.', () => {
	expect(tooLarge(delivery(bodyOf(MAX + 1)), customPost)).toEqual([
		{
			field: 'body',
			message: "'Body' is too long: one request carries at most 10000000 characters. Shorten it",
		},
	]);
	expect(tooLarge(delivery(['x'.repeat(MAX)]), customPost)).toHaveLength(1);
});

test('A row without a delivery has no body.', () => {
	expect(tooLarge([], pushSend)).toEqual([]);
});

test('Fields without a value take no room.', () => {
	const [problem] = tooLarge(delivery({ absent: undefined, message: 'x'.repeat(MAX) }), pushSend);
	expect(problem?.field).toBe('message');
});

describe('The bound of the length as JSON', () => {
	test('is exact for texts that consist of control characters, and for empty ones', () => {
		expect(maxJsonLength('')).toBe(2);
		expect(maxJsonLength('\u0001\u0002')).toBe(JSON.stringify('\u0001\u0002').length);
	});

	test('is 25 for what is neither a text nor an object', () => {
		expect([1, -1.2345678901234567e-100, true, false, null, undefined].map(maxJsonLength)).toEqual([
			25, 25, 25, 25, 25, 25,
		]);
	});

	test('adds up names, entries and punctuation', () => {
		expect(maxJsonLength({})).toBe(2);
		expect(maxJsonLength({ a: 'b' })).toBe(2 + 8 + 8 + 2);
		expect(maxJsonLength([null, { a: 1 }])).toBe(2 + (8 + 25 + 2) + (8 + (2 + 8 + 25 + 2) + 2));
	});

	test('is infinite for a value that decides itself how it is written', () => {
		expect(maxJsonLength({ at: new Date(0) })).toBe(Infinity);
	});
});
