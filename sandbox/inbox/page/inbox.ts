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

export function withRows(inbox: Inbox, { rows, total, startsOver }: Rows): Inbox {
	const all = startsOver ? rows : [...inbox.rows, ...rows];
	return { rows: all.slice(-maxRows), total, isComplete: true };
}
