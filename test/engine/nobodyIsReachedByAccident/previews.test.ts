import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { present } from '../support/endpoints';
import type { Course } from '../support/executionList';
import { email, push, sms, toCampaign } from '../support/mistakes';
import { apiKey, hintsIn, hintsOf, inShort, useNode } from '../support/node';
import * as order from '../support/orders';
import { pageOf, wordsOn } from '../support/pages';

freezeClock(present);
const node = useNode();

const onError = 'continueRegularOutput';
const paths = () => node.sandbox.record.map(({ path }) => path);
const arrivals = () => node.sandbox.record.map(({ path, body }) => [path, body]);

// *When Run by Hand* is not touched.
const toRows = push({ user_id: '={{ $json.id }}' });
const click = async (ids: string, more: INodeParameters = {}, course: Course = {}) => {
	const asked = { parameters: { ...toRows, ...more }, rows: [...ids].map((id) => ({ id })) };
	return await node.start({ ...asked, mode: 'manual', onError, ...course });
};

test('By hand, one recipient is sent to, unless When Run by Hand says otherwise', async () => {
	const shown = await click('a', { testRuns: 'preview' });
	expect([inShort(shown), paths()]).toEqual(['1 preview', []]);
	expect(hintsIn(shown)).toContain(
		"Nothing was sent: this is a preview. To send, set 'When Run by Hand' to Send, and execute it again.",
	);
	expect(inShort(await click('a'))).toBe('1 accepted');
	expect(inShort(await click('b', { platforms: ['web', 'ios'] }))).toBe('2 accepted');
	expect(inShort(await click('cc'))).toBe('1 accepted, 1 skipped sameMessage');
});

test('By hand, two and more recipients are shown, and the hint says how to send', async () => {
	const run = await click('abc');
	expect([inShort(run), paths()]).toEqual(['3 preview', []]);
	expect(hintsIn(run)).toContain(
		"Nothing was sent: by hand, a list is only shown. To send, set 'When Run by Hand' to Send, and execute it again.",
	);
	// A second click shows them again, and nothing counts as sent.
	expect(inShort(await click('abc'))).toBe('3 preview');
	expect(inShort(await click('abc', { testRuns: 'send' }))).toBe('3 accepted');
});

test('By hand, a bad row beside a good one is a list, and so is a loop of ones after its first', async () => {
	const run = await click('ab', { title: '={{ $json.id === "a" ? "" : "Hi" }}' });
	expect(inShort(run)).toBe('1 invalid, 1 preview');
	const { runs } = await click('abc', {}, { rowsPerRun: 1 });
	expect(runs.map(inShort)).toEqual(['1 accepted', '1 preview', '1 preview']);
});

// n8n may keep the choice of a message to one person.
const kept = { testRuns: 'previewLists' };
test.each<[string, INodeParameters]>([
	['a broadcast', order.pushToAll],
	['a broadcast that keeps a choice', { ...order.pushToAll, ...kept }],
	['a message to a campaign that keeps a choice', { ...toCampaign, ...kept }],
])('By hand, %s is only shown, also by a retry and an evaluation', async (_, parameters) => {
	for (const mode of ['manual', 'evaluation'] as const)
		expect(await node.says({ parameters, mode })).toBe('1 preview');
	const first = await node.failBefore({ parameters, mode: 'manual' });
	expect(inShort(await node.retry(first))).toBe('1 preview');
});

test.each(['trigger', 'webhook', 'integrated', 'evaluation', 'cli'] as const)(
	'a list in the mode %s is sent',
	async (mode) => expect(inShort(await click('ab', {}, { mode }))).toBe('2 accepted'),
);

const recipient = { testUserId: 'me-1', testEmail: 'me@example.com', testMobile: '+4915112345678' };

async function sendTest(parameters: INodeParameters, more: Course & { account?: object } = {}) {
	const account = { testRecipient: true, ...recipient, ...more.account };
	const asked = { ...parameters, testRuns: 'testRecipient' };
	return await node.start({ mode: 'manual', ...more, parameters: asked, account });
}

