import type { INodeParameters } from 'n8n-workflow';

import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

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
const withExtra = (parameters: INodeParameters, extraBodyFields: string) => ({
	...parameters,
	additionalFields: { extraBodyFields },
});

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
		expect(await refusalOf({ ...toMail, ...parameters })).toContain(
			'to a campaign, which would get past its guards',
		);
	});

	it.each([
		['objects', '{"a":', '}'],
		['lists', '[', ']'],
	])('nor does a body of 100,000 nested %s stop n8n', async (_, open, close) => {
		const deep = open.repeat(100_000) + '{"campaign_id":1}' + close.repeat(100_000);
		const extra = withExtra(order.pushSend, `{"x":${deep}}`);
		for (const parameters of [{ ...toMail, body: deep }, extra])
			expect(await refusalOf(parameters)).toContain('more than 100 nested lists or objects');
		const inText = { ...toMail, body: JSON.stringify({ data: deep }) };
		expect(await refusalOf(inText)).toContain('to a campaign');
	});

	it('while a report about a campaign, and a message to one person, are sent', async () => {
		const report = '/api/v1/report/campaign';
		await node.run({ ...order.customPost, path: report, body: '{ "campaign_id": 5501 }' });
		const body = '{ "mobile": "+4915112345678", "data": { "campaign": "[spring" } }';
		await node.run({ ...toMail, body });
		expect(node.sandbox.record.map((arrival) => arrival.path)).toEqual([report, path]);
	});
});

describe('Extra body fields', () => {
	it('keep every type', async () => {
		const simple = { text: '1', number: 1, share: 0.25, yes: true, nothing: null };
		const extra = { ...simple, list: [1], nested: { a: [] } };
		await node.run(withExtra(order.pushSend, JSON.stringify(extra)));
		const body = { user_id: 'C-1', ...order.notification, ...extra };
		expect(node.onlyArrival().body).toStrictEqual(body);
	});

	it('are refused beside a list, because the list would be lost', async () => {
		const parameters = { ...order.customPost, body: '[{ "event": "signed_up" }]' };
		expect(await refusalOf(withExtra(parameters, '{ "source": "crm" }'))).toContain(
			'Extra Body Fields can be added to an object only',
		);
	});
});
