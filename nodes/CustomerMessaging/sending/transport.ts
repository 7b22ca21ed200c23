import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type NodeApiError,
	sleep,
} from 'n8n-workflow';

import { openProcessedStore, type StoreAccess } from '../n8n/processedStore';
import type { ExecutionFacts } from '../run/history';
import type { Clock } from '../shared/clock';
import type { Reply } from '../shared/reply';

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
	openStore(): Promise<StoreAccess>;
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
		openStore: async () => await openProcessedStore(context),
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

/**
 * Every status is an answer, as n8n would otherwise repeat a request that got 401; redirects are
 * not followed, as they may lead to another host. The body is made text here because n8n leaves
 * out an empty object.
 */
async function post(
	context: IExecuteFunctions,
	credentialType: string,
	url: string,
	body: unknown,
	timeoutMs: number,
): Promise<Reply> {
	const options: IHttpRequestOptions = {
		url,
		method: 'POST',
		headers: { accept: 'application/json', 'content-type': 'application/json' },
		body: JSON.stringify(body),
		timeout: timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	try {
		return toReply(await context.helpers.httpRequestWithAuthentication.call(context, credentialType, options));
	} catch (error) {
		return { kind: 'failure', code: codeOf(error), message: messageOf(error) };
	}
}

interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

function toReply(response: unknown): Reply {
	const { statusCode, headers, body } = response as FullResponse;
	const remaining = String(headers['x-ratelimit-remaining']);
	const dateMs = Date.parse(String(headers.date));
	const retryAfterMs = parseRetryAfter(headers['retry-after'], dateMs);
	return {
		kind: 'answer',
		statusCode,
		body: body === undefined || body === '' ? null : body,
		remaining: /^\d{1,9}$/.test(remaining) ? Number(remaining) : undefined,
		dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
		retryAfterMs,
	};
}

/**
 * `Retry-After` as a wait: seconds, or a date (RFC 9110 §10.2.3). A date is compared with the service's
 * own clock, because ours may differ.
 */
function parseRetryAfter(header: unknown, dateMs: number): number | undefined {
	const text = String(header).trim();
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
	const untilMs = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
	const waitMs = untilMs - (Number.isNaN(dateMs) ? Date.now() : dateMs);
	return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** n8n wraps what Node or axios threw and keeps its code as `httpCode`. */
function codeOf(error: unknown): string {
	const { httpCode, code } = error as { httpCode?: string; code?: string };
	return String(httpCode ?? code ?? 'UNKNOWN');
}

/** Node's or axios' own words, by which a connection that never stood is told from one that broke. */
function messageOf(error: unknown): string {
	// n8n puts words of its own in their place, and keeps theirs in a list.
	const { messages, message } = error as Partial<NodeApiError>;
	return messages?.[0] ?? message ?? String(error);
}
