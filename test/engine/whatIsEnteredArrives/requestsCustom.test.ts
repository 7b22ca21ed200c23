import type { INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

describe('A custom request', () => {
	it.each([
		['baseUrl', 'base'],
		['pushUrl', 'push'],
		['mailUrl', 'mail'],
	])('to %s goes there', async (host, arrivedAt) => {
		await run(sandbox(), { ...order.customPost, host });
		expect(onlyArrival(sandbox())).toMatchObject({
			host: arrivedAt,
			method: 'POST',
			outcome: 'accepted',
		});
	});

	it.each([
		'/api/v1/event/track',
		'/api/v1/event/track/',
		'/api/v1/event/track?mode=async&tag=a_b',
		'/api/v1/event/a.b-c_d~e',
		'/reports/broadcasts?x=1',
		'/api/v1/email/broadcast-report',
	])('goes to %s as it is written', async (path) => {
		await run(sandbox(), { ...order.customPost, path });
		expect(onlyArrival(sandbox()).path).toBe(path);
	});

	it.each([
		[
			'an object as text',
			'{ "event": "paid", "amount": 9.5, "items": [1, 2] }',
			{ event: 'paid', amount: 9.5, items: [1, 2] },
		],
		['an empty object', '{}', {}],
		['a list', '[{ "event": "a" }, { "event": "b" }]', [{ event: 'a' }, { event: 'b' }]],
		['an expression', '={{ $json.payload }}', { event: 'seen', ok: true, nothing: null }],
	])('sends its body as it is: %s', async (_, body, sent) => {
		const rows = [{ payload: { event: 'seen', ok: true, nothing: null } }];
		await run(sandbox(), { ...order.customPost, body }, { rows });
		expect(onlyArrival(sandbox()).body).toStrictEqual(sent);
	});
});

describe('A message to a campaign, which may reach many people, does not get past its guards', () => {
	const persons: Array<[string, INodeParameters]> = [
		['a push', order.pushSend],
		['an email', order.emailSend],
		['an SMS', order.smsSend],
		['a question', { ...order.pushSend, operation: 'sendAndWait' }],
	];

	describe.each(persons)('in %s', (_, parameters) => {
		it.each([
			['campaign_id', { campaign_id: 5501 }],
			['Campaign ID', { 'Campaign ID': 5501 }],
			['campaignId', { campaignId: 5501 }],
			['campaign_ids', { campaign_ids: [5501] }],
			['ｃampaign_id', { ｃampaign_id: 5501 }],
			['campaign_id', { target: { campaign_id: 7 } }],
			['campaign_id', { a: { b: [[[{ c: { campaign_id: 7 } }]]] } }],
			['campaign-id', { a: { target: '{ "x": [{ "campaign-id": 7 }] }' } }],
		])('as the extra field %s in %j', async (key, extra) => {
			const extraBodyFields = JSON.stringify(extra);
			const { error } = await run(sandbox(), {
				...parameters,
				additionalFields: { extraBodyFields },
			});
			expect(error?.message).toContain(
				`Extra Body Fields must not contain '${key}', because a campaign may reach many people. For that, use Send to User of Email or SMS, with Campaign ID under 'Recipient By'`,
			);
			expect(sandbox().record).toEqual([]);
		});
	});

	it.each([
		['of the body', '/api/v1/sendMessage', '{ "campaign_id": 5501 }'],
		['of an element of the body', '/api/v1/sendMessage', '[{ "Campaign_ID": 5501 }]'],
		['of a list in the body', '/api/v1/sendMessage', '{ "nv": [{ "campaign_id": 5501 }] }'],
		['of a list in a list', '/api/v1/sendMessage', '[[{ "campaign_id": 42 }]]'],
		['of an object in the body', '/api/v1/sendMessage', '{ "target": { "campaign_id": 7 } }'],
		['of JSON in a text', '/api/v1/sendMessage', '{ "data": " [{\\"campaignId\\": 7}]" }'],
		['of the query', '/api/v1/sendMessage?campaign_id=5501', '{}'],
		['of the query, spelled otherwise', '/api/v1/sendMessage?campaignId=5501', '{}'],
		['at a path in other letters', '/x/SENDMESSAGE/', '{ "campaign_id": 5501 }'],
	])('as a field %s of a custom request', async (_, path, body) => {
		const { error } = await run(sandbox(), { ...order.customPost, host: 'mailUrl', path, body });
		expect(error?.message).toContain('to a campaign, which would get past its guards');
		expect(sandbox().record).toEqual([]);
	});

	it('as an extra field of a custom request', async () => {
		const custom = {
			...order.customPost,
			host: 'mailUrl',
			path: '/api/v1/sendMessage',
			body: '{}',
		};
		const additionalFields = { extraBodyFields: '{ "campaign_id": 1 }' };
		const { error } = await run(sandbox(), { ...custom, additionalFields });
		expect(error?.message).toContain('to a campaign, which would get past its guards');
		expect(sandbox().record).toEqual([]);
	});

	it.each([
		['objects', '{"a":', '}'],
		['lists', '[', ']'],
	])('nor does a body of 100,000 nested %s stop n8n', async (_, open, close) => {
		const deep = open.repeat(100_000) + '{"campaign_id":1}' + close.repeat(100_000);
		const custom = { ...order.customPost, host: 'mailUrl', path: '/api/v1/sendMessage' };
		const message = { ...order.pushSend, additionalFields: { extraBodyFields: `{"x":${deep}}` } };
		for (const parameters of [{ ...custom, body: deep }, message]) {
			const { error } = await run(sandbox(), parameters);
			expect(error?.message).toContain('more than 100 nested lists or objects');
		}
		const inText = { ...custom, body: JSON.stringify({ data: deep }) };
		expect((await run(sandbox(), inText)).error?.message).toContain('to a campaign');
		expect(sandbox().record).toEqual([]);
	});

	it('while a report about a campaign, and a message to one person, are sent', async () => {
		const body = '{ "campaign_id": 5501 }';
		await run(sandbox(), { ...order.customPost, path: '/api/v1/report/campaign', body });
		const path = '/api/v1/sendMessage';
		await run(sandbox(), {
			...order.customPost,
			host: 'mailUrl',
			path,
			body: '{ "mobile": "+4915112345678", "data": { "campaign": "[spring" } }',
		});
		expect(sandbox().record.map((arrival) => arrival.path)).toEqual([
			'/api/v1/report/campaign',
			path,
		]);
	});
});

describe('Extra body fields', () => {
	it('keep every type', async () => {
		const extra = {
			text: '1',
			number: 1,
			share: 0.25,
			yes: true,
			nothing: null,
			list: [1],
			nested: { a: [] },
		};
		const extraBodyFields = JSON.stringify(extra);
		await run(sandbox(), { ...order.pushSend, additionalFields: { extraBodyFields } });
		expect(onlyArrival(sandbox()).body).toStrictEqual({
			user_id: 'C-1',
			...order.notification,
			...extra,
		});
	});

	it('are refused beside a list, because the list would be lost', async () => {
		const body = '[{ "event": "signed_up" }]';
		const additionalFields = { extraBodyFields: '{ "source": "crm" }' };
		const { error } = await run(sandbox(), { ...order.customPost, body, additionalFields });
		expect(error?.message).toContain('Extra Body Fields can be added to an object only');
		expect(sandbox().record).toEqual([]);
	});
});
