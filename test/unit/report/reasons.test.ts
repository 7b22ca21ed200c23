import { n8nFailure, quoteAnswer } from '../../../nodes/CustomerMessaging/report/reasons';
import type { EndingOf } from '../../../nodes/CustomerMessaging/shared/ending';

type Failed = EndingOf<'rejected' | 'notSent' | 'unknown'>;

const history = { isRetry: false, wasInterrupted: false, firstTryMs: 0 };
const nowMs = Date.parse('2026-11-23T12:00:00Z');
const answered = (statusCode: number, kind: 'rejected' | 'unknown' = 'rejected'): Failed => {
	return { kind, values: { statusCode, response: null } };
};
const unsent = (code: 'noConnection' | 'internalError' | 'stopped'): Failed => {
	return { kind: 'notSent', code };
};
const isDown = { cause: 'temporarily-unavailable' };

test.each<[string, Failed, object | undefined]>([
	['401', answered(401), { cause: 'credential-invalid' }],
	['403', answered(403), { cause: 'configuration-invalid' }],
	['404', answered(404), { cause: 'configuration-invalid' }],
	['400, which is about one row', answered(400), undefined],
	['503', answered(503, 'unknown'), isDown],
	['no answer', { kind: 'unknown' }, isDown],
	['no connection', unsent('noConnection'), isDown],
	['a mistake of the node', unsent('internalError'), { cause: 'node-defect' }],
	['Stop', unsent('stopped'), undefined],
	[
		'the rate limit',
		{ kind: 'notSent', code: 'rateLimit', values: { retryAt: '2026-11-23T13:01:30+01:00' } },
		{ cause: 'rate-limited', retryAfterMs: 90_000 },
	],
])("n8n's error tells n8n the cause of a failure without words: %s", (_, ending, failure) => {
	expect(n8nFailure(ending, { history }, nowMs)).toEqual(failure);
});

describe('The answer of a service that refuses a request', () => {
	it.each<[string, unknown, string]>([
		['an error in an object', { error: { code: 7, message: 'No such user' } }, 'No such user'],
		['an error and its details', { error: 'Bad', detail: 'userID' }, 'Bad: userID'],
		['a list, without what says nothing', ['one', null, '', {}, 'two'], 'one; two'],
		['each of its known keys', { details: 'b', reason: 'c', description: 'd' }, 'b: c: d'],
		['words that it says twice', { message: 'Bad', error: 'Bad' }, 'Bad'],
		['several sentences', '  One.\n Two. ', 'One. Two'],
		['JSON without a known key', { success: 'no' }, '{"success":"no"}'],
	])('is quoted from %s', (_what, response, quoted) => {
		expect(quoteAnswer(response)).toBe(quoted);
	});

	// What n8n would replace by its own words.
	const codes =
		'ECONNREFUSED ENOTFOUND ETIMEDOUT ERRADDRINUSE EADDRNOTAVAIL EHOSTUNREACH EAI_AGAIN ENOENT EISDIR ENOTDIR EACCES EEXIST EPERM getaddrinfo';
	const replaced = codes.split(' ').map((code) => ({ message: `connect ${code}` }));
	const page = ' <!doctype html><title>Bad Gateway</title>';

	it.each([null, {}, page, 7, ...replaced])('is left out: %j', (response) => {
		expect(quoteAnswer(response)).toBe('');
	});

	it('is cut where it is very long', () => {
		expect(quoteAnswer('x'.repeat(300))).toBe('x'.repeat(300));
		expect(quoteAnswer('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
	});
});
