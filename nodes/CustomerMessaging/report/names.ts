import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { collectLabels } from '../fields/field';
import type { N8n } from '../n8n/context';
import { listed, oneLine } from '../shared/formatting';
import {
	isSent,
	type Result,
	type SentDelivery,
	type SentResult,
	type UnsentResult,
} from '../shared/ending';
import { credentialLabels } from '../run/accountForm';
import { readID } from '../operations/dataMode';
import { readIfPossible } from '../run/parameters';
import { type KnownRun, commonParameters } from '../run/resolveRun';

/** Up to so many items, each is named with its recipient. Of more, only one is. */
export const MAX_NAMED = 5;
const MAX_RECIPIENT = 40;

/** People must learn which messages may have been delivered. */
const MAX_RANGES = 20;

/** Formats ascending item numbers as ranges, the first of which are named: `0, 2–4 and 96 more`. */
export function itemNumbers(numbers: readonly number[]): string {
	const ranges: number[][] = [];
	for (const [index, number] of numbers.entries())
		if (numbers[index - 1] === number - 1) ranges.at(-1)?.push(number);
		else ranges.push([number]);
	const named = ranges.map(([first, ...more]) => [first, ...more.slice(-1)].join('–'));
	return listed(named, MAX_RANGES, ranges.slice(MAX_RANGES).flat().length);
}

/** Where only numbers are named, people have to know that n8n counts from 0. */
function withoutNames(numbers: readonly number[]): string {
	return itemNumbers(numbers) + (numbers[0] === 0 ? '' : ' (counted from 0)');
}

/**
 * Names items, each once, by whom they are for: `item 3 (C-1004)`, or `items 0, 2–4 and 96 more (the first is C-1)`.
 *
 * @param nameOf names items of which no delivery is given
 */
export function itemsOf(rows: readonly SentDelivery[], nameOf?: NameOf): string {
	const byItem = new Map(rows.map((row) => [row.itemIndex, row]));
	const numbers = [...byItem.keys()];
	const names = itemNames(numbers, (item) => {
		const row = byItem.get(item);
		return (row && recipientOfDelivery(row)) ?? nameOf?.(item);
	});
	return `${numbers.length === 1 ? 'item' : 'items'} ${names}`;
}

/** The same without names, for n8n's log. */
export function itemsOnly(rows: readonly SentDelivery[]): string {
	const numbers = [...new Set(rows.map(({ itemIndex }) => itemIndex))];
	return `${numbers.length === 1 ? 'item' : 'items'} ${withoutNames(numbers)}`;
}

/** The beginning of a sentence: `Item 3 (C-1004)`. */
export const asHeading = (items: string) => items.replace('i', 'I');

/** Names the recipient of an item. */
export type NameOf = (itemIndex: number) => string | undefined;

/** The platform, at the end of a sentence about a message. */
export const onPlatform = (platform: string | undefined) => (platform ? ` on ${platform}` : '');

/**
 * Ascending items: `3 (C-1004), 5 (C-1006)`. Many are given as ranges: `3–90 (the first is C-1004)`.
 */
export function itemNames(
	items: readonly number[],
	recipientOf: (item: number, index: number) => string | undefined,
): string {
	const recipients = items.slice(0, MAX_NAMED).map(recipientOf);
	const [first] = recipients;
	if (items.length > MAX_NAMED && first) return `${itemNumbers(items)} (the first is ${first})`;
	if (items.length > MAX_NAMED || !recipients.some(Boolean)) return withoutNames(items);
	const inBrackets = (name: string | undefined) => (name ? ` (${name})` : '');
	return items.map((item, index) => `${item}${inBrackets(recipients[index])}`).join(', ');
}

/** The recipient of a delivery: a user, an address, a segment or everyone. A test has none of these. */
export function recipientOfDelivery(delivery: SentDelivery): string | undefined {
	const { userID, to = {}, audience, test } = delivery;
	if (test) return undefined;
	// Its length is limited already, and a cut could remove the ID of a segment.
	if (audience !== undefined) return audience;
	return asName(userID ?? Object.values(to)[0]);
}

function asName(recipient: unknown): string | undefined {
	if (typeof recipient !== 'string' && typeof recipient !== 'number') return undefined;
	return oneLine(String(recipient).trim(), MAX_RECIPIENT) || undefined;
}

/**
 * Returns whom an input item is for, as far as that can be read, also of one that cannot be sent; otherwise the value
 * of its first column.
 */
export function recipientNamer(
	{ operation }: Pick<KnownRun, 'operation'>,
	items: readonly INodeExecutionData[],
	n8n: Pick<N8n, 'read'>,
): NameOf {
	const recipientOf = (index: number, json: IDataObject) => {
		const read = (name: string) => readIfPossible(n8n, name, index);
		if (operation?.fields.recipients) return read(String(read('recipientBy')));
		return operation?.batchKey && readID(read, json);
	};
	return (index) => {
		const { json = {} } = items[index] ?? {};
		return [recipientOf(index, json), ...Object.values(json)].map(asName).find(Boolean);
	};
}

/** The labels of the credential's fields by name, and names for what a problem may concern besides. */
const ofCredential = {
	...credentialLabels,
	credential: 'Credential',
	execution: 'Execution',
	answerUrl: 'Link',
};

/** Returns the label of a field of a run or of its credential. A column of the input has only its name. */
export function labelReader({ operation }: Pick<KnownRun, 'operation'>) {
	const ofForm = collectLabels([...commonParameters, ...(operation?.form ?? [])]);
	const labels: Readonly<Record<string, string>> = { ...ofCredential, ...ofForm };
	return (field: string): string => (Object.hasOwn(labels, field) && labels[field]) || field;
}

export const were = (number: number) => (number === 1 ? 'was' : 'were');
export const them = (number: number) => (number === 1 ? 'it' : 'them');
export const they = (number: number) => (number === 1 ? 'it' : 'they');

/** The lines that have something to say. */
export function compact(...lines: ReadonlyArray<string | false | undefined>): string[] {
	return lines.filter((line): line is string => Boolean(line));
}

export function pickSent(results: readonly Result[]): SentResult[] {
	return results.filter(isSent);
}

export function pickSkipped(results: readonly Result[]): Array<UnsentResult<'skipped'>> {
	return results.filter((result) => result.ending.kind === 'skipped') as Array<
		UnsentResult<'skipped'>
	>;
}

export function pickInvalid(results: readonly Result[]): Array<UnsentResult<'invalid'>> {
	return results.filter((result) => result.ending.kind === 'invalid') as Array<
		UnsentResult<'invalid'>
	>;
}

export const isPreview = ({ ending }: Result) => ending.kind === 'preview';

export function pickAccepted(results: readonly Result[]): SentResult[] {
	return pickSent(results).filter(({ ending }) => ending.kind === 'accepted');
}

/** The sentences of a run, by box. */
export interface Told {
	/** The outcome, with advice. */
	happened?: readonly string[];
	warnings?: readonly string[];
	rest?: readonly string[];
}

/** The boxes beside a run's output: at most three. */
export function toHints(
	{ happened = [], warnings = [], rest = [] }: Told,
	hasFailed = false,
): NodeExecutionHint[] {
	const box = (sentences: readonly string[], type: 'info' | 'warning'): NodeExecutionHint[] => {
		const message = toEditorHtml(sentences.map(asSentence).join('\n'));
		return message === '' ? [] : [{ message, location: 'outputPane', type }];
	};
	return [
		...box(happened, hasFailed ? 'warning' : 'info'),
		...box(warnings, 'warning'),
		...box(rest, 'info'),
	];
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
