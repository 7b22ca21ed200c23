import type { INodeParameters } from 'n8n-workflow';

import type { Order } from '../support/engine';
import { email, event, push, sms, toCampaign, user } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const list = `C-1, sub-7
anna@Example.com
@münchen.example
+49 (0)151 1234-5678
me-1`;

const limited = (onlyRecipients: unknown = list, more: object = {}) => ({
	...node.credential,
	limitRecipients: true,
	onlyRecipients: onlyRecipients as string,
	...more,
});

async function send(parameters: INodeParameters, rest: Partial<Order> = {}) {
	return await node.run(parameters, { credential: limited(), ...rest });
}

const outcomesOf = ({ output }: Awaited<ReturnType<typeof send>>) =>
	output.map(({ json: { outcome, reason }, pairedItem }) => [outcome, reason, pairedItem]);

const to = '={{ $json.to }}';
const eve = 'eve@example.com';
const notListed = (item: number) => ['skipped', 'recipientNotAllowed', { item }];
const bySubscription = { recipientBy: 'subscription_id', subscription_id: to };
const toAnna = (additionalFields: INodeParameters) =>
	email({ email: 'anna@example.com', additionalFields });
const ask = (more: INodeParameters) => push({ operation: 'sendAndWait', ...more });

describe('With Only These Recipients', () => {
	it.each<[string, INodeParameters, string[], string[]]>([
		['user IDs, whose case counts', push({ user_id: to }), ['C-1'], ['c-1', 'ANNA@example.com']],
		['subscription IDs', push(bySubscription), ['sub-7'], ['sub-70']],
		['emails, whose case does not count', email({ email: to }), ['ANNA@example.com'], [eve]],
		['domains', email({ email: to }), ['Ben@xn--mnchen-3ya.example'], ['x@sub.münchen.example']],
		['phone numbers', sms({ mobile: to }), ['0049 151 12345678'], ['+4915112345679']],
		['events by their user', event({ userID: to }), ['C-1'], ['C-2']],
	])('%s are compared as they are sent', async (_, parameters, allowed, others) => {
		const rows = [...allowed, ...others].map((one) => ({ to: one }));
		const report = await send({ ...parameters, options: { sendDuplicates: true } }, { rows });
		expect(report.error).toBeUndefined();
		expect(outcomesOf(report)).toEqual([
			...allowed.map((__, item) => ['accepted', undefined, { item }]),
			...others.map((__, item) => notListed(allowed.length + item)),
		]);
	});

	it('a warning counts who was left out, and a preview shows it', async () => {
		const rows = ['C-1', 'C-2', 'C-3'].map((one) => ({ to: one }));
		const { hints } = await send(push({ user_id: to }), { rows });
		const message =
			"Items 1 (C-2), 2 (C-3): 2 messages were skipped because 'Only These Recipients' in the credential does not list the recipient.";
		expect(hints).toContainEqual(expect.objectContaining({ message, type: 'warning' }));
		const parameters = push({ user_id: to, options: { previewOnly: true } });
		const report = await send(parameters, { rows: rows.slice(0, 2) });
		expect(outcomesOf(report)).toEqual([['preview', undefined, { item: 0 }], notListed(1)]);
	});

	it.each([
		['a list of blanks', ' \n , '],
		['an expression without a value', null],
	])('%s allows nobody', async (_, onlyRecipients) => {
		const report = await send(push(), { credential: limited(onlyRecipients) });
		expect(outcomesOf(report)).toEqual([notListed(0)]);
		expect(node.sandbox.record).toEqual([]);
	});

	const extraBody = 'Extra Body Fields could reach other people';
	const extra = (fields: object) => ({ extraBodyFields: JSON.stringify(fields) });
	const ofEvent = { extraEventFields: '{ "segment_id": 42 }' };
	const onAndroid = { platforms: ['web', 'android'] };
	const devices = { android_id: 'a1' };

	it.each<[string, INodeParameters, string]>([
		['a push to everyone', order.pushToAll, 'this would reach everyone'],
		['an email to a segment', order.emailToSegment, 'this would reach segment 42'],
		['a message to a campaign', toCampaign, 'this would reach campaign 5501'],
		['an additional segment', toAnna({ segment_id: 42 }), 'Segment could reach other people'],
		['a tag', push({ additionalFields: { tag: 'vip' } }), 'Tag could reach'],
		['a device', push({ ...onAndroid, additionalFields: devices }), 'Android ID could reach'],
		['a copy', toAnna({ email_cc: `anna@example.com, ${eve}` }), "CC Email '…' is not in its list"],
		['an extra field', toAnna({ extraBodyFields: '={{ { note: "hello" } }}' }), extraBody],
		['one of an event', event({ additionalFields: ofEvent }), 'Extra Event Fields could reach'],
		['one of a user', user({ additionalFields: extra({ list: 'eve' }) }), extraBody],
		['a custom request', order.customPost, 'the node cannot tell whom a custom request reaches'],
		['a question', ask({ user_id: 'C-2' }), 'the recipient of this question is not in its list'],
	])('%s is refused', async (_, parameters, what) => {
		expect(await node.stops(parameters, { credential: limited() })).toContain(
			`Nothing was sent: 'Only These Recipients' is on in the credential, and ${what}`,
		);
	});

	const total = { assignments: [{ name: 'total', type: 'number', value: 49.9 }] };
	const anyUser = user({ userID: 'C-2', email: eve, additionalFields: extra({}) });

	it.each<[string, INodeParameters, object]>([
		[
			'a user, whoever it is,',
			anyUser,
			{ nv: [{ userID: 'C-2', user_attributes: { email: eve } }] },
		],
		['a copy', toAnna({ email_cc: 'x@münchen.example' }), { email_cc: 'x@xn--mnchen-3ya.example' }],
		['an event with attributes', event({ attributes: total }), { nv: [{ userID: 'C-1' }] }],
		['a question to somebody in the list', ask({ user_id: 'C-1' }), { user_id: 'C-1' }],
	])('%s is sent', async (_, parameters, body) => {
		await send(parameters);
		expect(node.bodies()).toMatchObject([body]);
	});

	it('a test of a push to everyone goes to the test recipient', async () => {
		const credential = limited('', { testRecipient: true, testUserId: 'tester' });
		const tested = { ...order.pushToAll, testRuns: 'testRecipient' };
		const { output } = await send(tested, { credential, mode: 'manual' });
		expect(output[0]?.json).toMatchObject({ outcome: 'accepted', user_id: 'tester' });
		expect(node.bodies()).toMatchObject([{ user_id: 'tester' }]);
	});

	const testers = { testUserId: 'tester, or so', testEmail: 'Tester@Example.com' };

	it.each<[string, INodeParameters]>([
		['a push', push({ user_id: 'tester, or so' })],
		['a copy', toAnna({ email_cc: 'tester@example.com' })],
		['a question', ask({ user_id: 'tester, or so' })],
	])('%s to a test recipient is sent only while their switch is on', async (_, parameters) => {
		for (const testRecipient of [false, true]) {
			const credential = limited('anna@example.com', { ...testers, testRecipient });
			await send(parameters, { credential });
			expect(node.sandbox.accepted()).toHaveLength(testRecipient ? 1 : 0);
		}
	});
});
