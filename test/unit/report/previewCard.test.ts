import { email } from '../../../nodes/CustomerMessaging/operations/email';
import type { Body, Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';
import { emailPageOf, pageOf, pushPageOf, smsPageOf } from './support/pages';

/** The lines of the card at the top of a page: its sign, name and text. */
function cardOf(page: string): string[] {
	const [card = ''] = /<table class="facts checks">.*?<\/table>/s.exec(page) ?? [];
	return [
		...card.matchAll(/<span class="(\w+)">(.)<\/span> ([\w ]*?)\s*<\/th>\s*<td>(.*?)<\/td>/gs),
	].map(([, ...parts]) => parts.join(' ').replace(/<\/?bdi>|\s+(?= )/g, ''));
}

const pushCard = (body: Body, delivery: Partial<Delivery> = {}) =>
	cardOf(pushPageOf(body, delivery)).filter((line) => !/Time|placeholders/.test(line));

describe('The card at the top of a preview', () => {
	it('shows a message to one person in green', () => {
		const toAnn = {
			email: 'ann@example.com',
			sender_name: 'Acme',
			sender_email: 'news@acme.example',
			content: 'Hello',
		};
		expect(cardOf(emailPageOf(toAnn))).toEqual([
			'good ✓ Audience Email ann@example.com',
			'good ✓ Sender Acme, news@acme.example',
			'good ✓ Time Now',
			'good ✓ Links None',
			'good ✓ Empty placeholders None',
		]);
		expect(cardOf(smsPageOf({ sender_mobile: '+4915100000000' }))).toContain(
			'good ✓ Sender +4915100000000',
		);
		expect(pushCard({ user_id: 'C-1' })[0]).toBe('good ✓ Audience User ID C-1');
	});

	it.each([
		['web', 'look ! Audience Everyone, on Web'],
		['ios', 'look ! Audience Everyone, on iOS'],
		['android', 'look ! Audience Everyone, on Android'],
	] as const)('asks to look at a broadcast on %s', (platform, line) => {
		expect(pushCard({}, { platform, audience: 'everyone' })[0]).toBe(line);
	});

	it('asks to look at a broadcast by email', () => {
		expect(cardOf(pageOf(email, {}, { audience: 'segment 42' }))).toContain(
			'look ! Audience Segment 42',
		);
	});

	it.each([
		['one', { url: 'https://a.example/x?y=1' }, 'good ✓ Links 1 to https://a.example'],
		[
			'several to the same host once',
			{ message: 'https://a.example/x, HTTPS://b.example', url: 'https://a.example' },
			'good ✓ Links 3 to https://a.example, HTTPS://b.example',
		],
		[
			'one without encryption',
			{ url: 'HTTP://a.example', button_two_url: 'https://b.example' },
			'look ! Links 2 to HTTP://a.example, https://b.example',
		],
		[
			'five hosts',
			{ message: [1, 2, 3, 4, 5].map((n) => `https://${n}.example`).join(' ') },
			'good ✓ Links 5 to https://1.example, https://2.example, https://3.example, https://4.example, https://5.example',
		],
		[
			'seven hosts',
			{ message: [1, 2, 3, 4, 5, 6, 7].map((n) => `https://${n}.example`).join(' ') },
			'good ✓ Links 7 to https://1.example, https://2.example, https://3.example, https://4.example, https://5.example and 2 more',
		],
		[
			'none for images, numbers and words',
			{ hero_image_url: 'https://a.example', url: 7, message: 'xhttp://a and https://' },
			'good ✓ Links None',
		],
		[
			'those in tags without their quotes',
			{
				message:
					'<a href="https://a.example"></a><a href=\'https://b.example\'><https://c.example>',
			},
			'good ✓ Links 3 to https://a.example, https://b.example, https://c.example',
		],
	])('counts links: %s', (_what, body, line) => {
		expect(pushCard(body)).toEqual([line]);
	});

	it.each([
		['a', 'good ✓ SMS parts 1 part'],
		['a'.repeat(161), 'look ! SMS parts 2 parts, each is charged'],
		['a'.repeat(5_001), 'look ! SMS parts Too long to count'],
	])('counts the parts of an SMS (case %#)', (message, line) => {
		expect(cardOf(smsPageOf({ message }))).toContain(line);
	});

	it('names empty placeholders', () => {
		const gaps = [
			{ field: 'title', code: '$json.name' },
			{ field: 'message', code: '$json.city' },
		];
		expect(cardOf(pushPageOf({}, { gaps }))).toContain(
			'look ! Empty placeholders Title: {{ $json.name }}, Message: {{ $json.city }}',
		);
	});
});
