/** What the journal knows of a message. It knows nothing of one that was surely not delivered. */
export type State =
	/** It was about to be sent, and how that ended was not recorded: it may have been delivered. */
	| 'pending'
	| 'accepted'
	/** It was sent and may have been delivered, and a run has reported so. */
	| 'unknown';

/**
 * The entries that n8n's store holds for a name.
 *
 * | entries | state |
 * |---|---|
 * | both | pending |
 * | the first | accepted |
 * | the second | unknown |
 *
 * The store cannot look up an entry without adding it, so looking a name up makes it pending for a
 * moment. A crash at that moment leaves a name that may have been delivered, and never one that was not.
 */
export function listEntries(name: string): [first: string, second: string] {
	return [name, `${name} ?`];
}

/** @param stored the entries that were stored */
export function readState(name: string, stored: ReadonlySet<string>): State | undefined {
	const [first, second] = listEntries(name);
	if (stored.has(first)) return stored.has(second) ? 'pending' : 'accepted';
	return stored.has(second) ? 'unknown' : undefined;
}

/** The entries that a pending name loses when it gets a state. */
export function entriesWithout(name: string, state: State | undefined): string[] {
	const [first, second] = listEntries(name);
	switch (state) {
		case 'pending':
			return [];
		case 'accepted':
			return [second];
		case 'unknown':
			return [first];
		case undefined:
			return [first, second];
	}
}
