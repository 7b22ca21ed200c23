import {
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type NodeTypeAndVersion,
	sleep,
} from 'n8n-workflow';

import type { Clock } from '../shared/clock';
import { quote } from '../shared/formatting';
import { headerValue } from '../shared/headerValue';
import { createMask, type Mask } from '../shared/mask';
import type { Reply } from '../shared/reply';
import { findStore, type N8nStore } from './store';
import { post, type PostRequest } from './transport';
import { untilStopped } from './untilStopped';
import { type Waiting, waiting } from './waiting';

/** What n8n says about the execution that runs the node. */
export interface ExecutionFacts {
	id: string;
	/** n8n's mode: `manual`, `trigger`, `webhook`, `retry` … */
	mode: string;
	/**
	 * When the first execution began, in epoch milliseconds. n8n passes this and `firstMode` on to every
	 * retry. If n8n stored neither, they are those of the retry itself, with the mode `retry`.
	 */
	establishedAtMs?: number;
	/** The mode of the first execution. */
	firstMode?: string;
	/** The execution that called this one as a sub-workflow. */
	callerId?: string;
	/** Identifies this node in the workflow. */
	nodeId: string;
	/** The type of the node at which the outermost of the calling executions began. n8n 1 does not say. */
	firstNodeType?: string;
}

/** A credential as n8n decrypted and evaluated it. */
export interface Credential extends ICredentialsDecrypted {
	data: ICredentialDataDecryptedObject;
}

/** The credentials' fields that hold secrets. */
export const secretFields = ['apiKey', 'accessToken'] as const;

/** What a run needs from n8n. Only the node, this file and its neighbors in this folder use n8n's `this`. */
export interface N8n extends Waiting {
	/** A parameter as evaluated for an item, or null if it is absent. Throws n8n's expression errors. */
	read(name: string, index: number): unknown;
	/** A parameter with its expressions unevaluated. */
	raw: (name: string) => unknown;
	getCredential(type: string): Promise<Credential>;
	/** Hides the secrets of the credential that was read. */
	mask: Mask;
	/** n8n's ID of the credential of a type that the node uses; undefined if the workflow holds none. */
	credentialId: (type: string) => string | undefined;
	/** Whether On Error is Stop Workflow. */
	stopsOnFailure: boolean;
	/** Whether On Error is Continue (using error output). */
	hasErrorOutput: boolean;
	/** How the execution was started, as far as n8n says. */
	execution: ExecutionFacts;
	/** How many times n8n may call `execute()` for one run of the node in one execution. */
	maxTries: number;
	/** Whether an AI agent calls the node as a tool. */
	isTool: boolean;
	/** Whether the node asks a person to review what an AI agent wants to do. */
	isReview: boolean;
	/** All nodes from which this one gets its input, directly or through others. */
	nodesBefore(): NodeTypeAndVersion[];
	/** IANA timezone of the workflow. */
	workflowZone: string;
	/** For durations only: it runs evenly even if the clock of this machine is set. */
	clock: Clock;
	/** For all that people read, such as hours and schedules: the time of this machine's clock, in epoch milliseconds. */
	now: () => number;
	/** Sends one POST request with n8n's authentication and returns the reply, masked. Never throws. */
	post(request: PostRequest): Promise<Reply>;
	/** Aborted when the execution is stopped or times out. */
	stop: AbortSignal | undefined;
	/** Whether that has happened. */
	cancelled: () => boolean;
	/** Waits for work, but only until shortly after Stop. Returns undefined then; the work goes on. */
	untilStopped<T>(work: Promise<T>): Promise<T | undefined>;
	/** n8n's store of what was processed. */
	store(): N8nStore;
	/** What n8n keeps for this node during one execution, and which run of the node in which execution this is. */
	memory(): { context: IDataObject; runIndex: number; execution: string };
	/** Writes a line of n8n's log: a mistake of this node as `error`, what may cost people a message as `warn`. */
	log(message: string, level?: 'info' | 'warn' | 'error'): void;
}

export function connect(context: IExecuteFunctions, goesOnAfterFailure: boolean): N8n {
	const node = context.getNode();
	let mask = createMask([]);
	const stop = context.getExecutionCancelSignal();
	const cancelled = () => stop?.aborted === true;
	const execution = readExecutionFacts(context);
	const isReview = node.type.endsWith('HitlTool');
	const runIndex = () => context.getWorkflowDataProxy(0).$runIndex as number;
	return {
		...waiting(context, runIndex),
		read: (name, index) => context.getNodeParameter(name, index, null),
		raw: (name) => context.getNodeParameter(name, 0, null, { rawExpressions: true }),
		async getCredential(type) {
			const data = await context.getCredentials(type);
			mask = createMask(readSecrets(data));
			const { id, name = '' } = node.credentials?.[type] ?? {};
			return { id: id ?? '', name, type, data };
		},
		get mask() {
			return mask;
		},
		credentialId: (type) => context.getNode().credentials?.[type]?.id ?? undefined,
		stopsOnFailure: !goesOnAfterFailure,
		hasErrorOutput: context.getNode().onError === 'continueErrorOutput',
		execution,
		maxTries: readMaxTries(context.getNode()),
		// isToolExecution() does not exist before n8n 2. In all versions, the node type of a tool ends in Tool.
		isTool: !isReview && (node.type.endsWith('Tool') || context.isToolExecution?.() === true),
		isReview,
		nodesBefore: () => context.getParentNodes(node.name),
		get workflowZone() {
			return context.getTimezone();
		},
		clock: { now: steadyNow, sleep },
		now: () => Date.now(),
		post: async (request) => await post(context, request, mask),
		stop,
		cancelled,
		untilStopped: async (work) => await untilStopped(work, stop, sleep),
		store: () => findStore(context),
		memory: () => ({
			context: context.getContext('node'),
			runIndex: runIndex(),
			execution: execution.id,
		}),
		log: (message, level = 'info') =>
			context.logger[level](mask.text(`${nameExecution(context)}: ${message}`)),
	};
}

/** Where a line of n8n's log comes from, because many workflows write to the same log. */
function nameExecution(context: IExecuteFunctions): string {
	const { id, name } = context.getWorkflow();
	const workflow = ['workflow', name && quote(name), id && `(${id})`].filter(Boolean).join(' ');
	return `${quote(context.getNode().name)} in ${workflow}, execution ${context.getExecutionId()}`;
}

/** The secrets of a credential. A value that cannot be sent in a header is refused, so it is none. */
function readSecrets(data: ICredentialDataDecryptedObject): string[] {
	return secretFields
		.map((field) => data[field])
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map((value) => `${value}`.trim())
		.filter((secret) => headerValue.test(secret));
}

/** Epoch milliseconds by the clock at the start of this process, whatever it was set to later. */
function steadyNow(): number {
	return Math.round(performance.timeOrigin + performance.now());
}

function readExecutionFacts(context: IExecuteFunctions): ExecutionFacts {
	// Older versions of n8n 1 do not have this function.
	const origin = context.getExecutionContext?.();
	return {
		id: context.getExecutionId(),
		nodeId: context.getNode().id,
		mode: context.getMode(),
		establishedAtMs: origin?.establishedAt,
		firstMode: origin?.source,
		callerId: origin?.parentExecutionId,
		firstNodeType: origin?.triggerNode?.type,
	};
}

/** Evaluates the node's settings as n8n's engine does. */
function readMaxTries({ retryOnFail, maxTries }: INode): number {
	return retryOnFail === true ? Math.min(5, Math.max(2, maxTries || 3)) : 1;
}
