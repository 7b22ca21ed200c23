import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, push, sms } from '../support/mistakes';
import { apiKey, useNode } from '../support/node';
import * as order from '../support/orders';
import { pageOf, wordsOn } from '../support/pages';

const node = useNode();
const previewOnly = true;
const options = { previewOnly };

async function preview(parameters: INodeParameters, rows?: IDataObject[]) {
	const { urls } = node.sandbox;
	// With the limits of an account that has not raised them.
	const credential = { ...urls, brandId: 'sandbox-brand', apiKey: 'sandbox-key' };
	const report = await node.run({ options, ...parameters }, { rows, credential });
	expect([report.error, node.sandbox.record]).toEqual([undefined, []]);
	return report;
}

// By the GSM 03.38 alphabet: 160 characters in one part, 153 in each of several.
test('An SMS shows how it is cut', async () => {
	const [item] = (await preview(sms({ message: 'a'.repeat(307) }))).output;
	const said = { characters: { message: { count: 307 } }, sms: { parts: 3, encoding: 'GSM-7' } };
	expect(item?.json).toMatchObject(said);
});

test('The first ten previews carry the message as a page that n8n can show', async () => {
	const parameters = push({ user_id: '={{ $json.id }}', title: 'Hi 👩‍👩‍👧!' });
	const rows = Array.from({ length: 13 }, (_, row) => ({ id: `u-${row}` }));
	const { output } = await preview(parameters, rows);
	const pages = output.flatMap(({ binary }, item) => (binary?.preview ? [item] : []));
	expect(pages).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	// The viewer opens plain text only, and shows it by its file type.
	const file = { mimeType: 'text/plain', fileType: 'html', fileExtension: 'html' };
	expect(output[9]?.binary?.preview).toMatchObject({ ...file, fileName: 'item-9-web.html' });
	expect(pageOf(output[9])).toContain('<bdi>Hi 👩‍👩‍👧!</bdi>');
	expect(pageOf(output[9])).toContain('<bdi>u-9</bdi>');
});

test('The card says below the message whom it reaches, when, and where it leads', async () => {
	const { output } = await preview({
		...{ ...order.pushToSegment, segment_id: 7, platforms: ['android'] },
		...{ sendAt: 'at', scheduledFor: '2030-11-24T09:00:00', scheduleTimezone: 'Europe/Berlin' },
		url: 'http://example.com/sale',
	});
	const page = pageOf(output[0]);
	expect(wordsOn(page)).toContain(
		' To segment 7 When Sun 24 Nov 2030, 09:00, Europe/Berlin Leads to http://example.com/sale ',
	);
	expect(page.match(/class="phone lock"/g)).toHaveLength(1);
});

const drawn = async (more: INodeParameters) =>
	pageOf((await node.run(email({ options, ...more }))).output[0]);

test('A preview of an email shows its content as it is', async () => {
	const content =
		'<html><body bgcolor="#eee"><style>.a { color: red }</style><p class="a" style=\'font: 1em "Segoe UI"\'>One&nbsp;&#39;&#128512;</p><a href="https://shop.example.com/?a=1&amp;b=2">Go</a></body></html>';
	const background = '<style>html { background: #fff }</style>';
	expect(await drawn({ content })).toContain(` ${background} ${content}`);
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

test('A preview of an email shows no secret', async () => {
	expect(await drawn({ content: `<b>Key ${apiKey}</b>` })).not.toContain(apiKey);
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
	const report = await node.run({ ...parameters, options: { ...replaced, previewOnly } });
	const parts = { parts: 1, encoding: 'GSM-7' };
	expect(report.output[0]?.json).toMatchObject({ body, sms: parts });
	const page = pageOf(report.output[0]);
	expect(page).toContain(`${hundred}-`);
	expect(page).not.toContain(`${hundred}–`);
});
