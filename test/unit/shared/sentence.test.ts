import { placeOfMistake } from '../../../nodes/CustomerMessaging/shared/formatting';

test('The log learns where a mistake happened, and not what it says', () => {
	const mistake = new TypeError("Anna's\n    at anna.ts:1:1");
	expect(placeOfMistake(mistake)).toMatch(/^TypeError in sentence\.test\.ts:\d+:\d+$/);
	expect(placeOfMistake('Anna')).toBe('unknown');
	mistake.stack = undefined;
	expect(placeOfMistake(mistake)).toBe('TypeError');
});
