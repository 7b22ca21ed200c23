import type { ServerResponse } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { full, minimal, present } from '../support/endpoints';
import { everythingIn } from '../support/everything';
import { accessToken, ampleLimits, apiKey, brandId, useNode } from '../support/node';
import * as order from '../support/orders';

freezeClock(present);
const node = useNode();

const hosts = { base: 'baseUrl', push: 'pushUrl', mail: 'mailUrl' } as const;

const secrets = [
	['apiKey', { 'x-api-key': apiKey, 'x-brand-id': brandId }],
	['partnerToken', { authorization: `Bearer ${accessToken}` }],
] as const;

it.each([
	...minimal.map((endpoint) => ({ ...endpoint, fields: 'the least it needs' })),
	...full.map((endpoint) => ({ ...endpoint, fields: 'every optional field' })),
])('$name with $fields shows and sends its request', async ({ parameters, host, path, body }) => {
	for (const [authentication, secret] of secrets) {
		node.sandbox.reset();
		const entered = { ...parameters, authentication };
		const options = { previewOnly: true };
		const preview = await node.run({ ...entered, options });
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
	const rows = [{ id: 'A' }, { id: 'B' }, { id: 'C' }];
	const { output } = await node.run(parameters, { rows });
	const bodyOf = (userID: string) => ({ nv: [{ userID, user_attributes: {} }] });
	expect(output.map(({ json }) => [json.userID, json.body, json.batch])).toEqual([
		['A', bodyOf('A'), { index: 0, size: 2 }],
		['B', bodyOf('B'), { index: 0, size: 2 }],
		['C', bodyOf('C'), { index: 1, size: 1 }],
	]);
	expect(node.sandbox.record).toEqual([]);
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
	expect(output.map(({ json }) => json.platform)).toEqual(['web', 'android', 'ios']);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
});

describe('The output of an accepted request', () => {
	const answer = 'statusCode,response,rateLimitRemaining,attempts';
	const later = { sendAt: 'at', scheduledFor: '2030-07-01T09:30' };
	const schedule = expect.objectContaining({ zone: 'UTC' }) as object;
	const ios = { ...order.pushSend, platforms: ['ios'] };
	const toUser = { user_id: 'C-1', platform: 'ios' };
	const ofUser = { userID: 'C-1', batch: { index: 0, size: 1 } };

	it.each<[string, INodeParameters, object, keys: string]>([
		['a push', ios, toUser, `user_id,platform,${answer}`],
		['a timed push', { ...ios, ...later }, { ...toUser, schedule }, `platform,schedule,${answer}`],
		// It says which time was sent for Now.
		['an email', order.emailToAll, { audience: 'everyone', schedule }, `audience,${answer}`],
		['an SMS', order.smsBroadcast, { segment_id: 42, schedule }, `segment_id,${answer}`],
		['a user', order.createUser, ofUser, `userID,${answer},batch`],
	])('begins with whom %s was for, and tells what became of it', async (...one) => {
		const [, parameters, to, keys] = one;
		const { output } = await node.run(parameters, { timezone: 'UTC' });
		const { resource, operation } = parameters;
		const json = {
			...{ outcome: 'accepted', statusCode: 200, attempts: 1, resource, operation, ...to },
			response: { status: 'ok', id: String(node.onlyArrival().seq) },
			rateLimitRemaining: ampleLimits.push - 1,
		};
		const told = output.map(({ binary: __, ...item }) => item);
		expect(told).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(Object.keys(output[0]?.json ?? {}).join()).toContain(`${keys},resource,operation`);
	});

	it.each([
		['a JSON object', 'application/json', '{"id":7}', { id: 7 }],
		['a JSON list', 'application/json', '[1,"two"]', [1, 'two']],
		['a JSON text', 'application/json', '"queued"', 'queued'],
		['a web page', 'text/html; charset=utf-8', '<h1>Thanks</h1>', '<h1>Thanks</h1>'],
		['plain text', 'text/plain', 'queued', 'queued'],
		['broken JSON', 'application/json', '{"id":', '{"id":'],
		['nothing, called JSON', 'application/json', '', null],
		['nothing', 'text/plain', '', null],
	])('holds the response unchanged: %s', async (_, type, body, response) => {
		const answer = (to: ServerResponse) => to.writeHead(200, { 'content-type': type }).end(body);
		const { output } = await node.against(answer, { parameters: order.smsSend });
		const told = { outcome: 'accepted', statusCode: 200, response, rateLimitRemaining: null };
		expect(output).toMatchObject([{ json: told }]);
	});
});

/** What stopped the run of the node, which sent nothing. */
async function refusalOf(parameters: INodeParameters): Promise<string | undefined> {
	const { error } = await node.run(parameters);
	expect(node.sandbox.record).toEqual([]);
	return error?.message;
}

describe('A custom request', () => {
	it.each([
		['baseUrl', 'base', '/api/v1/event/track'],
		['pushUrl', 'push', '/api/v1/event/track/'],
		['mailUrl', 'mail', '/api/v1/event/track?mode=async&tag=a_b'],
		['baseUrl', 'base', '/api/v1/event/a.b-c_d~e'],
		['pushUrl', 'push', '/reports/broadcasts?x=1'],
		['mailUrl', 'mail', '/api/v1/email/broadcast-report'],
	])('to %s goes to the host %s, with its path as it is written: %s', async (host, at, path) => {
		await node.run({ ...order.customPost, host, path });
		expect(node.onlyArrival()).toMatchObject({ host: at, path, method: 'POST' });
	});

	const payload = { event: 'seen', amount: 9.5, nothing: null };
	it.each([
		['an object', '{ "event": "paid", "items": [1, 2] }', { event: 'paid', items: [1, 2] }],
		['an empty object', '{}', {}],
		['a list', '[{ "event": "a" }, { "event": "b" }]', [{ event: 'a' }, { event: 'b' }]],
		['an expression', '={{ $json.payload }}', payload],
	])('sends its body as it is: %s', async (_, body, sent) => {
		await node.run({ ...order.customPost, body }, { rows: [{ payload }] });
		expect(node.onlyArrival().body).toStrictEqual(sent);
	});
});

const path = '/api/v1/sendMessage';
const toMail = { ...order.customPost, host: 'mailUrl', path };
const withExtra = (parameters: INodeParameters, extraBodyFields: string) => {
	return { ...parameters, additionalFields: { extraBodyFields } };
};

describe('A message to a campaign, which may reach many people, does not get past its guards', () => {
	const { pushSend, emailSend, smsSend } = order;
	const question = { ...pushSend, operation: 'sendAndWait' };
	it.each<[string, INodeParameters, object]>([
		['campaign_id', pushSend, { campaign_id: 5501 }],
		['campaign_id', emailSend, { campaign_id: 5501 }],
		['campaign_id', smsSend, { campaign_id: 5501 }],
		['campaign_id', question, { campaign_id: 5501 }],
		['Campaign ID', pushSend, { 'Campaign ID': 5501 }],
		['campaignId', emailSend, { campaignId: 5501 }],
		['campaign_ids', smsSend, { campaign_ids: [5501] }],
		['ｃampaign_id', pushSend, { ｃampaign_id: 5501 }],
		['campaign_id', emailSend, { a: { b: [[[{ c: { campaign_id: 7 } }]]] } }],
		['campaign-id', pushSend, { a: { target: '{ "x": [{ "campaign-id": 7 }] }' } }],
	])('as the extra field %s of %j', async (key, parameters, extra) => {
		expect(await refusalOf(withExtra(parameters, JSON.stringify(extra)))).toContain(
			`Extra Body Fields must not contain '${key}', because a campaign may reach many people. For that, use Send to User of Email or SMS, with Campaign ID under 'Recipient By'`,
		);
	});

	it.each<[string, INodeParameters]>([
		['of the body', { body: '{ "campaign_id": 5501 }' }],
		['of an element of the body', { body: '[{ "Campaign_ID": 5501 }]' }],
		['of a list in the body', { body: '{ "nv": [{ "campaign_id": 5501 }] }' }],
		['of a list in a list', { body: '[[{ "campaign_id": 42 }]]' }],
		['of an object in the body', { body: '{ "target": { "campaign_id": 7 } }' }],
		['of JSON in a text', { body: '{ "data": " [{\\"campaignId\\": 7}]" }' }],
		['of the query', { path: `${path}?campaign_id=5501`, body: '{}' }],
		['of the query, spelled otherwise', { path: `${path}?campaignId=5501`, body: '{}' }],
		['at a path in other letters', { path: '/x/SENDMESSAGE/', body: '{ "campaign_id": 5501 }' }],
		['among the extra fields', withExtra({ body: '{}' }, '{ "campaign_id": 1 }')],
	])('as a field %s of a custom request', async (_, parameters) => {
		const told = await refusalOf({ ...toMail, ...parameters });
		expect(told).toContain('to a campaign, which would get past its guards');
	});

	it.each([
		['objects', '{"a":', '}'],
		['lists', '[', ']'],
	])('as text in a body of 100,000 nested %s', async (_, open, close) => {
		const data = open.repeat(100_000) + '{"campaign_id":1}' + close.repeat(100_000);
		const told = await refusalOf({ ...toMail, body: JSON.stringify({ data }) });
		expect(told).toContain('to a campaign');
	});

	it('while a report about a campaign, and a message to one person, are sent', async () => {
		const report = '/api/v1/report/campaign';
		await node.run({ ...order.customPost, path: report, body: '{ "campaign_id": 5501 }' });
		const body = '{ "mobile": "+4915112345678", "data": { "campaign": "[spring" } }';
		await node.run({ ...toMail, body });
		expect(node.sandbox.record.map((arrival) => arrival.path)).toEqual([report, path]);
	});
});

it('Extra Body Fields are refused beside a list, because the list would be lost', async () => {
	const parameters = { ...order.customPost, body: '[{ "event": "signed_up" }]' };
	const told = await refusalOf(withExtra(parameters, '{ "source": "crm" }'));
	expect(told).toContain('Extra Body Fields can be added to an object only');
});
