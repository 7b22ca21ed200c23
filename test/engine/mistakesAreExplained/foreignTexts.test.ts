import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Order } from '../support/engine';
import { email, push, sms, toCampaign } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

/** What becomes of a row, and what the hints say of such texts. */
async function send(parameters: INodeParameters, row: IDataObject = {}, mode?: 'manual') {
	node.sandbox.reset();
	const rest: Partial<Order> = { rows: [row], onError: 'continueErrorOutput', mode };
	const { failed, error, output, hints } = await node.run(parameters, rest);
	expect(error).toBeUndefined();
	const shown = hintsOf({ hints }).map((hint) => hint.replace(/&lt;/g, '<').replace(/&amp;/g, '&'));
	return {
		refusal: failed[0]?.json.error as string | undefined,
		outcome: output[0]?.json.outcome,
		bodies: node.bodies() as IDataObject[],
		odd: shown.filter((hint) => /looks like a placeholder of another tool|is HTML/.test(hint)),
	};
}

const greetings = (...all: string[]) =>
	all.map((found): [string, string] => [`Hi ${found}`, found]);

/** What surely is another tool's placeholder, in a text. */
const tags: Array<[text: string, found: string]> = [
	...greetings('*|FNAME|*', '*|FNAME:Friend|*', '*|DATE:F d, Y|*', '%%FNAME%%', '%%=v(@name)=%%'),
	...greetings('<%= fname %>', '<%- fname -%>', '<?= $fname ?>', '<?php echo $fname; ?>'),
	...greetings('##FNAME##', '##kunde.vorname##', '{%- if vip -%}'),
	['*|IF:VIP|*Hi VIP*|END:IF|*', '*|IF:VIP|*'],
	["{% assign x = 'y' %}Hi", "{% assign x = 'y' %}"],
	['Hi <% if (age > 17) { %>you<% } %>', '<% if (age > 17) { %>'],
];

/** What may be another tool's placeholder. */
const doubtful: Array<[text: string, found: string]> = [
	...greetings('{first_name}', '[First Name]', '{$name}', '{!Contact.FirstName}', '${name}'),
	...greetings('{FNAME|there}', '{first_name|fallback:"friend"}', '{NAME:friend}', '{First Name}'),
	...greetings('{ first_name }', '${Leads.First Name}', '[firstname,fallback=]', '[%vorname%]'),
	...greetings('[CONTACT|FIRSTNAME]', '[subscriber:firstname | default:you]', '%FIRSTNAME%'),
	...greetings('%User:FirstName%', '%recipient.name%', '<<First Name>>', '$First Name$'),
	...greetings('#recipient:name#', '@FIRSTNAME@', '$json.first_name'),
	['Hi #{name}', '{name}'],
	['Hi [[data:name:"friend"]]', '[data:name:"friend"]'],
	['Hi $[FNAME|friend]$', '[FNAME|friend]'],
	['Hi { $json["First Name"] }', '$json["First Name"]'],
];

const unnoticed = { refusal: undefined, outcome: 'accepted', odd: [] };
const named = { ...unnoticed, odd: [expect.any(String) as string] };

