import type { IncomingHttpHeaders } from 'node:http';
import type { Arrival } from '../../sandbox';
import { questionLink } from '../../sandbox/inbox/questionLink';
import { toRow, type Row } from '../../sandbox/inbox/row';
import { readSchedule } from '../../sandbox/inbox/schedule';
import { call, email, sandboxForTests, webPush } from './support/calls';

const held = sandboxForTests();
const get = (path: string, headers: Record<string, string> = {}) =>
	call(held.sandbox.url + path, { method: 'GET', headers });
const policyOf = (headers: IncomingHttpHeaders) =>
	String(headers['content-security-policy']).split('; ');

test('The page may run only its own script', async () => {
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

test('One arrival is served with its response and without secrets', async () => {
	await held.send('web/send', { ...webPush, url: undefined });
	const [{ seq } = {}] = held.sandbox.record;
	const { status, json, text } = await get(`/sandbox/inbox/arrivals/${seq}`);
	const answer = '{"error":"Invalid resource","problems":[{"path":"url","rule":"is required"}]}';
	expect([status, json]).toMatchObject([200, { seq, status: 400, answer }]);
	expect(text).not.toContain('sandbox-key');
});

test('The content of an email is a document without permissions', async () => {
	await held.send('email/broadcast/all', { ...email, content: '<p>Hi</p><script>1</script>' });
	const path = `/sandbox/inbox/email/${held.sandbox.record[0]?.seq}`;
	const { status, headers, text } = await get(path);
	expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
	expect(text).toContain('<p>Hi</p>');
	expect(policyOf(headers)).toEqual([
		...['sandbox', "default-src 'none'", "style-src 'unsafe-inline'", 'img-src data:'],
		...['font-src data:', "base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'"],
	]);
	expect(headers['x-content-type-options']).toBe('nosniff');
});

const arrivedMs = Date.parse('2026-11-21T09:30:00Z');

const dated = (schedule_date: string, schedule_time = '04:00:00', time_zone?: string) => ({
	...{ schedule_date, schedule_time, time_zone },
});
const morning = { kind: 'at', atMs: Date.parse('2026-11-23T04:00:00Z') };
const unread = (written: string) => ({ kind: 'unread', written });

test.each([
	[{}, { kind: 'now' }],
	[{ time: 90 }, { kind: 'delay', seconds: 90, atMs: arrivedMs + 90_000 }],
	[dated('2026-11-23', '04:00:00', '0'), morning],
	[dated('2026-11-23', '09:30:00', '+0530'), morning],
	[dated('2026-02-30'), unread('2026-02-30 04:00:00')],
	[dated('2026-11-23', '04:00:00', 'CET'), unread('2026-11-23 04:00:00 CET')],
])('The schedule %j of a push is read, or shown as it was sent', (body, schedule) => {
	expect(readSchedule('push', body, arrivedMs)).toEqual(schedule);
});

describe('A row', () => {
	const arrival: Omit<Arrival, 'body'> = {
		...{ seq: 1, time: arrivedMs, host: 'any', method: 'POST', path: '/api/v1/web/send' },
		...{ headers: {}, rawBody: '{}', identity: 'brand:sandbox-brand' },
		...{ api: 'push', channel: 'push', platform: 'web', outcome: 'accepted', accepted: true },
		...{ problems: [], status: 200, remaining: 499, answer: '{}' },
	};
	const rowOf = ({ body = {}, ...change }: Partial<Arrival>): Row =>
		toRow({ ...arrival, rawBody: JSON.stringify(body), ...change });

	const event = { userID: 'C-1001', event_name: 'Order Placed' };
	const push = { user_id: 'C-1', title: 'T', message: 'M' };
	const content = '<STYLE>p{}</Style><p>Dear&nbsp;<b>you</b> write &amp;nbsp; or &lt;b&gt;';
	const text = 'Dear you write &nbsp; or <b>';
	it.each<[Arrival['channel'], string, object, object]>([
		['push', 'web/send', push, { to: 'C-1', title: 'T', text: 'M' }],
		[
			'user',
			'user/create',
			{ nv: [{ userID: 'a' }, event] },
			{ title: '2 users', text: 'a, C-1001' },
		],
		['event', 'event/create', { nv: [event] }, { title: 'Order Placed', text: 'C-1001' }],
		['email', 'sendMessage', { subject: 'S', content }, { title: 'S', text }],
	])('of %s at %s names the recipients and the message', (channel, path, body, named) => {
		expect(rowOf({ channel, path: `/api/v1/${path}`, body })).toMatchObject(named);
	});

	it.each(['push', 'email', 'sms', 'user', 'event', null] as const)(
		'of %s has texts',
		(channel) => {
			for (const rawBody of ['', '{"title":{"a":1},"nv":"x","user_id":[1]}', '{"nv":[null]}']) {
				const row = rowOf({ channel, rawBody });
				expect([row.title, row.text, row.to]).toEqual([row.title, row.text, row.to].map(String));
			}
		},
	);

	it('of an empty message to one person, or of no events, is labelled as a check', () => {
		const title = 'Does the service answer?';
		expect(rowOf({ path: '/api/v1/ios/send' })).toMatchObject({ title });
		expect(rowOf({ channel: 'event', path: '/e', body: { nv: [] } })).toMatchObject({ title });
		expect(rowOf({ path: '/api/v1/ios/broadcast/all' }).title).not.toBe(title);
		expect(rowOf({ path: '/api/v1/ios/send', rawBody: '"text"' }).title).not.toBe(title);
	});
});

describe('The link to the page of a question', () => {
	const link = 'http://localhost:5678/webhook-waiting/12/5f0c?signature=0123456789abcdef';
	const unescaped = 'http://[::1]/n8n/webhook-waiting/7?a=1&signature=0f';
	const escaped = unescaped.replace('&', '&amp;');
	it.each([
		['the URL of a push', { url: link }, link],
		['the text of an SMS', { message: `Answer here: ${link}. Thanks` }, link],
		['an email with its & escaped', { content: `<a href="${escaped}">` }, unescaped],
	])('is found in %s', (_, body, found) => expect(questionLink(body)).toBe(found));

	it.each([
		['that leads to another host', link.replace('localhost', 'n8n.example')],
		['without a signature', 'http://localhost:5678/webhook-waiting/12/5f0c'],
		['to another page', 'http://localhost:5678/form/1?signature=0f'],
	])('is not one %s', (_, url) => expect(questionLink({ url })).toBeUndefined());
});
