import type { INodeParameters } from 'n8n-workflow';

import { useNode } from '../support/node';
import * as order from '../support/orders';

/** The largest int64, and the first integer that JavaScript rounds. */
const largest = '9223372036854775807';
const first = '9007199254740993';
const value = '={{ $json.value }}';

const node = useNode({ rows: [{ value: largest }] });

async function run(parameters: INodeParameters, answer = '{}', account: object = {}) {
	const json = { 'content-type': 'application/json' };
	const { server, output } = await node.against(
		(response) => response.writeHead(200, json).end(answer),
		{ parameters: { maxBroadcasts: 9, ...parameters }, account },
	);
	expect(output).toHaveLength(1);
	return { received: server.received, json: output[0]?.json ?? {} };
}

/** The bytes of the only request that arrives. */
async function bytesOf(parameters: INodeParameters): Promise<string> {
	const [request, ...others] = (await run(parameters)).received;
	expect(others).toEqual([]);
	return String(request?.body);
}

describe('An ID beyond 2^53, given as text, arrives as a JSON number with all its digits', () => {
	it.each<[string, INodeParameters]>([
		['notification_id', { ...order.pushSend, additionalFields: { notification_id: value } }],
		['segment_id', { ...order.emailToAll, additionalFields: { segment_id: value } }],
		['serviceproviderID', { ...order.smsSend, serviceproviderID: value }],
	])('as %s', async (field, parameters) => {
		expect(await bytesOf(parameters)).toMatch(new RegExp(`[{,]"${field}":${largest}[,}]`));
	});

	it('in the extra fields of a body, and in the body of a custom request', async () => {
		const extraBodyFields = `{ "order": { "ids": [${first}, -${largest}] }, "text": "${first}" }`;
		const bytes = await bytesOf({ ...order.pushSend, additionalFields: { extraBodyFields } });
		expect(bytes).toContain(`"order":{"ids":[${first},-${largest}]},"text":"${first}"`);
		const body = '={ "id": {{ $json.value }}, "text": "{{ $json.value }}", "name": "a \\"b\\" 1" }';
		const sent = await bytesOf({ ...order.customPost, body });
		expect(sent).toBe(`{"id":${largest},"text":"${largest}","name":"a \\"b\\" 1"}`);
	});
});

describe('An output holds integers beyond 2^53 as text', () => {
	const withId = (option: string) => {
		const additionalFields = { notification_id: largest };
		return { ...order.pushSend, additionalFields, options: { [option]: true } };
	};

	it('in the response of the service, where a key is masked', async () => {
		const answer = `{ "id": ${largest}, "small": 7, "ids": [${first}], "text": "${first}" }`;
		const { json } = await run(order.pushSend, answer);
		expect(json.response).toEqual({ id: largest, small: 7, ids: [first], text: first });
		const apiKey = '12345678901234567890';
		const masked = await run(order.pushSend, `{"key": ${apiKey}}`, { apiKey });
		expect(masked.json.response).toEqual({ key: '…' });
	});

	it('in a preview', async () => {
		const { json, received } = await run(withId('previewOnly'));
		const shown = { user_id: 'C-1', ...order.notification, notification_id: largest };
		expect(json.body).toStrictEqual(shown);
		expect(received).toEqual([]);
	});
});
