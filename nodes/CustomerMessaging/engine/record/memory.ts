import type { Recorded, toOutcome } from '../../shared/ending';

/** The part of the record that n8n stores with the execution, as JSON. After a kill, n8n may have stored none of it. */
export interface RecordMemory {
	/** n8n ran the execution again from its start after it was interrupted. Written by `marks.ts`. */
	wasInterrupted?: boolean;
	/** Present if the execution is marked in n8n's store. Written by `marks.ts`. */
	marked?: {
		/** Joins the names of its messages, where the time of its start does not identify it. */
		own?: string;
	};
	/** It tried to mark itself. A call that failed may have done so. Written by `marks.ts`. */
	mayBeMarked?: boolean;
	/** The node's own keys that this execution holds. Written by `ownKeys.ts`. */
	ownKeys?: Record<string, 1>;
	/** The messages of a run. Written by `ledger.ts`. */
	sent?: LedgerMemory;
}

/** The memory of an execution, and which run of the node in which execution this is. */
export interface ExecutionMemory {
	context: RecordMemory;
	runIndex: number;
	execution: string;
}

export interface LedgerMemory {
	runIndex: number;
	/** Number of calls of `execute()` in this execution since one succeeded. */
	tries: { execution: string; count: number };
	records: Records;
	/** For a tool: messages of calls of earlier executions. Only a retry must not repeat them. */
	earlier?: Records;
}

/** By account and operation, then by row, platform and recipient. */
export type Records = Record<string, Record<string, LedgerRecord>>;

export interface LedgerRecord extends Omit<Recorded, 'ending' | 'attempts'> {
	outcome: ReturnType<typeof toOutcome>;
	/** The request was in flight when n8n stored the memory. */
	isInFlight?: true;
	/** Only n8n's store said so, which may know more the next time. */
	isDoubt?: true;
}
