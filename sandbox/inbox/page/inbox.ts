import { maxRows } from '../limits';
import type { Row } from '../row';
import type { Rows } from '../stream';

/** The newest arrivals, oldest first. */
export interface Inbox {
	rows: readonly Row[];
	/** How many arrived since the record was last emptied. */
	total: number;
	/** Whether everything that has arrived so far was received. */
	isComplete: boolean;
}

/** The state before the first event. */
export const unknownInbox: Inbox = { rows: [], total: 0, isComplete: false };

export const emptyInbox: Inbox = { ...unknownInbox, isComplete: true };

/**
 * Puts rows in their place: the server sends those from before the page was opened newest first. After a
 * broken connection, it may send rows again. They replace the same ones, because an event leaves out no number.
 */
export function withRows(inbox: Inbox, { rows, total, isLast }: Rows): Inbox {
	const [first, last] = [rows[0], rows.at(-1)];
	if (!first || !last) return inbox;
	const earlier = inbox.rows.slice(
		0,
		indexOrEnd(inbox.rows, ({ seq }) => seq >= first.seq),
	);
	const later = inbox.rows.slice(indexOrEnd(inbox.rows, ({ seq }) => seq > last.seq));
	return {
		rows: [...earlier, ...rows, ...later].slice(-maxRows),
		total,
		isComplete: inbox.isComplete || isLast,
	};
}

function indexOrEnd(rows: readonly Row[], isFound: (row: Row) => boolean): number {
	const index = rows.findIndex(isFound);
	return index < 0 ? rows.length : index;
}

/** How many arrivals the page no longer holds. 0 until all were received. */
export function countDropped({ rows, total, isComplete }: Inbox): number {
	return isComplete ? Math.max(0, total - rows.length) : 0;
}
