import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { pageOf } from '../support/pages';
import { bodies, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
const previewOnly = { options: { previewOnly: true } };
const footer = '<p><a href="https://shop.example.com/u/1">Unsubscribe</a></p>';

async function hintsOf(
	parameters: INodeParameters,
	contents: string[],
	rest: { mode?: 'manual' | 'webhook' } = {},
): Promise<string[]> {
	const rows: IDataObject[] = contents.map((content) => ({ content }));
	const own = { ...parameters, content: '={{ $json.content }}', maxBroadcasts: rows.length };
	const { hints, error } = await run(sandbox(), own, { rows, ...rest });
	expect(error).toBeUndefined();
	return hints
		.map(({ message }) => message)
		.filter((hint) => /cut an|unsubscribe|line breaks/.test(hint));
}

/** A content of so many bytes, in which an umlaut counts twice. */
function sized(bytes: number): string {
	return `${'ü'.repeat(50_000)}${'a'.repeat(bytes - 100_000 - footer.length)}${footer}`;
}

describe('A preview of emails', () => {
	test('names those that some mail programs would cut', async () => {
		const toOne = { ...order.emailSend, ...previewOnly };
		expect(await hintsOf(toOne, [sized(102_000)])).toEqual([]);
		expect(await hintsOf(toOne, [sized(102_001)])).toEqual([
			'1 email has a content of 103 kB (item 0). Some mail programs cut an email above 102 kB, so its end is hidden, which often holds the link to unsubscribe. Shorten the content.',
		]);
		expect(await hintsOf(toOne, [sized(150_000), 'Hello', sized(120_000)])).toEqual([
			'2 emails have a content of up to 150 kB (items 0, 2). Some mail programs cut an email above 102 kB, so its end is hidden, which often holds the link to unsubscribe. Shorten the content.',
		]);
	});

	test('names broadcasts that seem to have no link to unsubscribe', async () => {
		const toAll = { ...order.emailToAll, ...previewOnly };
		expect(await hintsOf(toAll, ['<h1>Sale</h1>', `<h1>Sale</h1>${footer}`])).toEqual([
			'1 broadcast seems to have no link to unsubscribe (item 0). Many countries and mail providers ask for one. The service may add one itself: look at a test email, or add a link to the content.',
		]);
		expect(await hintsOf(toAll, ['<h1>Sale</h1>'], { mode: 'manual' })).toHaveLength(1);
	});

	test.each([
		['in HTML', 'Enough? <a class="small" href="https://shop.example.com/u/1">Unsubscribe</a>'],
		['in plain text', 'To opt out, open https://shop.example.com/u/1'],
		['by email', '<a href="mailto:leave@shop.example.com">Abmelden</a>'],
		['as a placeholder of the service', 'Sale [unsubscribe_link]'],
		['in French with HTML entities', '<a href="https://a.example">Se d&eacute;sabonner</a>'],
		['in Chinese', '<a href="https://a.example">退订</a>'],
	])('knows a link to unsubscribe %s', async (_, content) => {
		expect(await hintsOf({ ...order.emailToSegment, ...previewOnly }, [content])).toEqual([]);
	});

	test.each([
		['a link to something else', '<a href="https://shop.example.com">To the shop</a>'],
		['the word without a link', 'Reply to unsubscribe'],
	])('does not take %s for a link to unsubscribe', async (_, content) => {
		expect(await hintsOf({ ...order.emailBroadcast, ...previewOnly }, [content])).toHaveLength(1);
	});

	test('asks for a link to unsubscribe in a message to a campaign, but not to a person', async () => {
		const toCampaign = { ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 5501 };
		expect(await hintsOf({ ...order.emailSend, ...previewOnly }, ['Hello'])).toEqual([]);
		expect(await hintsOf({ ...toCampaign, ...previewOnly }, ['Hello'])).toHaveLength(1);
		const byHand = { ...toCampaign, testRuns: 'preview' };
		expect(await hintsOf(byHand, ['Hello'], { mode: 'manual' })).toHaveLength(1);
	});
});

test('A preview of HTML without tags offers Text where it has line breaks', async () => {
	const toOne = { ...order.emailSend, ...previewOnly };
	const lines = 'Hello\n\nBye';
	expect(await hintsOf(toOne, ['Hello', lines, '<p>Hello</p>\n<p>Bye</p>'])).toEqual([
		"The content of 1 email has line breaks and no tag (item 1). As HTML, mail programs show it as one paragraph. Set 'Email Type' to Text to keep its paragraphs.",
	]);
	expect(await hintsOf({ ...toOne, emailType: 'text' }, [lines])).toEqual([]);
});

describe('An email', () => {
	const text =
		'Hello <b> & "Co"\r\n\r\nSee (https://shop.example.com/?a=1&b=2).\nBye https://b.example';

	test.each<[string, INodeParameters, string]>([
		['of HTML leaves as it is', {}, text],
		['of HTML leaves as it is if that is chosen', { emailType: 'html' }, text],
		[
			'of text has paragraphs, line breaks and links, and no other HTML',
			{ emailType: 'text' },
			'<p>Hello &lt;b&gt; &amp; &quot;Co&quot;</p>\n<p>See (<a href="https://shop.example.com/?a=1&amp;b=2">https://shop.example.com/?a=1&amp;b=2</a>).<br>\nBye <a href="https://b.example">https://b.example</a></p>',
		],
	])('%s', async (_, more, content) => {
		for (const parameters of [order.emailSend, order.emailToAll]) {
			sandbox().reset();
			await run(sandbox(), { ...parameters, ...more, content: text });
			const [body] = bodies(sandbox());
			expect(body).toMatchObject({ content });
			expect(body).not.toHaveProperty('emailType');
		}
	});

	test('of any other type is refused', async () => {
		const { error } = await run(sandbox(), { ...order.emailSend, emailType: 'plain' });
		expect(error?.message).toBe(
			"Nothing was sent: Email Type cannot be 'plain'. Choose HTML or Text. In an expression, write html or text",
		);
	});

	test('in a preview is drawn as a mail program draws HTML', async () => {
		const content = async (emailType: string) => {
			const parameters = { ...order.emailSend, ...previewOnly, emailType, content: 'One\n\nTwo' };
			const { output } = await run(sandbox(), parameters);
			const page = pageOf(output[0]);
			return /<div class="content">(.*?)<\/div>/s.exec(page)?.[1];
		};
		expect(await content('html')).toBe('One\n\nTwo');
		expect(await content('text')).toBe('<p>One</p>\n<p>Two</p>');
	});
});
