import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { collectLabels } from '../fields/field';
import type { N8n } from '../n8n/context';
import { readID } from '../operations/dataMode';
import { credentialLabels } from '../run/accountForm';
import { draggedColumns } from '../run/expressions';
import { ifPossible } from '../run/parameters';
import { commonParameters, type KnownRun } from '../run/resolveRun';
import type { Ending, EndingOf, Result, SentDelivery, SentResult } from '../shared/ending';
import { listed, oneLine } from '../shared/formatting';

/** Up to so many items, each is named with its recipient. Of more, only one is. */
export const MAX_NAMED = 5;
const MAX_RECIPIENT = 40;

/** People must learn which messages may have been delivered. */
const MAX_RANGES = 20;

/** Names the recipient of an item. */
export type NameOf = (itemIndex: number) => string | undefined;

/**
 * Ascending items: `3 (C-1004), 5 (C-1006)`. Many are given as ranges: `3–90 (the first is C-1004)`. Where only
 * numbers are named, people have to know that n8n counts from 0.
 */
function itemNames(items: readonly number[], nameOf: NameOf): string {
	const recipients = items.slice(0, MAX_NAMED).map((item) => nameOf(item));
	const [first] = recipients;
	if (items.length > MAX_NAMED && first) return `${asRanges(items)} (the first is ${first})`;
	if (items.length > MAX_NAMED || !recipients.some(Boolean))
		return asRanges(items) + (items[0] === 0 ? '' : ' (counted from 0)');
	return items
		.map((item, index) => `${item}${recipients[index] ? ` (${recipients[index]})` : ''}`)
		.join(', ');
}

/** Ascending item numbers as ranges, the first of which are named: `0, 2–4 and 96 more`. */
function asRanges(numbers: readonly number[]): string {
	const ranges: number[][] = [];
	for (const [index, number] of numbers.entries())
		if (numbers[index - 1] === number - 1) ranges.at(-1)?.push(number);
		else ranges.push([number]);
	const named = ranges.map(([first, ...more]) => [first, ...more.slice(-1)].join('–'));
	return listed(named, MAX_RANGES, ranges.slice(MAX_RANGES).flat().length);
}

/**
 * Names items, each once, by whom they are for: `item 3 (C-1004)`, or `items 0, 2–4 and 96 more (the first is C-1)`.
 *
 * @param nameOf names items of which no delivery is given
 */
export function itemsOf(rows: readonly SentDelivery[], nameOf?: NameOf): string {
	const byItem = new Map(rows.map((row) => [row.itemIndex, row]));
	const named = itemNames([...byItem.keys()], (item) => {
		const row = byItem.get(item);
		return (row && recipientOfDelivery(row)) ?? nameOf?.(item);
	});
	return `${byItem.size === 1 ? 'item' : 'items'} ${named}`;
}

/** The same without names, for n8n's log. */
export function itemsOnly(rows: readonly SentDelivery[]): string {
	return itemsOf(rows.map(({ itemIndex }) => ({ itemIndex })));
}

/** The beginning of a sentence: `Item 3 (C-1004)`. */
export const inHeading = (items: string) => items.replace('i', 'I');

/** The recipient of a delivery: a user, an address, a segment or everyone. A test has none of these. */
export function recipientOfDelivery(delivery: SentDelivery): string | undefined {
	const { userID, to = {}, audience, test } = delivery;
	if (test) return undefined;
	// Its length is limited already, and a cut could remove the ID of a segment.
	return audience ?? asName(userID ?? Object.values(to)[0]);
}

function asName(recipient: unknown): string | undefined {
	if (typeof recipient !== 'string' && typeof recipient !== 'number') return undefined;
	return oneLine(String(recipient).trim(), MAX_RECIPIENT) || undefined;
}

/**
 * Returns whom an input item is for, as far as that can be read, also of one that cannot be sent; otherwise the value
 * of its first column that is filled.
 */
export function recipientNamer(
	{ operation }: Pick<KnownRun, 'operation'>,
	items: readonly INodeExecutionData[],
	n8n: Pick<N8n, 'read' | 'raw'>,
): NameOf {
	const dragged = draggedColumns(operation?.form ?? [], n8n);
	const recipientOf = (index: number, json: IDataObject) => {
		const read = (name: string) => ifPossible(() => n8n.read(name, index));
		if (operation?.fields.recipients) return read(String(read('recipientBy')));
		return operation?.batchKey && readID((name) => dragged[name] ?? read(name), json);
	};
	return (index) => {
		const { json = {} } = items[index] ?? {};
		return [recipientOf(index, json), ...Object.values(json)].map(asName).find(Boolean);
	};
}

/** Returns the label of a field of a run or of its credential. A column of the input has only its name. */
export function labelReader({ operation }: Pick<KnownRun, 'operation'>) {
	const labels: Readonly<Record<string, string>> = {
		...credentialLabels,
		credential: 'Credential',
		execution: 'Execution',
		answerUrl: 'Link',
		...collectLabels([...commonParameters, ...(operation?.form ?? [])]),
	};
	return (field: string): string => (Object.hasOwn(labels, field) && labels[field]) || field;
}

/** The lines that have something to say. */
export function compact(...lines: ReadonlyArray<string | number | false | undefined>): string[] {
	return lines.filter((line): line is string => typeof line === 'string' && line !== '');
}

/** The results that ended in one way. */
export function pick<Kind extends Ending['kind']>(results: readonly Result[], kind: Kind) {
	return results.filter(({ ending }) => ending.kind === kind) as Array<
		Pick<SentResult, 'delivery' | 'sentBefore'> & { ending: EndingOf<Kind> }
	>;
}

/** Sentences about a run, by box. */
export interface Told {
	/** The outcome, with advice. `hasFailed`: it is a warning. */
	happened: readonly string[];
	hasFailed?: boolean;
	warnings?: readonly string[];
	rest?: readonly string[];
}

/** The boxes beside a run's output: at most three. */
export function toHints(told: readonly Told[]): NodeExecutionHint[] {
	const hasFailed = told.some((one) => one.hasFailed);
	const box = (name: 'happened' | 'warnings' | 'rest', isWarning: boolean): NodeExecutionHint[] => {
		const sentences = told.flatMap((one) => one[name] ?? []).map(asSentence);
		const message = toEditorHtml(sentences.join('\n'));
		const type = isWarning ? 'warning' : 'info';
		return message === '' ? [] : [{ message, location: 'outputPane', type }];
	};
	return [...box('happened', hasFailed), ...box('warnings', true), ...box('rest', false)];
}

/** Ends a text with a full stop, unless it ends as a question. */
export function asSentence(text: string): string {
	return /[.?]$/.test(text) ? text : `${text}.`;
}

/**
 * Prepares a text for the parts of n8n's editor that read HTML: the description of an error, and hints.
 * There, `Acme <news@acme.example>` would lose its address, and line breaks would become spaces.
 */
export function toEditorHtml(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\n/g, '<br>\n');
}
