import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, run, useSandbox } from '../support/service';
import {
	doubtful,
	htmlInText,
	ordinary,
	ordinaryHtml,
	plainTexts,
	tags,
} from '../support/values/foreignTexts';

const sandbox = useSandbox();

async function send(parameters: INodeParameters, row: IDataObject = {}, mode?: 'manual') {
	sandbox().reset();
	const { failed, error, output, hints } = await run(sandbox(), parameters, {
		rows: [row],
		onError: 'continueErrorOutput',
		mode,
	});
	expect(error).toBeUndefined();
	return {
		refusal: failed[0]?.json.error as string | undefined,
		output: output.map(({ json }) => json.outcome),
		bodies: bodies(sandbox()) as IDataObject[],
		hints: hints.map(({ message }) => message.replace(/&lt;/g, '<').replace(/&amp;/g, '&')),
	};
}

const odd = /looks like a placeholder of another tool|is HTML/;
const accepted = { refusal: undefined, output: ['accepted'] };

describe("Another tool's placeholder in a message to one person", () => {
	it.each(tags)('is refused in %j', async (text, found) => {
		for (const parameters of [
			{ ...order.smsSend, message: text },
			{ ...order.pushSend, message: '={{ $json.text }}' },
			{ ...order.emailSend, subject: text },
			{ ...order.emailSend, content: `<p>${text}</p>` },
			{ ...order.emailSend, emailType: 'text', content: text },
		]) {
			const { refusal, bodies: sent } = await send(parameters, { text });
			expect(refusal).toContain(
				`'${found}' is a placeholder of another tool, which n8n does not fill in. `,
			);
			expect(sent).toEqual([]);
		}
	});

	it.each<[string, INodeParameters, string]>([
		['a title', { ...order.pushSend, title: 'Hi %%NAME%%' }, 'Title'],
		[
			'a button',
			{ ...order.pushSend, additionalFields: { button_one_title: '##NAME##' } },
			'Button One Title',
		],
		['a sender', { ...order.emailSend, sender_name: '*|SHOP|*' }, 'Sender Name'],
		[
			'a preview',
			{ ...order.smsSend, message: '*|FNAME|*', options: { previewOnly: true } },
			'Message',
		],
	])('is refused in %s', async (_, parameters, label) => {
		expect((await send(parameters)).refusal).toMatch(
			new RegExp(`^${label}: '.*' is a placeholder`),
		);
	});

	it('is refused with what to write, which helps', async () => {
		const row = { Vorname: 'Ann', fname: 'Ann', html: 'Hi *|FNAME|*!' };
		const typed = await send({ ...order.smsSend, message: 'Hi *|FNAME|*!' }, row);
		expect(typed.refusal).toContain(
			"Switch the field to Expression and write {{ $json.fname }} in its place, or turn on 'Skip Text Check'",
		);
		const within = await send(
			{ ...order.smsSend, message: '={{ $json.fname }} *|VORNAME|*!' },
			row,
		);
		expect(within.refusal).toContain('Write {{ $json.Vorname }} in its place');
		const read = await send({ ...order.smsSend, message: '={{ $json.html }}' }, row);
		const [, code] = /or here: (\{\{ .* \}\}), or turn/.exec(read.refusal ?? '') ?? [];
		expect(code).toBe("{{ $json.html.replaceAll('*|FNAME|*', $json.fname) }}");
		for (const message of ['=Hi {{ $json.fname }}!', `=${code}`]) {
			expect((await send({ ...order.smsSend, message }, row)).bodies).toMatchObject([
				{ message: 'Hi Ann!' },
			]);
			for (const fname of [null, ''])
				expect(
					(
						await send(
							{ ...order.smsSend, message: `=Dear, ${message.slice(1)}` },
							{ ...row, fname },
						)
					).bodies.length,
				).toBe(fname === '' && message.includes('replaceAll') ? 1 : 0);
		}
	});

	it.each(['{% if vip %}', '<% if (vip) { %>', '*|IF:VIP|*'])(
		'is refused with a choice of n8n: %s',
		async (text) => {
			const { refusal } = await send({ ...order.smsSend, message: `=Hi ${text}VIP` });
			expect(refusal).toContain("Write {{ $json.column ? 'text' : '' }} in its place");
		},
	);

	it('is sent with Skip Text Check, and named', async () => {
		const options = { skipTextCheck: true };
		const { hints, ...rest } = await send({ ...order.smsSend, message: 'Hi *|FNAME|*', options });
		expect(rest).toMatchObject(accepted);
		expect(hints.filter((hint) => odd.test(hint))).toHaveLength(1);
	});

	it('is ignored where nobody sees it', async () => {
		const parameters = [
			{ ...order.smsSend, campaign_name: '*|FNAME|*' },
			{ ...order.pushSend, url: 'https://shop.example.com/?u=%%NAME%%' },
			...ordinaryHtml.map((content) => ({ ...order.emailSend, content })),
		];
		for (const one of parameters) {
			const { hints, ...rest } = await send(one);
			expect(rest).toMatchObject(accepted);
			expect(hints.filter((hint) => odd.test(hint))).toEqual([]);
		}
	});
});

