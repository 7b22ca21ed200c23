import type { Arrival } from '../../sandbox';
import { questionLink } from '../../sandbox/inbox/questionLink';
import { toRow, type Row } from '../../sandbox/inbox/row';
import { readSchedule } from '../../sandbox/inbox/schedule';

const arrivedMs = Date.parse('2026-11-21T09:30:00Z');
const instant = (iso: string) => ({ kind: 'at', atMs: Date.parse(iso) });

const arrival: Omit<Arrival, 'body'> = {
	...{ seq: 1, time: arrivedMs, host: 'any', method: 'POST', path: '/api/v1/web/send' },
	...{ headers: {}, rawBody: '{}', identity: 'brand:sandbox-brand' },
	...{ api: 'push', channel: 'push', platform: 'web', outcome: 'accepted', accepted: true },
	...{ problems: [], status: 200, remaining: 499, answer: '{}' },
};
const rowOf = ({ body = {}, ...change }: Partial<Arrival>): Row =>
	toRow({ ...arrival, rawBody: JSON.stringify(body), ...change });

describe('The schedule of a push', () => {
	const dated = (schedule_date: string, schedule_time = '04:00:00', time_zone?: string) => ({
		...{ schedule_date, schedule_time, time_zone },
	});

	it.each([
		[{}, { kind: 'now' }],
		[{ time: 90 }, { kind: 'delay', seconds: 90, atMs: arrivedMs + 90_000 }],
		[dated('2026-11-23', '04:00:00', '0'), instant('2026-11-23T04:00:00Z')],
		[dated('2026-11-23', '09:30:00', '+0530'), instant('2026-11-23T04:00:00Z')],
		[dated('2026-11-22', '22:30:00', '-0530'), instant('2026-11-23T04:00:00Z')],
	])('%j is read', (body, schedule) => {
		expect(readSchedule('push', body, arrivedMs)).toEqual(schedule);
	});

	it.each([
		[dated('23/11/2026'), '23/11/2026 04:00:00'],
		[dated('2026-02-30'), '2026-02-30 04:00:00'],
		[dated('2026-11-23', '04:00:00', 'CET'), '2026-11-23 04:00:00 CET'],
		[{ ...dated('2026-11-23'), time: 5 }, '5 2026-11-23 04:00:00'],
		[{ time: -1 }, '-1'],
		[{ time: 9_000_000_000_000 }, '9000000000000'],
	])('%j is shown as it was sent', (body, written) => {
		expect(readSchedule('push', body, arrivedMs)).toEqual({ kind: 'unread', written });
	});
});

it.each([
	['ios/send', 'person'],
	['sendMessage', 'person'],
	['web/broadcast/all', 'everyone'],
	['web/broadcast/segment', 'segment'],
	['email/broadcast', 'segment'],
	['sms/broadcast/', 'segment'],
	['sms/broadcast/all?x=1', 'everyone'],
	['user/create', null],
])('The inbox reads from the path %s that the audience is %s', (path, audience) => {
	expect(rowOf({ path: `/api/v1/${path}` })).toMatchObject({ audience });
});

describe('A row', () => {
	const event = { userID: 'C-1001', event_name: 'Order Placed' };
	const push = { user_id: 'C-1', title: 'T', message: 'M' };
	const mail = { subject: 'S', content: '<style>p{}</style><p>Dear&nbsp;<b>you</b>' };
	const events = { nv: [event, { ...event, userID: 'C-2' }] };
	it.each<[Arrival['channel'], string, object, object]>([
		['push', 'web/send', push, { to: 'C-1', title: 'T', text: 'M' }],
		['push', 'web/broadcast/segment', { segment_id: 42 }, { to: '42' }],
		[
			'user',
			'user/create',
			{ nv: [{ userID: 'a' }, event] },
			{ title: '2 users', text: 'a, C-1001' },
		],
		['event', 'event/create', { nv: [event] }, { title: 'Order Placed', text: 'C-1001' }],
		['event', 'event/create', events, { text: 'Order Placed (C-1001), Order Placed (C-2)' }],
		['event', 'event/create', events, { title: '2 events' }],
		['email', 'sendMessage', mail, { title: 'S', text: 'Dear&nbsp; you' }],
	])('of %s at %s names the recipients and the message', (channel, path, body, named) => {
		expect(rowOf({ channel, path: `/api/v1/${path}`, body })).toMatchObject(named);
	});

	it('is found by the name of its segment', () => {
		const path = '/api/v1/web/broadcast/segment';
		expect(rowOf({ path, body: { segment_id: 42 } }).search).toContain('vip customers');
	});

	it.each(['', '{"title":{"a":1},"nv":"x","user_id":[1]}', '{"nv":[null]}'])(
		'is made from any body: %s',
		(rawBody) => {
			for (const channel of ['push', 'email', 'sms', 'user', 'event', null] as const) {
				const row = rowOf({ channel, rawBody });
				expect(typeof row.title + typeof row.text + typeof row.to).toBe('stringstringstring');
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

	it.each([
		['<style>p{}</style>a<script>b', 'a'],
		['a<STYLE>b</Style>c<title>d</title>', 'a c'],
		['<head><title>a</title></head>b', 'b'],
		['İ<style>a</style>b', 'İ b'],
	])('leaves out the parts of an email that are not shown: %s', (content, text) => {
		expect(rowOf({ channel: 'email', body: { content } })).toMatchObject({ text });
	});
});

const link = 'http://localhost:5678/webhook-waiting/12/5f0c?signature=0123456789abcdef';

describe('The link to the page of a question', () => {
	it.each([
		['the URL of a push', { url: link }, link],
		['the text of an SMS', { message: `Answer here: ${link}. Thanks` }, link],
		['an email after another link', { content: `http://localhost/a?signature=0 ${link}` }, link],
		[
			'an email with its & escaped',
			{ content: '<a href="http://[::1]/n8n/webhook-waiting/7?a=1&amp;signature=0f">' },
			'http://[::1]/n8n/webhook-waiting/7?a=1&signature=0f',
		],
	])('is found in %s', (_, body, found) => expect(questionLink(body)).toBe(found));

	it.each([
		['that leads to another host', link.replace('localhost', 'n8n.example')],
		['without a signature', 'http://localhost:5678/webhook-waiting/12/5f0c'],
		['to another page', link.replace('webhook-waiting', 'webhook')],
		['without an execution', 'http://localhost/webhook-waiting/?signature=0f'],
		['whose page is only in its query', 'http://localhost/a?b=/webhook-waiting/1&signature=0f'],
	])('is not one %s', (_, url) => expect(questionLink({ url })).toBeUndefined());
});
