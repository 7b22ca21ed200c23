import { Batches, type Wire } from '../../../nodes/CustomerMessaging/engine';
import { waitBeforeHealthCheck } from '../../../nodes/CustomerMessaging/engine/pace/circuitBreaker';
import {
	MOST_LIMITED_ALONE,
	waitAfterLimited,
} from '../../../nodes/CustomerMessaging/engine/pace/limit';
import { Policy, ruleOf, type Verdict } from '../../../nodes/CustomerMessaging/engine/policy';
import { isWebPage, judge, type Reply } from '../../../nodes/CustomerMessaging/engine/replies';

const answer = (statusCode: number, body: unknown = { a: 1 }): Reply => ({
	...{ kind: 'answer', statusCode, body, remaining: 7 },
});
const failure = (code: string, message: string): Reply => ({ kind: 'failure', code, message });
const policy = new Policy({ retryUnknown: false });
const anyAnswer = new Policy({ retryUnknown: false, takesAnyAnswer: true });

describe('What a reply is', () => {
	const answers = (...codes: number[]) => codes.map((statusCode) => answer(statusCode));
	const says = (...bodies: unknown[]) => bodies.map((body) => answer(200, body));
	const page: Reply = { kind: 'answer', statusCode: 200, body: '<html>', isWebPage: true };
	const leaving = (remaining?: number) => ({ ...answer(429), remaining }) as Reply;

	test.each<[Verdict, ...Reply[]]>([
		['accepted', ...answers(200, 201, 202, 204, 299)],
		['notFound', ...answers(300, 301, 304, 307, 308, 404, 405, 407)],
		['failed', ...answers(302, 303, 408, 500, 501, 502, 503, 504, 520)],
		['invalid', ...answers(400, 422), { ...page, statusCode: 400 }],
		['unauthorized', answer(401)],
		['rejected', ...answers(402, 406, 409, 410, 418, 451)],
		['forbidden', answer(403)],
		['tooLarge', answer(413)],
		// It is the limit of the minute if nothing is left, or if it is not said what.
		['limited', leaving(), leaving(0)],
		['limitedOtherwise', leaving(7)],
		['webPage', page],
		// Any 2xx that does not say that it failed.
		['accepted', ...says(null, 'failed', 'error', [{ error: 1 }], {}, { success: 'no' })],
		['accepted', ...says({ status: 'queued' }, { errors: [] }, { errors: {} }, { error: null })],
		['accepted', ...says({ error: '' }, { error: 'None' }, { error: 0 }, { error: false })],
		['accepted', ...says({ error: '0' }, { errors: 'false' }, { errors: 'null' })],
		['accepted', ...says({ status: 'ok' }, { status: 'Success', error: 'x' })],
		['accepted', ...says({ success: true, errors: [1] }, { ok: true, error: 'a warning' })],
		['unanswered', failure('ECONNRESET', 'read ECONNRESET'), failure('SOMETHING_NEW', '')],
		['unanswered', failure('EPIPE', 'before secure TLS connection was established')],
		['unanswered', failure('ETIMEDOUT', 'read ETIMEDOUT')],
		['unanswered', failure('EPROTO', 'write EPROTO bad record mac')],
		['unconnected', failure('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9')],
		['unconnected', failure('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443')],
		['unconnected', failure('ERR_INVALID_URL', 'Invalid URL'), failure('PROXY_REFUSED', '407')],
		['unconnected', failure('NOT_OF_THIS_NODE', 'This credential works in one node only')],
		['unconnected', failure('UNKNOWN', 'Proxy connection ended before receiving CONNECT response')],
		['unconnected', failure('ECONNRESET', 'ended before secure TLS connection was established')],
		['unknownHost', failure('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example')],
		['certificate', failure('CERT_HAS_EXPIRED', ''), failure('SELF_SIGNED_CERT_IN_CHAIN', '')],
		['certificate', failure('ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match')],
		['certificate', failure('EPROTO', 'write EPROTO 80:error:0A00010B:SSL:wrong version number')],
		['blocked', failure('N8N_REFUSED', 'The request was blocked because …')],
	])('%s: %j', (verdict, ...replies) => {
		for (const reply of replies)
			expect([reply, judge(reply, policy).verdict]).toEqual([reply, verdict]);
	});

	test('a web page may be what a custom request asked for', () => {
		expect(judge(page).verdict).toBe('webPage');
		expect(judge(page, anyAnswer).verdict).toBe('accepted');
	});

	test.each<object>([
		...[{ success: false }, { success: 'False' }, { success: 0 }, { ok: 'false' }, { ok: 0 }],
		...[{ status: 401 }, { status: '503' }, { status: 'ERROR' }, { status: 400, success: true }],
		...[{ result: 'failed', success: true }, { error: true }],
		{ errors: [{ code: 7 }], status: 'x' },
	])('a 2xx that says it failed is declined: %j', (body) => {
		expect(judge(answer(200, body), policy).verdict).toBe('declined');
		// It is read whole, although only its beginning is kept.
		const cut = { kind: 'answer', statusCode: 200, body: '{', isTruncated: true } as const;
		expect(judge({ ...cut, whole: body }, policy).verdict).toBe('declined');
		expect(judge(answer(200, body), anyAnswer).verdict).toBe('accepted');
		expect(judge(answer(500, body), policy).verdict).toBe('failed');
	});
});

