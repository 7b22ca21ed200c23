import type { INodeParameters } from 'n8n-workflow';

import { useNode } from '../support/node';
import * as order from '../support/orders';

/** The largest int64, and the first integer that JavaScript rounds. */
const largest = '9223372036854775807';
const first = '9007199254740993';
const value = '={{ $json.value }}';

const node = useNode({ rows: [{ value: largest }] });

async function run(parameters: INodeParameters, answer = '{}', account: object = {}) {
	const { server, output } = await node.against((response) => response.end(answer), {
		parameters,
		account,
	});
	expect(output).toHaveLength(1);
	return { bytes: server.received.map(({ body }) => body), json: output[0]?.json };
}

describe('An ID beyond 2^53, given as text, arrives as a JSON number with all its digits', () => {
	it.each<[string, INodeParameters]>([
		['notification_id', { ...order.pushSend, additionalFields: { notification_id: value } }],
		['segment_id', { ...order.emailToAll, additionalFields: { segment_id: value } }],
		['serviceproviderID', { ...order.smsSend, serviceproviderID: value }],
	])('as %s', async (field, parameters) => {
		const written = expect.stringMatching(`[{,]"${field}":${largest}[,}]`) as string;
		expect((await run(parameters)).bytes).toEqual([written]);
	});

	it('in the extra fields of a body, and in the body of a custom request', async () => {
		const extraBodyFields = `{ "order": { "ids": [${first}, -${largest}] }, "text": "${first}" }`;
		const { bytes } = await run({ ...order.pushSend, additionalFields: { extraBodyFields } });
		const written = `"order":{"ids":[${first},-${largest}]},"text":"${first}"`;
		expect(bytes).toEqual([expect.stringContaining(written)]);
		const body = '={ "id": {{ $json.value }}, "text": "{{ $json.value }}", "name": "a \\"b\\" 1" }';
		const sent = `{"id":${largest},"text":"${largest}","name":"a \\"b\\" 1"}`;
		expect((await run({ ...order.customPost, body })).bytes).toEqual([sent]);
	});
});

describe('An output holds integers beyond 2^53 as text', () => {
	it('in the response of the service, where a key is masked', async () => {
		const answer = `{ "id": ${largest}, "small": 7, "ids": [${first}], "text": "${first}" }`;
		const { json } = await run(order.pushSend, answer);
		expect(json?.response).toEqual({ id: largest, small: 7, ids: [first], text: first });
		const apiKey = '12345678901234567890';
		const masked = await run(order.pushSend, `{"key": ${apiKey}}`, { apiKey });
		expect(masked.json?.response).toEqual({ key: '…' });
	});

	it('in a preview', async () => {
		const additionalFields = { notification_id: largest };
		const options = { previewOnly: true };
		const { json, bytes } = await run({ ...order.pushSend, additionalFields, options });
		const shown = { user_id: 'C-1', ...order.notification, notification_id: largest };
		expect([json?.body, bytes]).toStrictEqual([shown, []]);
	});
});
