import { correctionLines, inWords } from '../../../nodes/CustomerMessaging/report/corrections';

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
		expect(lines('To has 5 parts', 'To has 7 parts')).toEqual([
			'Items 0–1: To has 5 parts. Found: 5 (item 0), 7 (item 1).',
		]);
		expect(lines('To 2026-11-22 09:30 is odd', 'To 2026-11-22 10:00 is odd').join()).toMatch(
			/ Found: 2026-11-22 09:30 \(item 0\), 2026-11-22 10:00 \(item 1\)\.$/,
		);
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

describe('A correction', () => {
	const labelOf = (field: string) => (field === 'to' ? 'To' : field);

	it('begins with the label of its field, unless it names it', () => {
		expect(inWords({ field: 'to', message: 'No\naddress' }, labelOf)).toBe('To: No address');
		expect(inWords({ field: 'to', message: 'Fill in To' }, labelOf)).toBe('Fill in To');
	});

	it('is cut after 500 characters', () => {
		const cut = `To ${'x'.repeat(497)}`;
		expect(inWords({ field: 'to', message: cut }, labelOf)).toBe(cut);
		expect(inWords({ field: 'to', message: `${cut}x` }, labelOf)).toBe(`${cut}…`);
		expect(lines(`${cut}x`)).toEqual([`Item 0: ${cut}….`]);
	});

	it('has a line for each field and each rule, with the recipients', () => {
		const problems = [
			{ field: 'to', message: 'Is empty' },
			{ field: 'url', message: 'Is empty' },
			{ field: 'url', message: 'Is odd' },
		];
		const invalid = [0, 1].map((itemIndex) => ({ kind: 'invalid' as const, itemIndex, problems }));
		const recipientOf = (item: number) => `C-${item}`;
		expect(correctionLines(invalid, { labelOf, recipientOf })).toEqual([
			'Items 0 (C-0), 1 (C-1): To: Is empty.',
			'Items 0 (C-0), 1 (C-1): url: Is empty.',
			'Items 0 (C-0), 1 (C-1): url: Is odd.',
		]);
	});

	it('names an item once that needs it twice', () => {
		const problems = [noAddress('a'), noAddress('b')].map((message) => ({ field: 'to', message }));
		const invalid = [{ kind: 'invalid' as const, itemIndex: 3, problems }];
		expect(correctionLines(invalid, { labelOf, recipientOf: () => undefined })).toEqual([
			"Item 3: To 'a' is no address. Found: 'a' (item 3), 'b' (item 3).",
		]);
	});
});

describe('The lines of many corrections', () => {
	const rule = (name: string, length = 491) => `To ${name}`.padEnd(length, 'x');

	it('are 6,000 characters long, and the items of the others are named', () => {
		// With 'Item 0: ' and a full stop, each line has 500 characters.
		const twelve = [...'abcdefghijkl'].map((name, item) => rule(name, item < 10 ? 491 : 490));
		expect(lines(...twelve)).toHaveLength(12);
		const longer = lines(...twelve.slice(0, 11), rule('l', 491));
		expect(longer).toHaveLength(12);
		expect(longer[11]).toBe(
			'Further corrections are needed in item 11. The error output lists all of them.',
		);
	});

	it('name each further item once, in order', () => {
		const problems = (...names: string[]) =>
			names.map((name) => ({ field: 'to', message: rule(name) }));
		const invalid = [
			{ itemIndex: 0, problems: problems(...'abcdefghijklmn') },
			{ itemIndex: 9, problems: problems('m') },
			{ itemIndex: 2, problems: problems('m', 'n') },
			{ itemIndex: 10, problems: problems('n') },
		].map((result) => ({ kind: 'invalid' as const, ...result }));
		const naming = { labelOf: () => 'To', recipientOf: () => undefined };
		const all = correctionLines(invalid, naming);
		expect(all).toHaveLength(13);
		expect(all[12]).toBe(
			'Further corrections are needed in items 0, 2, 9–10. The error output lists all of them.',
		);
	});
});
