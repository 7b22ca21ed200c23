import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { collectLabels } from '../fields/field';
import type { N8n } from '../n8n/context';
import { listed, oneLine } from '../shared/formatting';
import { hasFailed, type Result, type SentDelivery, type SentResult } from '../shared/result';
import { credentialForm } from '../run/account';
import { draggedColumns, readIfPossible } from '../run/parameters';
import { type Run, type UnusableRun, commonParameters } from '../run/resolveRun';

/** Up to here, each item is named with its recipient. */
const MAX_NAMED = 5;
const MAX_RECIPIENT = 40;

/** One item among several: `item 3, C-1004`. */
export function itemName(item: number, recipient: string | undefined): string {
	return `item ${item}${recipient ? `, ${recipient}` : ''}`;
}

/** Formats ascending item numbers as ranges, of which at most `max` are named: `0, 2–4 and 96 more`. */
export function itemNumbers(numbers: readonly number[], max = 20): string {
	const ranges: number[][] = [];
	for (const [index, number] of numbers.entries())
		if (numbers[index - 1] === number - 1) ranges.at(-1)?.push(number);
		else ranges.push([number]);
	const named = ranges.map(([first, ...more]) => [first, ...more.slice(-1)].join('–'));
	return listed(named, max, ranges.slice(max).flat().length);
}

/** The same with the noun before them: `item 3`, or `items 0, 2–4 and 96 more`. */
export function nameItems(numbers: readonly number[], max?: number): string {
	return `${numbers.length === 1 ? 'item' : 'items'} ${itemNumbers(numbers, max)}`;
}

/** Names the items of several deliveries. */
export function itemsOf(deliveries: readonly SentDelivery[]): string {
	return nameItems(deliveries.map(({ itemIndex }) => itemIndex));
}

/** Where a message goes, at the end of a sentence about it. */
export const onPlatform = (platform: string | undefined) => (platform ? ` on ${platform}` : '');

/** Ascending items: `3 (C-1004), 5 (C-1006)`. Many are given as ranges: `3–90 (the first is C-1004)`. */
export function itemNames(
	items: readonly number[],
	recipientOf: (item: number, index: number) => string | undefined,
): string {
	const recipients = items.slice(0, MAX_NAMED).map(recipientOf);
	const inBrackets = (name: string | undefined, text = name) => (name ? ` (${text})` : '');
	if (items.length > MAX_NAMED)
		return itemNumbers(items) + inBrackets(recipients[0], `the first is ${recipients[0]}`);
	if (!recipients.some(Boolean)) return itemNumbers(items);
	return items.map((item, index) => `${item}${inBrackets(recipients[index])}`).join(', ');
}

/** Whom a delivery is for: a user, an address, a segment or everyone. A test is not for its recipient. */
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

/** Returns whom an input item is for, as far as that can be read, also of one that cannot be sent. */
export function recipientNamer(
	{ operation }: Pick<Run | UnusableRun, 'operation'>,
	items: readonly INodeExecutionData[],
	n8n: Pick<N8n, 'read' | 'raw'>,
): (itemIndex: number) => string | undefined {
	const dragged = draggedColumns(operation?.form ?? [], n8n.raw);
	return (index) => {
		const read = (name: string) => readIfPossible(n8n, name, index);
		if (operation?.fields.recipients) return asName(read(String(read('recipientBy'))));
		if (!operation?.batchKey) return undefined;
		if (read('dataMode') !== 'autoMapInputData') return asName(read('userID'));
		return asName(items[index]?.json[dragged.userIdField ?? String(read('userIdField'))]);
	};
}

/** The labels of the credential's fields by name, and names for what a problem may concern besides. */
const ofCredential = {
	...collectLabels([...credentialForm('apiKey'), ...credentialForm('partnerToken')]),
	credential: 'Credential',
	execution: 'Execution',
	node: 'Node',
	answerUrl: 'Link',
};

/** Returns the label of a field of a run or of its credential. A column of the input has only its name. */
export function labelReader({ operation }: Pick<Run | UnusableRun, 'operation'>) {
	const ofForm = collectLabels([...commonParameters, ...(operation?.form ?? [])]);
	const labels: Readonly<Record<string, string>> = { ...ofCredential, ...ofForm };
	return (field: string): string => (Object.hasOwn(labels, field) && labels[field]) || field;
}

/** The lines that have something to say. */
export function told(...lines: ReadonlyArray<string | false | undefined>): string[] {
	return lines.filter((line): line is string => Boolean(line));
}

/** Entries by a key, in the order of the first ones. Node.js 20 has no `Map.groupBy()`. */
export function groupBy<Entry, Key>(
	entries: readonly Entry[],
	keyOf: (entry: Entry, index: number) => Key,
): Map<Key, Entry[]> {
	const groups = new Map<Key, Entry[]>();
	for (const [index, entry] of entries.entries()) {
		const key = keyOf(entry, index);
		const group = groups.get(key);
		if (group) group.push(entry);
		else groups.set(key, [entry]);
	}
	return groups;
}

export function pickSent(results: readonly Result[]): SentResult[] {
	return results.filter((result) => result.kind === 'sent');
}

export function pickAccepted(results: readonly Result[]): SentResult[] {
	return pickSent(results).filter((result) => !hasFailed(result));
}

export function toHints(
	messages: readonly string[],
	type: 'info' | 'warning',
): NodeExecutionHint[] {
	const location = 'outputPane';
	return messages.map((message) => ({ message: toEditorHtml(message), location, type }));
}

/**
 * Prepares a text for the parts of n8n's editor that read HTML: the description of an error, and hints.
 * There, `Acme <news@acme.example>` would lose its address, and line breaks would become spaces.
 */
export function toEditorHtml(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\n/g, '<br>\n');
}
