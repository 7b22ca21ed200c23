import fc from 'fast-check';

import { pathProblem } from '../../../nodes/CustomerMessaging/operations/customPath';

describe('A path that may lead to a broadcast is refused', () => {
	it.each([
		// As the service's reference writes them.
		'/api/v1/web/broadcast/all',
		'/api/v1/android/broadcast/all',
		'/api/v1/ios/broadcast/all',
		'/api/v1/web/broadcast/segment',
		'/api/v1/email/broadcast',
		'/api/v1/email/broadcast/all',
		'/api/v1/email/broadcast/segment',
		'/api/v1/sms/broadcast/',
		'/api/v1/sms/broadcast/all',
		// Behind a prefix, or of another version.
		'/prefix/api/v1/web/broadcast/all',
		'/index.php/api/v1/web/broadcast/all',
		'/proxy/https:/push.example.com/api/v1/web/broadcast/all',
		'/a/b/c/d/e/f/sms/broadcast',
		'/api/v2/web/broadcast/all',
		'/api/v1.1/email/broadcast',
		'/api/email/broadcast',
		'/v1/email/broadcast',
		'/email/broadcast',
		'/reports/email/broadcast/5',
		// With more than its name in a segment.
		'/api/v1/email/broadcast.json',
		'/api/v1/email/broadcast.json/all',
		'/api/v1/web/broadcast./all',
		'/api/v1/web/broadcast.../all',
		'/api/v1/web./broadcast/all',
		'/api/v1/web/broadcast,all',
		'/api/v1/web/broadcast:all',
		'/api/v1/web:broadcast',
		'/api/v1/web/broadcast=1',
		'/api/v1/web/broadcast(1)',
		'/api/v1/web/broadcast!',
		'/api/v1/web/broadcast~',
		'/api/v1/web/~broadcast/all',
		'/api/v1/web/broadcast;x=1/all',
		'/api/v1/web;x=1/broadcast/all',
		'/api/v1/web;/broadcast;/all;',
		'/api/v1/web%3Bx=1/broadcast/all',
		'/api/v1/web/broadcast-all',
		'/api/v1/web/broadcast_segment',
		'/api/v1/email/broadcasts',
		// With other slashes, dots and spaces.
		'/api/v1/web//broadcast/all',
		'//api/v1/web/broadcast/all',
		'/api/v1/web/./broadcast/all',
		'/api/v1/web\\broadcast\\all',
		'/api/v1/web%5Cbroadcast/all',
		'/api/v1/web%2Fbroadcast/all',
		'/api/v1/web%252Fbroadcast/all',
		'/api/v1/web%EF%BC%8Fbroadcast/all',
		'/api/v1/web/broadcast%20/all',
		'/api/v1/web/%20broadcast/all',
		'/api/v1/web/broadcast%2e/all',
		'/api/v1/web/broadcast%09/all',
		'/api/v1/web%c2%a0/broadcast/all',
		// In other letters.
		'/api/v1/EMAIL/Broadcast/all',
		'/api/v1/web/%62roadcast/all',
		'/api/v1/%77eb/broadcast/all',
		'/api/v1/web/%2562roadcast/all',
		'/api/v1/web/%252562roadcast/all',
		'/api/v1/%77%65%62/%62%72%6F%61%64%63%61%73%74/all',
		'/api/v1/web/broadca%C5%BFt/all',
		'/api/v1/web/broadca%EF%BD%93t/all',
		'/api/v1/web/%EF%BD%82roadcast/all',
		'/api/v1/web/%E2%93%91roadcast/all',
		'/api/v1/web/broadca%EF%AC%86/all',
		'/api/v1/web/%F0%9D%90%9Broadcast/all',
		'/api/v1/ema%C4%B1l/broadcast',
		'/api/v1/%C4%B0OS/broadcast/all',
		'/api/v1/web/bro%C3%A1dcast/all',
		'/api/v1/web/broadca%CC%81st/all',
		'/api/v1/web/br%D0%BEadcast/all',
		'/api/v1/w%D0%B5b/br%D0%BEadcast/all',
		'/api/v1/web/broadcast%D1%8B/all',
		// With characters that cannot be seen.
		'/api/v1/web/broad%00cast/all',
		'/api/v1/web/broadcast%00.html',
		'/api/v1/web/broad%E2%80%8Bcast/all',
		'/api/v1/web/broad%C2%ADcast/all',
		'/api/v1/web/broad%E3%85%A4cast/all',
		'/api/v1/web/broadcast%EF%B8%8F/all',
		'/api/v1/w%EF%BB%BFeb/broadcast/all',
		// With a query, or in one.
		'/api/v1/sms/broadcast?segment_id=1',
		'/api/v1/sms/broadcast/?segment_id=1',
		'/index.php?/api/v1/web/broadcast/all',
		'/index.php?route=web/broadcast/all',
		'/index.php?route=%2Fapi%2Fv1%2Fweb%2Fbroadcast',
		'/index.php?a=1&q=/api/v1/email/broadcast',
		'/api/v1/event/track?x=1?y=/web/broadcast',
		'/api/v1/event%3Fx=/web/broadcast',
	])('%s', (path) => {
		expect(pathProblem(path)).toContain('leads to a broadcast');
	});
});

