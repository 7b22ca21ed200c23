import type { INodeParameters } from 'n8n-workflow';

import { execute } from '../support/engine';
import { type LocalServer, startServer } from '../support/localServer';
import { accountOf } from '../support/node';
import * as order from '../support/orders';

/** The largest int64, and the first integer that JavaScript rounds. */
const largest = '9223372036854775807';
const first = '9007199254740993';

let server: LocalServer;
let answer = '{}';

beforeAll(async () => {
	server = await startServer((response) =>
		response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
	);
});
beforeEach(() => {
	server.received.length = 0;
	answer = '{}';
});
afterAll(async () => await server.close());

const value = '={{ $json.value }}';

/** The output of the only item. */
async function outputOf(parameters: INodeParameters, apiKey = 'secret-key-1') {
	const { output } = await execute({
		parameters: { maxBroadcasts: 9, ...parameters },
		credential: { ...accountOf(server), apiKey },
		rows: [{ value: largest }],
	});
	expect(output).toHaveLength(1);
	return output[0]?.json ?? {};
}

/** The bytes of the only request that arrives. */
async function bytesOf(parameters: INodeParameters): Promise<string> {
	await outputOf(parameters);
	const [request, ...others] = server.received;
	expect(others).toEqual([]);
	const json = { 'x-api-key': 'secret-key-1', 'content-type': 'application/json' };
	expect(request?.headers).toMatchObject(json);
	return String(request?.body);
}

describe('An ID beyond 2^53, given as text, arrives as a JSON number with all its digits', () => {
	it.each<[string, INodeParameters]>([
		['notification_id', { ...order.pushSend, additionalFields: { notification_id: value } }],
		['segment_id', { ...order.pushToSegment, segment_id: value }],
		['segment_id', { ...order.emailToAll, additionalFields: { segment_id: value } }],
		['segment_id', { ...order.smsToAll, segment_id: value }],
		['serviceproviderID', { ...order.smsSend, serviceproviderID: value }],
	])('as %s', async (field, parameters) => {
		expect(await bytesOf(parameters)).toMatch(new RegExp(`[{,]"${field}":${largest}[,}]`));
	});

	it('in the extra fields of a body', async () => {
		const extraBodyFields = `{ "order": { "ids": [${first}, -${largest}] }, "text": "${first}" }`;
		expect(await bytesOf({ ...order.pushSend, additionalFields: { extraBodyFields } })).toContain(
			`"order":{"ids":[${first},-${largest}]},"text":"${first}"`,
		);
	});

	it('in the body of a custom request, also from an expression', async () => {
		const body = '={ "id": {{ $json.value }}, "name": "a \\"b\\" 1" }';
		expect(await bytesOf({ ...order.customPost, body })).toBe(
			`{"id":${largest},"name":"a \\"b\\" 1"}`,
		);
	});
});

describe('An output holds integers beyond 2^53 as text', () => {
	const withId = (option: string) => ({
		...order.pushSend,
		additionalFields: { notification_id: largest },
		options: { [option]: true },
	});

	it('in the response of the service', async () => {
		answer = `{ "id": ${largest}, "small": 7, "ids": [${first}], "text": "${first}" }`;
		const { response } = await outputOf(order.pushSend);
		expect(response).toEqual({ id: largest, small: 7, ids: [first], text: first });
	});

	it('in a preview, and in the request that it includes', async () => {
		const { body } = await outputOf(withId('previewOnly'));
		const shown = { user_id: 'C-1', ...order.notification, notification_id: largest };
		expect(body).toStrictEqual(shown);
		expect(server.received).toEqual([]);
		const { request } = await outputOf(withId('includeRequest'));
		expect(request).toMatchObject({ body: { notification_id: largest } });
	});
});

test('A key that the service sends back as a large number is masked', async () => {
	answer = '{"key": 12345678901234567890}';
	const { response } = await outputOf(order.pushSend, '12345678901234567890');
	expect(response).toEqual({ key: '…' });
});
