import { push } from '../../../nodes/CustomerMessaging/operations/push';
import { sms } from '../../../nodes/CustomerMessaging/operations/sms';
import { previewPage } from '../../../nodes/CustomerMessaging/report/previewPage/page';
import { operationOf, preview } from './support/results';
import { emailPageOf, pageOf, pushPageOf, smsPageOf, wordsOf } from './support/pages';

/** The words of a page below its card. */
const viewOf = (page: string) => wordsOf(page).split('Empty placeholders None ')[1]?.trim();
/** The classes of a page in order, without those of its card. */
const classesOf = (page: string) =>
	[...(page.split('<table class="facts checks">')[1] ?? '').matchAll(/class="([\w -]+)"/g)]
		.map(([, name]) => name)
		.filter((name) => name !== 'good' && name !== 'look');

const sale = {
	user_id: 'C-1',
	title: 'Spring sale',
	message: '20% off until Sunday',
	url: 'https://shop.example.com/sale',
	image_url: 'https://cdn.example.com/small.jpg',
	hero_image_url: 'https://cdn.example.com/large.jpg',
	button_one_title: 'Shop now',
	button_two_title: 'Hours',
	button_two_url: 'https://shop.example.com/hours',
};
const card = 'shop.example.com now Spring sale 20% off until Sunday';
const image = (address: string) =>
	`Image https://cdn.example.com/${address} Not loaded in this preview`;
const facts =
	'To User ID C-1 When Now Leads to https://shop.example.com/sale Second button https://shop.example.com/hours Image https://cdn.example.com/small.jpg Large image https://cdn.example.com/large.jpg';

describe('The preview of a push', () => {
	it('shows a browser and a lock screen for web', () => {
		const page = pushPageOf(sale);
		expect(viewOf(page)).toBe(
			`shop.example.com ${card} ${image('large.jpg')} Shop now Hours In a browser. Buttons and the large image need Chrome. 9:41 ${card} ${image('large.jpg')} Shop now Hours On the lock screen, from a browser on a phone. Each device shows it in its own way. ${facts} Title 11 characters Message 20 characters`,
		);
		const cardClasses = [
			'card',
			'card-head',
			'icon',
			'app',
			'title',
			'text',
			'image',
			'note',
			'buttons',
		];
		expect(classesOf(page)).toEqual([
			'scenes',
			...['scene', 'browser', 'bar', 'dots', 'address', 'desk', ...cardClasses, 'caption'],
			...['scene android', 'phone', 'clock', ...cardClasses, 'caption'],
			'facts',
		]);
	});

	it.each([
		['android', 'an Android phone', 'scene android'],
		['ios', 'an iPhone', 'scene ios'],
	] as const)('shows a lock screen without buttons for %s', (platform, phone, scene) => {
		const page = pushPageOf(sale, { platform });
		expect(viewOf(page)).toBe(
			`9:41 Your app now Spring sale 20% off until Sunday ${image('small.jpg')} On the lock screen of ${phone}. Each device shows it in its own way. ${facts} Title 11 of 70 characters Message 20 of 130 characters`,
		);
		expect(classesOf(page)).toContain(scene);
	});

	it('shows the small image in a browser if there is no large one', () => {
		const page = pushPageOf({ title: 'Hi', image_url: 'https://cdn.example.com/small.jpg' });
		expect(wordsOf(page)).toContain(`now Hi ${image('small.jpg')} In a browser`);
	});

	it('shows one button, or no image', () => {
		const words = wordsOf(pushPageOf({ title: 'Hi', message: 'You', button_two_title: 'Hours' }));
		expect(words).toContain('Your site now Hi You Hours In a browser.');
		expect(pushPageOf({ title: 'Hi', message: 'You' })).not.toContain('class="buttons"');
	});

	it.each([
		[{ kind: 'delay', seconds: 1 }, '9:41', '1 second after it is sent'],
		[{ kind: 'delay', seconds: 90 }, '9:41', '90 seconds after it is sent'],
		[{ kind: 'now' }, '9:41', 'Now'],
		[
			{ kind: 'at', instantMs: Date.UTC(2026, 11, 1, 8, 30), zone: 'Europe/Berlin' },
			'09:30',
			'2026-12-01 09:30:00, Europe/Berlin',
		],
	] as const)('shows its time: %j', (schedule, clock, when) => {
		const page = pushPageOf({}, { platform: 'ios', schedule });
		expect(page).toContain(`<div class="clock">${clock}</div>`);
		expect(wordsOf(page)).toContain(`✓ Time ${when} ✓`);
		expect(wordsOf(page)).toContain(`When ${when} Title`);
	});

	it('shortens what is very long', () => {
		const long = 'x'.repeat(201);
		const page = pushPageOf({ title: 'x'.repeat(2_001), image_url: long, button_one_title: long });
		const cut = (length: number) =>
			`<bdi>${'x'.repeat(length)}</bdi>… <i class="note">and 1 more characters</i>`;
		expect(page).toContain(`<p class="title">${cut(2_000)}</p>`);
		expect(page).toContain(`<div class="buttons"><span>${cut(200)}</span></div>`);
		expect(page).toContain(`</b><span>${cut(200)}</span`);
		const host = `${'x'.repeat(60)}.${'y'.repeat(40)}`;
		expect(pushPageOf({ url: `https://${host}/` })).toContain(
			`<span class="app"><bdi>${host.slice(0, 100)}</bdi>… <i class="note">and 1 more characters</i></span>`,
		);
	});
});

