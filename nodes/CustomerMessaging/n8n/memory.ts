import type { RecordMemory } from '../engine';
import type { EndingOf } from '../shared/ending';

/**
 * The memory of a node, which n8n stores with the execution as JSON. It outlives `execute()`: Retry On Fail goes on
 * with it, and a retry from the list of executions begins with the memory of the failed one. After a kill, all of it
 * may be lost.
 */
export interface NodeMemory extends RecordMemory {
	/** The start of the first execution in a chain of retries. Written by `run/sendOnce.ts`. */
	origin?: Origin;
	/** Time of the first try of the last run, in epoch milliseconds. Written by `run/sendOnce.ts`. */
	tried?: { runIndex: number; firstMs: number };
	/** The messages that were planned, by recipient. Written by `plan/counts.ts`. */
	planned?: RunCounts;
	/** Recipients of messages that other attempts made and this memory lacks. Written by `plan/counts.ts`. */
	madeByOthers?: Counts;
	/** The broadcasts that were sent, by audience. Written by `plan/counts.ts`. */
	broadcasts?: RunCounts;
	/** Messages to single people, in earlier rounds and in attempts of this one. Written by `plan/counts.ts`. */
	messages?: { runIndex: number; rounds: number; attempts: number };
	/** The messages of each of several branches: item by key. Written by `plan/messageFilter.ts`. */
	branches?: Record<string, Record<string, number>>;
	/** Duplicates that a run left out, if they may differ by themselves. Written by `plan/messageFilter.ts`. */
	leftOut?: { runIndex: number; messages: Record<string, EndingOf<'skipped'>> };
	/** One or two recipients of a run by hand; if it sends lists, of messages with automatic keys. Written by `plan/counts.ts`. */
	recipients?: string[];
	/** The run that sent its test. Written by `sendAll.ts`. */
	testedIn?: number;
	/** The question whose answer the execution waits for. Written by `ask/answerLink.ts`. */
	asked?: string;
}

export interface Origin {
	/** The start of the execution, in epoch milliseconds. */
	establishedAtMs?: number;
	/** True if it was started by hand in the editor. */
	startedByHand?: boolean;
	/** True if that was this workflow itself, neither as a sub-workflow nor by an evaluation. */
	isManual?: boolean;
	/** True if another execution called it as a sub-workflow. */
	isSubWorkflow?: boolean;
	/** The account that it sent to. Written by `plan/reconcile.ts`. */
	account?: string;
	/** The ID of the node. A copy has another one, and another record of sent messages. */
	nodeId?: string;
}

/** Numbers of messages, by recipient. */
type Counts = Record<string, number>;

/** Counts of this run of the node, and of earlier ones in its execution. */
export interface RunCounts {
	runIndex: number;
	before: Counts;
	now: Counts;
}
