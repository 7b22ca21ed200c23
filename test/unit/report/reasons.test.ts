import { n8nFailure, quoteAnswer } from '../../../nodes/CustomerMessaging/report/reasons';
import type { EndingOf } from '../../../nodes/CustomerMessaging/shared/ending';
import { publishedSources } from '../../engine/security/support/patterns';

type Failed = EndingOf<'rejected' | 'notSent' | 'unknown'>;

const history = { isRetry: false, wasInterrupted: false, firstTryMs: 0 };
const nowMs = Date.parse('2026-11-23T12:00:00Z');
const answered = (statusCode: number): Failed =>
	statusCode < 500
		? { kind: 'rejected', values: { statusCode, response: null } }
		: { kind: 'unknown', values: { statusCode, response: null } };

test.each<[string, Failed, object | undefined]>([
	['401', answered(401), { cause: 'credential-invalid' }],
	['403', answered(403), { cause: 'configuration-invalid' }],
	['404', answered(404), { cause: 'configuration-invalid' }],
	['400, which is about one row', answered(400), undefined],
	['503', answered(503), { cause: 'temporarily-unavailable' }],
	['no answer', { kind: 'unknown' }, { cause: 'temporarily-unavailable' }],
	[
		'no connection',
		{ kind: 'notSent', code: 'noConnection' },
		{ cause: 'temporarily-unavailable' },
	],
	['a mistake of the node', { kind: 'notSent', code: 'internalError' }, { cause: 'node-defect' }],
	['Stop', { kind: 'notSent', code: 'stopped' }, undefined],
	[
		'the rate limit',
		{ kind: 'notSent', code: 'rateLimit', values: { retryAt: '2026-11-23T13:01:30+01:00' } },
		{ cause: 'rate-limited', retryAfterMs: 90_000 },
	],
])("n8n's error tells n8n the cause of a failure without words: %s", (_, ending, failure) => {
	expect(n8nFailure(ending, { history }, nowMs)).toEqual(failure);
});

const sources = publishedSources(['nodes']).map(({ source }) => source.text);

/** What the node says: the texts of its templates and strings that are sentences. */
const said = sources
	.flatMap((source) => [...source.matchAll(/`([^`]{30,})`|'([^'\n]{30,})'|"([^"\n]{30,})"/g)])
	.map(([, ...texts]) => texts.find(Boolean) ?? '')
	.filter((text) => / /.test(text));

test("No pattern of the node's code reads a sentence of the node's own", () => {
	const patterns = sources.flatMap((source) =>
		[...source.matchAll(/[(=,:]\s*\/((?![*/])(?:\\.|\[[^\]\n]*\]|[^/\\\n])+)\/[dgimsuy]*/g)].map(
			([, pattern = '']) => pattern,
		),
	);
	expect(patterns.length).toBeGreaterThan(100);
	// Two words in a row are of a language.
	const inWords = patterns.filter((pattern) => /[a-z]{3,} [a-z]{2,}/i.test(pattern));
	const own = inWords.filter((pattern) => {
		const [words = ''] = /[a-z]{3,} [a-z]{2,}(?: [a-z]{2,})*/i.exec(pattern) ?? [];
		return said.some((text) => text.includes(words));
	});
	// What JavaScript and proxies write.
	const ofOthers = /Invalid Date|CONNECT response/;
	expect(own.filter((pattern) => !ofOthers.test(pattern))).toEqual([]);
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

	/** What n8n would replace by its own words. */
	const codes =
		'ECONNREFUSED ENOTFOUND ETIMEDOUT ERRADDRINUSE EADDRNOTAVAIL EHOSTUNREACH EAI_AGAIN ENOENT EISDIR ENOTDIR EACCES EEXIST EPERM getaddrinfo';
	const replaced = codes.split(' ').map((code) => ({ message: `connect ${code}` }));

	it.each([null, {}, ' <!doctype html><title>Bad Gateway</title>', 7, ...replaced])(
		'is left out: %j',
		(response) => expect(quoteAnswer(response)).toBe(''),
	);

	it('is cut where it is very long', () => {
		expect(quoteAnswer('x'.repeat(300))).toBe('x'.repeat(300));
		expect(quoteAnswer('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
	});
});
