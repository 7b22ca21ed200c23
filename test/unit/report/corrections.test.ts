import { correctionLines } from '../../../nodes/CustomerMessaging/report/corrections';

/** The lines for messages of one field, one message for each item. */
function lines(...messages: string[]): string[] {
	const invalid = messages.map((message, itemIndex) => ({
		kind: 'invalid' as const,
		itemIndex,
		problems: [{ field: 'to', message }],
	}));
	return correctionLines(invalid, { labelOf: () => 'To', recipientOf: () => undefined });
}

const noAddress = (value: string) => `To '${value}' is no address`;

describe('One line for several rows', () => {
	it('quotes the value of each row', () => {
		expect(lines(noAddress('a'), noAddress('b'), noAddress('a'))).toEqual([
			"Items 0–2: To 'a' is no address. Found: 'a' (items 0, 2), 'b' (item 1).",
		]);
	});

	it('quotes five values, and counts the others', () => {
		const messages = Array.from({ length: 30 }, (_, index) => noAddress(`a${index}`));
		expect(lines(...messages)).toEqual([
			"Items 0–29: To 'a0' is no address. Found: 'a0' (item 0), 'a1' (item 1), 'a2' (item 2), 'a3' (item 3), 'a4' (item 4) and 25 more.",
		]);
	});

	it('names three ranges of items for one value, and counts the others', () => {
		const messages = Array.from({ length: 20 }, (_, index) => noAddress(`a${index % 2}`));
		expect(lines(...messages).join()).toContain(
			"Found: 'a0' (items 0, 2, 4 and 7 more), 'a1' (items 1, 3, 5 and 7 more).",
		);
	});

	it('quotes nothing more if all rows have the same value, or none', () => {
		expect(lines(noAddress('a'), noAddress('a'))).toEqual(["Items 0–1: To 'a' is no address."]);
		expect(lines('To is empty', 'To is empty')).toEqual(['Items 0–1: To is empty.']);
	});

	it('quotes numbers and times that differ', () => {
		expect(lines('To has 71 characters of 70', 'To has 93 characters of 70')).toEqual([
			'Items 0–1: To has 71 characters of 70. Found: 71 (item 0), 93 (item 1).',
		]);
		const [line] = lines('To 2026-11-22 09:30:00 has passed', 'To 2026-11-22 10:00:00 has passed');
		expect(line).toMatch(
			/ Found: 2026-11-22 09:30:00 \(item 0\), 2026-11-22 10:00:00 \(item 1\)\.$/,
		);
	});

	it('quotes the first of several values that differ', () => {
		const message = (name: string) => `To 'The ${name}' is not '${name}'`;
		expect(lines(message('a'), message('b')).join()).toMatch(
			/ Found: 'The a' \(item 0\), 'The b' \(item 1\)\.$/,
		);
	});

	it('has the same expression for all of them', () => {
		const message = (value: string, format: string) => `To '${value}': {{ read('${format}') }}`;
		expect(lines(message('1.1.', 'd.M.'), message('1/1', 'd/M'), message('2.1.', 'd.M.'))).toEqual([
			"Items 0, 2: To '1.1.': {{ read('d.M.') }}. Found: '1.1.' (item 0), '2.1.' (item 2).",
			"Item 1: To '1/1': {{ read('d/M') }}.",
		]);
	});
});