describe('The preview of an SMS', () => {
	const toAnn = { sender_name: 'Acme', sender_mobile: '+4915100000000', mobile: '+4915112345678' };

	it('shows a phone with the part, and its facts', () => {
		const page = smsPageOf({ ...toAnn, message: 'Hello', campaign_name: 'Spring' });
		expect(viewOf(page)).toBe(
			'Acme Hello Part 1 of 1 The phone joins the parts again. Each part is charged. Parts 1 Alphabet GSM-7: up to 160 characters in one part, or 153 in each of several Length 5 characters To Mobile +4915112345678 From Acme +4915100000000 When Now Campaign Spring',
		);
		expect(classesOf(page)).toEqual([
			...['scene', 'phone', 'sender', 'part', 'bubble', 'note', 'caption', 'facts'],
		]);
	});

	it('shows the number of the sender if it has no name', () => {
		const page = smsPageOf({ sender_mobile: '+4915100000000', message: 'Hello' });
		expect(page).toMatch(/<p class="sender">\s*<bdi>\+4915100000000<\/bdi>/);
		expect(wordsOf(page)).toContain('From +4915100000000 When');
		expect(smsPageOf({ sender_name: 'x'.repeat(201), message: '' })).toContain(
			`${'x'.repeat(200)}</bdi>… <i class="note">and 1 more characters</i>\n`,
		);
	});

	it('names the character that costs a second part', () => {
		expect(viewOf(smsPageOf({ message: `${'a'.repeat(80)}–` }))).toContain(
			'Parts 2 Shorter Typographic characters (–) make it 2 parts instead of 1 Alphabet UCS-2, because a character is not in GSM-7: up to 70 characters in one part, or 67 in each of several Length 81 characters',
		);
	});

	it('shows ten parts, and counts the others', () => {
		const words = (count: number) => wordsOf(smsPageOf({ message: 'ж'.repeat(67 * count) }));
		expect(words(10)).toContain('Part 10 of 10 The phone joins');
		expect(words(11)).toContain('Part 10 of 11 And 1 more part. The phone joins');
		expect(words(12)).toContain('Part 10 of 12 And 2 more parts. The phone joins');
	});

	it('shows the beginning of a text that is too long to count', () => {
		const page = smsPageOf({ message: 'a'.repeat(5_001) });
		expect(wordsOf(page)).toContain('Part 1 of 1 The phone');
		expect(wordsOf(page)).toContain('charged. Parts Too long to count Length 5001 characters');
	});
});