// Typed by hand from spec §4.
const now = { schedule_date: 20270304, schedule_time: 1506 };
const { notification, emailCampaign, smsCampaign } = order;
const toMe = { user_id: 'me-1', ...notification };
const toMyEmail = { email: 'me@example.com', ...emailCampaign, ...now };
const toMyMobile = { mobile: '+4915112345678', ...smsCampaign, ...now };
const onWeb = '/api/v1/web/send';
const onIos = '/api/v1/ios/send';

it.each([
	[order.pushToAll, onWeb, toMe],
	[order.emailToAll, '/api/v1/sendMessage', toMyEmail],
	[order.smsToAll, '/api/v1/sendMessage', toMyMobile],
	[order.smsSend, '/api/v1/sendMessage', toMyMobile],
])('A test message goes to the test recipient alone: %j', async (parameters, path, body) => {
	const { output } = await sendTest(parameters);
	expect(arrivals()).toEqual([[path, body]]);
	const [[key, value] = []] = Object.entries(body);
	const sent = { resource: parameters.resource, operation: 'send', outcome: 'accepted' };
	expect(output).toMatchObject([{ json: { ...sent, [key ?? '']: value, test: true } }]);
});

it('A test message is the first item on each platform, and the others are only shown', async () => {
	const parameters = push({ platforms: ['web', 'ios'], user_id: '={{ $json.id }}' });
	const run = await sendTest(parameters, { rows: ['C-1', 'C-2'].map((id) => ({ id })) });
	expect(arrivals()).toEqual([onWeb, onIos].map((path) => [path, toMe]));
	expect(run.output.map(({ json, binary }) => [json.outcome, json.platform, !!binary])).toEqual([
		['accepted', 'web', false],
		['accepted', 'ios', false],
		['preview', 'web', true],
		['preview', 'ios', true],
	]);
	expect(hintsIn(run)).toContain(
		'Test sent to me-1 on web, ios. Nobody else got it; other messages are only previewed. A test is sent at once, without fields that could reach others.',
	);
});

it('A test message leaves out what could reach others, and is sent at once', async () => {
	await sendTest({
		...order.emailToSegment,
		sendAt: 'at',
		scheduledFor: '2027-04-01T09:00:00Z',
		additionalFields: { ...order.emailExtras, extraBodyFields: { user_id: 'C-9', channel: 'x' } },
	});
	const { email_cc: _, ...kept } = order.emailExtras;
	expect(node.onlyArrival().body).toEqual({ ...toMyEmail, ...kept });

	node.sandbox.reset();
	const additionalFields = { ...order.appearance, ...order.devices };
	const delayed = { sendAt: 'delay', time: 90, platforms: ['android', 'ios'], additionalFields };
	await sendTest({ ...order.pushToAll, ...delayed });
	const { tag, ...everywhere } = order.everywhere;
	const body = { ...toMe, ...everywhere };
	expect(arrivals()).toEqual(['/api/v1/android/send', onIos].map((path) => [path, body]));
});

const open = (label: string) =>
	`Open the credential, switch on Test Recipient and fill in ${label}`;
const unusable = 'Test Mobile in the credential cannot be used: ';
it.each([
	['push', order.pushToAll, { testUserId: '' }, open('Test User ID')],
	['email', order.emailToAll, { testEmail: undefined }, open('Test Email')],
	['SMS', order.smsToAll, { testRecipient: false }, open('Test Mobile')],
	['SMS to no number', order.smsToAll, { testMobile: 'my phone' }, unusable],
])('A test message of %s without a test recipient says where to enter one', async (...one) => {
	const [, parameters, account, why] = one;
	expect((await sendTest(parameters, { account })).error?.message).toContain(why);
	expect(paths()).toEqual([]);
});

