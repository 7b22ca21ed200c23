import * as order from './support/orders';
import { onlyArrival, run, useSandbox } from './support/service';

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

	it.each(['user', 'event', 'campaign', 'reporting', 'push', 'email', 'sms'])(
		'may count against the limit of %s',
		async (api) => {
			const { output } = await run(sandbox(), { ...order.customPost, api });
			expect(output[0]?.json.outcome).toBe('accepted');
			expect(sandbox().record).toHaveLength(1);
		},
	);

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

describe('Extra body fields', () => {
	it.each([
		['text', '{ "channel": "promo" }'],
		['an expression', '={{ { channel: "promo" } }}'],
	])('may be %s', async (_, extraBodyFields) => {
		await run(sandbox(), { ...order.pushSend, additionalFields: { extraBodyFields } });
		expect(onlyArrival(sandbox()).body).toStrictEqual({
			user_id: 'C-1',
			...order.notification,
			channel: 'promo',
		});
	});

	it.each(['toString', 'valueOf', 'hasOwnProperty'])('may be called %s', async (name) => {
		const extraBodyFields = JSON.stringify({ [name]: 1 });
		await run(sandbox(), { ...order.pushSend, additionalFields: { extraBodyFields } });
		expect(Object.entries(onlyArrival(sandbox()).body as object)).toContainEqual([name, 1]);
	});

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
