import { asSentence, listed, nameItems, oneLine } from '../shared/formatting';
import type { Problem } from '../shared/problem';
import type { InvalidResult } from '../shared/result';
import { itemNames, type RecipientOf } from './itemNames';

/** The maximum length of the text about all items, which n8n stores and shows as a whole. */
const MAX_LENGTH = 6_000;
const MAX_MESSAGE = 500;
/** Up to this many ranges of items are named for one value. */
const MAX_RANGES = 3;

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
	/** The messages differ only in the values of their rows. */
	problems: Array<{ item: number; message: string }>;
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
	const left = groups.slice(lines.length).flatMap(listItems);
	if (left.length === 0) return lines;
	const items = [...new Set(left)].sort((one, other) => one - other);
	return [
		...lines,
		`Further corrections are needed in ${nameItems(items)}. The error output lists all of them.`,
	];
}

function groupProblems(invalid: readonly InvalidResult[]): Group[] {
	const groups = new Map<string, Group>();
	for (const { itemIndex: item, problems } of invalid) {
		for (const problem of problems) {
			const { field } = problem;
			const message = oneLine(problem.message, MAX_MESSAGE);
			const key = `${field} ${findRule(message)}`;
			const group = groups.get(key) ?? { field, problems: [] };
			group.problems.push({ item, message });
			groups.set(key, group);
		}
	}
	return [...groups.values()];
}

/** The values in a message: what is quoted, and what has digits. Expressions are the same for all rows. */
const valuePattern = /(\{\{[^{}]*\}\})|'[^']*'|\d(?:[\w.:-]*\w)?(?: \d\d:\d\d(?::\d\d)?)?/g;

/** A message without the values of its row. */
function findRule(message: string): string {
	return message.replace(valuePattern, (_, expression?: string) => expression ?? "''");
}

function findValues(message: string): string[] {
	return [...message.matchAll(valuePattern)].map(([value]) => value);
}

function writeLine({ field, problems }: Group, { labelOf, recipientOf }: Naming): string {
	const items = listItems({ problems });
	const heading = items.length === 1 ? 'Item' : 'Items';
	const [{ message } = { message: '' }] = problems;
	const text = inWords({ field, message }, labelOf);
	return `${heading} ${itemNames(items, recipientOf)}: ${asSentence(text)}${listValues(problems)}`;
}

function listItems({ problems }: Pick<Group, 'problems'>): number[] {
	return [...new Set(problems.map(({ item }) => item))];
}

/** Each value and its items, by the first value that differs: ` Found: 'a' (items 0, 3), 'b' (item 1).` */
function listValues(problems: Group['problems']): string {
	const rows = problems.map(({ item, message }) => ({ item, values: findValues(message) }));
	const at = rows[0]?.values.findIndex((value, index) =>
		rows.some(({ values }) => values[index] !== value),
	);
	if (at === undefined || at === -1) return '';
	const itemsOf = new Map<string, number[]>();
	for (const { item, values } of rows) {
		const value = values[at] ?? '';
		const items = itemsOf.get(value) ?? [];
		items.push(item);
		itemsOf.set(value, items);
	}
	const found = [...itemsOf].map(([value, items]) => `${value} (${nameItems(items, MAX_RANGES)})`);
	return ` Found: ${listed(found)}.`;
}
