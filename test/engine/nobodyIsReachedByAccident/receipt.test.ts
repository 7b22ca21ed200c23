import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import { freezeClock } from '../support/clock';
import { present } from '../support/endpoints';
import type { Order } from '../support/engine';
import { everythingIn } from '../support/everything';
import { push, sms, toCampaign, user } from '../support/mistakes';
import { apiKey, useNode } from '../support/node';
import * as order from '../support/orders';
import { pageOf, wordsOn } from '../support/pages';
import { idOf, rowsOf } from '../support/sends';

freezeClock(present);
const node = useNode();

const perRow = (more: INodeParameters = {}) => push({ user_id: '={{ $json.id }}', ...more });
const two = [{ id: 'u-0' }, { id: 'u-1' }];
const toAll = (more: INodeParameters = {}) => ({ ...order.pushToAll, ...more });
const platforms = ['android', 'ios', 'web'];

const send = async (parameters: INodeParameters, rows = [{}], rest: Partial<Order> = {}) =>
	await node.run(parameters, { rows, ...rest });

const receiptsOf = ({ output }: Awaited<ReturnType<typeof send>>) =>
	output.map(({ binary }) => Object.keys(binary ?? {}).join());

describe('After a run that sent', () => {
	const one = 'receipt';
	const ten = Array<string>(10).fill(one);
	const segments = Array.from({ length: 12 }, (_, segment) => ({ segment: segment + 1 }));
	const bySegment = { ...order.pushToSegment, segment_id: '={{ $json.segment }}' };
	const withFields = perRow({ options: { includeInputFields: true } });
	const second = perRow({ additionalFields: { consent: '={{ $json.agreed }}' } });

	it.each<[string, INodeParameters, IDataObject[], string[], Partial<Order>?]>([
		['the first item of a list has a receipt', perRow(), two, [one, '']],
		['the first item has it beside its input fields', withFields, two, [one, '']],
		[
			'the first item that was sent has it',
			second,
			[{ id: 'u-0' }, { id: 'u-1', agreed: true }],
			['', one],
		],
		['each broadcast has one', toAll({ platforms }), [{}], [one, one, one]],
		['only the first ten of many broadcasts have one', bySegment, segments, [...ten, '', '']],
		['a message to a campaign has one', toCampaign, [{}], [one]],
		['a message to one person has none', push({ platforms }), [{}], ['', '', '']],
		['users have none', user({ userID: '={{ $json.id }}' }), two, ['', '']],
		['a test has none', toAll({ testRuns: 'testRecipient' }), [{}], [''], { mode: 'manual' }],
	])('%s', async (_, parameters, rows, expected, rest = {}) => {
		const credential = { ...node.credential, testRecipient: true, testUserId: 'me-1' };
		const report = await send(parameters, rows, { credential, ...rest });
		expect(report.error).toBeUndefined();
		expect(receiptsOf(report)).toEqual(expected);
	});

	it('an agent gets no receipt', async () => {
		const credential = node.credential;
		const parameters = toAll({ sendOnce: true, sendOnceKey: 'Spring sale' });
		const answer = await agentTool({ parameters, credential }).invoke({});
		expect(String(answer)).toContain('accepted');
		expect(everythingIn(answer)).not.toContain('receipt');
	});
});

describe('A receipt', () => {
	const saidOf = async (...sent: Parameters<typeof send>) =>
		wordsOn(pageOf((await send(...sent)).output[0], 'receipt'));

	it('is a file that n8n can show, without scripts, what it would load, and secrets', async () => {
		const title = '<script>alert(1)</script><img src="https://evil.example/x.png">';
		const { output } = await send(toAll({ title, message: `Key ${apiKey}` }));
		const file = { mimeType: 'text/plain', fileType: 'html', fileName: 'receipt.html' };
		expect(output[0]?.binary?.receipt).toMatchObject(file);
		const page = pageOf(output[0], 'receipt');
		expect(page).toContain('<title>Receipt</title>');
		expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
		expect(page).not.toMatch(/<(script|img|link|iframe|a)\b/);
		const policy = 'default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;';
		expect(page).toContain(`content="${policy}"`);
		expect(page).not.toContain(apiKey);
	});

	it('says whom the message was for, what it said, and when it goes out in one zone or both', async () => {
		const scheduled = { sendAt: 'at', scheduledFor: '2027-07-01T09:30' };
		const said = await saidOf({ ...order.emailToSegment, ...scheduled }, [{}], {
			timezone: 'Europe/Berlin',
		});
		const inBerlin = 'When Thu 1 Jul 2027, 09:30, Europe/Berlin Thu 1 Jul 2027, 07:30, UTC ';
		const ended = 'End of the run Thu 4 Mar 2027, 16:06, Europe/Berlin Thu 4 Mar 2027, 15:06, UTC ';
		for (const words of [
			...['Email: Broadcast to Segment', 'To Segment 42 ', 'Our spring sale – 20 % off'],
			...[inBerlin, 'Accepted 1 of 1 ', ended],
		])
			expect(said).toContain(words);
		const inUtc = await saidOf(perRow(), two, { timezone: 'UTC' });
		expect(inUtc).toContain('When At once ');
		expect(inUtc).toContain('End of the run Thu 4 Mar 2027, 15:06, UTC Execution');
	});

	it('counts what was accepted, skipped, refused, and what may have been delivered', async () => {
		node.refuseOnce('u-1');
		node.loseOnce('u-2');
		const rows = ['u-0', 'u-1', '', 'u-3', 'u-4', 'u-2'].map((id) => ({
			id,
			agreed: id !== 'u-3',
		}));
		const additionalFields = { consent: '={{ $json.agreed }}' };
		const parameters = perRow({ additionalFields, options: { concurrency: 1 } });
		const { output, failed } = await send(parameters, rows, { onError: 'continueErrorOutput' });
		expect(wordsOn(pageOf(output[0], 'receipt'))).toContain(
			' Accepted 2 of 4 Skipped no consent (1) Not valid 1 (item 2) Refused 1 (item 1 on web) May have been delivered 1 (item 5 on web) End of the run ',
		);
		expect(failed.map(({ binary }) => binary)).toEqual([undefined, undefined, undefined]);
	});

	it('of a list of SMS counts the parts of all, and shows those of the first', async () => {
		const parameters = sms({ mobile: '=+4915112345{{ $json.id }}', message: '={{ $json.text }}' });
		const long = { id: '001', text: 'a'.repeat(161) };
		const said = await saidOf(parameters, [long, { id: '002', text: 'Short' }]);
		expect(said).toContain('Parts in all 3 for 2 messages');
		expect(said).toContain('Parts 2 in GSM-7 ! each is charged');
	});

	it('in a retry shows a message that the retry sent, and counts what was sent before', async () => {
		node.refuseOnce(idOf(2));
		const parameters = perRow({ options: { concurrency: 1 } });
		const first = await node.start({ parameters, rows: rowsOf(4) });
		expect(first.error).toBeDefined();
		const retry = await node.retry(first);
		expect(receiptsOf(retry)).toEqual(['', '', 'receipt', '']);
		const said = wordsOn(pageOf(retry.output[2], 'receipt'));
		expect(said).toContain('Accepted 4 of 4, 2 of them in an earlier attempt ');
		expect(said).toContain(`To User ID ${idOf(2)} `);
	});
});