describe("Another tool's placeholder in a broadcast", () => {
	it.each(tags)('is sent and named in %j', async (text, found) => {
		for (const [parameters, mode, outcome] of [
			[{ ...order.smsToSegment, message: text }, undefined, 'accepted'],
			[
				{ ...order.emailToAll, content: `<p>${text}</p>`, testRuns: 'preview' },
				'manual',
				'preview',
			],
			[{ ...order.pushToAll, message: text }, undefined, 'accepted'],
		] as const) {
			const { refusal, output, hints } = await send(parameters, {}, mode);
			expect({ refusal, output }).toEqual({ refusal: undefined, output: [outcome] });
			expect(hints.filter((hint) => odd.test(hint))).toEqual([
				`'${found}' (item 0) looks like a placeholder of another tool. In a broadcast, only the service can fill in what differs between people, in its own syntax, so people may read this as it is. Look at a test message first.`,
			]);
		}
	});

	it('is named in a message to a campaign', async () => {
		const campaign = { ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 5501 };
		const { hints, ...rest } = await send({ ...campaign, subject: 'Hi %%NAME%%' });
		expect(rest).toMatchObject(accepted);
		expect(hints.filter((hint) => odd.test(hint))).toHaveLength(1);
	});
});

describe("What may be another tool's placeholder", () => {
	it.each(doubtful)('is named in every run: %j', async (text, found) => {
		for (const parameters of [
			{ ...order.smsSend, message: text },
			{ ...order.smsSend, message: '={{ $json.text }}', options: { previewOnly: true } },
			{ ...order.emailSend, content: `<p>${text.replace(/<</, '&lt;&lt;')}</p> ${text}` },
			{ ...order.smsToSegment, message: text },
		]) {
			const { refusal, hints } = await send(parameters, { text });
			expect(refusal).toBeUndefined();
			if (parameters.resource === 'email' && /<<|[#@]$/.test(text)) continue;
			expect(hints.filter((hint) => odd.test(hint))).toEqual([
				`'${found}' (item 0) looks like a placeholder of another tool. n8n does not fill it in, so people may read it as it is. Write a column of the item as {{ $json.column }}.`,
			]);
		}
	});

	it.each(ordinary)('is not %j', async (message) => {
		const { hints, ...rest } = await send({ ...order.smsSend, message });
		expect(rest).toMatchObject(accepted);
		expect(hints.filter((hint) => odd.test(hint))).toEqual([]);
	});

	it.each(['{name}', '*|NAME|*'])(
		'is found in a long template and in its values: %s',
		async (tag) => {
			const long = `<p style="color:#fff">${'It is long. '.repeat(200)}</p>`;
			const styled = `<style>p{color:red}</style><p title="{{ $json.title }}">{{ $json.text }}</p>`;
			for (const [content, row, isNamed] of [
				[`=${styled}${long} ${tag} {{ $json.text }}`, { text: 'x' }, true],
				[`=${styled}${long}`, { text: tag }, true],
				[`=${styled}${long}`, { text: 'x', title: tag }, false],
				[`=${long}{{ $json.text }}${long}{{ $json.text }}`, { text: `${tag}${long}` }, true],
				['={{ $json.text }}', { text: `${long}${tag}` }, true],
			] as const) {
				const { refusal, hints } = await send(
					{ ...order.emailSend, content },
					{ title: 'y', ...row },
				);
				const said = `${refusal ?? ''} ${hints.filter((hint) => odd.test(hint)).join()}`;
				expect([content.length, said.includes(tag)]).toEqual([content.length, isNamed]);
			}
		},
	);

	it('is named once for all rows that hold it', async () => {
		const rows = ['[Vorname]', 'x', '[Vorname]', '{name}'].map((text, index) => ({ text, index }));
		const message = '={{ $json.index }} {{ $json.text }}';
		const { hints } = await run(sandbox(), { ...order.smsSend, message }, { rows });
		expect(
			hints
				.map(({ message: text }) => text.split(' looks')[0])
				.filter((text) => /\(item/.test(text ?? '')),
		).toEqual(["'[Vorname]' (items 0, 2)", "'{name}' (item 3)"]);
	});
});

describe('HTML in a plain text', () => {
	it.each(htmlInText)('is named as people would see it: %s', async (text, shown, code, says) => {
		const { hints, bodies: sent } = await send(
			{ ...order.pushSend, message: '={{ $json.text }}' },
			{ text },
		);
		expect(sent).toMatchObject([{ message: text }]);
		expect(hints.filter((hint) => odd.test(hint))).toEqual([
			`${shown} in Message (item 0) is HTML in a plain text, so people would read it as it is. Write {{ $json.text${code} }}.`,
		]);
		const message = `={{ $json.text${code} }}`;
		const better = await send({ ...order.pushSend, message }, { text });
		expect(better.bodies).toMatchObject([{ message: says }]);
		const other = await send({ ...order.pushSend, message: `=Hi, ${message.slice(1)}` }, {});
		expect(other.refusal).toContain('{{ $json.text');
	});

	it.each<[string, INodeParameters, string]>([
		[
			'a title',
			{ ...order.pushSend, title: 'It&#8217;s here' },
			"in Title (item 0) is HTML in a plain text, so people would read it as it is. Write '’' there",
		],
		[
			'an SMS',
			{ ...order.smsSend, message: '=<p>Hi {{ "Ann" }}</p>' },
			'in Message (item 0) is HTML in a plain text, so people would read it as it is. Remove it',
		],
		[
			'a subject',
			{ ...order.emailSend, subject: 'A &amp; B' },
			"in Subject (item 0) is HTML in a plain text, so people would read it as it is. Write '&' there",
		],
		[
			'an email as text',
			{ ...order.emailSend, emailType: 'text', content: '<p>Hi</p>' },
			'in Content (item 0) is HTML',
		],
		['a broadcast', { ...order.pushToAll, title: '<b>Sale</b>' }, 'in Title (item 0) is HTML'],
		[
			'a link',
			{ ...order.pushSend, url: 'https://a.example/?a=1&amp;b=2' },
			"'&amp;' in URL (item 0) is HTML for '&', so the page would not find what follows it. Write '&' there",
		],
		[
			'an image',
			{ ...order.pushSend, additionalFields: { image_url: 'https://a.example/?a=1&amp;b=2' } },
			"in Image URL (item 0) is HTML for '&'",
		],
	])('is named in %s', async (_, parameters, says) => {
		const { hints, refusal } = await send(parameters);
		expect(refusal).toBeUndefined();
		expect(hints.filter((hint) => odd.test(hint))).toEqual([expect.stringContaining(says)]);
	});

	it('is named in a link from a column, with what helps', async () => {
		const row = { link: 'https://a.example/?a=1&amp;b=2&amp;c=3' };
		const { hints } = await send({ ...order.pushSend, url: '={{ $json.link }}' }, row);
		const better = "{{ $json.link.replaceAll('&amp;', '&') }}";
		expect(hints.join()).toContain(`Write ${better}`);
		const sent = await send({ ...order.pushSend, url: `=${better}` }, row);
		expect(sent.bodies).toMatchObject([{ url: 'https://a.example/?a=1&b=2&c=3' }]);
		expect((await send({ ...order.pushSend, url: `=${better}` }, {})).refusal).toBe(
			`URL is empty. ${better} gives nothing. Fill it in`,
		);
	});

	it.each(plainTexts)('is not %j', async (message) => {
		const { hints } = await send({ ...order.pushSend, message });
		expect(hints.filter((hint) => odd.test(hint))).toEqual([]);
	});

	it('is nothing to name in the HTML of an email', async () => {
		const content = '<p>It&#8217;s <b>here</b> &amp; there</p>';
		const { hints } = await send({ ...order.emailSend, content });
		expect(hints.filter((hint) => odd.test(hint))).toEqual([]);
	});
});
