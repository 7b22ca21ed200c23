import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { execute, type Report } from '../support/engine';
import { type LocalServer, startServer } from '../support/localServer';
import * as order from '../support/orders';
import { keyCredential } from '../support/service';

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

const key = 'secret-key-1';

async function run(parameters: INodeParameters, row: IDataObject = {}): Promise<Report> {
	return await execute({ parameters, credential: credentialOf(key), rows: [row] });
}

function credentialOf(apiKey: string): ICredentialDataDecryptedObject {
	return { ...keyCredential(server), apiKey };
}

/** The bytes of the only request that arrived. */
function bytes(): string {
	expect(server.received.map(({ headers }) => headers['x-api-key'])).toEqual([key]);
	expect(server.received[0]?.headers['content-type']).toBe('application/json');
	return String(server.received[0]?.body);
}

const value = '={{ $json.value }}';
const broadcast = { maxBroadcasts: 9 };

describe('An ID beyond 2^53, given as text, arrives as a JSON number with all its digits', () => {
	it.each<[string, INodeParameters]>([
		['notification_id', { ...order.pushSend, additionalFields: { notification_id: value } }],
		['segment_id', { ...order.pushToSegment, ...broadcast, segment_id: value }],
		['segment_id', { ...order.emailToAll, ...broadcast, additionalFields: { segment_id: value } }],
		['segment_id', { ...order.smsToAll, ...broadcast, segment_id: value }],
		['serviceproviderID', { ...order.smsSend, serviceproviderID: value }],
	])('as %s', async (field, parameters) => {
		const { error } = await run(parameters, { value: largest });
		expect(error).toBeUndefined();
		expect(bytes()).toMatch(new RegExp(`[{,]"${field}":${largest}[,}]`));
	});

	it('in the extra fields of a body', async () => {
		const extraBodyFields = `{ "order": { "ids": [${first}, -${largest}] }, "text": "${first}" }`;
		await run({ ...order.pushSend, additionalFields: { extraBodyFields } });
		expect(bytes()).toContain(`"order":{"ids":[${first},-${largest}]},"text":"${first}"`);
	});

	it('in the body of a custom request, also from an expression', async () => {
		const body = '={ "id": {{ $json.value }}, "name": "a \\"b\\" 1" }';
		await run({ ...order.customPost, body }, { value: largest });
		expect(bytes()).toBe(`{"id":${largest},"name":"a \\"b\\" 1"}`);
	});
});

describe('An output holds integers beyond 2^53 as text', () => {
	const withId = { ...order.pushSend, additionalFields: { notification_id: largest } };

	it('in the response of the service', async () => {
		answer = `{ "id": ${largest}, "small": 7, "ids": [${first}], "text": "${first}" }`;
		const { output } = await run(order.pushSend);
		expect(output[0]?.json.response).toEqual({
			id: largest,
			small: 7,
			ids: [first],
			text: first,
		});
	});

	it('in a preview', async () => {
		const { output } = await run({ ...withId, options: { previewOnly: true } });
		expect(output[0]?.json.body).toStrictEqual({
			user_id: 'C-1',
			...order.notification,
			notification_id: largest,
		});
		expect(server.received).toEqual([]);
	});

	it('in the request that it includes', async () => {
		const { output } = await run({ ...withId, options: { includeRequest: true } });
		expect(output[0]?.json.request).toMatchObject({ body: { notification_id: largest } });
	});
});

test('A key that the service sends back as a large number is masked', async () => {
	answer = '{"key": 12345678901234567890}';
	const { output } = await execute({
		parameters: order.pushSend,
		credential: credentialOf('12345678901234567890'),
	});
	expect(output[0]?.json.response).toEqual({ key: '…' });
});
