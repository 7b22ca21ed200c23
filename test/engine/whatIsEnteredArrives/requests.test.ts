import type { ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { full, minimal, present } from '../support/endpoints';
import { everythingIn } from '../support/everything';
import { accessToken, ampleLimits, apiKey, brandId, useNode } from '../support/node';
import * as order from '../support/orders';

freezeClock(present);
const node = useNode();

const { pushSend, emailSend, smsSend } = order;

const hosts = { base: 'baseUrl', push: 'pushUrl', mail: 'mailUrl' } as const;
const secrets = {
	apiKey: { 'x-api-key': apiKey, 'x-brand-id': brandId },
	partnerToken: { authorization: `Bearer ${accessToken}` },
};

it.each([
	...minimal.map((endpoint) => ({ ...endpoint, fields: 'the least it needs' })),
	...full.map((endpoint) => ({ ...endpoint, fields: 'every optional field' })),
])('$name with $fields shows and sends its request', async ({ parameters, host, path, body }) => {
	for (const [authentication, secret] of Object.entries(secrets)) {
		node.sandbox.reset();
		const entered = { ...parameters, authentication };
		const preview = await node.run({ ...entered, options: { previewOnly: true } });
		expect(node.sandbox.record).toEqual([]);
		const { resource, operation } = parameters;
		const url = `${node.sandbox.urls[hosts[host]]}${path}`;
		const request = { outcome: 'preview', resource, operation, method: 'POST', url };
		expect(preview.output).toMatchObject([{ json: request, pairedItem: { item: 0 } }]);
		expect(preview.output[0]?.json.body).toStrictEqual(body);
		expect(everythingIn(preview.run)).not.toMatch(new RegExp(`${apiKey}|${accessToken}`));

		await node.run({ ...entered, options: { sendDuplicates: true } });
		const { headers, ...arrived } = node.onlyArrival();
		const told = { method: 'POST', host, path, outcome: 'accepted', problems: [] };
		expect(arrived).toMatchObject(told);
		expect(arrived.body).toStrictEqual(body);
		const ours = /^(?:x-|authorization|accept$|content-type)/;
		const sent = Object.entries(headers).filter(([name]) => ours.test(name));
		const json = { accept: 'application/json', 'content-type': 'application/json' };
		expect(Object.fromEntries(sent)).toEqual({ ...json, ...secret });
	}
});

it('A preview shows each user of a batch by itself', async () => {
	const options = { previewOnly: true, batchSize: 2 };
	const parameters = { ...order.createUser, userID: '={{ $json.id }}', options };
	const { output } = await node.run(parameters, { rows: [{ id: 'A' }, { id: 'B' }, { id: 'C' }] });
	const shown = (userID: string, index: number, size: number) => {
		return { userID, body: { nv: [{ userID, user_attributes: {} }] }, batch: { index, size } };
	};
	const expected = [shown('A', 0, 2), shown('B', 0, 2), shown('C', 1, 1)];
	expect(output.map(({ json }) => json)).toMatchObject(expected);
});

/** Spec §4.2–§4.4 and the keys under which a recipient is named. */
const recipients = ['user_id', 'subscription_id', 'email', 'mobile', 'campaign_id'];
const ofMail = { mobile: '+919812345670', user_id: 'C-7', campaign_id: 'camp-7' };

it.each<[string, INodeParameters, INodeParameters]>([
	['A push', order.pushSend, { user_id: 'C-7', subscription_id: 'sub-7' }],
	['An email', order.emailSend, { email: 'mira@example.com', ...ofMail }],
	['An SMS', order.smsSend, ofMail],
])('%s to one person names it only in the way that was chosen', async (_, base, ways) => {
	for (const [key, value] of Object.entries(ways)) {
		node.sandbox.reset();
		await node.run({ ...base, ...ways, recipientBy: key });
		const { body, outcome } = node.onlyArrival();
		const named = Object.entries(body as object).filter(([name]) => recipients.includes(name));
		expect(named).toEqual([[key, value]]);
		expect(outcome).toBe('accepted');
	}
});

it('Several platforms at once are a request and an item each, also if one is named twice', async () => {
	const platforms = ['web', 'android', 'ios', 'web'];
	const parameters = { ...order.pushSend, platforms, additionalFields: order.devices };
	const { output } = await node.run(parameters);
	const common = { user_id: 'C-1', ...order.notification };
	const arrived = node.sandbox.record.map(({ path, body }): [string, unknown] => [path, body]);
	expect(Object.fromEntries(arrived)).toStrictEqual({
		'/api/v1/web/send': common,
		'/api/v1/android/send': { ...common, android_id: '9774d56d682e549c' },
		'/api/v1/ios/send': { ...common, ios_ifv: '6D92078A-8246-4BA4' },
	});
	expect(arrived).toHaveLength(3);
	expect(output.map(({ json, pairedItem }) => [json.platform, pairedItem])).toEqual(
		['web', 'android', 'ios'].map((platform) => [platform, { item: 0 }]),
	);
});

describe('The output of an accepted request', () => {
	const schedule = expect.objectContaining({ zone: 'UTC' }) as object;

	it.each<[string, INodeParameters, to: object, more: object]>([
		['a push', order.pushSend, { user_id: 'C-1', platform: 'web' }, {}],
		// It says which time was sent for Now.
		['an email', order.emailToAll, { audience: 'everyone' }, { schedule }],
		['an SMS', order.smsBroadcast, { segment_id: 42 }, { schedule }],
		['a user', order.createUser, { userID: 'C-1' }, { batch: { index: 0, size: 1 } }],
	])('begins with whom %s was for, and tells what became of it', async (...one) => {
		const [, parameters, to, more] = one;
		const { output } = await node.run(parameters, { timezone: 'UTC' });
		const { resource, operation } = parameters;
		const response = { status: 'ok', id: String(node.onlyArrival().seq) };
		const rest = {
			statusCode: 200,
			response,
			rateLimitRemaining: ampleLimits.push - 1,
			attempts: 1,
		};
		const json = { outcome: 'accepted', ...to, ...rest, resource, operation, ...more };
		expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
		const keys = ['outcome', ...Object.keys(to), ...Object.keys(rest)];
		expect(Object.keys(output[0]?.json ?? {}).slice(0, keys.length)).toEqual(keys);
	});

	it.each([
		['a JSON object', 'application/json', '{"id":7}', { id: 7 }],
		['plain text', 'text/plain', 'queued', 'queued'],
		['broken JSON', 'application/json', '{"id":', '{"id":'],
		['nothing', 'text/plain', '', null],
	])('holds the response unchanged: %s', async (_, type, body, response) => {
		const answer = (to: ServerResponse) => to.writeHead(200, { 'content-type': type }).end(body);
		const { output } = await node.against(answer, { parameters: order.smsSend });
		const told = { outcome: 'accepted', statusCode: 200, response, rateLimitRemaining: null };
		expect(output).toMatchObject([{ json: told }]);
	});
});

describe('A custom request', () => {
	it.each([
		['mailUrl', 'mail', '/api/v1/event/track?mode=async&tag=a_b'],
		['pushUrl', 'push', '/reports/broadcasts?x=1'],
	])('to %s goes to the host %s, with its path as it is written: %s', async (host, at, path) => {
		await node.run({ ...order.customPost, host, path });
		expect(node.onlyArrival()).toMatchObject({ host: at, path, method: 'POST' });
	});

	it.each([
		['a list', '[{ "event": "a" }, { "event": "b" }]', [{ event: 'a' }, { event: 'b' }]],
		['an expression', '={{ $json }}', { event: 'seen', amount: 9.5, nothing: null }],
	])('sends its body as it is: %s', async (_, body, sent) => {
		await node.run({ ...order.customPost, body }, { rows: [sent as IDataObject] });
		expect(node.onlyArrival().body).toStrictEqual(sent);
	});
});

describe('A message does not get past its guards', () => {
	it.each([pushSend, emailSend, smsSend, { ...pushSend, operation: 'sendAndWait' }])(
		'by a campaign as an extra field of %j',
		async (parameters) => {
			const additionalFields = { extraBodyFields: '{ "campaign_id": 5501 }' };
			expect(await node.refusal({ ...parameters, additionalFields })).toBe(
				`Extra Body Fields must not contain 'campaign_id', because a campaign may reach many people. For that, use an operation that has Campaign ID under 'Recipient By'`,
			);
		},
	);

	it.each([
		['pushUrl', '/api/v1/iOS/Send/'],
		['mailUrl', '/x/SENDMESSAGE/?a=1'],
	])('at the path of a message, to %s%s', async (host, path) => {
		expect(await node.refusal({ ...order.customPost, host, path })).toMatch(
			/^Path leads to a message or a broadcast, which would get past its guards\. Use an operation of Push, Email.* or \w+ instead\. /,
		);
	});

	it('while a report about a campaign is asked for', async () => {
		const path = '/api/v1/report/campaign';
		await node.run({ ...order.customPost, path, body: '{ "campaign_id": 5501 }' });
		expect(node.onlyArrival().path).toBe(path);
	});
});

it('Extra Body Fields are refused beside a list, because the list would be lost', async () => {
	const additionalFields = { extraBodyFields: '{ "source": "crm" }' };
	const parameters = { ...order.customPost, body: '[{ "event": "signed_up" }]', additionalFields };
	const told = await node.refusal(parameters);
	expect(told).toContain('Extra Body Fields can be added to an object only');
});

const emailSender = { sender_name: 'Acme', sender_email: 'acme@a.example', serviceproviderID: 3 };
const smsSender = { sender_name: 'ACMESMS', sender_mobile: '+919800000009', serviceproviderID: 4 };
const defaults = {
	defaultSenders: true,
	emailSenderName: 'Acme',
	emailSenderAddress: 'acme@a.example',
	emailServiceProviderId: 3,
	smsSenderName: 'ACMESMS',
	smsSenderMobile: '+919800000009',
	smsServiceProviderId: 4,
};

describe('The default sender of the credential', () => {
	it.each([
		...[emailSend, order.emailBroadcast, order.emailToAll, order.emailToSegment],
		...[smsSend, order.smsBroadcast, order.smsToAll, order.smsToSegment],
	])('is that of $resource $operation, even if the node holds another', async (parameters) => {
		await node.run({ ...parameters, senderFrom: 'credential' }, { account: defaults });
		const body = parameters.resource === 'email' ? emailSender : smsSender;
		expect(node.onlyArrival()).toMatchObject({ outcome: 'accepted', body });
	});

	it('is used where the node says nothing, so that an email needs four fields', async () => {
		const { resource, operation, email, subject, campaign_name, content } = emailSend;
		const fields = { email, subject, campaign_name, content };
		await node.run({ resource, operation, ...fields }, { account: defaults });
		const { body } = node.onlyArrival() as { body: object };
		expect(body).toMatchObject({ ...fields, ...emailSender });
		expect(Object.keys(body)).toHaveLength(9);
	});
});

describe('A credential without a default sender', () => {
	const ofEmail = "'Email Sender Name', 'Email Sender Address', 'Email Service Provider ID'";
	const ofSms = "'SMS Sender Name', 'SMS Sender Mobile', 'SMS Service Provider ID'";

	it.each([
		['an email', { ...emailSend, senderFrom: 'credential' }, ofEmail],
		['an SMS', { ...smsSend, senderFrom: 'credential' }, ofSms],
	])('refuses %s and names what to fill in there', async (_, parameters, labels) => {
		for (const account of [{}, { ...defaults, defaultSenders: false }])
			expect(await node.stops(parameters, { account })).toBe(
				`Nothing was sent: The credential has no default sender. Turn on 'Default Senders' in the credential and fill in ${labels} there, or set 'Sender' to Define Below`,
			);
	});

	it.each([
		['Email Sender Name', { emailSenderName: 'Acme\nBcc: all@example.com' }, emailSend],
		['SMS Sender Mobile', { smsSenderMobile: 'Acme Shop of Berlin' }, smsSend],
	])('refuses a row whose %s there cannot be used: %j', async (label, fields, parameters) => {
		const run = { account: { ...defaults, ...fields }, onError: 'continueErrorOutput' } as const;
		const { failed } = await node.run({ ...parameters, senderFrom: 'credential' }, run);
		const message = expect.stringContaining(`In the credential, ${label} `) as string;
		expect(failed).toMatchObject([{ json: { details: { problems: [{ label, message }] } } }]);
		expect(node.sandbox.record).toEqual([]);
	});

	it.each([
		['a user', order.createUser],
		['an SMS with a sender of its own', smsSend],
	])('sends %s', async (_, parameters) => {
		const account = { ...defaults, emailSenderAddress: 'x', smsSenderMobile: 'x' };
		await node.run(parameters, { account });
		expect(node.onlyArrival().outcome).toBe('accepted');
	});
});
