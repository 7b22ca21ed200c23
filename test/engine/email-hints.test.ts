import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { run, useSandbox } from './support/service';

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
	return hints.map(({ message }) => message).filter((hint) => /cut an|unsubscribe/.test(hint));
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
			'1 email has a content of 103 kB (item 0). Some mail programs cut an email above 102 kB, so its end is hidden, which often holds the link to unsubscribe. Shorten the content',
		]);
		expect(await hintsOf(toOne, [sized(150_000), 'Hello', sized(120_000)])).toEqual([
			'2 emails have a content of up to 150 kB (items 0, 2). Some mail programs cut an email above 102 kB, so its end is hidden, which often holds the link to unsubscribe. Shorten the content',
		]);
	});

	test('names broadcasts that seem to have no link to unsubscribe', async () => {
		const toAll = { ...order.emailToAll, ...previewOnly };
		expect(await hintsOf(toAll, ['<h1>Sale</h1>', `<h1>Sale</h1>${footer}`])).toEqual([
			'1 broadcast seems to have no link to unsubscribe (item 0). Many countries and mail providers ask for one. The service may add one itself: look at a test email, or add a link to the content',
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
		const byHand = { ...toCampaign, testRuns: 'previewCampaigns' };
		expect(await hintsOf(byHand, ['Hello'], { mode: 'manual' })).toHaveLength(1);
	});
});

test('An email that is sent gets no hint about its content', async () => {
	expect(await hintsOf(order.emailToAll, [sized(150_000).replace(footer, '')])).toEqual([]);
});
