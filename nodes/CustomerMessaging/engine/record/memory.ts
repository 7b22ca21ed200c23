import type { Outcome } from '../../shared/ending';
import type { Recorded } from '../../shared/result';

/** What n8n stores for the record with the execution, as JSON. After a kill, n8n may have stored none of it. */
export interface RecordMemory {
	/** Whether n8n ran the execution again from its start after it was interrupted. Written by `marks.ts`. */
	wasInterrupted?: boolean;
	/** That the execution is marked in n8n's store. Written by `marks.ts`. */
	marked?: {
		/** Joins the names of its messages, where the time of its start does not identify it. */
		own?: string;
	};
	/** That it tried to mark itself. Of a call that failed, nobody knows whether it did. Written by `marks.ts`. */
	mayBeMarked?: boolean;
	/** The node's own keys that this execution holds. Written by `ownKeys.ts`. */
	ownKeys?: Record<string, 1>;
	/** What a run sent. Written by `ledger.ts`. */
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
	/** How often n8n has called `execute()` in this execution since a call succeeded. */
	tries: { execution: string; count: number };
	records: Records;
	/** For a tool: what calls of earlier executions sent. Only a retry must not repeat it. */
	earlier?: Records;
}

/** By account and operation, then by row, platform and recipient. */
export type Records = Record<string, Record<string, LedgerRecord>>;

export interface LedgerRecord extends Omit<Recorded, 'ending' | 'attempts'> {
	outcome: Outcome;
	/** Whether the request was in flight when n8n stored the memory. */
	isInFlight?: true;
	/** Whether only the notes of n8n's store said so, which may know more the next time. */
	isDoubt?: true;
}
