import type { Outcome } from '../shared/outcome';

/** What is known of a message. */
export type SentState =
	/** An earlier run sent it, and it was accepted. */
	| 'accepted'
	/** An earlier run sent it and reported that it may have been delivered. */
	| 'unknown'
	/** A run recorded that it was about to be sent, but not how it ended. */
	| 'inDoubt';

/** How a message of Send Once ended. It stays in doubt if nobody was told that it may have been delivered. */
export type OnceOutcome = Outcome['outcome'] | 'inDoubt';

/**
 * The entries that n8n's store holds for a message of Send Once.
 *
 * The store cannot look up a key without adding it, and a crash can happen between any two calls.
 * Three entries are therefore added for each message before it is sent: `sent`, `open` and `unsure`.
 * The outcome decides which of them remain.
 *
 * | entries that remain | meaning |
 * |---|---|
 * | all three | the run ended before it could report the outcome |
 * | `sent`, `unsure` | no response, or 5xx: it may have been delivered |
 * | `sent` | accepted |
 * | none | surely not delivered |
 */
export function entriesOf(key: string) {
	return { sent: key, open: `${key} open`, unsure: `${key} unsure` };
}

/** What the entries in the store say of a message; undefined if nothing is known of it. */
export function stateOf(key: string, stored: ReadonlySet<string>): SentState | undefined {
	const { sent, open, unsure } = entriesOf(key);
	if (stored.has(open)) return 'inDoubt';
	if (stored.has(unsure)) return 'unknown';
	return stored.has(sent) ? 'accepted' : undefined;
}

/** The entries that do not remain after an outcome. */
export function toRemove(key: string, outcome: OnceOutcome): string[] {
	const { sent, open, unsure } = entriesOf(key);
	switch (outcome) {
		case 'inDoubt':
			return [];
		case 'unknown':
			return [open];
		case 'accepted':
			return [open, unsure];
		default:
			return [sent, open, unsure];
	}
}
