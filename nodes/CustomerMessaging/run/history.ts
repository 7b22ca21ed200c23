import type { ExecutionFacts } from '../n8n/context';

/** What n8n stores for the node with each execution. */
export interface HistoryMemory {
	origin?: Origin;
	/** Whether n8n ran the execution again from the start after it had been interrupted. */
	wasInterrupted?: boolean;
}

interface Origin {
	/** When the original execution of a chain of retries began, in epoch milliseconds. */
	establishedAtMs?: number;
	/** Whether the original execution was started by hand in the editor. */
	startedByHand?: boolean;
}

/** How an execution was started. What n8n does not say is undefined. */
export interface History extends Origin {
	/** Whether it is a retry from n8n's list of executions. */
	isRetry: boolean;
	/** Whether n8n had run it again from the start after it had been interrupted. */
	wasInterrupted: boolean;
}

/**
 * Determines how an execution was started, and stores it for its retries. n8n reports the mode `retry`
 * for every retry, regardless of what started the original execution, and does not say which
 * execution is retried.
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
