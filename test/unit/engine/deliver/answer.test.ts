import { readReply, waitBeforeRetry } from '../../../../nodes/CustomerMessaging/engine/policy';
import { isWebPage, type Reply } from '../../../../nodes/CustomerMessaging/shared/result';

const headers = { remaining: 7, dateMs: 1_000, retryAfterMs: 30_000 };
const answer = (statusCode: number): Reply => ({
	kind: 'answer',
	statusCode,
	body: { a: 1 },
	...headers,
});
const failure = (code: string, message = code): Reply => ({ kind: 'failure', code, message });
const response = { a: 1 };
const counted = { limit: 'counted', ...headers };

describe('What a reply means', () => {
	it.each([200, 201, 202, 204, 299])('%d is accepted', (statusCode) => {
		expect(readReply(answer(statusCode))).toEqual({
			ending: { outcome: 'accepted', statusCode, response, rateLimitRemaining: 7 },
			feedback: { ...counted, sign: 'success' },
		});
	});

	it.each([
		[[400, 402, 409, 413, 422], 'success'],
		[[401], 'unauthorized'],
		[[403], 'forbidden'],
		[[300, 301, 304, 307, 308, 404, 405, 407], 'notFound'],
	] as const)('%j is rejected, and says of the service: %s', (statusCodes, sign) => {
		for (const statusCode of statusCodes)
			expect(readReply(answer(statusCode))).toEqual({
				ending: { outcome: 'rejected', statusCode, response },
				feedback: { ...counted, sign },
			});
	});

	it.each([302, 303, 408, 500, 501, 502, 503, 504, 520])('after %d it is unknown', (statusCode) => {
		expect(readReply(answer(statusCode))).toEqual({
			ending: { outcome: 'unknown', statusCode, response },
			mayRepeat: 'withRetryUnknown',
			feedback: { ...counted, sign: 'failure' },
		});
	});

	it('a web page with 2xx is unknown, unless it may be what was asked for', () => {
		const page: Reply = { kind: 'answer', statusCode: 200, body: '<html>', isWebPage: true };
		expect(readReply(page)).toMatchObject({
			ending: { outcome: 'unknown', statusCode: 200, response: '<html>' },
			mayRepeat: 'withRetryUnknown',
			feedback: { sign: 'webPage' },
		});
		expect(readReply(page, true)).toMatchObject({ ending: { outcome: 'accepted' } });
		expect(readReply({ ...page, statusCode: 400 })).toMatchObject({
			ending: { outcome: 'rejected' },
			feedback: { sign: 'success' },
		});
	});

	it.each([
		{ success: false },
		{ success: 'false' },
		{ success: 'False' },
		{ success: 0 },
		{ ok: 'false' },
		{ ok: 0 },
		{ status: 401 },
		{ status: '503' },
		{ status: 400, success: true },
		{ status: 'ERROR' },
		{ result: 'failed', success: true },
		{ error: 'not subscribed' },
		{ errors: [{ code: 7 }], status: 'queued' },
		{ error: true },
	])('a 2xx that says it failed is unknown: %j', (body) => {
		const reply: Reply = { kind: 'answer', statusCode: 200, body };
		expect(readReply(reply)).toEqual({
			ending: { outcome: 'unknown', statusCode: 200, response: body },
			feedback: { limit: 'counted', sign: 'declined' },
		});
		expect(readReply(reply, true)).toMatchObject({ ending: { outcome: 'accepted' } });
		expect(readReply({ ...reply, statusCode: 500 }).feedback.sign).toBe('failure');
	});

	it.each([
		...[null, 'failed', 'error', [{ error: 1 }], {}, { success: 'no' }, { status: 'queued' }],
		...[{ errors: [] }, { errors: {} }, { error: null }, { error: '' }, { error: 'None' }],
		...[{ error: 0 }, { error: false }, { error: '0' }, { errors: 'false' }, { errors: 'null' }],
		...[{ status: 'ok' }, { status: 'Success', error: 'x' }, { success: true, errors: [1] }],
		{ ok: true, error: 'a warning' },
	])('any other 2xx is accepted: %j', (body) => {
		const reply: Reply = { kind: 'answer', statusCode: 200, body };
		expect(readReply(reply).ending?.outcome).toBe('accepted');
	});

	it('429 returns to the queue', () => {
		const { remaining, dateMs, retryAfterMs } = headers;
		const feedback = { limit: 'refused', sign: 'none', remaining, dateMs, retryAfterMs };
		expect(readReply(answer(429))).toEqual({ feedback });
	});

	it.each([
		['ECONNRESET', 'read ECONNRESET'],
		['ECONNABORTED', 'timeout of 30000ms exceeded'],
		['EPIPE', 'before secure TLS connection was established'],
		['ETIMEDOUT', 'read ETIMEDOUT'],
		['EPROTO', 'write EPROTO bad record mac'],
		['ERR_BAD_RESPONSE', 'stream has been aborted'],
		['SOMETHING_NEW', ''],
	])('after %s (%s) it may have been processed', (code, message) => {
		expect(readReply(failure(code, message))).toEqual({
			ending: { outcome: 'unknown', code, message },
			mayRepeat: 'withRetryUnknown',
			feedback: { limit: 'unanswered', sign: 'failure' },
		});
	});

	it.each([
		['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9'],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND api.example'],
		['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443'],
		['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443'],
		['ERR_INVALID_URL', 'Invalid URL'],
		['PROXY_REFUSED', '407'],
		['NOT_OF_THIS_NODE', 'This credential works in the Customer Messaging node only'],
		['UNKNOWN', 'Proxy connection ended before receiving CONNECT response'],
		[
			'ECONNRESET',
			'Client network socket disconnected before secure TLS connection was established',
		],
	])('after %s (%s) no connection was established', (code, message) => {
		const sign = code === 'ENOTFOUND' ? 'unknownHost' : 'failure';
		expect(readReply(failure(code, message))).toEqual({
			ending: { outcome: 'notSent', reason: 'noConnection', code, message },
			mayRepeat: 'always',
			feedback: { limit: 'notCounted', sign },
		});
	});

	it.each([
		['CERT_HAS_EXPIRED', 'certificate has expired'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
		['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
		['EPROTO', 'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number'],
	])('after %s (%s) it is not sent again', (code, message) => {
		expect(readReply(failure(code, message))).toEqual({
			ending: { outcome: 'notSent', reason: 'certificate', code, message },
			feedback: { limit: 'notCounted', sign: 'none' },
		});
	});

	it('what n8n itself refuses is not sent, not repeated, and says nothing about the service', () => {
		const [code, message] = ['N8N_REFUSED', 'The request was blocked because …'];
		expect(readReply(failure(code, message))).toEqual({
			ending: { outcome: 'notSent', reason: 'noConnection', code, message },
			feedback: { limit: 'notCounted', sign: 'none' },
		});
	});

	it('what was withheld is not sent, for its reason', () => {
		expect(readReply({ kind: 'withheld', reason: 'stopped' })).toEqual({
			ending: { outcome: 'notSent', reason: 'stopped' },
			feedback: { limit: 'notCounted', sign: 'none' },
		});
	});
});

it.each([
	'<!DOCTYPE html><title>Log in</title>',
	'<HTML lang="en">',
	' \r\n<head><title>Log in</title>',
	'\ufeff<body class="x">',
	'<!-- proxy <p> --> <!----><html>',
	'<script>location = "/login"</script>',
	'<meta http-equiv="refresh" content="0">',
	' <title>Log in</title>',
	'<?xml version="1.0" encoding="UTF-8"?>\n<!-- a -->\n<!doctype  html>',
])('A web page is known by what it begins with: %j', (text) => {
	expect(isWebPage(text)).toBe(true);
});

it.each([
	...[
		'',
		'  ',
		'<h1>Thanks</h1>',
		'<htmlx>',
		'<header>',
		'<scripts>',
		'<metal>',
		'<titles/>',
		'<!doctype plist>',
		'<?xml ?><ok/>',
	],
	...['<!-- <html>', '<?xml <html>', 'x <html>', '{"text":"<html>"}', { body: '<html>' }, null],
	'<!--'.repeat(50_000),
])('Any other answer is not a web page: %.40j', (body) => {
	expect(isWebPage(body)).toBe(false);
});

it('A request is sent again after 1, 2 and 4 s, up to a quarter later, and then no more', () => {
	const waits = (random: number) => [0, 1, 2, 3].map((nth) => waitBeforeRetry(nth, random));
	expect(waits(0)).toEqual([1_000, 2_000, 4_000, undefined]);
	expect(waits(1)).toEqual([1_250, 2_500, 5_000, undefined]);
});
