import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { emailDocument } from '../../sandbox/inbox/email';
import { toRow } from '../../sandbox/inbox/row';
import { brandHeaders, call, email, webPush } from './support/calls';

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
	it.each([201, 20_000, 1_000_000])(
		'of %i levels is refused, and the inbox continues',
		async (levels) => {
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
		},
	);

	it('of 200 levels is read', async () => {
		await sandboxWith();
		await call(`${sandbox.url}/api/v1/event/x`, { body: nested(200) });
		expect(sandbox.record[0]).toMatchObject({ outcome: 'accepted' });
	});

	it('is not confused with brackets within texts', async () => {
		await sandboxWith();
		const title = `${'['.repeat(500)}\\"{`;
		await call(`${sandbox.url}/api/v1/web/send`, { body: { ...webPush, title } });
		expect(sandbox.record[0]).toMatchObject({ outcome: 'accepted', body: { title } });
	});
});

it('The sandbox refuses a body with too many values', async () => {
	await sandboxWith();
	const bodyOf = (count: number) => ({ nv: Array.from({ length: count }, () => [] as []) });
	const problemsOf = async (count: number) => {
		const { json } = await call(`${sandbox.url}/api/v1/user/create`, { body: bodyOf(count) });
		return (json as { problems: Array<{ rule: string }> }).problems.map(({ rule }) => rule);
	};
	expect(await problemsOf(150_000)).toEqual(['must have at most 250,000 values']);
	expect(await problemsOf(120_000)).toHaveLength(1_000);
});

describe('A body that is too large', () => {
	it('is answered 413 and does not count against the limit', async () => {
		await sandboxWith();
		const { status, json } = await call(`${sandbox.url}/api/v1/web/send`, {
			body: `"${'x'.repeat(33 * 1024 * 1024)}"`,
		});
		expect([status, json]).toEqual([413, { error: 'Body too large' }]);
		expect(sandbox.record[0]).toMatchObject({ outcome: 'tooLarge', problems: [], rawBody: '' });
		expect(sandbox.gauges().find(({ api }) => api === 'push')).toMatchObject({ used: 0 });
	});

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

	it('still gets its response if it has only ended its own side after the request', async () => {
		await sandboxWith();
		const body = JSON.stringify(webPush);
		const socket = await connected();
		socket.end(head(body.length) + body);
		const [answer] = (await once(socket, 'data')) as [Buffer];
		expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
	});
});

describe('A page of another site', () => {
	it.each([
		['origin', 'https://evil.example'],
		['origin', 'null'],
		['sec-fetch-site', 'cross-site'],
		['sec-fetch-site', 'same-site'],
	])('cannot send a message: %s is %s', async (name, value) => {
		await sandboxWith();
		for (const method of ['POST', 'GET', 'OPTIONS']) {
			const { status } = await call(`${sandbox.url}/api/v1/web/send`, {
				method,
				headers: { ...brandHeaders, [name]: value },
				body: method === 'POST' ? webPush : undefined,
			});
			expect(status).toBe(403);
		}
		expect(sandbox.record).toEqual([]);
	});

	it('is distinguished from a page of the sandbox itself', async () => {
		await sandboxWith();
		const headers = { ...brandHeaders, origin: sandbox.url, 'sec-fetch-site': 'same-origin' };
		expect((await call(`${sandbox.url}/api/v1/web/send`, { headers, body: webPush })).status).toBe(
			200,
		);
	});
});

it('The sandbox shows an email of 200 kB quickly, regardless of its content', async () => {
	for (const part of ['<a', '<a‹a', '<', 'href ', '<iframe', '<style', '<!--', '</', ' \n']) {
		const content = part.repeat(200_000 / part.length);
		const before = performance.now();
		emailDocument(content);
		const rawBody = JSON.stringify({ ...email, content });
		const arrival = { ...(await arrivalOf()), channel: 'email', rawBody } as const;
		toRow(arrival);
		// It takes milliseconds. In quadratic time it takes many seconds.
		expect(performance.now() - before).toBeLessThan(5_000);
	}
});

/** One arrival as the service records it. */
async function arrivalOf() {
	if (!sandbox?.record[0]) {
		await sandboxWith();
		await push();
	}
	const [arrival] = sandbox.record;
	if (!arrival) throw new Error('Nothing arrived');
	return arrival;
}

it('The sandbox returns as many arrivals as fit, either the newest or the next ones', async () => {
	await sandboxWith();
	const body = { ...webPush, note: 'x'.repeat(1_300_000) };
	for (let count = 0; count < 5; count++) await call(`${sandbox.url}/api/v1/web/send`, { body });
	const seqs = async (query: string) => {
		const { json } = await call(`${sandbox.url}/sandbox/record${query}`, { method: 'GET' });
		return (json as { arrivals: Array<{ seq: number }> }).arrivals.map(({ seq }) => seq);
	};
	expect(await seqs('')).toEqual([3, 4, 5]);
	expect(await seqs('?since=0')).toEqual([1, 2, 3]);
});
