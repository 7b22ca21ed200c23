import { parameterReader, readForRun } from '../../../nodes/CustomerMessaging/run/parameters';

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

describe('What holds for a whole run', () => {
	const labels = { options: 'Options', batchSize: 'Batch Size', authentication: 'Authentication' };

	/** `values` are what n8n evaluates for each row. */
	async function readRows(raw: Record<string, unknown>, values: Array<Record<string, unknown>>) {
		const source = {
			raw: (name: string) => raw[name],
			read: (name: string, index: number) => {
				const value = values[index]?.[name];
				if (value instanceof Error) throw value;
				return value;
			},
			isTool: true,
			clock: { now: () => 0, sleep: async () => undefined },
		};
		return await readForRun(
			labels,
			Object.keys(raw),
			source,
			values.map(() => ({})),
		);
	}
	const options = { batchSize: '={{ $json.size }}', concurrency: 5 };

	it('is read once where it has no expression', async () => {
		const values = [{ authentication: 'apiKey' }, { authentication: 'never read' }];
		expect(await readRows({ authentication: 'apiKey' }, values)).toMatchObject({
			parameters: { authentication: 'apiKey' },
			problems: [],
		});
	});

	it('may be an expression that gives the same for all items, also nothing', async () => {
		const values = [{ options: { batchSize: null } }, { options: {} }];
		expect(await readRows({ options }, values)).toMatchObject({
			parameters: { options: { batchSize: null } },
			problems: [],
		});
	});

	it('is refused by the first item for which it differs, and by the name of the option', async () => {
		const values = [7, 7, 8, 9].map((batchSize) => ({ options: { batchSize } }));
		expect((await readRows({ options }, values)).problems).toEqual([
			{
				field: 'batchSize',
				message:
					"'Batch Size' holds for the whole run, but it is '7' for item 0 and '8' for item 2. Set it to one value for all items; to treat rows differently, separate them with an If node before two of these nodes",
			},
		]);
	});

	it('is refused as a whole where it is an object for one item and none for another', async () => {
		const values = [{ options: {} }, { options: 'fast' }];
		const [problem] = (await readRows({ options: '={{ $json.o }}' }, values)).problems;
		expect(problem?.message).toContain(
			"'Options' holds for the whole run, but it is a list or object for item 0 and 'fast' for item 1",
		);
	});

	it("is refused with n8n's reason where an expression cannot be evaluated, for the first or a later item", async () => {
		const unreadable = { options: new Error('no such node') };
		for (const values of [
			[unreadable, unreadable],
			[{ options: {} }, unreadable, { options: 1 }],
		])
			expect((await readRows({ options }, values)).problems).toEqual([
				{
					field: 'options',
					message:
						"The expression in 'Options' cannot be evaluated: no such node. Correct the expression",
				},
			]);
	});
});
