import { quoteAnswer } from '../../../nodes/CustomerMessaging/report/refusal';

describe('The answer of a service that refuses a request', () => {
	it.each<[string, unknown, string]>([
		['text', 'Bad userID.\n', 'Bad userID'],
		['a message', { status: 'error', message: 'Invalid resource' }, 'Invalid resource'],
		['an error in an object', { error: { code: 7, message: 'No such user' } }, 'No such user'],
		['several errors', { errors: [{ message: 'one' }, 'two'] }, 'one; two'],
		['an error and its details', { error: 'Bad', detail: 'userID' }, 'Bad: userID'],
		['JSON without a known key', { success: 'no' }, '{"success":"no"}'],
	])('is quoted from %s', (_what, response, quoted) => {
		expect(quoteAnswer(response)).toBe(quoted);
	});

	it.each<[string, unknown]>([
		['nothing', null],
		['an empty object', {}],
		['a web page', '<!doctype html><title>Bad Gateway</title>'],
		['what n8n would replace by its own words', { message: 'connect ECONNREFUSED' }],
	])('is left out if it is %s', (_what, response) => {
		expect(quoteAnswer(response)).toBe('');
	});

	it('is cut where it is very long', () => {
		expect(quoteAnswer('x'.repeat(5_000))).toHaveLength(301);
	});
});