it('A test message that is refused says that it is the test that failed', async () => {
	node.sandbox.faults.add({ kind: 'status', status: 400 });
	const told = /^Test message: The service refused the request /;
	expect((await sendTest(order.pushToAll)).error?.message).toMatch(told);
	const run = await sendTest(order.pushToAll, { onError: 'continueErrorOutput' });
	expect(run.failed[0]?.json.error).toMatch(told);
	expect(run.failed[0]?.json.details).toMatchObject({ outcome: 'rejected', operation: 'send' });
	expect(hintsOf(run).slice(0, 2)).toEqual([
		'0 accepted, 1 not sent: refused by the service (1). What failed left by the error output.',
		expect.stringContaining('was not accepted everywhere'),
	]);
});

it('A test message is sent once in an execution with a loop', async () => {
	const parameters = { ...order.pushToAll, maxBroadcasts: 9 };
	const { runs } = await sendTest(parameters, { rows: [{}, {}, {}], rowsPerRun: 1 });
	expect(paths()).toEqual([onWeb]);
	expect(runs.map(inShort)).toEqual(['1 accepted', '1 preview', '1 preview']);
	expect(runs[1]?.hints[0]?.message).toContain('has sent its test message already');
});

it('A test message of which one platform failed is sent once if it is retried, which sends no broadcast', async () => {
	node.sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' }, first: 1 });
	const first = await sendTest({ ...order.pushToAll, platforms: ['web', 'ios'] });
	expect(first.error).toBeDefined();
	expect(inShort(await node.retry(first))).toBe('1 accepted before, 1 accepted');
	expect(paths()).toEqual([onWeb, onIos, onIos]);
});

it('A test message is neither skipped by Send Once nor taken for the real message', async () => {
	const once = { ...order.pushToAll, sendOnce: true, sendOnceKey: 'spring' };
	const told = [];
	for (const mode of ['manual', 'trigger', 'trigger', 'manual'] as const) {
		const { output } = await sendTest(once, { mode });
		told.push(`${output[0]?.json.outcome as string} ${output[0]?.json.operation as string}`);
	}
	expect(paths()).toEqual([onWeb, '/api/v1/web/broadcast/all', onWeb]);
	const ofAll = ['accepted broadcastAll', 'skipped broadcastAll'];
	expect(told).toEqual(['accepted send', ...ofAll, 'accepted send']);
});

const options = { previewOnly: true };

async function preview(parameters: INodeParameters, rows?: IDataObject[]) {
	const { output, error } = await node.run({ options, ...parameters }, { rows });
	expect([error, node.sandbox.record]).toEqual([undefined, []]);
	return output;
}

// By the GSM 03.38 alphabet: 160 characters in one part, 153 in each of several.
test('An SMS shows how it is cut', async () => {
	const [item] = await preview(sms({ message: 'a'.repeat(307) }));
	const said = { characters: { message: { count: 307 } }, sms: { parts: 3, encoding: 'GSM-7' } };
	expect(item?.json).toMatchObject(said);
});

test('The first ten previews carry the message as a page that n8n can show', async () => {
	const parameters = push({ user_id: '={{ $json.id }}', title: 'Hi 👩‍👩‍👧!' });
	const rows = Array.from({ length: 13 }, (_, row) => ({ id: `u-${row}` }));
	const output = await preview(parameters, rows);
	const pages = output.flatMap(({ binary }, item) => (binary?.preview ? [item] : []));
	expect(pages).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	// The viewer opens plain text only, and shows it by its file type.
	const file = { mimeType: 'text/plain', fileType: 'html', fileExtension: 'html' };
	expect(output[9]?.binary?.preview).toMatchObject({ ...file, fileName: 'item-9-web.html' });
	expect(pageOf(output[9])).toContain('<bdi>Hi 👩‍👩‍👧!</bdi>');
	expect(pageOf(output[9])).toContain('<bdi>u-9</bdi>');
});

