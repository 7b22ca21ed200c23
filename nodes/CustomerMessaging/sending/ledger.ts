import type { Outcome } from '../shared/outcome';

/** What is remembered of one delivery. */
export interface Kept {
	outcome: Outcome;
	batch?: { index: number; size: number };
	/** The request as it was sent, where the user asked to see it. */
	request?: { method: 'POST'; url: string; body: unknown };
}

/** Where the ledger lives: a plain object that n8n keeps for one node during one execution. */
export interface LedgerContext {
	deliveries?: { runIndex: number; kept: Record<string, Kept> };
}

export interface Ledger {
	/** What became of a delivery in an earlier try of this run, if it must not go again. */
	find(key: string): Kept | undefined;
	/** Remembers an outcome after which the delivery must not go again; ignores the others. */
	record(key: string, kept: Kept): void;
	forget(key: string): void;
}

/**
 * Opens the memory that outlives one `execute()`: n8n's Retry On Fail runs the whole of it again
 * within the same execution, a retry from the list of executions begins with the memory of the
 * failed one, and what was accepted, or may have been, must not go twice.
 *
 * @param context a JSON-serialisable object; only its key `deliveries` is used
 * @param runIndex which run of the node in its execution; opening another one forgets the earlier
 */
export function openLedger(context: LedgerContext, runIndex: number): Ledger {
	if (context.deliveries?.runIndex !== runIndex) context.deliveries = { runIndex, kept: {} };
	const { kept } = context.deliveries;
	// Prefixed, so that a key such as `__proto__` is one like any other.
	const named = (key: string) => `delivery:${key}`;
	return {
		find: (key) => kept[named(key)],
		record(key, entry) {
			const { outcome } = entry.outcome;
			if (outcome === 'accepted' || outcome === 'unknown') kept[named(key)] = entry;
		},
		forget(key) {
			delete kept[named(key)];
		},
	};
}
