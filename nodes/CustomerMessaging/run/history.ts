import type { ExecutionFacts } from '../n8n/context';

/** What n8n stores of it for the node with each execution. */
export interface HistoryMemory {
	origin?: Origin;
	/** Whether n8n ran the execution again from the start after it had been interrupted. */
	wasInterrupted?: boolean;
}

interface Origin {
	/** When the first of all executions that are retries of one another began, in epoch milliseconds. */
	establishedAtMs?: number;
	/** Whether it was started by hand in the editor. */
	startedByHand?: boolean;
}

/** Where an execution comes from. What n8n does not tell is undefined. */
export interface History extends Origin {
	/** Whether it is a retry from n8n's list of executions. */
	isRetry: boolean;
	/** Whether n8n had run it again from the start after it had been interrupted. */
	wasInterrupted: boolean;
}

/**
 * Finds out where an execution comes from, and remembers it for its retries. n8n reports the mode
 * `retry` for every retry, whatever started the first execution, and does not say which execution is
 * retried.
 */
export function readHistory(
	{ mode, establishedAtMs, firstMode = mode }: ExecutionFacts,
	memory: HistoryMemory,
): History {
	const startedByHand = ['manual', 'evaluation'].includes(firstMode);
	if (firstMode !== 'retry') memory.origin ??= { establishedAtMs, startedByHand };
	const wasInterrupted = memory.wasInterrupted === true;
	return { isRetry: mode === 'retry', wasInterrupted, ...memory.origin };
}
