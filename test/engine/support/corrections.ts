/** Items that need the same correction, as the message of a stopped workflow names them. */
interface Correction {
	/** Empty where there are many, of which only an example is named. */
	items: number[];
	text: string;
}

/** Reads the corrections that a stopped workflow asks for. One item alone is named in the message. */
export function correctionsIn(error: Error | undefined): Correction[] {
	const { message = '', description = '' } = (error ?? {}) as Partial<
		Record<'message' | 'description', string>
	>;
	const lines = description.split('<br>\n').flatMap((line): Correction[] => {
		const [, common] = /^(.*[.?]) [\d,]+ items, for example item \d/.exec(line) ?? [];
		if (common) return [{ items: [], text: common }];
		const [, text = '', named = ''] =
			/^(.*[.?]) Items? ((?:\d[\d–]*(?: \([^)]*\))?(?:, )?)+)\./.exec(line) ?? [];
		return text ? [{ items: itemsOf(named), text }] : [];
	});
	const [, text, item] = /^Nothing was sent: (.*) \(item (\d+)(?:, [^)]*)?\)$/.exec(message) ?? [];
	return text ? [...lines, { items: [Number(item)], text }] : lines;
}

/** Reads `3 (C-3), 7 (C-7)`, or `3, 7–9`. */
function itemsOf(named: string): number[] {
	return named
		.replace(/ \([^)]*\)/g, '')
		.split(', ')
		.flatMap((range) => {
			const [from = NaN, to = from] = range.split('–').map(Number);
			return Array.from({ length: to - from + 1 }, (_, index) => from + index);
		});
}
