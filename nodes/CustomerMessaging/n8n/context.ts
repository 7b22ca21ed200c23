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

/** What n8n tells of the execution that runs the node. */
export interface ExecutionFacts {
	id: string;
	/** n8n's mode: `manual`, `trigger`, `webhook`, `retry` … */
	mode: string;
	/**
	 * When the first execution began, in epoch milliseconds, and in which mode. n8n hands both on to
	 * every retry; where it has stored neither, they are the retry's own and the mode is `retry`.
	 */
	establishedAtMs?: number;
	firstMode?: string;
}

/** What a run needs of n8n; beside the node, only this file sees its `this`. */
export interface N8n {
	/** A parameter as it reads for an item; null where it is not there. Throws n8n's expression errors. */
	read(name: string, index: number): unknown;
	/** The same with its expressions unread. */
	raw: (name: string) => unknown;
	getCredential(type: string): Promise<ICredentialDataDecryptedObject>;
	/** Whether On Error is Stop Workflow. */
	stopsOnFailure: boolean;
	/** Whether On Error is Continue (using error output). */
	hasErrorOutput: boolean;
	/** Where the execution comes from, as far as n8n tells. */
	execution: ExecutionFacts;
	/** How often n8n calls `execute()` for one run of the node in one execution. */
	maxTries: number;
	/** Whether an AI agent calls the node as a tool. */
	isTool: boolean;
	/** IANA zone of the workflow. */
	workflowZone: string;
	clock: Clock;
	/** Sends one POST with n8n's own authentication and says what came back. Never throws. */
	post(credentialType: string, url: string, body: unknown, timeoutMs: number): Promise<Reply>;
	/** Whether the execution was stopped or timed out. */
	cancelled: () => boolean;
	/** n8n's store of what was processed. */
	openStore(how: { isProbed: boolean }): Promise<StoreAccess>;
	/** What n8n keeps for this node during one execution, and which run of the node this is. */
	memory(): { context: IDataObject; runIndex: number };
	log(message: string): void;
}

export function connect(context: IExecuteFunctions): N8n {
	return {
		read: (name, index) => context.getNodeParameter(name, index, null),
		raw: (name) => context.getNodeParameter(name, 0, null, { rawExpressions: true }),
		getCredential: async (type) => await context.getCredentials(type),
		stopsOnFailure: !context.continueOnFail(),
		hasErrorOutput: context.getNode().onError === 'continueErrorOutput',
		execution: executionFactsOf(context),
		maxTries: maxTriesOf(context.getNode()),
		// isToolExecution() is not there before n8n 2; the type of a node used as a tool ends so in all.
		isTool: context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true,
		workflowZone: context.getTimezone(),
		clock: { now: Date.now, sleep },
		post: async (...call) => await post(context, ...call),
		cancelled: () => context.getExecutionCancelSignal()?.aborted === true,
		openStore: async (how) => await openProcessedStore(context, how),
		memory: () => ({
			context: context.getContext('node'),
			runIndex: context.getWorkflowDataProxy(0).$runIndex as number,
		}),
		log: (message) => context.logger.info(message),
	};
}

function executionFactsOf(context: IExecuteFunctions): ExecutionFacts {
	// Older versions of n8n 1 do not have it.
	const origin = context.getExecutionContext?.();
	return {
		id: context.getExecutionId(),
		mode: context.getMode(),
		establishedAtMs: origin?.establishedAt,
		firstMode: origin?.source,
	};
}

/** As n8n's engine reads the node's settings. */
function maxTriesOf({ retryOnFail, maxTries }: INode): number {
	return retryOnFail === true ? Math.min(5, Math.max(2, maxTries || 3)) : 1;
}
