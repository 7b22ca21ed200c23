import { readReply, waitBeforeRetry } from '../../../nodes/CustomerMessaging/send/answer';
import type { Reply } from '../../../nodes/CustomerMessaging/shared/result';

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

	it('429 returns to the queue', () => {
		const { dateMs, retryAfterMs } = headers;
		const feedback = { limit: 'refused', sign: 'none', dateMs, retryAfterMs };
		expect(readReply(answer(429))).toEqual({ feedback });
	});

	it.each([
		['ECONNRESET', 'read ECONNRESET'],
		['ECONNABORTED', 'timeout of 30000ms exceeded'],
		['EPIPE', 'write EPIPE'],
		['ECONNABORTED', 'wrong version number'],
		['EPIPE', 'before secure TLS connection was established'],
		['ETIMEDOUT', 'read ETIMEDOUT'],
		['EHOSTUNREACH', 'read EHOSTUNREACH'],
		['ENETUNREACH', 'write ENETUNREACH'],
		['EPROTO', 'write EPROTO bad record mac'],
		['ERR_BAD_RESPONSE', 'stream has been aborted'],
		['SOMETHING_NEW', ''],
		['', ''],
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
		['EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example'],
		['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443'],
		['ENETUNREACH', 'connect ENETUNREACH 10.0.0.1:443'],
		['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443'],
		['ERR_INVALID_URL', 'Invalid URL'],
		['PROXY_REFUSED', '407'],
		['HOST_NOT_NAMED', 'The credential sends its key only to its own addresses'],
		['UNKNOWN', 'Proxy connection ended before receiving CONNECT response'],
		['UNKNOWN', 'No header received from proxy CONNECT response'],
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
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'],
		['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
		['EPROTO', 'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number'],
	])('after %s (%s) it is not sent again', (code, message) => {
		expect(readReply(failure(code, message))).toEqual({
			ending: { outcome: 'notSent', reason: 'certificate', code, message },
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

it('A request is sent again after 1, 2 and 4 s, up to a quarter later, and then no more', () => {
	const waits = (random: number) => [0, 1, 2, 3].map((nth) => waitBeforeRetry(nth, random));
	expect(waits(0)).toEqual([1_000, 2_000, 4_000, undefined]);
	expect(waits(1)).toEqual([1_250, 2_500, 5_000, undefined]);
});
