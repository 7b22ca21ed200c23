import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { brandHeaders, call, webPush } from './support/calls';

let sandbox: Sandbox;
afterEach(() => sandbox?.close());

async function sandboxWith(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ separateHosts: false, ...options });
}

/** Opens the inbox as a page does, and returns the rows that were received so far. */
async function openInbox(): Promise<{ text: () => string }> {
	let text = '';
	const [response] = (await once(
		get(`${sandbox.url}/sandbox/inbox/events`, { agent: false }),
		'response',
	)) as [NodeJS.ReadableStream];
	response.on('data', (chunk: Buffer) => (text += chunk.toString()));
	response.on('error', () => undefined);
	return { text: () => text };
}

async function until(check: () => boolean): Promise<void> {
	while (!check()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const push = async (path = '/api/v1/web/send') => await call(sandbox.url + path, { body: webPush });

describe('A body with deep nesting', () => {
	it.each([201, 20_000])('of %i levels is refused, and the inbox continues', async (levels) => {
		await sandboxWith();
		const inbox = await openInbox();
		const body = `{"nv":${nested(levels - 1)}}`;
		const { status, json } = await call(`${sandbox.url}/api/v1/user/create`, { body });
		expect([status, json]).toEqual([
			400,
			{
				error: 'Invalid resource',
				problems: [{ path: '', rule: 'must have at most 200 levels of lists and objects' }],
			},
		]);
		const withoutKey = { headers: { 'content-type': 'text/plain' }, body };
		expect((await call(`${sandbox.url}/api/v1/web/send`, withoutKey)).status).toBe(401);
		await push();
		await until(() => inbox.text().includes('"seq":3'));
		for (const path of ['/sandbox/record', '/sandbox/inbox/arrivals/1']) {
			expect((await call(sandbox.url + path, { method: 'GET' })).status).toBe(200);
		}
	});
});

describe('A body that is too large', () => {
	it('is one above the configured size', async () => {
		await sandboxWith({ maxBodyBytes: 200 });
		const pushOf = async (message: string) =>
			(await call(`${sandbox.url}/api/v1/web/send`, { body: { ...webPush, message } })).status;
		expect(await pushOf('x'.repeat(100))).toBe(200);
		expect(await pushOf('ж'.repeat(100))).toBe(413);
		sandbox.configure({ maxBodyBytes: 1_000 });
		expect(await pushOf('ж'.repeat(100))).toBe(200);
	});
});

describe('A client that disconnects', () => {
	const head = (length: number) =>
		[
			'POST /api/v1/web/send HTTP/1.1',
			'host: 127.0.0.1',
			...Object.entries(brandHeaders).map(([name, value]) => `${name}: ${value}`),
			`content-length: ${length}`,
			'\r\n',
		].join('\r\n');

	async function connected(): Promise<Socket> {
		const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
		socket.on('error', () => undefined).resume();
		await once(socket, 'connect');
		return socket;
	}

	it.each(['destroy', 'end', 'resetAndDestroy'] as const)(
		'before its request is complete has sent nothing (%s)',
		async (leave) => {
			await sandboxWith();
			const socket = await connected();
			socket.write(`${head(1_000)}{"user_id":`);
			await push();
			socket[leave]();
			await once(socket, 'close');
			await push();
			expect(sandbox.record.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
			expect(sandbox.gauges().find(({ api }) => api === 'push')).toMatchObject({ used: 2 });
		},
	);
});