describe('What follows from it', () => {
	const inARow = ['inARow serviceUnavailable'];
	const addressRefused = ['ifConfirmed addressRefused'];
	/** By hand: the outcome; whether it counts against the limit; what it says of the service; when it is sent again; when it ends a run. */
	test.each<[Verdict[], outcome: string | undefined, string, string, string, ends: string[]]>([
		[['accepted'], 'accepted', 'counted', 'works', 'never', []],
		[['rejected', 'invalid', 'tooLarge'], 'rejected', 'counted', 'works', 'never', []],
		[['declined'], 'unknown', 'counted', 'declines', 'never', inARow],
		[['declinedByRule'], 'rejected', 'counted', 'declines', 'never', inARow],
		[['webPage'], 'unknown', 'counted', 'fails', 'withRetryUnknown', addressRefused],
		[['failed'], 'unknown', 'counted', 'fails', 'withRetryUnknown', []],
		[['unanswered'], 'unknown', 'unanswered', 'fails', 'withRetryUnknown', []],
		[['brokenOff'], 'unknown', 'unanswered', 'nothing', 'never', []],
		[['unauthorized'], 'rejected', 'counted', 'answers', 'never', ['atOnce credentialsRefused']],
		[['forbidden'], 'rejected', 'counted', 'answers', 'never', ['ifConfirmed credentialsRefused']],
		[['notFound'], 'rejected', 'counted', 'answers', 'never', addressRefused],
		[['limited'], undefined, 'limited', 'nothing', 'never', []],
		[['limitedOtherwise'], undefined, 'limitedOtherwise', 'nothing', 'never', []],
		[['unconnected'], 'notSent', 'notCounted', 'fails', 'always', []],
		[['unknownHost'], 'notSent', 'notCounted', 'fails', 'always', ['lasting noConnection']],
		[['blocked', 'certificate', 'notSent'], 'notSent', 'notCounted', 'nothing', 'never', []],
	])('%j: %s, %s, the service %s, again: %s', (verdicts, outcome, limit, service, again, ends) => {
		for (const verdict of verdicts) {
			const rule = ruleOf(verdict);
			expect([rule.outcome, rule.limit, rule.service]).toEqual([outcome, limit, service]);
			expect(rule.ends ? [`${rule.ends.when} ${rule.ends.as}`] : []).toEqual(ends);
			const repeats = [false, true].map((retryUnknown) =>
				new Policy({ retryUnknown }).waitBeforeRetry(verdict, 0, 0),
			);
			const wait = (isRepeated: boolean) => (isRepeated ? 1_000 : undefined);
			expect(repeats).toEqual([again === 'always', again !== 'never'].map(wait));
		}
	});

	test('it is sent again after 1, 2 and 4 s, up to a quarter later, and then no more', () => {
		const waits = (random: number) =>
			[0, 1, 2, 3].map((failures) => policy.waitBeforeRetry('unconnected', failures, random));
		expect(waits(0)).toEqual([1_000, 2_000, 4_000, undefined]);
		expect(waits(1)).toEqual([1_250, 2_500, 5_000, undefined]);
	});

	test('a batch is halved after 400, 413 and 422, until 100 messages were rejected alone', () => {
		const sizes = (statusCode: number, alone = 0, isAnyAccepted = false) => {
			const batching = new Policy({ retryUnknown: false, batchSize: 5 });
			const wire = { groupOf: () => '', bodyBytes: () => 1, elementBytes: () => 1 };
			const batches = new Batches<{ itemIndex: number }>(wire as unknown as Wire<object>, batching);
			const messages = Array.from({ length: 5 }, (_, itemIndex) => ({ itemIndex }));
			const settle = (status: number) => {
				const { ending } = judge(answer(status), batching);
				if (ending) batches.settle({ messages: messages.slice(0, 1) }, ending);
			};
			for (let times = 0; times < alone; times++) settle(400);
			if (isAnyAccepted) settle(200);
			const halves = batches.halves({ messages }, judge(answer(statusCode), batching).verdict);
			return halves?.map((half) => half.messages.length);
		};
		expect([400, 413, 422].map((status) => sizes(status))).toEqual(Array(3).fill([3, 2]));
		expect([409, 401, 500].map((status) => sizes(status))).toEqual(Array(3).fill(undefined));
		const all = [sizes(400, 99), sizes(400, 100), sizes(400, 100, true)];
		expect(all).toEqual([[3, 2], undefined, [3, 2]]);
	});

	test('waits after 429s, of which three to one request alone are enough, and between health checks', () => {
		expect(MOST_LIMITED_ALONE).toBe(3);
		const waits = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000];
		expect([0, 1, 2, 3, 4, 9].map(waitAfterLimited)).toEqual(waits);
		const checks = Array.from({ length: 12 }, (_, used) => waitBeforeHealthCheck(used, 0) / 1_000);
		expect(checks).toEqual([1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 25, 25]);
		expect(waitBeforeHealthCheck(3, 9)).toBe(2_000);
		expect(waitBeforeHealthCheck(3, 10)).toBe(300_000);
	});

	test('batches of 100 make a request of each hundred, and one message each without', () => {
		const batches = new Policy({ retryUnknown: false, batchSize: 100 });
		const requests = [0, 1, 100, 101].map((messages) => batches.countRequests(messages));
		expect(requests).toEqual([0, 1, 1, 2]);
		expect(policy.countRequests(7)).toBe(7);
	});
});

test.each<[isPage: boolean, ...bodies: unknown[]]>([
	[true, '<!DOCTYPE html><title>Log in</title>', '<HTML lang="en">', ' <title>Log in</title>'],
	[true, '<script>location = "/login"</script>', '<meta http-equiv="refresh" content="0">'],
	[true, ' \r\n<head><title>Log in</title>', '\ufeff<body class="x">'],
	[true, '<!-- proxy <p> --> <!----><html>'],
	[true, '<?xml version="1.0" encoding="UTF-8"?>\n<!-- a -->\n<!doctype  html>'],
	[false, '', '  ', '<h1>Thanks</h1>', '<htmlx>', '<header>', '<scripts>', '<metal>', '<titles/>'],
	[false, '<!doctype plist>', '<?xml ?><ok/>', '<!-- <html>', '<?xml <html>', 'x <html>', null],
	[false, '{"text":"<html>"}', { body: '<html>' }, '<!--'.repeat(50_000)],
])('A web page is known by what it begins with (%p): %.60j', (isPage, ...bodies) => {
	for (const body of bodies) expect([body, isWebPage(body)]).toEqual([body, isPage]);
});
