import { withoutInvisible } from '../fields/text';
import { quote } from '../shared/formatting';

/** An entry of Ignore Fields: a name as it is written, and without the quotation marks around it. */
interface Entry {
	written: string;
	name: string;
	/** Where it stands in the text. */
	from: number;
	to: number;
}

/** With brackets, as n8n writes a name that holds a comma or the like when its column is dragged in. */
const closing: Readonly<Record<string, string>> = {
	...{ '["': '"]', "['": "']", '"': '"', "'": "'", '“': '”', '„': '“' },
};

/** The names in a text that separates them by commas. A name in quotation marks may hold commas itself. */
export function namesToIgnore(text: string): Entry[] {
	const entries: Entry[] = [];
	for (let from = 0; from <= text.length;) {
		const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
		const [open = '', close = ''] =
			Object.entries(closing).find(([mark]) => text.startsWith(mark, start)) ?? [];
		const end = open === '' ? -1 : text.indexOf(close, start + open.length);
		const rest = end + close.length;
		const after = end === -1 ? -1 : rest + (/^\s*/.exec(text.slice(rest))?.[0].length ?? 0);
		const isQuoted = end !== -1 && (after === text.length || text.charAt(after) === ',');
		const comma = isQuoted ? after : text.indexOf(',', from);
		const to = comma === -1 ? text.length : comma;
		const written = text.slice(from, to).trim();
		const name = isQuoted ? text.slice(start + open.length, end) : written;
		if (name !== '' || isQuoted) entries.push({ written, name, from, to });
		from = to + 1;
	}
	return entries;
}

const plain = (name: string) => withoutInvisible(name).toLowerCase();

/** The columns that an entry means: the one of exactly that name, or those that differ only in case and outer spaces. */
export function columnsOf({ written, name }: Entry, columns: readonly string[]): string[] {
	const exact = columns.find((column) => column === written) ?? columns.find((one) => one === name);
	if (exact !== undefined) return [exact];
	const meant = plain(name);
	return columns.filter((column) => plain(column) === meant);
}

/** Says that a column was meant whose name holds the comma that separates two entries; undefined if none was. */
export function splitName(
	text: string,
	entries: readonly Entry[],
	columns: readonly string[],
): string | undefined {
	const together = (name: string) => {
		const parts = plain(name).split(',');
		return parts.map((part) => part.trim()).join(',');
	};
	for (const column of columns.filter((name) => name.includes(','))) {
		const length = column.split(',').length;
		for (let first = 0; first + length <= entries.length; first++) {
			const parts = entries.slice(first, first + length);
			const whole = text.slice(parts[0]?.from, parts.at(-1)?.to);
			const areColumns = parts.every((part) => columnsOf(part, columns).length > 0);
			if (areColumns || together(whole) !== together(column)) continue;
			const mark = column.includes('"') ? "'" : '"';
			return `Ignore Fields: ${parts.map(({ name }) => quote(name)).join(' and ')} are no columns, but ${quote(column)} is one. Write its name in quotation marks: ${mark}${column}${mark}`;
		}
	}
	return undefined;
}

/** The columns that are called as an entry is, but for one letter, or two that changed places. */
export function nearColumns({ name }: Entry, columns: readonly string[]): string[] {
	return columns.filter((column) => isOneLetterAway(plain(name), plain(column)));
}

function isOneLetterAway(one: string, other: string): boolean {
	let start = 0;
	while (start < one.length && one.charAt(start) === other.charAt(start)) start++;
	let end = 0;
	while (
		end < Math.min(one.length, other.length) - start &&
		one.charAt(one.length - 1 - end) === other.charAt(other.length - 1 - end)
	)
		end++;
	const differing = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
	const [mine = '', theirs = ''] = differing;
	// Numbers tell columns apart, as in `address1` and `address2`.
	if (differing.some((part) => /\d/.test(part))) return false;
	const isSwapped = mine.length === 2 && theirs === mine.charAt(1) + mine.charAt(0);
	return isSwapped || (mine.length <= 1 && theirs.length <= 1);
}
