import { type FormParameter, userOnly } from '../fields/field';
import type { Operation } from '../operations/operation';
import type { N8n } from '../n8n/context';
import type { Origin } from '../n8n/memory';
import { isZone } from '../schedule/localTime';
import { quote } from '../shared/formatting';
import type { Problem } from '../shared/ending';

export const sendOncePeriods = ['ever', 'day', 'week', 'month'] as const;

/** Only in the form of an agent's tool. */
export const toolNotice: FormParameter = {
	displayName: 'As a tool, a broadcast needs Send Once with a key for each occasion.',
	name: 'toolNotice',
	...userOnly,
	type: 'notice',
	default: '',
	displayOptions: { show: { '@tool': [true] } },
};

const shownWithSendOnce = { displayOptions: { show: { sendOnce: [true] } } };

/** The parameters for skipping earlier messages: a switch, a key and a period. */
export const sendOnceForm = (isBroadcast = false): FormParameter[] => [
	{
		displayName: 'Send Once',
		name: 'sendOnce',
		...userOnly,
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether to skip what was sent before, in any execution',
	},
	{
		displayName: 'Send Once Key',
		name: 'sendOnceKey',
		...userOnly,
		type: 'string',
		default: '',
		placeholder: isBroadcast ? 'e.g. Spring sale 2027' : 'e.g. {{ $json.orderNumber }}',
		description: 'What makes two messages the same. Empty: the whole message.',
		...shownWithSendOnce,
	},
	{
		displayName: 'Send Once Period',
		name: 'sendOncePeriod',
		...userOnly,
		type: 'options',
		noDataExpression: true,
		default: 'ever',
		description: 'How long it counts as sent, by calendar',
		options: [
			{ name: 'Day', value: 'day' },
			{ name: 'Ever', value: 'ever' },
			{ name: 'Month', value: 'month' },
			{ name: 'Week', value: 'week', description: 'Weeks begin on Monday' },
		],
		...shownWithSendOnce,
	},
];

/**
 * Returns true if an operation can skip earlier messages. One that overwrites must not: of a user's rows A, B, A, the
 * last one would be skipped, and B would remain. A skipped question would get no answer.
 */
export function offersSendOnce(operation: Pick<Operation, 'lastRowWins' | 'waits'>): boolean {
	return operation.lastRowWins !== true && operation.waits !== true;
}

/** The start of an execution. What n8n does not give is undefined. */
export interface History extends Origin {
	/** True for a retry from n8n's list of executions. */
	isRetry: boolean;
	wasInterrupted: boolean;
	/** Time of the first try of this run of the node, in epoch milliseconds. */
	firstTryMs: number;
}

/**
 * Nodes that begin an execution only if somebody starts it by hand. n8n gives every sub-workflow the mode
 * `integrated`, so only these nodes tell how its caller was started.
 */
const onlyByHand = [
	'n8n-nodes-base.manualTrigger',
	'@n8n/n8n-nodes-langchain.manualChatTrigger',
	'n8n-nodes-base.evaluationTrigger',
	// Execute step, with the input from an earlier run.
	'n8n-nodes-base.executeWorkflow',
];

/** Determines how an execution was started, and stores it for its retries, for which n8n does not give it. */
export function readHistory(
	n8n: Pick<N8n, 'execution' | 'memory' | 'node' | 'isTool' | 'now'>,
): History {
	const { mode, establishedAtMs, firstMode = mode } = n8n.execution;
	const { callerId, firstNodeType = '' } = n8n.execution;
	const { context, runIndex } = n8n.memory();
	const { id: nodeId } = n8n.node;
	const startedByHand =
		['manual', 'evaluation'].includes(firstMode) ||
		(callerId !== undefined && onlyByHand.includes(firstNodeType));
	const isManual = firstMode === 'manual';
	const isSubWorkflow = firstMode === 'integrated';
	if (firstMode !== 'retry')
		context.origin ??= { establishedAtMs, startedByHand, isManual, isSubWorkflow, nodeId };
	const { origin, wasInterrupted = false } = context;
	const isRetry = mode === 'retry';
	// Calls of a tool share their memory. A retry that remembers no run may be the second try of this one.
	const known = n8n.isTool ? undefined : context.tried;
	const beganMs = isRetry && !known ? origin?.establishedAtMs : undefined;
	const firstTryMs = known?.runIndex === runIndex ? known.firstMs : (beganMs ?? n8n.now());
	context.tried = { runIndex, firstMs: firstTryMs };
	return { isRetry, wasInterrupted, firstTryMs, ...origin };
}

/** Refuses a period in an unknown timezone, because nobody knows when it begins. */
export function zoneProblem(
	period: (typeof sendOncePeriods)[number],
	zone: string,
): Problem | undefined {
	if (period === 'ever' || isZone(zone)) return undefined;
	return {
		field: 'sendOncePeriod',
		rule: `The workflow's timezone ${quote(zone)} is not known, so the node cannot tell on which day this goes out. Choose one in the workflow's settings, e.g. Europe/Berlin`,
	};
}
