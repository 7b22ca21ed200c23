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

	it.each([
		['Hi', { parts: 1, encoding: 'GSM-7' }],
		['a'.repeat(161), { parts: 2, encoding: 'GSM-7' }],
		['ж'.repeat(71), { parts: 2, encoding: 'UCS-2' }],
		['a'.repeat(10_001), null],
	])('counts the parts of an SMS', async (message, parts) => {
		await call(`${sandbox.url}/api/v1/sendMessage`, { body: { ...sms, user_id: 'u', message } });
		expect((await arrival(1)).json).toMatchObject({ sms: parts });
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

	it('is drawn as HTML without tags too, as mail programs do', async () => {
		const { text } = await contentOf('One\n\nTwo &amp; three');
		expect(text).toMatch(/<\/style>One\n\nTwo &amp; three$/);
	});
});
