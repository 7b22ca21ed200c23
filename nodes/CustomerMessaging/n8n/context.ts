import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	sleep,
} from 'n8n-workflow';

import type { Clock } from '../shared/clock';
import type { Reply } from '../shared/reply';
import { openProcessedStore, type StoreAccess } from './processedStore';
import { post } from './transport';

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
}

/** What a run needs from n8n. Only the node, this file and its neighbors in this folder use n8n's `this`. */
export interface N8n {
	/** A parameter as evaluated for an item, or null if it is absent. Throws n8n's expression errors. */
	read(name: string, index: number): unknown;
	/** A parameter with its expressions unevaluated. */
	raw: (name: string) => unknown;
	getCredential(type: string): Promise<ICredentialDataDecryptedObject>;
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
	/** IANA timezone of the workflow. */
	workflowZone: string;
	/** For durations: it runs evenly even if the clock of this machine is set. */
	clock: Clock;
	/** The time of this machine's clock, in epoch milliseconds. */
	now: () => number;
	/** Sends one POST request with n8n's authentication and returns the reply. Never throws. `json` is the body. */
	post(credentialType: string, url: string, json: string, timeoutMs: number): Promise<Reply>;
	/** Whether the execution was stopped or timed out. */
	cancelled: () => boolean;
	/** n8n's store of what was processed. */
	openStore(): Promise<StoreAccess>;
	/** What n8n keeps for this node during one execution, and which run of the node this is. */
	memory(): { context: IDataObject; runIndex: number };
	log(message: string): void;
}

export function connect(context: IExecuteFunctions, goesOnAfterFailure: boolean): N8n {
	const cancelled = () => context.getExecutionCancelSignal()?.aborted === true;
	return {
		read: (name, index) => context.getNodeParameter(name, index, null),
		raw: (name) => context.getNodeParameter(name, 0, null, { rawExpressions: true }),
		getCredential: async (type) => await context.getCredentials(type),
		stopsOnFailure: !goesOnAfterFailure,
		hasErrorOutput: context.getNode().onError === 'continueErrorOutput',
		execution: executionFactsOf(context),
		maxTries: maxTriesOf(context.getNode()),
		// isToolExecution() does not exist before n8n 2. In all versions, the node type of a tool ends in Tool.
		isTool: context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true,
		workflowZone: context.getTimezone(),
		clock: { now: steadyNow, sleep },
		now: () => Date.now(),
		post: async (...call) => await post(context, ...call),
		cancelled,
		openStore: async () => await openProcessedStore(context, { now: steadyNow, sleep, cancelled }),
		memory: () => ({
			context: context.getContext('node'),
			runIndex: context.getWorkflowDataProxy(0).$runIndex as number,
		}),
		log: (message) => context.logger.info(message),
	};
}

/** Epoch milliseconds by the clock at the start of this process, whatever it was set to later. */
function steadyNow(): number {
	return Math.round(performance.timeOrigin + performance.now());
}

function executionFactsOf(context: IExecuteFunctions): ExecutionFacts {
	// Older versions of n8n 1 do not have this function.
	const origin = context.getExecutionContext?.();
	return {
		id: context.getExecutionId(),
		mode: context.getMode(),
		establishedAtMs: origin?.establishedAt,
		firstMode: origin?.source,
	};
}

/** Evaluates the node's settings as n8n's engine does. */
function maxTriesOf({ retryOnFail, maxTries }: INode): number {
	return retryOnFail === true ? Math.min(5, Math.max(2, maxTries || 3)) : 1;
}
