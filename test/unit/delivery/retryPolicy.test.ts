import { feedbackFrom, judge } from '../../../nodes/CustomerMessaging/delivery/retryPolicy';
import type { Reply } from '../../../nodes/CustomerMessaging/shared/reply';

const answer = (statusCode: number): Reply => ({ kind: 'answer', statusCode, body: { a: 1 } });
const answered = (statusCode: number) => ({ kind: 'answer' as const, statusCode, body: null });
const failure = (code: string, message = code): Reply => ({ kind: 'failure', code, message });
const once = { retryUnknown: false };
const again = { retryUnknown: true };

describe('The retry policy', () => {
	it.each([200, 201, 202, 204, 299])('accepts a request answered %d', (statusCode) => {
		const reply: Reply = { kind: 'answer', statusCode, body: { a: 1 }, remaining: 7 };
		expect(judge(reply, 0, once)).toEqual({
			next: 'end',
			ending: { outcome: 'accepted', statusCode, response: { a: 1 }, rateLimitRemaining: 7 },
		});
	});

	it('reports null if the response does not say what remains', () => {
		expect(judge(answer(200), 0, once)).toMatchObject({ ending: { rateLimitRemaining: null } });
	});

	it.each([199, 300, 301, 304, 307, 308, 400, 401, 403, 404, 409, 413, 422])(
		'rejects a request answered %d',
		(statusCode) => {
			for (const options of [once, again]) {
				expect(judge(answer(statusCode), 0, options)).toEqual({
					next: 'end',
					ending: { outcome: 'rejected', statusCode, response: { a: 1 } },
				});
			}
		},
	);

	it('queues a request answered 429 again, however often that happens', () => {
		for (const options of [once, again]) {
			for (const failures of [0, 3, 9]) {
				expect(judge(answer(429), failures, options)).toEqual({ next: 'queueAgain' });
			}
		}
	});

	it.each([302, 303, 408, 500, 501, 502, 503, 504, 520])(
		'retries a request answered %d only with `retryUnknown`',
		(statusCode) => {
			const unknown = { outcome: 'unknown', statusCode, response: { a: 1 } };
			expect(judge(answer(statusCode), 0, once)).toEqual({ next: 'end', ending: unknown });
			expect([0, 1, 2, 3].map((failures) => judge(answer(statusCode), failures, again))).toEqual([
				{ next: 'sendAgain', afterMs: 1_000, unknown },
				{ next: 'sendAgain', afterMs: 2_000, unknown },
				{ next: 'sendAgain', afterMs: 4_000, unknown },
				{ next: 'end', ending: unknown },
			]);
		},
	);

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
	])('treats a request that failed with %s (%s) as possibly processed', (code, message) => {
		const unknown = { outcome: 'unknown', code, message };
		expect(judge(failure(code, message), 0, once)).toEqual({ next: 'end', ending: unknown });
		expect([0, 1, 2, 3].map((failures) => judge(failure(code, message), failures, again))).toEqual([
			{ next: 'sendAgain', afterMs: 1_000, unknown },
			{ next: 'sendAgain', afterMs: 2_000, unknown },
			{ next: 'sendAgain', afterMs: 4_000, unknown },
			{ next: 'end', ending: unknown },
		]);
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
	])('retries when no connection was established: %s (%s)', (code, message) => {
		const ending = { outcome: 'notSent', reason: 'noConnection', code, message };
		for (const options of [once, again]) {
			expect(
				[0, 1, 2, 3].map((failures) => judge(failure(code, message), failures, options)),
			).toEqual([
				{ next: 'sendAgain', afterMs: 1_000 },
				{ next: 'sendAgain', afterMs: 2_000 },
				{ next: 'sendAgain', afterMs: 4_000 },
				{ next: 'end', ending },
			]);
		}
	});

	it.each([
		['CERT_HAS_EXPIRED', 'certificate has expired'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'],
		['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
		['EPROTO', 'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number'],
	])('does not retry when the TLS handshake failed: %s (%s)', (code, message) => {
		for (const options of [once, again]) {
			expect(judge(failure(code, message), 0, options)).toEqual({
				next: 'end',
				ending: { outcome: 'notSent', reason: 'certificate', code, message },
			});
		}
	});

	it('ends a withheld request as not sent for its reason, without a retry', () => {
		for (const options of [once, again]) {
			expect(judge({ kind: 'withheld', reason: 'stopped' }, 0, options)).toEqual({
				next: 'end',
				ending: { outcome: 'notSent', reason: 'stopped' },
			});
		}
	});
});

describe('The feedback to the rate limiter', () => {
	it('counts every response except 429, with its headers', () => {
		const headers = { remaining: 7, dateMs: 1_000 };
		for (const statusCode of [200, 400, 500]) {
			expect(feedbackFrom({ ...answered(statusCode), ...headers })).toEqual({
				kind: 'counted',
				...headers,
			});
		}
		expect(feedbackFrom({ ...answered(429), ...headers })).toEqual({
			kind: 'refused',
			dateMs: 1_000,
		});
	});

	it('passes Retry-After on only for 429, because with 503 it concerns an outage', () => {
		const retryAfterMs = 30_000;
		expect(feedbackFrom({ ...answered(429), retryAfterMs })).toMatchObject({ retryAfterMs });
		for (const statusCode of [202, 503]) {
			expect(feedbackFrom({ ...answered(statusCode), retryAfterMs })).toEqual({ kind: 'counted' });
		}
	});

	it('does not count what cannot have reached the service', () => {
		expect(feedbackFrom(failure('ECONNRESET'))).toEqual({ kind: 'unanswered' });
		expect(feedbackFrom(failure('ECONNREFUSED'))).toEqual({ kind: 'notCounted' });
		expect(feedbackFrom(failure('CERT_HAS_EXPIRED'))).toEqual({ kind: 'notCounted' });
		expect(feedbackFrom({ kind: 'withheld', reason: 'stopped' })).toEqual({ kind: 'notCounted' });
	});
});