describe('The preview of an email', () => {
	it('shows its subject, its envelope, its content and its links', () => {
		const page = emailPageOf({
			email: 'ann@example.com',
			subject: 'Spring',
			sender_name: 'Acme',
			sender_email: 'news@acme.example',
			email_cc: 'team@acme.example',
			reply_to: 'help@acme.example',
			campaign_name: 'March',
			content: '<a href="https://a.example">Sale</a>',
		});
		expect(viewOf(page)).toBe(
			'Spring From Acme <news@acme.example> To Email ann@example.com Cc team@acme.example Reply to help@acme.example When Now Campaign March Sale 1 https://a.example About what it looks like: images are not loaded, links lead nowhere, and styles other than colors, sizes and alignment are left out.',
		);
		expect(classesOf(page)).toEqual([
			...['mail', 'subject', 'facts', 'content', 'link', 'links', 'note'],
		]);
	});

	it('names its sender by what is known', () => {
		const fromOf = (sender: object) =>
			/<th>From<\/th>\s*<td><bdi>(.*?)<\/bdi>/.exec(emailPageOf({ ...sender, content: 'Hi' }))?.[1];
		expect(fromOf({ sender_name: 'Acme' })).toBe('Acme');
		expect(fromOf({ sender_email: 'news@acme.example' })).toBe('&lt;news@acme.example&gt;');
		expect(fromOf({})).toBeUndefined();
	});

	it('lists no links if it has none, and counts those beyond 50', () => {
		const pageWith = (count: number) =>
			emailPageOf({ content: `<b>a</b>${'<a href="https://a.example">a</a>'.repeat(count)}` });
		expect(pageWith(0)).not.toContain('<ol');
		expect(wordsOf(pageWith(50))).toContain('https://a.example About what');
		expect(wordsOf(pageWith(52))).toContain('https://a.example And 2 more links. About what');
	});

	it('shortens long addresses', () => {
		const page = emailPageOf({ content: `<a href="${'x'.repeat(301)}">a</a>` });
		expect(page).toContain(
			`<li><bdi>${'x'.repeat(300)}</bdi>… <i class="note">and 1 more characters</i></li>`,
		);
	});
});

describe('A preview', () => {
	it('is headed by its channel, its operation and its item', () => {
		const headOf = (page: string) => wordsOf(page).split(' ✓')[0]?.trim();
		expect(headOf(pushPageOf({}))).toBe('Push: Send to User Preview of item 0');
		expect(headOf(pageOf(sms, { message: '' }, { itemIndex: 7 }))).toBe(
			'SMS: Send to User Preview of item 7',
		);
		expect(headOf(emailPageOf({ content: '' }))).toBe('Email: Send to User Preview of item 0');
		expect(headOf(pageOf(push, {}, { platform: 'web' }, 'broadcastAll'))).toBe(
			'Push: Broadcast to Everyone Preview of item 0',
		);
	});

	it('says if it is the worst of all', () => {
		const run = { resource: 'sms', operation: operationOf('sms', 'send') };
		const badges = (worst?: string) =>
			[...(previewPage(preview(0), run, worst) ?? '').matchAll(/"badge">(.*?)</g)].map(
				([, text]) => text,
			);
		expect(badges('the most <parts>')).toEqual([
			'Preview of item 0',
			'Of all messages: the most &lt;parts&gt;',
		]);
		expect(badges()).toEqual(['Preview of item 0']);
	});

	it.each([
		['of a user', 'user', 'create', {}],
		['of a custom request', 'customRequest', 'post', { platform: 'web' as const }],
		['of a push without a platform', 'push', 'send', {}],
		['of a message that is a list', 'sms', 'send', { buildBody: () => ['a'] }],
	])('%s is missing, because nothing can be shown', (_what, resource, operation, delivery) => {
		const run = { resource, operation: operationOf(resource, operation) };
		expect(previewPage(preview(0, delivery), run)).toBeUndefined();
	});

	it('has the styles of its channel', () => {
		const styled = (page: string) =>
			['.page', '.browser', '.bubble', '.mail'].filter((name) => page.includes(`\n${name} {`));
		expect(styled(pushPageOf({}))).toEqual(['.page', '.browser']);
		expect(styled(smsPageOf({ message: '' }))).toEqual(['.page', '.bubble']);
		expect(styled(emailPageOf({ content: '' }))).toEqual(['.page', '.mail']);
	});

	it('shows texts as text, and what is no text as JSON', () => {
		expect(pushPageOf({ title: '<b>&"\'' })).toContain('<bdi>&lt;b&gt;&amp;&quot;&#39;</bdi>');
		expect(pushPageOf({ title: { a: 1 }, message: 7 })).toContain('<bdi>{&quot;a&quot;:1}</bdi>');
		expect(pushPageOf({ title: null, message: 'x' })).toContain('<p class="title"><bdi></bdi></p>');
	});

	it('names everybody whom it reaches', () => {
		const both = smsPageOf({ mobile: '+4915112345678', user_id: 'C-1', message: '' });
		expect(wordsOf(both)).toContain('To Mobile +4915112345678, User ID C-1 When');
		const segment = pushPageOf({}, { audience: 'segment 42' });
		expect(wordsOf(segment)).toContain('To Segment 42 When');
	});
});
