/** Items that need the same correction, as the message of a stopped workflow names them. */
interface Correction {
	items: number[];
	text: string;
}

/** Reads the corrections that a stopped workflow asks for. One item alone is named in the message. */
export function correctionsIn(error: Error | undefined): Correction[] {
	const { message = '', description = '' } = (error ?? {}) as Partial<
		Record<'message' | 'description', string>
	>;
	const lines = description.split('<br>\n').flatMap((line): Correction[] => {
		const [, named = '', text = ''] =
			/^Items? ((?:\d[\d–]*(?: \([^)]*\))?(?:, )?)+): (.*)$/.exec(line) ?? [];
		return text ? [{ items: itemsOf(named.replace(/ \([^)]*\)/g, '')), text }] : [];
	});
	const [, text, item] = /^Nothing was sent: (.*) \(item (\d+)(?:, [^)]*)?\)$/.exec(message) ?? [];
	return text ? [...lines, { items: [Number(item)], text }] : lines;
}

/** Reads `3, 7–9`. */
function itemsOf(named: string): number[] {
	return named.split(', ').flatMap((range) => {
		const [from = NaN, to = from] = range.split('–').map(Number);
		return Array.from({ length: to - from + 1 }, (_, index) => from + index);
	});
}