test('The card says below the message whom it reaches, when, and where it leads', async () => {
	const [item] = await preview({
		...{ ...order.pushToSegment, segment_id: 7, platforms: ['android'] },
		...{ sendAt: 'at', scheduledFor: '2030-11-24T09:00:00', scheduleTimezone: 'Europe/Berlin' },
		url: 'http://example.com/sale',
	});
	const page = pageOf(item);
	expect(wordsOn(page)).toContain(
		' To segment 7 When Sun 24 Nov 2030, 09:00, Europe/Berlin Leads to http://example.com/sale ',
	);
	expect(page.match(/class="phone lock"/g)).toHaveLength(1);
});

const drawn = async (more: INodeParameters) => pageOf((await preview(email(more)))[0]);

test('A preview of an email shows its content as it is, but no secret', async () => {
	const content =
		'<html><body bgcolor="#eee"><style>.a { color: red }</style><p class="a" style=\'font: 1em "Segoe UI"\'>One&nbsp;&#39;&#128512;</p><a href="https://shop.example.com/?a=1&amp;b=2">Go</a></body></html>';
	const background = '<style>html { background: #fff }</style>';
	expect(await drawn({ content })).toContain(` ${background} ${content}`);
	expect(await drawn({ content: `<b>Key ${apiKey}</b>` })).not.toContain(apiKey);
});

// Without them, n8n's viewer and a browser request nothing: found with the viewer's own cleaning of HTML.
test.each([
	['<img src="//a.example">', '<img no-src="//a.example">'],
	['<b style="background: url(x)">', '<b style="background: no-url(x)">'],
	['<b style="background: u&#114;l(x)">', '<b style="background: u&amp;#114;l(x)">'],
	['<b style="background: u&#&#49;14;l(x)">', '<b style="background: u&#&#49;14;l(x)">'],
	['<b style="background: u\\72l(x)">', '<b style="background: u\\\\72l(x)">'],
	['<b style="a: -webkit-image-set(x)">', '<b style="a: -webkit-no-image-set(x)">'],
	['<style>@import "x";</style>', '<style>@no-import "x";</style>'],
	['<meta http-equiv="refresh">', '<meta no-http-equiv="refresh">'],
])('A preview of an email holds nothing that loads: %s', async (content, shown) => {
	const page = await drawn({ content });
	expect(page).toContain(shown);
	const policy = /content="default-src 'none'; style-src 'unsafe-inline'"/;
	expect(page.search(policy)).toBeLessThan(page.indexOf(shown));
	expect(page).toMatch(policy);
});

const text =
	'Hello <b> & "Co"\r\n\r\nSee (https://shop.example.com/?a=1&b=2).\nBye https://b.example';

const html =
	'<p>Hello &lt;b&gt; &amp; &quot;Co&quot;</p>\n<p>See (<a href="https://shop.example.com/?a=1&amp;b=2">https://shop.example.com/?a=1&amp;b=2</a>).<br>\nBye <a href="https://b.example">https://b.example</a></p>';

test.each<[string, INodeParameters, string]>([
	['HTML leaves as it is', {}, text],
	['text has paragraphs, line breaks and links, and no other HTML', { emailType: 'text' }, html],
])('An email of %s', async (_, more, content) => {
	for (const parameters of [order.emailSend, order.emailToAll])
		await node.run({ ...parameters, ...more, content: text });
	expect(node.arrived('content')).toEqual([content, content]);
	for (const body of node.bodies()) expect(body).not.toHaveProperty('emailType');
});

const hundred = 'x'.repeat(99);
const replaced = { replaceTypographicCharacters: true };
test('SMS with Replace Typographic Characters are shown, counted and sent with plain characters, in the message alone', async () => {
	const body = { campaign_name: 'Spring – 10…', message: `${hundred}-` };
	const parameters = sms({ ...body, message: `${hundred}–`, options: replaced });
	await node.run(parameters);
	expect(node.bodies()).toMatchObject([body]);
	const report = await node.run({ ...parameters, options: { ...replaced, ...options } });
	expect(report.output[0]?.json).toMatchObject({ body, sms: { parts: 1, encoding: 'GSM-7' } });
	const page = pageOf(report.output[0]);
	expect(page).toContain(`${hundred}-`);
	expect(page).not.toContain(`${hundred}–`);
});
