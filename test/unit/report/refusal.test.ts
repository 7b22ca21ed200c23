import { quoteAnswer } from '../../../nodes/CustomerMessaging/report/reasons';

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
