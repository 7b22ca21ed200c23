import type { IncomingHttpHeaders } from 'node:http';
import type { Row } from '../../sandbox/inbox/row';
import { call, email, sandboxForTests, sms, webPush } from './support/calls';

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
		expect(json).toMatchObject({ seq, status: 400, answer, sms: null });
		expect(text).not.toContain('sandbox-key');
	});

	it.each([
		['a'.repeat(161), { parts: 2, encoding: 'GSM-7' }],
		['ж'.repeat(71), { parts: 2, encoding: 'UCS-2' }],
		['a'.repeat(10_001), null],
	])('counts the parts of an SMS', async (message, parts) => {
		await held.send('sendMessage', { ...sms, user_id: 'u', message });
		expect((await arrival()).json).toMatchObject({ sms: parts });
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
			...['sandbox allow-same-origin', "default-src 'none'", "style-src 'unsafe-inline'"],
			...['img-src data:', 'font-src data:', "base-uri 'none'", "form-action 'none'"],
			"frame-ancestors 'self'",
		]);
		expect(headers['x-content-type-options']).toBe('nosniff');
	});
});

describe('The stream of the inbox', () => {
	interface Told {
		id: string | undefined;
		data: { rows?: Row[]; resumed?: boolean };
	}
	let stop = new AbortController();
	afterEach(() => stop.abort());

	/** Listens until so many rows came, and returns the events until then. */
	async function listen(rows: number, lastEventId?: string): Promise<Told[]> {
		const told: Told[] = [];
		const headers = new Headers(lastEventId === undefined ? {} : { 'last-event-id': lastEventId });
		stop = new AbortController();
		const { signal } = stop;
		const { body } = await fetch(`${held.sandbox.url}/sandbox/inbox/events`, { headers, signal });
		const listening = async (text = '') => {
			for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
				const events = (text + chunk).split('\n\n');
				text = events.pop() ?? '';
				told.push(...events.map(toTold));
			}
		};
		void listening().catch(() => undefined);
		while (rowsIn(told).length < rows) await new Promise((resolve) => setTimeout(resolve, 10));
		return told;
	}

	function toTold(event: string): Told {
		const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1];
		const data = JSON.parse(field('data') ?? '{}') as Told['data'];
		return { id: field('id'), data };
	}

	const push = (title: string) => held.send('web/send', { ...webPush, title });
	const rowsIn = (told: Told[]) => told.flatMap(({ data }) => data.rows ?? []);
	const titlesIn = (told: Told[]) => rowsIn(told).map(({ title }) => title);
	const idIn = (told: Told[]) => told.flatMap(({ id }) => id ?? []).at(-1);

	it('continues where a connection ended', async () => {
		await push('before');
		const first = await listen(1);
		stop.abort();
		await push('meanwhile');
		const told = await listen(1, idIn(first));
		expect(told[0]?.data.resumed).toBe(true);
		expect(titlesIn(told)).toEqual(['meanwhile']);
	});

	it('starts over if the record was emptied or belongs to another sandbox', async () => {
		await push('old');
		const first = await listen(1);
		held.sandbox.reset();
		await push('new');
		for (const id of [idIn(first), 'another.0.1', 'nonsense', '']) {
			stop.abort();
			const told = await listen(1, id);
			expect(told[0]?.data.resumed).toBe(false);
			expect(titlesIn(told)).toEqual(['new']);
		}
	});
});
