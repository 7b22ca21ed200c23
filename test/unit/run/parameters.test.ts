import { parameterReader } from '../../../nodes/CustomerMessaging/run/parameters';

const stored: Record<string, unknown> = {
	title: '={{ $json.title ?? "Hello" }}',
	message: '=For {{ $json.name || "you" }}',
	url: '={{ $json.link }}',
	tag: 'news',
};

function readerOf({ isTool = false } = {}) {
	const readByN8n: string[] = [];
	const read = (name: string, index: number) => {
		readByN8n.push(`${name} ${index}`);
		return name === 'tag' ? stored.tag : `${name} by n8n`;
	};
	const source = { raw: (name: string) => stored[name], read, isTool };
	return { readRow: parameterReader(Object.keys(stored), source), readByN8n };
}

test('Columns with fallbacks, and missing columns, are read without n8n and can be read again', () => {
	const { readRow, readByN8n } = readerOf();
	const expected = { title: 'Hello', message: 'For Asha', url: undefined, tag: 'news' };
	const read = { parameters: expected, problems: [], isRepeatable: true };
	expect(readRow(3, { name: 'Asha' })).toEqual(read);
	expect(readRow(3, { name: 'Asha' })).toEqual(read);
	expect(readByN8n).toEqual(['tag 0']);
});

test('A value that is an object is left to n8n, and that row cannot be read again', () => {
	const { readRow, readByN8n } = readerOf();
	expect(readRow(1, { title: { en: 'Hi' } })).toMatchObject({
		parameters: { title: 'title by n8n', message: 'For you' },
		isRepeatable: false,
	});
	expect(readRow(2, { title: 'Hi' })).toMatchObject({
		parameters: { title: 'Hi', message: 'For you' },
		isRepeatable: true,
	});
	expect(readByN8n).toEqual(['tag 0', 'title 1']);
});

test('In a tool, whose items are not what expressions mean, n8n reads each expression', () => {
	const { readRow } = readerOf({ isTool: true });
	expect(readRow(0, { title: 'Hi' })).toMatchObject({
		parameters: { title: 'title by n8n', message: 'message by n8n', url: 'url by n8n' },
		isRepeatable: false,
	});
});
