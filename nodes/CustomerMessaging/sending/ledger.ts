import type { Outcome } from './types';

/** Where the ledger lives: a plain object that n8n keeps for one node during one execution. */
export interface LedgerContext {
	deliveries?: { runIndex: number; outcomes: Record<string, Outcome> };
}

export interface Ledger {
	/** What became of a delivery in an earlier try of this run, if it must not go again. */
	find(key: string): Outcome | undefined;
	/** Remembers an outcome after which the delivery must not go again; ignores the others. */
	record(key: string, outcome: Outcome): void;
	clear(): void;
}

/**
 * Opens the memory that outlives one `execute()`: n8n's Retry On Fail runs the whole of it again
 * within the same execution, and what was accepted, or may have been, must not go twice.
 *
 * @param context a JSON-serialisable object; only its key `deliveries` is used
 * @param runIndex which run of the node in its execution; opening another one forgets the earlier
 */
export function openLedger(context: LedgerContext, runIndex: number): Ledger {
	if (context.deliveries?.runIndex !== runIndex) context.deliveries = { runIndex, outcomes: {} };
	const { deliveries } = context;
	// Prefixed, so that a key such as `__proto__` is one like any other.
	const named = (key: string) => `delivery:${key}`;
	return {
		find: (key) => deliveries.outcomes[named(key)],
		record(key, outcome) {
			if (outcome.outcome !== 'accepted' && outcome.outcome !== 'unknown') return;
			deliveries.outcomes[named(key)] = outcome;
		},
		clear() {
			deliveries.outcomes = {};
		},
	};
}
