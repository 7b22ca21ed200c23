import type { IncomingHttpHeaders } from 'node:http';
import { startSandbox, type Sandbox } from '../../sandbox';
import { brandHeaders, call, email, sms, webPush } from './support/calls';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const get = (path: string, headers: Record<string, string> = {}) =>
	call(sandbox.url + path, { method: 'GET', headers });
const policyOf = (headers: IncomingHttpHeaders) =>
	String(headers['content-security-policy']).split('; ');
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('The page', () => {
	it('is served to browsers, and the introduction to other programs', async () => {
		const page = await get('/', browser);
		expect([page.status, page.headers['content-type'], page.headers.vary]).toEqual([
			200,
			'text/html; charset=utf-8',
			'accept',
		]);
		expect(page.text).toContain('<title>Inbox');

		for (const accept of ['*/*', 'text/plain', 'application/json']) {
			const told = await get('/', { accept });
			expect([told.headers['content-type'], told.headers.vary]).toEqual([
				'text/plain; charset=utf-8',
				'accept',
			]);
			expect(told.text).toBe(sandbox.introduction);
		}
	});

	it('loads only its own script and style', async () => {
		const [page, script, style] = [
			await get('/', browser),
			await get('/sandbox/inbox/inbox.js'),
			await get('/sandbox/inbox/inbox.css'),
		];
		expect([script.status, script.headers['content-type']]).toEqual([
			200,
			'text/javascript; charset=utf-8',
		]);
		expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
		const asked = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
		expect(asked.filter((address) => !address?.startsWith('data:'))).toEqual([
			'/sandbox/inbox/inbox.css',
			'/sandbox/inbox/inbox.js',
		]);
		expect(style.text).not.toMatch(/@import|url\((?!["']?data:)/);
	});

	it('may run only its own script', async () => {
		const { headers } = await get('/', browser);
		expect(policyOf(headers)).toEqual([
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self'",
			"connect-src 'self'",
			"frame-src 'self'",
			'img-src data:',
			"base-uri 'none'",
			"form-action 'none'",
			"frame-ancestors 'none'",
			"require-trusted-types-for 'script'",
			"trusted-types 'none'",
		]);
		expect(headers).toMatchObject({
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'cross-origin-resource-policy': 'same-origin',
		});
	});

	it('refuses other values of Host, and does not record its own requests', async () => {
		const paths = [
			'/',
			'/sandbox/inbox/inbox.js',
			'/sandbox/inbox/events',
			'/sandbox/inbox/access',
			'/sandbox/inbox/users?id=C-1',
			'/sandbox/inbox/arrivals/1',
			'/sandbox/inbox/email/1',
		];
		for (const path of paths)
			expect((await get(path, { ...browser, host: 'evil.example' })).status).toBe(421);
		for (const path of ['/favicon.ico', '/sandbox/nothing']) await get(path);
		await call(`${sandbox.url}/sandbox/record`, {
			method: 'OPTIONS',
			headers: { origin: 'https://evil.example' },
		});
		expect(sandbox.record).toEqual([]);
	});

	it('shows the addresses and test credentials to enter in n8n', async () => {
		expect((await get('/sandbox/inbox/access')).json).toEqual({
			urls: sandbox.urls,
			brands: [{ brandId: 'sandbox-brand', apiKey: 'sandbox-key' }],
			tokens: ['sandbox-token'],
		});
	});
});

describe('One arrival', () => {
	const arrival = async (seq: number | string) => await get(`/sandbox/inbox/arrivals/${seq}`);

	it('is served with its response and without secrets', async () => {
		await call(`${sandbox.url}/api/v1/web/send`, { body: { ...webPush, url: undefined } });
		const { status, json, text } = await arrival(1);
		expect(status).toBe(200);
		expect(json).toMatchObject({
			seq: 1,
			status: 400,
			answer: '{"error":"Invalid resource","problems":[{"path":"url","rule":"is required"}]}',
			sms: null,
		});
		expect(json).toMatchObject({ headers: { 'x-api-key': 'sand…' } });
		expect(text).not.toContain('sandbox-key');
	});

	it('is served with exactly the response that was sent', async () => {
		const { text } = await call(`${sandbox.url}/api/v1/web/send`, { body: webPush });
		expect((await arrival(1)).json).toMatchObject({ answer: text });
		sandbox.faults.add({ kind: 'html' });
		const page = await call(`${sandbox.url}/api/v1/web/send`, { body: webPush });
		expect((await arrival(2)).json).toMatchObject({ answer: page.text });
	});

	it('shows that there was no response', async () => {
		sandbox.faults.add({ kind: 'resetAfterAccept' });
		await call(`${sandbox.url}/api/v1/web/send`, { body: webPush }).catch(() => undefined);
		expect((await arrival(1)).json).toMatchObject({ status: null, answer: null });
	});

	it.each([
		['Hi', { parts: 1, encoding: 'GSM-7' }],
		['a'.repeat(161), { parts: 2, encoding: 'GSM-7' }],
		['ж'.repeat(71), { parts: 2, encoding: 'UCS-2' }],
		['a'.repeat(10_001), null],
	])('counts the parts of an SMS', async (message, parts) => {
		await call(`${sandbox.url}/api/v1/sendMessage`, { body: { ...sms, user_id: 'u', message } });
		expect((await arrival(1)).json).toMatchObject({ sms: parts });
	});

	it('is not found after it was dropped', async () => {
		expect((await arrival(1)).status).toBe(404);
		await call(`${sandbox.url}/api/v1/web/send`, { body: webPush });
		sandbox.reset();
		expect((await arrival(1)).status).toBe(404);
		expect((await arrival('x')).status).toBe(400);
	});
});

describe('The content of an email', () => {
	const contentOf = async (content: unknown) => {
		await call(`${sandbox.url}/api/v1/email/broadcast/all`, {
			headers: brandHeaders,
			body: { ...email, content },
		});
		return await get(`/sandbox/inbox/email/${sandbox.record.length}`);
	};

	it('is a document without permissions', async () => {
		const { status, headers, text } = await contentOf('<p>Hi</p><script>alert(1)</script>');
		expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
		expect(text).toContain('<p>Hi</p>');
		expect(policyOf(headers)).toEqual([
			'sandbox allow-same-origin',
			"default-src 'none'",
			"style-src 'unsafe-inline'",
			'img-src data:',
			'font-src data:',
			"base-uri 'none'",
			"form-action 'none'",
			"frame-ancestors 'self'",
		]);
		expect(headers['x-content-type-options']).toBe('nosniff');
	});

	it('keeps the lines and special characters of plain text', async () => {
		const { text } = await contentOf('1 < 2 & 3\n"quoted"');
		expect(text).toContain('white-space: pre-wrap');
		expect(text).toContain('1 &lt; 2 &amp; 3\n"quoted"');
	});

	it('is not found if there is none', async () => {
		expect((await contentOf(7)).status).toBe(404);
		expect((await get('/sandbox/inbox/email/99')).status).toBe(404);
	});
});
