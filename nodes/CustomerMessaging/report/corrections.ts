import { itemNumbers, oneLine } from '../shared/formatting';
import type { Problem } from '../shared/problem';
import type { InvalidResult } from '../shared/result';
import { itemNames, type RecipientOf } from './itemNames';

/** The maximum length of the text about all items, which n8n stores and shows as a whole. */
const MAX_LENGTH = 6_000;
const MAX_MESSAGE = 500;

/** What the lines need in addition to the problems. */
export interface Naming {
	labelOf: (field: string) => string;
	recipientOf: RecipientOf;
}

/** The message of a problem, with the label of its field if the message itself does not name it. */
export function inWords({ field, message }: Problem, labelOf: Naming['labelOf']): string {
	const label = labelOf(field);
	const text = oneLine(message, MAX_MESSAGE);
	return text.includes(label) ? text : `${label}: ${text}`;
}

/** Items that need the same correction. */
interface Group {
	field: string;
	/** The message of the first item. The others differ from it only in the values they quote. */
	message: string;
	items: number[];
}

/** One line for each field and rule, with the items that need the correction. */
export function correctionLines(invalid: readonly InvalidResult[], naming: Naming): string[] {
	const groups = groupProblems(invalid);
	const lines: string[] = [];
	let length = 0;
	for (const group of groups) {
		const line = writeLine(group, naming);
		length += line.length;
		if (length > MAX_LENGTH) break;
		lines.push(line);
	}
	const left = groups.slice(lines.length).flatMap(({ items }) => items);
	if (left.length === 0) return lines;
	const items = [...new Set(left)].sort((one, other) => one - other);
	return [
		...lines,
		`Further corrections are needed in items ${itemNumbers(items)}. The error output lists all of them.`,
	];
}

function groupProblems(invalid: readonly InvalidResult[]): Group[] {
	const groups = new Map<string, Group>();
	for (const { itemIndex, problems } of invalid) {
		for (const { field, message } of problems) {
			const key = `${field} ${findRule(message)}`;
			const group = groups.get(key) ?? { field, message, items: [] };
			if (group.items.at(-1) !== itemIndex) group.items.push(itemIndex);
			groups.set(key, group);
		}
	}
	return [...groups.values()];
}

/** A message without the values of its row. */
function findRule(message: string): string {
	return message.replace(/'[^']*'/g, "''").replace(/\d+/g, '0');
}

function writeLine({ field, message, items }: Group, { labelOf, recipientOf }: Naming): string {
	const heading = items.length === 1 ? 'Item' : 'Items';
	return `${heading} ${itemNames(items, recipientOf)}: ${inWords({ field, message }, labelOf)}.`;
}