describe("Another tool's placeholder in a message to one person", () => {
	it.each(tags)('is refused in %j', async (text, found) => {
		for (const parameters of [
			sms({ message: text }),
			push({ message: '={{ $json.text }}' }),
			email({ content: `<p>${text}</p>` }),
		]) {
			const { refusal, bodies } = await send(parameters, { text });
			const why = `'${found}' is a placeholder of another tool, which n8n does not fill in. `;
			expect(refusal).toContain(why);
			expect(bodies).toEqual([]);
		}
	});

	it.each<[string, INodeParameters]>([
		['Title', push({ title: 'Hi %%NAME%%' })],
		['Button One Title', push({ additionalFields: { button_one_title: '##NAME##' } })],
		['Sender Name', email({ sender_name: '*|SHOP|*' })],
		['Subject', email({ subject: 'Hi <%= name %>' })],
		['Content', email({ emailType: 'text', content: '{% if vip %}' })],
		['Message', sms({ message: '*|FNAME|*', options: { previewOnly: true } })],
	])('is refused in %s', async (label, parameters) => {
		const { refusal } = await send(parameters);
		expect(refusal).toMatch(new RegExp(`^${label}: '.*' is a placeholder`));
	});

	const row = { Vorname: 'Ann', fname: 'Ann', html: 'Hi *|FNAME|*!' };
	const code = "{{ $json.html.replaceAll('*|FNAME|*', $json.fname) }}";

	it.each([
		['Hi *|FNAME|*!', 'Switch the field to Expression and write {{ $json.fname }} in its place'],
		['={{ $json.fname }} *|VORNAME|*!', 'Write {{ $json.Vorname }} in its place'],
		['={{ $json.html }}', `or here: ${code}, or turn`],
		...['{% if vip %}', '<% if (vip) { %>', '*|IF:VIP|*'].map((tag) => [
			`=Hi ${tag}VIP`,
			"Write {{ $json.column ? 'text' : '' }} in its place",
		]),
	])('is refused with what to write: %s', async (message, advice) => {
		expect((await send(sms({ message }), row)).refusal).toContain(advice);
	});

	it('is refused with what helps', async () => {
		const better = await send(sms({ message: `=${code}` }), row);
		expect(better.bodies).toMatchObject([{ message: 'Hi Ann!' }]);
		const within = sms({ message: `=Dear, ${code}` });
		expect((await send(within, { ...row, fname: null })).bodies).toEqual([]);
		expect((await send(within, { ...row, fname: '' })).bodies).toHaveLength(1);
	});

	it('is sent with Skip Text Check, and named', async () => {
		const options = { skipTextCheck: true };
		expect(await send(sms({ message: 'Hi *|FNAME|*', options }))).toMatchObject(named);
	});

	it.each([
		'<table width="100%" bgcolor="#ffffff"><td style="color:#fff;background:#eee">#1</td></table>',
		'<!--[if mso]>*|FNAME|*<![endif]--><p>Hi</p>',
		'<style>.a{color:red} .b{%x%} ##a##</style><p>Hi</p>',
		'<script>var a = {b}; {% if x %} %%Y%%</script><p>Hi</p>',
		...['<a href="*|UNSUB|*">Leave</a>', '<a href="https://example.com/?u=%%EMAIL%%">Go</a>'],
		...['<a href="<%= url %>" style="a[b]">Go</a>', '<?xml version="1.0"?><p class="{x}">Hi</p>'],
		'<p>Hi @{name}@</p>',
	])('is ignored where nobody sees it: %s', async (content) => {
		for (const parameters of [
			email({ content }),
			sms({ campaign_name: '*|FNAME|*' }),
			push({ url: 'https://shop.example.com/?u=%%NAME%%' }),
		])
			expect(await send(parameters)).toMatchObject(unnoticed);
	});
});

it.each(tags.slice(0, 2))("A broadcast names another tool's tag: %j", async (text, found) => {
	const previewed = { ...order.emailToAll, content: `<p>${text}</p>`, testRuns: 'preview' };
	const odd = [
		`'${found}' (item 0) looks like a placeholder of another tool. In a broadcast, only the service can fill in what differs between people, in its own syntax, so people may read this as it is. Look at a test message first.`,
	];
	for (const [parameters, mode] of [
		[{ ...order.smsToSegment, message: text }, undefined],
		[{ ...order.pushToAll, message: text }, undefined],
		[{ ...toCampaign, subject: text }, undefined],
		[previewed, 'manual'],
	] as const) {
		const outcome = mode === undefined ? 'accepted' : 'preview';
		expect(await send(parameters, {}, mode)).toMatchObject({ ...unnoticed, outcome, odd });
	}
});

