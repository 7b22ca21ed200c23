import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Order } from '../support/engine';
import { email, hintsOf, push, sms, toCampaign } from '../support/mistakes';
import * as order from '../support/orders';
import { bodies, run, useSandbox } from '../support/service';
import * as values from '../support/values/foreignTexts';

const sandbox = useSandbox();

/** What becomes of a row, and what the hints say of such texts. */
async function send(parameters: INodeParameters, row: IDataObject = {}, mode?: 'manual') {
	sandbox().reset();
	const rest: Partial<Order> = { rows: [row], onError: 'continueErrorOutput', mode };
	const { failed, error, output, hints } = await run(sandbox(), parameters, rest);
	expect(error).toBeUndefined();
	const shown = hintsOf({ hints }).map((hint) => hint.replace(/&lt;/g, '<').replace(/&amp;/g, '&'));
	return {
		refusal: failed[0]?.json.error as string | undefined,
		outcome: output[0]?.json.outcome,
		bodies: bodies(sandbox()) as IDataObject[],
		odd: shown.filter((hint) => /looks like a placeholder of another tool|is HTML/.test(hint)),
	};
}

const unnoticed = { refusal: undefined, outcome: 'accepted', odd: [] };
const named = { ...unnoticed, odd: [expect.any(String) as string] };

