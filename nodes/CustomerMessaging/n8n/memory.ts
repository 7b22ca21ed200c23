import type { RecordMemory } from '../engine';

/**
 * What n8n stores for a node with the execution, as JSON. It outlives `execute()`: Retry On Fail goes on with it,
 * and a retry from the list of executions begins with that of the failed one. After a kill, n8n may have
 * stored none of it.
 */
export interface NodeMemory extends RecordMemory {
	/** How the first execution of a chain of retries was started. Written by `run/sendOnce.ts`. */
	origin?: Origin;
	/** When the last run of the node was tried first, in epoch milliseconds. Written by `run/sendOnce.ts`. */
	tried?: { runIndex: number; firstMs: number };
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
	/** What a run left out as the same message, if that may differ by itself. Written by `plan/messageFilter.ts`. */
	leftOut?: {
		runIndex: number;
		messages: Record<string, { firstItem?: number; isInOtherBranch?: true }>;
	};
	/** Of a run by hand, one recipient, or two if there are more. Written by `plan/counts.ts`. */
	recipients?: string[];
	/** The same of all, whether or not a note is kept of them. */
	everybody?: string[];
	/** The run that sent its test. Written by `testRecipient.ts`. */
	testedIn?: number;
	/** The question whose answer the execution waits for. Written by `ask/answerLink.ts`. */
	asked?: string;
}

export interface Origin {
	/** When the execution began, in epoch milliseconds. */
	establishedAtMs?: number;
	/** Whether it was started by hand in the editor. */
	startedByHand?: boolean;
	/** Whether that was this workflow itself: no sub-workflow of one, and no evaluation. */
	isManual?: boolean;
	/** Whether another execution called it as a sub-workflow. */
	isSubWorkflow?: boolean;
	/** The account that it sent to. Written by `plan/reconcile.ts`. */
	account?: string;
	/** The ID of the node. A copy has another one, and another list of what was sent. */
	nodeId?: string;
}

/** Numbers of messages by whom they are for. */
export type Counts = Record<string, number>;

/** Counts of the runs of the node before this one in its execution, and of this one. */
export interface RunCounts {
	runIndex: number;
	before: Counts;
	now: Counts;
}
