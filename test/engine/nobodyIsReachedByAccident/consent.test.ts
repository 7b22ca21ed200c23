import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import type { Order } from '../support/engine';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { bodies, keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const consent = '={{ $json.agreed }}';
const asked = (parameters: INodeParameters): INodeParameters => ({
	...parameters,
	additionalFields: { consent },
	options: { sendDuplicates: true },
});
const send = async (parameters: INodeParameters, rows: IDataObject[], rest: Partial<Order> = {}) =>
	await run(sandbox(), parameters, { rows, ...rest });
const requiring = () => ({ ...keyCredential(sandbox()), requireConsent: true });

const agreed = [true, 'true', 'TRUE', ' Yes ', 'yes', '1', 1];
const refused = [false, 'false', 'No', '0', 0, '', ' ', null, undefined];

describe('Consent', () => {
	it.each<[string, INodeParameters]>([
		['a push', order.pushSend],
		['an email', order.emailSend],
		['an SMS', order.smsSend],
	])('decides whether %s is sent, and is not sent itself', async (_, parameters) => {
		const rows = [...agreed, ...refused].map((value) => ({ agreed: value }));
		const { output, hints, error } = await send(asked(parameters), rows);
		expect(error).toBeUndefined();
		expect(output.map(({ json, pairedItem }) => [json.outcome, json.reason, pairedItem])).toEqual([
			...agreed.map((__, item) => ['accepted', undefined, { item }]),
			...refused.map((__, item) => ['skipped', 'noConsent', { item: agreed.length + item }]),
		]);
		expect(hints.map(({ message }) => message)).toContain(
			"9 messages were skipped because their recipients have not agreed: 'Consent' is empty, false, no or 0 (items 7–15).",
		);
		expect(bodies(sandbox())).toHaveLength(agreed.length);
		expect(JSON.stringify(bodies(sandbox()))).not.toContain('consent');
	});

	it.each(['subscribed', 'ja', 2, ['yes']])('is refused as a value if it is %j', async (value) => {
		const { error } = await send(asked(order.pushSend), [{ agreed: value }, { agreed: true }]);
		expect(error?.message).toMatch(
			/^Nothing was sent: Consent is .*\. It must be true, yes or 1 for people who agreed, and false, no, 0 or empty for all others/,
		);
		expect(sandbox().record).toEqual([]);
	});

	it('is refused if it is empty in every row of several, and skips a single one', async () => {
		const { error } = await send(asked(order.pushSend), [{}, { agreed: '' }]);
		expect(error?.message).toBe(
			'Nothing was sent: Consent is empty in all 2 items, so the column is probably named otherwise. Correct its expression',
		);
		const { output } = await send(asked(order.pushSend), [{}]);
		expect(output[0]?.json).toMatchObject({ outcome: 'skipped', reason: 'noConsent' });
		const { output: none } = await send(asked(order.pushSend), [{}, { agreed: false }]);
		expect(none.map(({ json }) => json.reason)).toEqual(['noConsent', 'noConsent']);
		expect(sandbox().record).toEqual([]);
	});

	it('comes before Send Once, so that who agrees later gets the message', async () => {
		const once = { ...asked(order.pushSend), sendOnce: true };
		const told = [];
		for (const value of [false, true, true]) told.push(await send(once, [{ agreed: value }]));
		expect(told.map(({ output }) => output[0]?.json.reason ?? output[0]?.json.outcome)).toEqual([
			'noConsent',
			'accepted',
			'sentBefore',
		]);
	});

	it('may not be filled in by a model', async () => {
		const additionalFields = { consent: "={{ $fromAI('consent', '', 'boolean') }}" };
		const parameters = { ...order.pushSend, additionalFields };
		const tool = agentTool({ parameters, credential: keyCredential(sandbox()) });
		await expect(tool.invoke({ consent: true })).rejects.toThrow("'Consent' is left to the model");
		expect(sandbox().record).toEqual([]);
	});

	it('is shown in a preview', async () => {
		const parameters = { ...asked(order.pushSend), options: { previewOnly: true } };
		const { output } = await send(parameters, [{ agreed: true }, { agreed: false }]);
		expect(output.map(({ json }) => json.outcome)).toEqual(['preview', 'skipped']);
	});
});

describe('With Require Consent in the credential', () => {
	const missing =
		"Nothing was sent: The credential requires consent for each message to a person. Add 'Consent' under Additional Fields, with the column that says whether the person agreed";

	it.each<[string, INodeParameters]>([
		['a push', order.pushSend],
		['an email', order.emailSend],
		['an SMS', order.smsSend],
		['a push with other fields', { ...order.pushSend, additionalFields: { tag: 'vip' } }],
	])('%s without the field is refused', async (_, parameters) => {
		const { error } = await send(parameters, [{}, {}], { credential: requiring() });
		expect(error?.message).toBe(missing);
		expect(sandbox().record).toEqual([]);
	});

	it.each<[string, INodeParameters]>([
		['a message with the field', asked(order.pushSend)],
		['a user', order.createUser],
		['an event', order.trackEvent],
		['a custom request', order.customPost],
	])('%s is sent', async (_, parameters) => {
		const { output } = await send(parameters, [{ agreed: 'yes' }], { credential: requiring() });
		expect(output[0]?.json.outcome).toBe('accepted');
	});

	it.each([
		['mailUrl', '/api/v1/sendMessage'],
		['mailUrl', '/x/SENDMESSAGE/?a=1'],
		['pushUrl', '/api/v1/web/send'],
		['pushUrl', '/api/v1/iOS/Send/'],
	])('a custom request that messages a person is refused (%s, %s)', async (host, path) => {
		const custom = { ...order.customPost, host, path, body: '{ "user_id": "C-1" }' };
		const { error } = await send(custom, [{}], { credential: requiring() });
		expect(error?.message).toMatch(
			/^Nothing was sent: Path leads to a message to a person, for which the credential requires consent, and a custom request has no field for it\. Use Send to User of Push, Email.* or \w+, with 'Consent' under Additional Fields$/,
		);
		expect(sandbox().record).toEqual([]);
	});

	it('without the switch, such a custom request is sent', async () => {
		const custom = { ...order.customPost, host: 'mailUrl', path: '/api/v1/sendMessage' };
		await send({ ...custom, body: '{ "user_id": "C-1" }' }, [{}]);
		expect(sandbox().record).toHaveLength(1);
	});

	it.each<[string, INodeParameters]>([
		['a broadcast', order.pushToAll],
		[
			'a message to a campaign',
			{ ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 5501 },
		],
	])('%s is sent, with a hint', async (_, parameters) => {
		const { output, hints } = await send(parameters, [{}], { credential: requiring() });
		expect(output[0]?.json.outcome).toBe('accepted');
		expect(hints.map(({ message }) => message)).toContain(
			'The credential requires consent, but the node cannot see who of the recipients of a broadcast agreed. Send it only to a segment of people who did.',
		);
	});
});
