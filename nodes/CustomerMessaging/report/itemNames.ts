import { itemNumbers, oneLine } from '../shared/formatting';
import type { SentDelivery } from '../shared/result';

/** Returns whom an item is for, if it is known. */
export type RecipientOf = (itemIndex: number) => string | undefined;

/** Up to here, each item is named with its recipient. */
const MAX_NAMED = 5;
const MAX_RECIPIENT = 40;

/** One item among several: `item 3, C-1004`. */
export function itemName(item: number, recipient: string | undefined): string {
	return `item ${item}${recipient ? `, ${recipient}` : ''}`;
}

/** The item of a delivery: `item 3, C-1004`. */
export function nameItem(delivery: SentDelivery): string {
	return itemName(delivery.itemIndex, recipientOfDelivery(delivery));
}

/** Ascending items: `3 (C-1004), 5 (C-1006)`. Many are given as ranges: `3–90 (the first is C-1004)`. */
export function itemNames(items: readonly number[], recipientOf: RecipientOf): string {
	const recipients = items.slice(0, MAX_NAMED).map(recipientOf);
	const [first] = recipients;
	if (items.length > MAX_NAMED)
		return `${itemNumbers(items)}${first ? ` (the first is ${first})` : ''}`;
	if (!recipients.some(Boolean)) return itemNumbers(items);
	return items
		.map((item, index) => `${item}${recipients[index] ? ` (${recipients[index]})` : ''}`)
		.join(', ');
}

/** Whom a delivery is for: a user, an address, a segment or everyone. A test is not for its recipient. */
export function recipientOfDelivery(delivery: SentDelivery): string | undefined {
	const { userID, to = {}, audience, test } = delivery;
	if (test) return undefined;
	// Its length is limited already, and a cut could remove the ID of a segment.
	if (audience !== undefined) return audience;
	const recipient = userID ?? Object.values(to)[0];
	const isName = typeof recipient === 'string' || typeof recipient === 'number';
	return isName ? oneLine(String(recipient), MAX_RECIPIENT) : undefined;
}