describe("What may be another tool's placeholder", () => {
	const inPreview = sms({ message: '={{ $json.text }}', options: { previewOnly: true } });
	const byColumn = doubtful.slice(0, 2).map(([text]) => text);

	it.each(doubtful)('is named in every run: %j', async (text, found) => {
		const orders = [sms({ message: text })];
		if (byColumn.includes(text)) orders.push(inPreview, { ...order.smsToSegment, message: text });
		const content = `<p>${text}</p> ${text}`;
		if (!/<<|[#@]$/.test(text)) orders.push(email({ content }));
		for (const parameters of orders) {
			const { refusal, odd } = await send(parameters, { text });
			expect(refusal).toBeUndefined();
			expect(odd).toEqual([
				`'${found}' (item 0) looks like a placeholder of another tool. n8n does not fill it in, so people may read it as it is. Write a column of the item as {{ $json.column }}.`,
			]);
		}
	});

	it.each([
		...['Hi @{name}@, your order @{order_id}@', '100% sure, 50%% off, 20%% today and 5%A%'],
		...['Question ## 1 ## 2, and ### 3', 'Use } or { and {} or { 1 }', '5 < 6 > 4 <%'],
		...['[1] and [ ] and [x](https://example.com)', '2 * |x| * 3 and *|*', 'Now {%50} and 3 %> 2'],
		...['Sale [unsubscribe] [Abmelden]', 'https://example.com/?a=%%NAME%%&b=##x##&c={id}'],
		...['#hashtag ##trend', '#sale #now #today, #5 and #6#7', 'US$ 5, $5 to $10, $USD and 5$'],
		...['me@example.com or you@EXAMPLE.COM, @ACME and @shop', '[a, b] or [see: page 3], a[i]'],
		...['Now {50 %} and {"a": 1}, {a, b} or {: x}', 'Call json.parse or $jsonp'],
		'Up to 20%, only 5%c% and www.example.com/%C3%A4%C3%B6',
	])('is not %j', async (message) => {
		expect(await send(sms({ message }))).toMatchObject(unnoticed);
	});

	const long = `<p style="color:#fff">${'It is long. '.repeat(200)}</p>`;
	const styled = `=<style>p{color:red}</style><p title="{{ $json.title }}">{{ $json.text }}</p>${long}`;
	const both = `=${long}{{ $json.text }}${long}{{ $json.text }}`;

	it.each(['{name}', '*|NAME|*'])('is found in long templates and values: %s', async (tag) => {
		for (const [content, row, isFound] of [
			[`${styled} ${tag} {{ $json.text }}`, { text: 'x' }, true],
			[styled, { text: tag }, true],
			// Nobody sees a title.
			[styled, { text: 'x', title: tag }, false],
			[both, { text: `${tag}${long}` }, true],
			['={{ $json.text }}', { text: `${long}${tag}` }, true],
		] as const) {
			const { refusal = '', odd } = await send(email({ content }), { title: 'y', ...row });
			expect([content, `${refusal} ${odd.join()}`.includes(tag)]).toEqual([content, isFound]);
		}
	});

	it('is named once for all rows that hold it', async () => {
		const rows = ['[Vorname]', 'x', '[Vorname]', '{name}'].map((text, index) => ({ text, index }));
		const message = '={{ $json.index }} {{ $json.text }}';
		const hints = hintsOf(await node.run(sms({ message }), { rows }));
		const found = hints.flatMap((hint) => /^(.* \(items? .*\)) looks/.exec(hint)?.[1] ?? []);
		expect(found).toEqual(["'[Vorname]' (items 0, 2)", "'{name}' (item 3)"]);
	});
});

describe('HTML in a plain text', () => {
	it.each([
		['It&#39;s here', `.replaceAll('&#39;', "'")`, "It's here"],
		['It&#x2019;s here', `.replaceAll('&#x2019;', '’')`, 'It’s here'],
		['Salt &amp; Pepper', `.replaceAll('&amp;', '&')`, 'Salt & Pepper'],
		['20&nbsp;%', `.replaceAll('&nbsp;', ' ')`, '20 %'],
		['F&uuml;r &Auml;rzte', `.replaceAll('&uuml;', 'ü')`, 'Für &Auml;rzte'],
		['Caf&eacute;', `.replaceAll('&eacute;', 'é')`, 'Café'],
		['5 &euro; &ndash; now', `.replaceAll('&euro;', '€')`, '5 € &ndash; now'],
		['&bdquo;Hallo&ldquo;', `.replaceAll('&bdquo;', '„')`, '„Hallo&ldquo;'],
		['<p>It is here</p>', '.removeTags()', 'It is here'],
		['Hi<br />Ann', '.removeTags()', 'HiAnn'],
		['<a href="https://a.example">Go</a>', '.removeTags()', 'Go'],
	])('is named as people would see it: %s', async (text, code, says) => {
		const { odd, bodies: sent } = await send(push({ message: '={{ $json.text }}' }), { text });
		expect(sent).toMatchObject([{ message: text }]);
		expect(odd).toEqual([
			`'${text}' in Message (item 0) is HTML in a plain text, so people would read it as it is. Write {{ $json.text${code} }}.`,
		]);
		const message = `{{ $json.text${code} }}`;
		const better = await send(push({ message: `=${message}` }), { text });
		expect(better.bodies).toMatchObject([{ message: says }]);
		const other = await send(push({ message: `=Hi, ${message}` }), {});
		expect(other.refusal).toContain('{{ $json.text');
	});

	const plain = 'is HTML in a plain text, so people would read it as it is.';
	const link = 'https://a.example/?a=1&amp;b=2';
	const inLink = "'&amp;' in URL (item 0) is HTML for '&'";

	it.each<[INodeParameters, string]>([
		[push({ title: 'It&#8217;s here' }), `in Title (item 0) ${plain} Write '’' there`],
		[sms({ message: '=<p>Hi {{ "Ann" }}</p>' }), `in Message (item 0) ${plain} Remove it`],
		[email({ subject: 'A &amp; B' }), `in Subject (item 0) ${plain} Write '&' there`],
		[email({ emailType: 'text', content: '<p>Hi</p>' }), 'in Content (item 0) is HTML'],
		[{ ...order.pushToAll, title: '<b>Sale</b>' }, 'in Title (item 0) is HTML'],
		[push({ url: link }), `${inLink}, so the page would not find what follows it. Write '&' there`],
		[push({ additionalFields: { image_url: link } }), "in Image URL (item 0) is HTML for '&'"],
	])('is named wherever it is (case %#)', async (parameters, says) => {
		const { odd, refusal } = await send(parameters);
		expect(refusal).toBeUndefined();
		expect(odd).toEqual([expect.stringContaining(says)]);
	});

	it('is named in a link from a column, with what helps', async () => {
		const row = { link: `${link}&amp;c=3` };
		const better = "{{ $json.link.replaceAll('&amp;', '&') }}";
		const { odd } = await send(push({ url: '={{ $json.link }}' }), row);
		expect(odd.join()).toContain(`Write ${better}`);
		const { bodies } = await send(push({ url: `=${better}` }), row);
		expect(bodies).toMatchObject([{ url: 'https://a.example/?a=1&b=2&c=3' }]);
		const { refusal } = await send(push({ url: `=${better}` }), {});
		expect(refusal).toBe(`URL is empty. ${better} gives nothing. Fill it in`);
	});

	it.each([
		...['Q&A; R&D; AT&T and Salt & Pepper', '1 < 2 && 3 > 2; <3 you; a <b, c> d'],
		...['https://example.com/?a=1&copy=2&lt=3', '<name@example.com>'],
	])('is not in %j, nor in an email', async (message) => {
		const content = `<p>It&#8217;s <b>here</b> &amp; there</p>`;
		for (const parameters of [push({ message }), email({ content })])
			expect((await send(parameters)).odd).toEqual([]);
	});
});
