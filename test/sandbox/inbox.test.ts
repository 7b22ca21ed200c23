import type { IncomingHttpHeaders } from 'node:http';
import { call, email, sandboxForTests, webPush } from './support/calls';

const held = sandboxForTests();
const get = (path: string, headers: Record<string, string> = {}) =>
	call(held.sandbox.url + path, { method: 'GET', headers });
const policyOf = (headers: IncomingHttpHeaders) =>
	String(headers['content-security-policy']).split('; ');

describe('The page', () => {
	it('may run only its own script', async () => {
		const { headers } = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
		expect(policyOf(headers)).toEqual([
			...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
			...["frame-src 'self'", 'img-src data:', "base-uri 'none'", "form-action 'none'"],
			...["frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"],
		]);
		expect(headers).toMatchObject({
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'cross-origin-resource-policy': 'same-origin',
		});
	});
});

describe('One arrival', () => {
	const arrival = () => get(`/sandbox/inbox/arrivals/${held.sandbox.record[0]?.seq}`);

	it('is served with its response and without secrets', async () => {
		await held.send('web/send', { ...webPush, url: undefined });
		const { status, json, text } = await arrival();
		expect(status).toBe(200);
		const answer = '{"error":"Invalid resource","problems":[{"path":"url","rule":"is required"}]}';
		const [{ seq } = {}] = held.sandbox.record;
		expect(json).toMatchObject({ seq, status: 400, answer });
		expect(text).not.toContain('sandbox-key');
	});
});

describe('The content of an email', () => {
	const contentOf = async (content: string) => {
		await held.send('email/broadcast/all', { ...email, content });
		return await get(`/sandbox/inbox/email/${held.sandbox.record[0]?.seq}`);
	};

	it('is a document without permissions', async () => {
		const { status, headers, text } = await contentOf('<p>Hi</p><script>alert(1)</script>');
		expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
		expect(text).toContain('<p>Hi</p>');
		expect(policyOf(headers)).toEqual([
			...['sandbox', "default-src 'none'", "style-src 'unsafe-inline'"],
			...['img-src data:', 'font-src data:', "base-uri 'none'", "form-action 'none'"],
			"frame-ancestors 'self'",
		]);
		expect(headers['x-content-type-options']).toBe('nosniff');
	});
});