describe('A path that reaches no broadcast is accepted', () => {
	it.each([
		'/api/v1/event/create',
		'/api/v1/event/track',
		'/api/v1/event/track/',
		'/api/v1/event/track?mode=async&tag=a%20b',
		'/api/v1/event/a.b-c_d~e',
		'/api/v1/event/gr%C3%BCn',
		'/api/v1/event/%E3%82%A4%E3%83%99%E3%83%B3%E3%83%88',
		'/api/v1/user/create',
		// One person.
		'/api/v1/sendMessage',
		'/api/v1/web/send',
		'/api/v1/android/send',
		// Reports and campaign management.
		'/reports/broadcasts?x=1',
		'/api/v1/broadcast',
		'/api/v1/broadcasts/5/report',
		'/api/v1/campaign/broadcast/5',
		'/api/v1/campaign/broadcast-report/5',
		'/api/v1/email/broadcast-report/5',
		'/api/v1/sms/broadcast_statistics',
		'/api/v1/email/broadcaster',
		'/api/v1/email/rebroadcast',
		'/api/v1/broadcast/email',
		'/api/v1/email/reports/broadcast',
		'/api/v1/webhooks/broadcast',
		'/api/v1/email-broadcast/5',
		'/api/v1/report?channel=email&type=broadcast',
		'/api/v1/report?email=broadcast',
		'/api/v1/report?path=/reports/broadcast',
		'/api/v1/report/web?broadcast=1',
		'/web',
		'/',
		`/${'a'.repeat(1_999)}`,
	])('%s', (path) => {
		expect(pathProblem(path)).toBeUndefined();
	});
});

describe('A path that leaves the address or hides something is refused', () => {
	it.each([
		'api/v1/event',
		'',
		'//evil.example/api',
		'/\\evil.example',
		'https://evil.example/api',
		'@evil.example',
		'/api/v1/../admin',
		'/api/v1/%2e%2e/admin',
		'/api/v1/web/x/../broadcast/all',
		'/api/v1/..;/admin',
		'/api/v1/a%2fb',
		'/api/v1/event#x',
		'/api/v1/event?a=1?b=2',
		'/api/v1/my event',
		'/api/v1/gr\u00fcn',
		`/${'a'.repeat(2_000)}`,
	])('%s', (path) => {
		expect(pathProblem(path)).toContain('stay on the credential');
	});

	it.each([
		['encodes nothing', '/api/v1/%zz'],
		['ends too early', '/api/v1/event%2'],
		['is meant as itself', '/api/v1/event?share=100%25'],
		['begins an encoding of another kind', '/api/v1/web/%u0062roadcast/all'],
		['is no UTF-8', '/api/v1/%FF'],
		['stands for a letter in too many bytes', '/api/v1/web/%c1%a2roadcast/all'],
		['is encoded many times', `/api/v1/web/%${'25'.repeat(10)}62roadcast/all`],
	])('because a percent sign %s', (_, path) => {
		expect(pathProblem(path)).toContain('Write each encoded character once');
	});
});

describe('For any path', () => {
	const name = fc.constantFrom('web', 'android', 'ios', 'email', 'sms');
	const around = fc.array(fc.constantFrom('/api', '/v1', '/x', '/a.b', '/index.php', '/%20'), {
		maxLength: 3,
	});
	const write = fc.constantFrom(
		(one: string) => one,
		(one: string) => one.toUpperCase(),
		(one: string) => `%${one.charCodeAt(0).toString(16)}`,
		(one: string) => `%25${one.charCodeAt(0).toString(16)}`,
		(one: string) => encodeURIComponent(String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
		(one: string) => `${one}%E2%80%8B`,
		(one: string) => `${one}%CC%81`,
	);

	it('no spelling of a broadcast passes', () => {
		const spelling = fc.array(write, { minLength: 16, maxLength: 16 });
		fc.assert(
			fc.property(around, name, spelling, around, (before, channel, ways, after) => {
				const [left, right] = [channel, 'broadcast'].map((word, at) =>
					[...word].map((one, index) => ways[at * 7 + index]?.(one)).join(''),
				);
				expect(pathProblem(`${before.join('')}/${left}/${right}${after.join('')}`)).toContain(
					'leads to a broadcast',
				);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('the result is a sentence or nothing, and no exception is thrown', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webPath(), fc.string()), (path) => {
				expect(pathProblem(path) ?? '').toMatch(/^$|^Path [a-z]/);
			}),
			{ numRuns: 2_000 },
		);
	});
});
