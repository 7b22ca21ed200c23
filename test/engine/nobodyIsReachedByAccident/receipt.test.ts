import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import { useAttempts } from '../support/attempts';
import { present } from '../support/endpoints';
import type { Order } from '../support/engine';
import { everythingIn } from '../support/everything';
import * as order from '../support/orders';
import { pageOf, wordsOn } from '../support/pages';
import { idOf, push, rowsOf } from '../support/sends';
import { apiKey, freezeClock, keyCredential, run, useSandbox } from '../support/service';

freezeClock(present);
const sandbox = useSandbox();
const attempts = useAttempts();

const perRow = { ...order.pushSend, user_id: '={{ $json.id }}' };
const smsPerRow = {
	...order.smsSend,
	mobile: '=+4915112345{{ $json.id }}',
	message: '={{ $json.text }}',
};
const texts = [
	{ id: '001', text: 'a'.repeat(161) },
	{ id: '002', text: 'Short' },
];
const two = [{ id: 'u-0' }, { id: 'u-1' }];

const platforms = ['android', 'ios', 'web'];
const everywhere = { ...order.pushToAll, platforms };
const segments = Array.from({ length: 12 }, (_, segment) => ({ segment: segment + 1 }));

const send = async (parameters: INodeParameters, rows: IDataObject[], rest: Partial<Order> = {}) =>
	await run(sandbox(), parameters, { rows, ...rest });

describe('After a run that sent', () => {
	const none: string[] = [];
	const one = ['receipt'];
	it.each<[string, INodeParameters, IDataObject[], string[][], Partial<Order>?]>([
		['the first item of a list has a receipt', perRow, two, [one, none]],
		[
			'the first item has it beside its input fields',
			{ ...perRow, options: { includeInputFields: true } },
			two,
			[one, none],
		],
		[
			'the first item that was sent has it',
			{ ...perRow, additionalFields: { consent: '={{ $json.id === "u-1" }}' } },
			two,
			[none, one],
		],
		['each broadcast has one', everywhere, [{}], [one, one, one]],
		[
			'only the first ten of many broadcasts have one',
			{ ...order.pushToSegment, segment_id: '={{ $json.segment }}' },
			segments,
			[...Array.from({ length: 10 }, () => one), none, none],
		],
		[
			'a message to a campaign has one',
			{ ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 'C-9' },
			[{}],
			[one],
		],
		[
			'a message to one person has none',
			{ ...order.pushSend, platforms },
			[{}],
			[none, none, none],
		],
		['users have none', { ...order.createUser, userID: '={{ $json.id }}' }, two, [none, none]],
		[
			'a test has none',
			{ ...order.pushToAll, testRuns: 'testRecipient' },
			[{}],
			[none],
			{ mode: 'manual' },
		],
	])('%s', async (_, parameters, rows, expected, rest = {}) => {
		const credential = { ...keyCredential(sandbox()), testRecipient: true, testUserId: 'me-1' };
		const { output, error } = await send(parameters, rows, { credential, ...rest });
		expect(error).toBeUndefined();
		expect(output.map(({ binary }) => Object.keys(binary ?? {}))).toEqual(expected);
	});

	it('an agent gets no receipt', async () => {
		const credential = keyCredential(sandbox());
		const parameters = { ...order.pushToAll, sendOnce: true, sendOnceKey: 'Spring sale' };
		const answer = await agentTool({ parameters, credential }).invoke({});
		expect(String(answer)).toContain('accepted');
		expect(everythingIn(answer)).not.toContain('receipt');
	});
});

describe('A receipt', () => {
	const saidOf = async (
		parameters: INodeParameters,
		rows: IDataObject[],
		rest: Partial<Order> = {},
	) => {
		const { output } = await send(parameters, rows, rest);
		return wordsOn(pageOf(output[0], 'receipt'));
	};

	it('is a file that n8n can show, without scripts and without what it would load', async () => {
		const title = '<script>alert(1)</script><img src="https://evil.example/x.png">';
		const { output } = await send({ ...order.pushToAll, title }, [{}]);
		expect(output[0]?.binary?.receipt).toMatchObject({
			mimeType: 'text/plain',
			fileType: 'html',
			fileName: 'receipt.html',
		});
		const page = pageOf(output[0], 'receipt');
		expect(page).toContain('<title>Receipt</title>');
		expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
		expect(page).not.toMatch(/<(script|img|link|iframe|a)\b/);
		expect(page).toContain(
			`content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"`,
		);
	});

	it('holds no secret', async () => {
		const { output } = await send({ ...order.pushToAll, message: `Key ${apiKey}` }, [{}]);
		expect(pageOf(output[0], 'receipt')).not.toContain(apiKey);
	});

	it('says whom the message was for, what it said, and when it goes out in both zones', async () => {
		const said = await saidOf(
			{
				...order.emailToSegment,
				...{ sendAt: 'at', scheduledFor: '2027-07-01T09:30' },
			},
			[{}],
			{ timezone: 'Europe/Berlin' },
		);
		for (const words of [
			'Email: Broadcast to Segment',
			'To Segment 42 ',
			'When Thu 1 Jul 2027, 09:30, Europe/Berlin Thu 1 Jul 2027, 07:30, UTC ',
			'End of the run Thu 4 Mar 2027, 16:06, Europe/Berlin Thu 4 Mar 2027, 15:06, UTC ',
			'Our spring sale – 20 % off',
			'Accepted 1 of 1 ',
		])
			expect(said).toContain(words);
	});

	it('names one zone if both are the same', async () => {
		const said = await saidOf(perRow, two, { timezone: 'UTC' });
		expect(said).toContain('When At once ');
		expect(said).toContain('End of the run Thu 4 Mar 2027, 15:06, UTC Execution');
	});

	it('counts what was accepted, skipped, refused, and what may have been delivered', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'u-1' }, first: 1 });
		sandbox().faults.add({ kind: 'resetAfterAccept', match: { bodyText: 'u-2' }, first: 1 });
		const rows = ['u-0', 'u-1', '', 'u-3', 'u-4', 'u-2'].map((id) => ({ id }));
		const { output, failed } = await send(
			{
				...perRow,
				additionalFields: { consent: '={{ $json.id !== "u-3" }}' },
				options: { concurrency: 1 },
			},
			rows,
			{ onError: 'continueErrorOutput' },
		);
		const said = wordsOn(pageOf(output[0], 'receipt'));
		expect(said).toContain(
			' Accepted 2 of 4 Skipped no consent (1) Not valid 1 (item 2) Refused 1 (item 1 on web) May have been delivered 1 (item 5 on web) End of the run ',
		);
		expect(failed.map(({ binary }) => binary)).toEqual([undefined, undefined, undefined]);
	});

	it('of a list of SMS counts the parts of all, and shows those of the first', async () => {
		const said = await saidOf(smsPerRow, texts);
		expect(said).toContain('Parts in all 3 for 2 messages');
		expect(said).toContain('Parts 2 in GSM-7 ! each is charged');
	});

	it('in a retry shows a message that the retry sent, and counts what was sent before', async () => {
		const { list } = attempts();
		attempts().refuseOnce(idOf(2));
		const first = await list.start(attempts().order(push({ concurrency: 1 }), rowsOf(4)));
		expect(first.error).toBeDefined();
		const { output } = await list.retry(first);
		expect(output.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([
			...[[], []],
			...[['receipt'], []],
		]);
		const said = wordsOn(pageOf(output[2], 'receipt'));
		expect(said).toContain('Accepted 4 of 4, 2 of them in an earlier attempt ');
		expect(said).toContain(`To User ID ${idOf(2)} `);
	});
});
