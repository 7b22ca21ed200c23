import type { ExecutionFacts } from '../n8n/context';

/** What n8n stores for the node with each execution. */
export interface HistoryMemory {
	origin?: Origin;
	/** Whether n8n ran the execution again from the start after it had been interrupted. */
	wasInterrupted?: boolean;
}

interface Origin {
	/** The ID of the original execution of a chain of retries. */
	executionId?: string;
	/** When the original execution of a chain of retries began, in epoch milliseconds. */
	establishedAtMs?: number;
	/** Whether the original execution was started by hand in the editor. */
	startedByHand?: boolean;
	/** Whether another execution called the original one as a sub-workflow. */
	isSubWorkflow?: boolean;
	/** Whether the original execution is known to have sent with Send Once. */
	usedSendOnce?: boolean;
}

/** How an execution was started. What n8n does not say is undefined. */
export interface History extends Origin {
	/** Whether it is a retry from n8n's list of executions. */
	isRetry: boolean;
	/** Whether n8n had run it again from the start after it had been interrupted. */
	wasInterrupted: boolean;
}

/**
 * Nodes at which an execution begins only if somebody starts it by hand. n8n gives every sub-workflow the
 * mode `integrated`, so this is all that tells how its caller was started.
 */
const onlyByHand = [
	'n8n-nodes-base.manualTrigger',
	'@n8n/n8n-nodes-langchain.manualChatTrigger',
	'n8n-nodes-base.evaluationTrigger',
	// Execute step, with the input from an earlier run.
	'n8n-nodes-base.executeWorkflow',
];

/** The names of the nodes that start a workflow without a person. */
export function findTriggers(
	nodes: ReadonlyArray<{ name: string; type: string; disabled: boolean }>,
): string[] {
	return nodes
		.filter(({ disabled, type }) => !disabled && !onlyByHand.includes(type))
		.filter(({ type }) => /(trigger|\.webhook)$/i.test(type))
		.map(({ name }) => name);
}

/**
 * Determines how an execution was started, and stores it for its retries. n8n reports the mode `retry`
 * for every retry, regardless of what started the original execution, and does not say which
 * execution is retried.
 */
export function readHistory(
	{ id, mode, establishedAtMs, firstMode = mode, callerId, firstNodeType = '' }: ExecutionFacts,
	memory: HistoryMemory,
): History {
	const startedByHand =
		['manual', 'evaluation'].includes(firstMode) ||
		(callerId !== undefined && onlyByHand.includes(firstNodeType));
	const isSubWorkflow = firstMode === 'integrated';
	if (firstMode !== 'retry')
		memory.origin ??= { executionId: id, establishedAtMs, startedByHand, isSubWorkflow };
	const wasInterrupted = memory.wasInterrupted === true;
	return { isRetry: mode === 'retry', wasInterrupted, ...memory.origin };
}

/** Stores whether the original execution sends with Send Once. A retry may have other settings. */
export function rememberSendOnce(
	{ isRetry }: History,
	{ origin }: HistoryMemory,
	sendOnce: boolean,
): void {
	if (!isRetry && origin) origin.usedSendOnce = sendOnce && origin.usedSendOnce !== false;
}
