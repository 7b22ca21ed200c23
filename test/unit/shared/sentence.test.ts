import { placeOfMistake } from '../../../nodes/CustomerMessaging/shared/formatting';
import { givenOne, quoted, say, written } from '../../../nodes/CustomerMessaging/shared/sentence';

test('A sentence is known with the values of its row and without them', () => {
	const inner = say`is ${quoted("O'Connor")}, not ${givenOne(undefined)}`;
	expect(say`Name ${inner}. Write ${written('Anna')} or ${5}`).toEqual({
		message: "Name is 'O'Connor', not empty. Write Anna or 5",
		rule: "Name is '…', not empty. Write … or 5",
	});
});

test('A sentence without a value of a row is its own rule', () => {
	expect(say`Name is ${givenOne('')}. Fill it in`).toEqual({
		message: 'Name is empty. Fill it in',
	});
});

test('The log learns where a mistake happened, and not what it says', () => {
	const mistake = new TypeError("Anna's\n    at anna.ts:1:1");
	expect(placeOfMistake(mistake)).toMatch(/^TypeError in sentence\.test\.ts:\d+:\d+$/);
	expect(placeOfMistake('Anna')).toBe('unknown');
	mistake.stack = undefined;
	expect(placeOfMistake(mistake)).toBe('TypeError');
});
