import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHttpRequestOptions,
	NodeApiError,
} from 'n8n-workflow';

import { isWebPage, redirectTarget, type Reply } from '../engine';
import { parseReadably } from '../shared/exactJson';
import type { Mask } from '../shared/mask';
import { isN8nRefusal, n8nRefusal, proxyRefusal } from '../shared/ending';

/** A response's body while it arrives. */
interface BodyStream extends AsyncIterable<Uint8Array, undefined> {
	destroy(): void;
	/** Absent if the body is decompressed, and in some versions of n8n. */
	socket?: { encrypted?: boolean } | null;
}

interface BodyStart {
	text: string;
	/** Number of bytes that were read, after decompression. */
	bytes: number;
	/** Why it ends there. `broken`: the rest did not arrive. */
	end: 'whole' | 'cut' | 'broken';
}

/**
 * Reads the beginning of a body as UTF-8, and closes the connection if there is more.
 *
 * @param expired ends the wait for a body that stops arriving
 */
async function readStart(
	body: BodyStream,
	maxBytes: number,
	expired: AbortSignal,
): Promise<BodyStart> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	const found = (end: BodyStart['end']) => ({ text: decode(Buffer.concat(chunks)), bytes, end });
	const close = () => body.destroy();
	expired.addEventListener('abort', close);
	try {
		for await (const chunk of body) {
			chunks.push(chunk);
			bytes += chunk.length;
			// Leaving the loop closes the connection.
			if (bytes > maxBytes) return found('cut');
		}
		return found('whole');
	} catch {
		return found('broken');
	} finally {
		expired.removeEventListener('abort', close);
	}
}

/** Leaves out bytes at the end that are only part of a character. */
function decode(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes, { stream: true });
}

/** Bytes of an answer that are kept. They are stored with the execution, once for each message. */
const MAX_ANSWER_BYTES = 64_000;
/** Bytes of an answer that are read to judge it, before the rest is cut off. */
const MAX_JUDGED_BYTES = 2_000_000;
/** Minimum time for a body after its headers. */
const MIN_BODY_MS = 1_000;

export interface PostRequest {
	/** As the run read it. Otherwise, n8n would read, decrypt and evaluate it again for each request. */
	credential: ICredentialsDecrypted;
	url: string;
	/** JSON, as bytes: n8n would omit an empty object, and axios would parse a text again. */
	body: Buffer;
	timeoutMs: number;
	/** Bytes of the answer's body that are kept, if not the usual number. */
	maxAnswerBytes?: number;
}

/**
 * Marks the options of this node's requests. The credential adds its key to no others. No form and no JSON can make a
 * symbol. It is a registered one, because n8n loads the modules again when the package is updated during a run.
 */
export const nodeMark = Symbol.for('n8n-nodes-customer-messaging.request');

/**
 * Sends one POST request and returns the reply. Never throws. Every status counts as a response, because n8n would
 * otherwise repeat a request after a 401. Redirects are not followed, because they may lead to another host.
 */
export async function post(
	context: IExecuteFunctions,
	{ credential, url, body, timeoutMs, maxAnswerBytes = MAX_ANSWER_BYTES }: PostRequest,
	mask: Mask,
): Promise<Reply> {
	const options: IHttpRequestOptions & { [nodeMark]?: true } = {
		[nodeMark]: true,
		url,
		method: 'POST',
		headers: { accept: 'application/json', 'content-type': 'application/json' },
		body,
		// n8n offers no maximum size. As text, axios would keep a body of any size in memory.
		encoding: 'stream',
		timeout: timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	const startedMs = performance.now();
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			credential.type,
			options,
			{ credentialsDecrypted: credential },
		)) as FullResponse;
		if (isFromProxy(url, response)) {
			response.body.destroy();
			return { kind: 'failure', code: proxyRefusal, message: String(response.statusCode) };
		}
		// The timeout above ends with the headers.
		const leftMs = Math.max(MIN_BODY_MS, timeoutMs - (performance.now() - startedMs));
		const expired = AbortSignal.timeout(Math.ceil(leftMs));
		const maxBytes = Math.max(maxAnswerBytes, MAX_JUDGED_BYTES) + maxSecretBytes;
		const start = await readStart(response.body, maxBytes, expired);
		return {
			kind: 'answer',
			statusCode: response.statusCode,
			...readBody(start, maxAnswerBytes, mask),
			...readHeaders(url, response, mask),
		};
	} catch (error) {
		return {
			kind: 'failure',
			code: mask.text(readCode(error)),
			message: mask.text(readMessage(error)),
		};
	}
}

interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: BodyStream;
}

/**
 * Returns true if a proxy answered instead of the service, so that the request never left. Only a proxy asks for a
 * password with 407, before it passes a request on (RFC 9110 §15.5.8). If a proxy refuses CONNECT, which is never
 * with 2xx, the proxy agent passes its answer on as that of the service, but without TLS. Some versions of n8n do not
 * show the connection.
 */
function isFromProxy(url: string, { statusCode, body }: FullResponse): boolean {
	const isRefusal = statusCode < 200 || statusCode >= 300;
	const isPlain = isRefusal && body.socket ? body.socket.encrypted !== true : false;
	return statusCode === 407 || (url.startsWith('https:') && isPlain);
}

function readHeaders(url: string, { statusCode, headers }: FullResponse, mask: Mask) {
	const isRedirect = statusCode >= 300 && statusCode < 400;
	const remaining = String(headers['x-ratelimit-remaining']);
	const dateMs = Date.parse(String(headers.date));
	return {
		redirectsTo: isRedirect ? redirectTarget(url, headers.location, mask) : undefined,
		remaining: /^\d{1,9}$/.test(remaining) ? Number(remaining) : undefined,
		dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
		retryAfterMs: parseRetryAfter(headers['retry-after'], dateMs),
	};
}

/** No form of a secret is longer: Node.js refuses headers of more than 16 kB, and an escape has up to 8 characters. */
const maxSecretBytes = 8 * 16_384;

/**
 * The masked body: parsed JSON, otherwise text, otherwise null. For a long body, it is the beginning as text, masked
 * before it is cut, because the cut could leave part of a secret, which no search finds. Nothing is kept of a body
 * that stopped arriving: the status tells how the request ended.
 */
function readBody({ text, bytes, end }: BodyStart, maxBytes: number, mask: Mask) {
	const isPage = isWebPage(text) && { isWebPage: true };
	if (end === 'broken') return { body: null, ...isPage };
	const isWhole = end === 'whole';
	if (isWhole && bytes <= maxBytes)
		return { body: text === '' ? null : mask.value(parseReadably(text)), ...isPage };
	const masked = mask.text(text);
	const kept = Buffer.from(isWhole ? masked : masked.slice(0, -maxSecretBytes));
	const whole = isWhole && { whole: parseReadably(text) };
	return {
		body: decode(kept.subarray(0, maxBytes)),
		isTruncated: true as const,
		...whole,
		...isPage,
	};
}

/** An HTTP date, such as `Tue, 24 Nov 2026 10:00:30 GMT` (RFC 9110 §5.6.7). */
const HTTP_DATE = /^[a-z]{3}, \d\d [a-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/i;

/**
 * Converts `Retry-After`, seconds or a date (RFC 9110 §10.2.3), to a wait in milliseconds. A date is
 * compared with the `Date` header, because this machine's clock may differ from the service's.
 */
function parseRetryAfter(header: unknown, dateMs: number): number | undefined {
	const text = String(header).trim();
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
	const untilMs = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
	const waitMs = untilMs - (Number.isNaN(dateMs) ? Date.now() : dateMs);
	return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** n8n wraps the error of Node.js or axios and stores its code as `httpCode`. */
function readCode(error: unknown): string {
	if (isN8nRefusal(readMessage(error))) return n8nRefusal;
	const { httpCode, code } = error as { httpCode?: string; code?: string };
	return String(httpCode ?? code ?? 'UNKNOWN');
}

/** The original message of Node.js or axios, which tells a connection never established from one that was lost. */
function readMessage(error: unknown): string {
	// n8n replaces the message by its own and stores the original in a list. For a host with several addresses, axios
	// may write only "Error", and n8n lists the failures in the description.
	const { messages, message, description } = error as Partial<NodeApiError>;
	const original = messages?.[0] ?? message;
	const told = original && original !== 'Error' ? original : (description ?? message);
	return told ?? String(error);
}
