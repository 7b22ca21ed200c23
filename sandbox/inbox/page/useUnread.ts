import { useEffect, useState } from 'preact/hooks';
import type { Inbox } from './inbox';

export interface Unread {
	has: (seq: number) => boolean;
	count: number;
	clear: () => void;
}

/**
 * What has arrived since the page was opened and was not looked at.
 *
 * @param shown the arrivals that are being looked at
 */
export function useUnread({ rows, isComplete }: Inbox, shown: readonly number[]): Unread {
	const [readUpTo, setReadUpTo] = useState<number>();
	const [read, setRead] = useState<ReadonlySet<number>>(new Set());
	const last = rows.at(-1)?.seq ?? 0;

	useEffect(() => {
		// A sandbox that was started again counts from 1.
		if (isComplete && (readUpTo === undefined || last < readUpTo)) setReadUpTo(last);
	}, [isComplete, last, readUpTo]);
	useEffect(() => {
		if (shown.some((seq) => !read.has(seq))) setRead(new Set([...read, ...shown]));
	}, [shown.join()]);

	const has = (seq: number) => readUpTo !== undefined && seq > readUpTo && !read.has(seq);
	return {
		has,
		count: rows.filter(({ seq, check }) => check !== 'service' && has(seq)).length,
		clear: () => {
			setReadUpTo(last);
			setRead(new Set());
		},
	};
}
