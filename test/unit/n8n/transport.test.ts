import type { IExecuteFunctions } from 'n8n-workflow';

import { post } from '../../../nodes/CustomerMessaging/n8n/transport';
import { createMask } from '../../../nodes/CustomerMessaging/shared/mask';

const credential = { id: '1', name: 'Account', type: 'customerMessagingApi', data: {} };
const request = {
	credential,
	url: 'https://push.example/send',
	body: Buffer.from('{"a":1}'),
	timeoutMs: 30_000,
};
const secret = 'key-12345';

interface Answer {
	statusCode?: number;
	headers?: Record<string, unknown>;
	text?: string;
	/** Whether the text never ends. */
	hangs?: boolean;
	socket?: { encrypted?: boolean } | null;
}

/** What n8n's helper is given, and whether the connection was closed early. */
interface Seen {
	calls: unknown[][];
	isClosed: boolean;
}

async function send(
	answer: Answer | (() => never),
	{ url = request.url, maxAnswerBytes = 64_000, timeoutMs = 30_000 } = {},
) {
	const seen: Seen = { calls: [], isClosed: false };
	const context = {
		helpers: {
			async httpRequestWithAuthentication(this: unknown, ...given: unknown[]) {
				seen.calls.push([this === context, ...given]);
				if (typeof answer === 'function') return answer();
				const { statusCode = 200, headers = {}, text = '', hangs, socket } = answer;
				const body = {
					async *[Symbol.asyncIterator]() {
						yield Buffer.from(text);
						if (hangs) await new Promise(() => undefined);
						return undefined;
					},
					destroy: () => void (seen.isClosed = true),
					socket,
				};
				return { statusCode, headers, body };
			},
		},
	};
	const n8n = context as unknown as IExecuteFunctions;
	const reply = await post(
		n8n,
		{ ...request, url, maxAnswerBytes, timeoutMs },
		createMask([secret]),
	);
	return { reply, seen };
}

const fail = (thrown: unknown) => () => {
	throw thrown;
};

test('A request is one POST that n8n neither repeats, redirects, parses nor keeps in memory', async () => {
	const { seen } = await send({});
	expect(seen.calls).toEqual([
		[
			true,
			'customerMessagingApi',
			{
				[Symbol.for('n8n-nodes-customer-messaging.request')]: true,
				url: 'https://push.example/send',
				method: 'POST',
				headers: { accept: 'application/json', 'content-type': 'application/json' },
				body: request.body,
				encoding: 'stream',
				timeout: 30_000,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			},
			{ credentialsDecrypted: credential },
		],
	]);
});

test.each([
	['JSON is parsed, with every digit', '{"id":9007199254740993}', { id: '9007199254740993' }],
	['an answer that is no JSON is text', '<p>Hello</p>', '<p>Hello</p>'],
	['an empty answer is null', '', null],
	['the key is hidden', `{"key":"${secret}"}`, { key: '…' }],
])('In a reply, %s', async (_, text, body) => {
	const { reply } = await send({ statusCode: 201, text });
	expect(reply).toEqual({
		kind: 'answer',
		statusCode: 201,
		body,
		remaining: undefined,
		dateMs: undefined,
		retryAfterMs: undefined,
	});
});

test.each([
	['0', 0],
	['120', 120],
	['1000000000', undefined],
	['-1', undefined],
	['12 left', undefined],
	['', undefined],
])('X-RateLimit-Remaining %p leaves %p calls', async (header, remaining) => {
	const { reply } = await send({ headers: { 'x-ratelimit-remaining': header } });
	expect(reply).toMatchObject({ remaining });
});

describe('Retry-After', () => {
	const date = 'Tue, 24 Nov 2026 10:00:00 GMT';
	const later = 'Tue, 24 Nov 2026 10:00:30 GMT';

	it.each([
		['0', 0],
		['30', 30_000],
		[' 30 ', 30_000],
		['1000000000', undefined],
		['-30', undefined],
		['soon', undefined],
		['Nov 24 2030', undefined],
		[later, 30_000],
		[date, 0],
		['Tue, 24 Nov 2026 09:59:00 GMT', 0],
	])('%p asks to wait for %p ms', async (header, retryAfterMs) => {
		const { reply } = await send({ headers: { 'retry-after': header, date } });
		expect(reply).toMatchObject({ retryAfterMs, dateMs: Date.parse(date) });
	});

	it("is compared with this machine's clock where the service does not tell the time", async () => {
		jest.useFakeTimers({ now: Date.parse(date), doNotFake: ['nextTick', 'setImmediate'] });
		const { reply } = await send({ headers: { 'retry-after': later } });
		jest.useRealTimers();
		expect(reply).toMatchObject({ retryAfterMs: 30_000, dateMs: undefined });
	});
});

describe('What a proxy answers in place of the service', () => {
	it.each<[string, Answer, string | undefined]>([
		['that asks for a password', { statusCode: 407 }, 'http://push.example/send'],
		['without TLS', { statusCode: 502, socket: {} }, undefined],
		['on a plain connection', { statusCode: 403, socket: { encrypted: false } }, undefined],
	])('%s is a request that was not sent', async (_, answer, url) => {
		const { reply, seen } = await send(answer, { url });
		const message = String(answer.statusCode);
		expect(reply).toEqual({ kind: 'failure', code: 'PROXY_REFUSED', message });
		expect(seen.isClosed).toBe(true);
	});

	it.each<[string, Answer, string | undefined]>([
		['with TLS', { socket: { encrypted: true } }, undefined],
		['with 2xx, whatever its connection says', { socket: {} }, undefined],
		['whose connection cannot be seen', { socket: null }, undefined],
		['without TLS where none was asked for', { socket: {} }, 'http://localhost/send'],
	])('is told from an answer of the service %s', async (_, answer, url) => {
		expect((await send(answer, { url })).reply).toMatchObject({ kind: 'answer', statusCode: 200 });
	});
});

describe('A request that failed', () => {
	it.each<[string, unknown, string, string]>([
		[
			"as n8n wraps it has Node's code and message",
			{ httpCode: 'ECONNRESET', code: 'x', messages: ['socket hang up', 'y'], message: 'n8n says' },
			'ECONNRESET',
			'socket hang up',
		],
		[
			'before n8n wraps it has its own',
			Object.assign(new Error('not ours'), { code: 'NOT_OF_THIS_NODE' }),
			'NOT_OF_THIS_NODE',
			'not ours',
		],
		[
			'because n8n refuses the address has a code of its own',
			{
				messages: ['The request was blocked because it resolves to a restricted IP address'],
				message: 'n8n says',
			},
			'N8N_REFUSED',
			'The request was blocked because it resolves to a restricted IP address',
		],
		[
			'because n8n refuses the host has the same code',
			new Error('The request was blocked because the destination hostname is restricted'),
			'N8N_REFUSED',
			'The request was blocked because the destination hostname is restricted',
		],
		['without a code has none', new Error('failed'), 'UNKNOWN', 'failed'],
		['with a text has it', 'failed', 'UNKNOWN', 'failed'],
		[
			'does not reveal the key',
			{ code: `E-${secret}`, message: `bad header ${secret}` },
			'E-…',
			'bad header …',
		],
	])('%s', async (_, thrown, code, message) => {
		expect((await send(fail(thrown))).reply).toEqual({ kind: 'failure', code, message });
	});
});
