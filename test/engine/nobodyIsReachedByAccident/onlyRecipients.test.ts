import type { INodeParameters } from 'n8n-workflow';
import type { Order } from '../support/engine';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { bodies, keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const list = `C-1, sub-7
anna@Example.com
@münchen.example
+49 (0)151 1234-5678
me-1`;

const limited = (onlyRecipients: unknown = list, more: object = {}) => ({
	...keyCredential(sandbox()),
	limitRecipients: true,
	onlyRecipients: onlyRecipients as string,
	...more,
});

async function send(parameters: INodeParameters, rest: Partial<Order> = {}) {
	return await run(sandbox(), parameters, { credential: limited(), ...rest });
}

const toEmail = { ...order.emailSend, email: '={{ $json.to }}' };
const toMobile = { ...order.smsSend, mobile: '={{ $json.to }}' };
const toUser = { ...order.pushSend, user_id: '={{ $json.to }}' };
const bySubscription = {
	...order.pushSend,
	recipientBy: 'subscription_id',
	subscription_id: '={{ $json.to }}',
};

const email = { ...order.emailSend, email: 'anna@example.com' };

describe('With Only These Recipients', () => {
	it.each<[string, INodeParameters, string[], string[]]>([
		['user IDs, whose case counts', toUser, ['C-1', 'me-1'], ['c-1', 'C-2', 'ANNA@example.com']],
		['subscription IDs', bySubscription, ['sub-7'], ['sub-70']],
		[
			'email addresses, whose case does not count, and domains',
			toEmail,
			['ANNA@example.com', 'ben@münchen.example', 'Ben@xn--mnchen-3ya.example'],
			['eve@example.com', 'x@sub.münchen.example'],
		],
		[
			'phone numbers, however written',
			toMobile,
			['+4915112345678', '0049 151 12345678'],
			['+4915112345679'],
		],
		['events by their user', { ...order.trackEvent, userID: '={{ $json.to }}' }, ['C-1'], ['C-2']],
	])('%s are compared as they are sent', async (_, parameters, allowed, others) => {
		const rows = [...allowed, ...others].map((to) => ({ to }));
		const options = { sendDuplicates: true };
		const { output, error } = await send({ ...parameters, options }, { rows });
		expect(error).toBeUndefined();
		expect(output.map(({ json, pairedItem }) => [json.outcome, json.reason, pairedItem])).toEqual([
			...allowed.map((__, item) => ['accepted', undefined, { item }]),
			...others.map((__, item) => [
				'skipped',
				'recipientNotAllowed',
				{ item: allowed.length + item },
			]),
		]);
	});

	it('a warning counts who was left out', async () => {
		const rows = ['C-1', 'C-2', 'C-3'].map((to) => ({ to }));
		const { hints } = await send(toUser, { rows });
		const warning =
			"2 messages were skipped because their recipients are not listed in the credential under 'Only These Recipients' (items 1–2).";
		expect(hints).toContainEqual(expect.objectContaining({ message: warning, type: 'warning' }));
		expect(bodies(sandbox())).toHaveLength(1);
	});

	it.each<[string, unknown]>([
		['an empty list', ''],
		['a list of blanks', ' \n , '],
		['an expression without a value', null],
	])('%s allows nobody', async (_, onlyRecipients) => {
		const { output } = await send(order.pushSend, { credential: limited(onlyRecipients) });
		expect(output[0]?.json).toMatchObject({ outcome: 'skipped', user_id: 'C-1' });
		expect(sandbox().record).toEqual([]);
	});

	it('users are created whoever they are', async () => {
		const { output } = await send({ ...order.createUser, userID: 'C-2' });
		expect(output[0]?.json.outcome).toBe('accepted');
	});

	it.each<[string, INodeParameters, string]>([
		['a push to everyone', order.pushToAll, 'this would reach everyone'],
		['an email to a segment', order.emailToSegment, 'this would reach segment 42'],
		['an SMS campaign', order.smsBroadcast, 'this would reach segment 42'],
		[
			'a message to a campaign',
			{ ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 5501 },
			'this would reach campaign 5501',
		],
		[
			'an additional segment',
			{ ...email, additionalFields: { segment_id: 42 } },
			'Segment could reach other people',
		],
		['a tag', { ...order.pushSend, additionalFields: { tag: 'vip' } }, 'Tag could reach'],
		[
			'a device',
			{ ...order.pushSend, platforms: ['android'], additionalFields: { android_id: 'a1' } },
			'Android ID could reach',
		],
		[
			'a device of iOS',
			{ ...order.pushSend, platforms: ['web', 'ios'], additionalFields: { ios_ifv: 'i1' } },
			'iOS Identifier for Vendor could reach',
		],
		[
			'a copy to somebody else',
			{ ...email, additionalFields: { email_cc: 'anna@example.com, eve@example.com' } },
			"CC Email '…' is not in its list",
		],
		[
			'an extra field that names somebody',
			{
				...order.pushSend,
				additionalFields: { extraBodyFields: '{ "email": "eve@example.com" }' },
			},
			'Extra Body Fields could reach other people',
		],
		...['bcc', 'to', 'recipients', 'user_ids', 'channel'].map(
			(name): [string, INodeParameters, string] => [
				`the extra field ${name} of an email`,
				{
					...email,
					additionalFields: { extraBodyFields: JSON.stringify({ [name]: ['eve@example.com'] }) },
				},
				'Extra Body Fields could reach other people',
			],
		),
		[
			'an extra field from an expression',
			{ ...email, additionalFields: { extraBodyFields: '={{ { note: "hello" } }}' } },
			'Extra Body Fields could reach other people',
		],
		[
			'an extra field of a question',
			{
				...order.pushSend,
				operation: 'sendAndWait',
				additionalFields: { extraBodyFields: '{ "cc": "eve" }' },
			},
			'Extra Body Fields could reach other people',
		],
		[
			'an extra field of an event',
			{ ...order.trackEvent, additionalFields: { extraEventFields: '{ "segment_id": 42 }' } },
			'Extra Event Fields could reach other people',
		],
		[
			'an extra field beside the events of a request',
			{ ...order.trackEvent, additionalFields: { extraBodyFields: '{ "notify": "all" }' } },
			'Extra Body Fields could reach other people',
		],
		['a custom request', order.customPost, 'the node cannot tell whom a custom request reaches'],
	])('%s is refused', async (_, parameters, what) => {
		const { error } = await send(parameters);
		expect(error?.message).toContain(
			`Nothing was sent: 'Only These Recipients' is on in the credential, and ${what}`,
		);
		expect(sandbox().record).toEqual([]);
	});

	it('a copy to somebody in the list is sent, and so is a message whose extra fields are empty', async () => {
		const additionalFields = { email_cc: 'x@münchen.example', extraBodyFields: '{ }' };
		await send({ ...email, additionalFields });
		expect(bodies(sandbox())).toMatchObject([{ email_cc: 'x@xn--mnchen-3ya.example' }]);
	});

	it('an event with attributes of its own is sent', async () => {
		const attributes = { assignments: [{ name: 'total', type: 'number', value: 49.9 }] };
		const { output } = await send({ ...order.trackEvent, attributes });
		expect(output[0]?.json.outcome).toBe('accepted');
	});

	it('a question to somebody else is refused, and one to somebody in the list is asked', async () => {
		const ask = { ...order.pushSend, operation: 'sendAndWait', user_id: '={{ $json.to }}' };
		const { error } = await send(ask, { rows: [{ to: 'C-2' }] });
		expect(error?.message).toContain('the recipient of this question is not in its list');
		expect(sandbox().record).toEqual([]);
		await send(ask, { rows: [{ to: 'C-1' }] });
		expect(bodies(sandbox())).toMatchObject([{ user_id: 'C-1' }]);
	});

	it.each<[string, INodeParameters]>([
		['a push to somebody else', { ...order.pushSend, user_id: 'C-2' }],
		['a push to everyone', order.pushToAll],
	])('a test of %s goes to the test recipient', async (_, parameters) => {
		const credential = limited('', { testRecipient: true, testUserId: 'tester' });
		const { output } = await send(
			{ ...parameters, testRuns: 'testRecipient' },
			{ credential, mode: 'manual' },
		);
		expect(output[0]?.json).toMatchObject({ outcome: 'accepted', user_id: 'tester' });
		expect(bodies(sandbox())).toMatchObject([{ user_id: 'tester' }]);
	});

	describe('and a test recipient', () => {
		const testers = {
			testRecipient: true,
			testUserId: 'tester, or so',
			testEmail: 'Tester@Example.com',
			testMobile: '+49 151 99999999',
		};
		const byTester: Array<[string, INodeParameters]> = [
			['a push', { ...order.pushSend, user_id: 'tester, or so' }],
			['an email', { ...order.emailSend, email: 'tester@example.com' }],
			['a copy', { ...email, additionalFields: { email_cc: 'tester@example.com' } }],
			['an SMS', { ...order.smsSend, mobile: '+4915199999999' }],
			['an event', { ...order.trackEvent, userID: 'tester, or so' }],
			['a question', { ...order.pushSend, operation: 'sendAndWait', user_id: 'tester, or so' }],
		];

		it.each(byTester)('%s to them is sent', async (_, parameters) => {
			const credential = limited('anna@example.com', testers);
			const { error } = await send(parameters, { credential });
			expect(error).toBeUndefined();
			expect(sandbox().accepted()).toHaveLength(1);
		});

		it.each(byTester)('%s to them is not sent while their switch is off', async (_, parameters) => {
			const credential = limited('anna@example.com', { ...testers, testRecipient: false });
			await send(parameters, { credential });
			expect(sandbox().record).toEqual([]);
		});

		it.each(['tester', 'or so', 'eve@example.com'])('nobody else is reached: %s', async (to) => {
			const credential = limited('', testers);
			const { output } = await send({ ...order.pushSend, user_id: to }, { credential });
			expect(output[0]?.json).toMatchObject({ reason: 'recipientNotAllowed' });
			expect(sandbox().record).toEqual([]);
		});
	});

	it('a preview shows who would be left out', async () => {
		const options = { previewOnly: true };
		const rows = ['C-1', 'C-2'].map((to) => ({ to }));
		const { output } = await send({ ...toUser, options }, { rows });
		expect(output.map(({ json }) => json.outcome)).toEqual(['preview', 'skipped']);
	});
});
