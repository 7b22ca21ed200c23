import type { IExecuteFunctions, IHttpRequestOptions, NodeApiError } from 'n8n-workflow';

import { parseReadably } from '../shared/exactJson';
import type { Reply } from '../shared/reply';

/**
 * Sends one POST request and returns the reply. Never throws. Every status counts as a response,
 * because n8n would otherwise repeat a request after a 401. Redirects are not followed,
 * because they may lead to another host.
 *
 * @param json the body; not an object, because n8n would omit an empty one
 */
export async function post(
	context: IExecuteFunctions,
	credentialType: string,
	url: string,
	json: string,
	timeoutMs: number,
): Promise<Reply> {
	const options: IHttpRequestOptions = {
		url,
		method: 'POST',
		headers: { accept: 'application/json', 'content-type': 'application/json' },
		body: json,
		// Otherwise axios would parse the response, and round integers beyond 2^53.
		encoding: 'text',
		timeout: timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	try {
		return toReply(
			await context.helpers.httpRequestWithAuthentication.call(context, credentialType, options),
		);
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
		body: readBody(body),
		remaining: /^\d{1,9}$/.test(remaining) ? Number(remaining) : undefined,
		dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
		retryAfterMs,
	};
}

/** The body as parsed JSON, otherwise as text, otherwise null. */
function readBody(body: unknown): unknown {
	if (body === undefined || body === '') return null;
	return typeof body === 'string' ? parseReadably(body) : body;
}

/**
 * Converts `Retry-After`, seconds or a date (RFC 9110 §10.2.3), to a wait in milliseconds. A date is
 * compared with the `Date` header, because this machine's clock may differ from the service's.
 */
function parseRetryAfter(header: unknown, dateMs: number): number | undefined {
	const text = String(header).trim();
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
	const untilMs = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
	const waitMs = untilMs - (Number.isNaN(dateMs) ? Date.now() : dateMs);
	return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** n8n wraps the error of Node.js or axios and stores its code as `httpCode`. */
function codeOf(error: unknown): string {
	const { httpCode, code } = error as { httpCode?: string; code?: string };
	return String(httpCode ?? code ?? 'UNKNOWN');
}

/**
 * The original message of Node.js or axios. It distinguishes a connection that was never established
 * from one that was lost.
 */
function messageOf(error: unknown): string {
	// n8n replaces the message by its own and stores the original in a list.
	const { messages, message } = error as Partial<NodeApiError>;
	return messages?.[0] ?? message ?? String(error);
}
