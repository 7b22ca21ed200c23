import type { IExecuteFunctions } from 'n8n-workflow';

import { post } from '../../../nodes/CustomerMessaging/n8n/transport';
import { createMask } from '../../../nodes/CustomerMessaging/shared/mask';

const credential = { id: '1', name: 'Account', type: 'customerMessagingApi', data: {} };
const body = Buffer.from('{"a":1}');
const secret = 'key-12345';

interface Answer {
	statusCode?: number;
	headers?: object;
	socket?: object | null;
	/** What n8n's helper throws in place of an answer. */
	thrown?: unknown;
}

/** The reply to a request, and whether the connection was closed early. */
async function send(answer: Answer, url = 'https://push.example/send') {
	const closed = jest.fn();
	const context = {
		helpers: {
			async httpRequestWithAuthentication() {
				const { statusCode = 200, headers = {}, socket } = answer;
				if ('thrown' in answer) throw answer.thrown;
				async function* read() {}
				return { statusCode, headers, body: Object.assign(read(), { destroy: closed, socket }) };
			},
		},
	};
	const request = { credential, url, body, timeoutMs: 30_000 };
	const reply = await post(context as unknown as IExecuteFunctions, request, createMask([secret]));
	return { reply, isClosed: closed.mock.calls.length > 0 };
}

const date = 'Tue, 24 Nov 2026 10:00:00 GMT';
const later = 'Tue, 24 Nov 2026 10:00:30 GMT';

test.each<[string, string, object]>([
	['x-ratelimit-remaining', '0', { remaining: 0 }],
	['x-ratelimit-remaining', '1000000000', { remaining: undefined }],
	['x-ratelimit-remaining', '12 left', { remaining: undefined }],
	['retry-after', '30', { retryAfterMs: 30_000 }],
	['retry-after', later, { retryAfterMs: 30_000 }],
	['retry-after', date, { retryAfterMs: 0 }],
	['retry-after', '1000000000', { retryAfterMs: undefined }],
	['retry-after', 'Nov 24 2030', { retryAfterMs: undefined }],
])('%s: %s is read as %j', async (name, value, read) => {
	const { reply } = await send({ headers: { [name]: value, date } });
	expect(reply).toMatchObject({ ...read, dateMs: Date.parse(date) });
});

test("A date is compared with this machine's clock where the service does not tell the time", async () => {
	jest.useFakeTimers({ now: Date.parse(date), doNotFake: ['nextTick', 'setImmediate'] });
	const { reply } = await send({ headers: { 'retry-after': later } });
	jest.useRealTimers();
	expect(reply).toMatchObject({ retryAfterMs: 30_000, dateMs: undefined });
});

const plain = 'http://push.example/send';
// Only a connection with TLS says so.
const noTls = {};

test.each<[string, isOfProxy: boolean, Answer, string?]>([
	['that asks for a password', true, { statusCode: 407 }, plain],
	['without TLS', true, { statusCode: 502, socket: noTls }],
	['with TLS', false, { statusCode: 502, socket: { encrypted: true } }],
	['with 2xx, whatever its connection says', false, { statusCode: 200, socket: noTls }],
	['whose connection cannot be seen', false, { statusCode: 502, socket: null }],
	['without TLS where none was asked for', false, { statusCode: 502, socket: noTls }, plain],
])('An answer %s is that of a proxy, so nothing was sent: %p', async (...row) => {
	const [, isOfProxy, answer, url] = row;
	const { statusCode } = answer;
	const ofProxy = { kind: 'failure', code: 'PROXY_REFUSED', message: String(statusCode) };
	const { reply, isClosed } = await send(answer, url);
	expect(reply).toMatchObject(isOfProxy ? ofProxy : { kind: 'answer', statusCode });
	if (isOfProxy) expect(isClosed).toBe(true);
});

const blocked = 'The request was blocked because it resolves to a restricted IP address';
const hostBlocked = 'The request was blocked because the destination hostname is restricted';

const ofN8n = { httpCode: 'E', code: 'x', messages: ['hang up', 'y'], message: 'n8n says' };
const ofNode = Object.assign(new Error('not ours'), { code: 'NOT_OF_THIS_NODE' });
const revealing = { code: `E-${secret}`, message: `bad header ${secret}` };

test.each<[string, unknown, string, string]>([
	["as n8n wraps it has Node's code and message", ofN8n, 'E', 'hang up'],
	['before n8n wraps it has its own', ofNode, 'NOT_OF_THIS_NODE', 'not ours'],
	['as n8n refuses the address', { messages: [blocked], message: 'x' }, 'N8N_REFUSED', blocked],
	['as n8n refuses the host has the same code', new Error(hostBlocked), 'N8N_REFUSED', hostBlocked],
	['with a text has it', 'failed', 'UNKNOWN', 'failed'],
	['does not reveal the key', revealing, 'E-…', 'bad header …'],
])('A request that failed %s', async (_, thrown, code, message) => {
	expect((await send({ thrown })).reply).toEqual({ kind: 'failure', code, message });
});
