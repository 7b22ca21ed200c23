import { placeOfMistake } from '../../../nodes/CustomerMessaging/shared/formatting';
import {
	counted,
	givenOne,
	quoted,
	say,
	tell,
	tellLog,
	written,
} from '../../../nodes/CustomerMessaging/shared/sentence';

test('A sentence is told with the values of its row, and in the log without them', () => {
	const inner = say`is ${quoted("O'Connor")}, not ${givenOne(undefined)}`;
	const sentence = say`Name ${inner}. Write ${written('Anna')} or ${5}, in ${counted(71)} letters`;
	expect(tell(sentence)).toBe("Name is 'O'Connor', not empty. Write Anna or 5, in 71 letters");
	const shown = tell(sentence, new Set([0, 2]));
	expect(shown).toBe("Name is '…', not empty. Write Anna or 5, in … letters");
	expect(tellLog(sentence)).toBe("Name is '…', not empty. Write … or 5, in 71 letters");
});

test('Sentences about different values have the same rule', () => {
	const about = (name: string) => say`Name is ${quoted(name)}. Shorten it`;
	expect(about("O'Connor").rule).toBe(about('Dvořák').rule);
	expect(say`Name is ${givenOne('')}. Fill it in`).toEqual({ rule: 'Name is empty. Fill it in' });
});

test('The log learns where a mistake happened, and not what it says', () => {
	const mistake = new TypeError("Anna's\n    at anna.ts:1:1");
	expect(placeOfMistake(mistake)).toMatch(/^TypeError in sentence\.test\.ts:\d+:\d+$/);
	expect(placeOfMistake('Anna')).toBe('unknown');
	mistake.stack = undefined;
	expect(placeOfMistake(mistake)).toBe('TypeError');
});
