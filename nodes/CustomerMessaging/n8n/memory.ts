import type { SentRecord } from '../shared/result';

/**
 * What n8n stores for a node with the execution, as JSON. It outlives `execute()`: Retry On Fail goes on with it,
 * and a retry from the list of executions begins with that of the failed one. After a kill, n8n may have
 * stored none of it.
 */
export interface NodeMemory {
	/** How the first execution of a chain of retries was started. Written by `run/sendOnce.ts`. */
	origin?: Origin;
	/** When the last run of the node was tried first, in epoch milliseconds. Written by `run/sendOnce.ts`. */
	tried?: { runIndex: number; firstMs: number };
	/** Whether n8n ran the execution again from its start after it was interrupted. Written by `journal/marks.ts`. */
	wasInterrupted?: boolean;
	/** That the execution is marked in the journal. Written by `journal/marks.ts`. */
	marked?: {
		/** Joins the names of its messages, where the time of its start does not identify it. */
		own?: string;
	};
	/** That it tried to mark itself. Of a call that failed, nobody knows whether it did. Written by `journal/marks.ts`. */
	mayBeMarked?: boolean;
	/** What a run sent. Written by `journal/ledger.ts`. */
	sent?: LedgerMemory;
	/** The messages that were planned, by recipient. Written by `plan/counts.ts`. */
	planned?: RunCounts;
	/** To whom other attempts made messages that this memory does not hold. Written by `plan/counts.ts`. */
	madeByOthers?: Counts;
	/** The broadcasts that were sent, by audience. Written by `plan/counts.ts`. */
	broadcasts?: RunCounts;
	/** How what runs sent ended, by outcome. Written by `plan/counts.ts`. */
	outcomes?: RunCounts;
	/**
	 * The messages to single people that were sent, in earlier rounds of a loop and in attempts of this one.
	 * Written by `plan/counts.ts`.
	 */
	messages?: { runIndex: number; rounds: number; attempts: number };
	/** What was sent by each of several branches: the item, by the key of its message. Written by `plan/branches.ts`. */
	branches?: Record<string, Record<string, number>>;
	/** Of a run by hand, one recipient, or two if there are more. Written by `plan/counts.ts`. */
	recipients?: string[];
	/** The node's own keys that this execution holds. Written by `engine/record/ownKeys.ts`. */
	ownKeys?: Counts;
	/** When the last of them left, by the clock of the process. Written by `send/messageBrakes.ts`. */
	lastMessageMs?: number;
	/** The run that sent its test. Written by `send/testRecipient.ts`. */
	testedIn?: number;
	/** The question whose answer the execution waits for. Written by `ask/answerLink.ts`. */
	asked?: string;
}

export interface Origin {
	/** When the execution began, in epoch milliseconds. */
	establishedAtMs?: number;
	/** Whether it was started by hand in the editor. */
	startedByHand?: boolean;
	/** Whether another execution called it as a sub-workflow. */
	isSubWorkflow?: boolean;
	/** The account that it sent to. Written by `journal/reconcile.ts`. */
	account?: string;
	/** The ID of the node. A copy has another one, and another list of what was sent. */
	nodeId?: string;
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

export interface LedgerRecord extends SentRecord {
	/** Whether the request was in flight when n8n stored the memory. */
	isInFlight?: true;
	/** Whether only the notes of n8n's store said so, which may know more the next time. */
	isDoubt?: true;
}

/** Numbers of messages by whom they are for. */
export type Counts = Record<string, number>;

/** Counts of the runs of the node before this one in its execution, and of this one. */
export interface RunCounts {
	runIndex: number;
	before: Counts;
	now: Counts;
}