describe("Another tool's placeholder in a message to one person", () => {
	it.each(values.tags)('is refused in %j', async (text, found) => {
		for (const parameters of [
			sms({ message: text }),
			push({ message: '={{ $json.text }}' }),
			email({ content: `<p>${text}</p>` }),
		]) {
			const { refusal, bodies: sent } = await send(parameters, { text });
			const why = `'${found}' is a placeholder of another tool, which n8n does not fill in. `;
			expect(refusal).toContain(why);
			expect(sent).toEqual([]);
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
		expect((await send(parameters)).refusal).toMatch(
			new RegExp(`^${label}: '.*' is a placeholder`),
		);
	});

	const row = { Vorname: 'Ann', fname: 'Ann', html: 'Hi *|FNAME|*!' };
	const code = "{{ $json.html.replaceAll('*|FNAME|*', $json.fname) }}";

	it.each([
		[
			'Hi *|FNAME|*!',
			"Switch the field to Expression and write {{ $json.fname }} in its place, or turn on 'Skip Text Check'",
		],
		['={{ $json.fname }} *|VORNAME|*!', 'Write {{ $json.Vorname }} in its place'],
		['={{ $json.html }}', `or here: ${code}, or turn`],
		...['{% if vip %}', '<% if (vip) { %>', '*|IF:VIP|*'].map((tag) => [
			`=Hi ${tag}VIP`,
			"Write {{ $json.column ? 'text' : '' }} in its place",
		]),
	])('is refused with what to write: %s', async (message, advice) => {
		expect((await send(sms({ message }), row)).refusal).toContain(advice);
	});

	it.each([
		['=Hi {{ $json.fname }}!', undefined],
		[`=${code}`, 'Dear, '],
	])('is refused with what helps: %s', async (message, withoutName) => {
		const better = await send(sms({ message }), row);
		expect(better.bodies).toMatchObject([{ message: 'Hi Ann!' }]);
		const within = sms({ message: `=Dear, ${message.slice(1)}` });
		expect((await send(within, { ...row, fname: null })).bodies).toEqual([]);
		const { bodies: sent } = await send(within, { ...row, fname: '' });
		expect(sent).toHaveLength(withoutName === undefined ? 0 : 1);
	});

	it('is sent with Skip Text Check, and named', async () => {
		const options = { skipTextCheck: true };
		expect(await send(sms({ message: 'Hi *|FNAME|*', options }))).toMatchObject(named);
	});

	it.each<[string, INodeParameters]>([
		['a name of a campaign', sms({ campaign_name: '*|FNAME|*' })],
		['a link', push({ url: 'https://shop.example.com/?u=%%NAME%%' })],
		...values.ordinaryHtml.map((content): [string, INodeParameters] => [
			content,
			email({ content }),
		]),
	])('is ignored where nobody sees it: %s', async (_, parameters) => {
		expect(await send(parameters)).toMatchObject(unnoticed);
	});
});

describe("Another tool's placeholder in a broadcast", () => {
	it.each(values.tags)('is sent and named in %j', async (text, found) => {
		const previewed = { ...order.emailToAll, content: `<p>${text}</p>`, testRuns: 'preview' };
		for (const [parameters, mode, outcome] of [
			[{ ...order.smsToSegment, message: text }, undefined, 'accepted'],
			[previewed, 'manual', 'preview'],
		] as const) {
			const odd = [
				`'${found}' (item 0) looks like a placeholder of another tool. In a broadcast, only the service can fill in what differs between people, in its own syntax, so people may read this as it is. Look at a test message first.`,
			];
			expect(await send(parameters, {}, mode)).toMatchObject({ ...unnoticed, outcome, odd });
		}
	});

	it.each<[string, INodeParameters]>([
		['a push to everyone', { ...order.pushToAll, message: 'Hi %%NAME%%' }],
		['a message to a campaign', { ...toCampaign, subject: 'Hi %%NAME%%' }],
	])('is named in %s', async (_, parameters) => {
		expect(await send(parameters)).toMatchObject(named);
	});
});

describe("What may be another tool's placeholder", () => {
	it.each(values.doubtful)('is named in every run: %j', async (text, found) => {
		const orders = [
			sms({ message: text }),
			sms({ message: '={{ $json.text }}', options: { previewOnly: true } }),
			{ ...order.smsToSegment, message: text },
		];
		const content = `<p>${text.replace(/<</, '&lt;&lt;')}</p> ${text}`;
		if (!/<<|[#@]$/.test(text)) orders.push(email({ content }));
		for (const parameters of orders) {
			const { refusal, odd } = await send(parameters, { text });
			expect(refusal).toBeUndefined();
			expect(odd).toEqual([
				`'${found}' (item 0) looks like a placeholder of another tool. n8n does not fill it in, so people may read it as it is. Write a column of the item as {{ $json.column }}.`,
			]);
		}
	});

	it.each(values.ordinary)('is not %j', async (message) => {
		expect(await send(sms({ message }))).toMatchObject(unnoticed);
	});

	const long = `<p style="color:#fff">${'It is long. '.repeat(200)}</p>`;
	const styled = `=<style>p{color:red}</style><p title="{{ $json.title }}">{{ $json.text }}</p>${long}`;
	const both = `=${long}{{ $json.text }}${long}{{ $json.text }}`;

	it.each(
		['{name}', '*|NAME|*'].flatMap((tag) => [
			[tag, 'beside a value', `${styled} ${tag} {{ $json.text }}`, { text: 'x' }, true] as const,
			[tag, 'in a value', styled, { text: tag }, true] as const,
			[tag, 'not in a value that nobody sees', styled, { text: 'x', title: tag }, false] as const,
			[tag, 'in a long value', both, { text: `${tag}${long}` }, true] as const,
			[tag, 'at the end of it', '={{ $json.text }}', { text: `${long}${tag}` }, true] as const,
		]),
	)(
		'is found in a long template and in its values: %s %s',
		async (tag, _, content, row, isFound) => {
			const { refusal = '', odd } = await send(email({ content }), { title: 'y', ...row });
			expect(`${refusal} ${odd.join()}`.includes(tag)).toBe(isFound);
		},
	);

	it('is named once for all rows that hold it', async () => {
		const rows = ['[Vorname]', 'x', '[Vorname]', '{name}'].map((text, index) => ({ text, index }));
		const message = '={{ $json.index }} {{ $json.text }}';
		const hints = hintsOf(await run(sandbox(), sms({ message }), { rows }));
		const found = hints.flatMap((hint) => /^(.* \(items? .*\)) looks/.exec(hint)?.[1] ?? []);
		expect(found).toEqual(["'[Vorname]' (items 0, 2)", "'{name}' (item 3)"]);
	});
});

describe('HTML in a plain text', () => {
	it.each(values.htmlInText)('is named as people would see it: %s', async (text, code, says) => {
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

	it.each<[INodeParameters, string]>([
		[push({ title: 'It&#8217;s here' }), `in Title (item 0) ${plain} Write '’' there`],
		[sms({ message: '=<p>Hi {{ "Ann" }}</p>' }), `in Message (item 0) ${plain} Remove it`],
		[email({ subject: 'A &amp; B' }), `in Subject (item 0) ${plain} Write '&' there`],
		[email({ emailType: 'text', content: '<p>Hi</p>' }), 'in Content (item 0) is HTML'],
		[{ ...order.pushToAll, title: '<b>Sale</b>' }, 'in Title (item 0) is HTML'],
		[
			push({ url: link }),
			"'&amp;' in URL (item 0) is HTML for '&', so the page would not find what follows it. Write '&' there",
		],
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
		const sent = await send(push({ url: `=${better}` }), row);
		expect(sent.bodies).toMatchObject([{ url: 'https://a.example/?a=1&b=2&c=3' }]);
		expect((await send(push({ url: `=${better}` }), {})).refusal).toBe(
			`URL is empty. ${better} gives nothing. Fill it in`,
		);
	});

	it.each<[string, INodeParameters]>([
		...values.plainTexts.map((message): [string, INodeParameters] => [message, push({ message })]),
		['an email', email({ content: '<p>It&#8217;s <b>here</b> &amp; there</p>' })],
	])('is not in %j', async (_, parameters) => {
		expect((await send(parameters)).odd).toEqual([]);
	});
});
