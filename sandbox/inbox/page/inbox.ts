import { mostRows } from '../limits';
import type { Row } from '../row';
import type { Rows } from '../stream';

/** What the page holds: the newest of what arrived, oldest first. */
export interface Inbox {
	rows: readonly Row[];
	/** How many arrived since the record was last emptied. */
	total: number;
	/** Whether all that arrived so far has been told. */
	isComplete: boolean;
}

/** Before anything is told. */
export const unknownInbox: Inbox = { rows: [], total: 0, isComplete: false };

export const emptyInbox: Inbox = { ...unknownInbox, isComplete: true };

/** Puts rows in their place: those that came before the page was opened are told newest first. */
export function withRows(inbox: Inbox, { rows, total, isLast }: Rows): Inbox {
	const last = rows.at(-1);
	if (!last) return inbox;
	const later = inbox.rows.findIndex(({ seq }) => seq > last.seq);
	const at = later < 0 ? inbox.rows.length : later;
	const all = [...inbox.rows.slice(0, at), ...rows, ...inbox.rows.slice(at)];
	return { rows: all.slice(-mostRows), total, isComplete: inbox.isComplete || isLast };
}

/** How many arrived that the page no longer holds; 0 while it is still being told. */
export function droppedOf({ rows, total, isComplete }: Inbox): number {
	return isComplete ? Math.max(0, total - rows.length) : 0;
}
