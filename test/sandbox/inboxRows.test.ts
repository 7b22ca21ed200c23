import type { Arrival } from '../../sandbox';
import { questionLink } from '../../sandbox/inbox/questionLink';
import { toRow, type Row } from '../../sandbox/inbox/row';
import { readSchedule } from '../../sandbox/inbox/schedule';

const arrivedMs = Date.parse('2026-11-21T09:30:00Z');

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
	const morning = { kind: 'at', atMs: Date.parse('2026-11-23T04:00:00Z') };
	const unread = (written: string) => ({ kind: 'unread', written });

	it.each([
		[{}, { kind: 'now' }],
		[{ time: 90 }, { kind: 'delay', seconds: 90, atMs: arrivedMs + 90_000 }],
		[dated('2026-11-23', '04:00:00', '0'), morning],
		[dated('2026-11-23', '09:30:00', '+0530'), morning],
		[dated('2026-02-30'), unread('2026-02-30 04:00:00')],
		[dated('2026-11-23', '04:00:00', 'CET'), unread('2026-11-23 04:00:00 CET')],
	])('%j is read, or shown as it was sent', (body, schedule) => {
		expect(readSchedule('push', body, arrivedMs)).toEqual(schedule);
	});
});

describe('A row', () => {
	const event = { userID: 'C-1001', event_name: 'Order Placed' };
	const push = { user_id: 'C-1', title: 'T', message: 'M' };
	const mail = { subject: 'S', content: '<style>p{}</style><p>Dear&nbsp;<b>you</b>' };
	const users = { nv: [{ userID: 'a' }, event] };
	it.each<[Arrival['channel'], string, object, object]>([
		['push', 'web/send', push, { to: 'C-1', title: 'T', text: 'M' }],
		['user', 'user/create', users, { title: '2 users', text: 'a, C-1001' }],
		['event', 'event/create', { nv: [event] }, { title: 'Order Placed', text: 'C-1001' }],
		['email', 'sendMessage', mail, { title: 'S', text: 'Dear you' }],
	])('of %s at %s names the recipients and the message', (channel, path, body, named) => {
		expect(rowOf({ channel, path: `/api/v1/${path}`, body })).toMatchObject(named);
	});

	it.each([
		['20&nbsp;% &uuml;ber&#8203;all &#x1F642;', '20 % über\u200ball 🙂'],
		['<p>Write &amp;nbsp; or &lt;b&gt;', 'Write &nbsp; or <b>'],
		['a<STYLE>b</Style>c<title>d</title>', 'a c'],
	])('of an email with %s has what people see', (content, text) => {
		expect(rowOf({ channel: 'email', body: { content } })).toMatchObject({ text });
	});

	it.each(['push', 'email', 'sms', 'user', 'event', null] as const)(
		'of %s has texts',
		(channel) => {
			for (const rawBody of ['', '{"title":{"a":1},"nv":"x","user_id":[1]}', '{"nv":[null]}']) {
				const { title, text, to } = rowOf({ channel, rawBody });
				expect([title, text, to]).toEqual([title, text, to].map(String));
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

const link = 'http://localhost:5678/webhook-waiting/12/5f0c?signature=0123456789abcdef';

const unescaped = 'http://[::1]/n8n/webhook-waiting/7?a=1&signature=0f';
const escaped = unescaped.replace('&', '&amp;');

describe('The link to the page of a question', () => {
	it.each([
		['the URL of a push', { url: link }, link],
		['the text of an SMS', { message: `Answer here: ${link}. Thanks` }, link],
		['an email with its & escaped', { content: `<a href="${escaped}">` }, unescaped],
	])('is found in %s', (_, body, found) => expect(questionLink(body)).toBe(found));

	it.each([
		['that leads to another host', link.replace('localhost', 'n8n.example')],
		['without a signature', 'http://localhost:5678/webhook-waiting/12/5f0c'],
		['whose page is only in its query', 'http://localhost/a?b=/webhook-waiting/1&signature=0f'],
	])('is not one %s', (_, url) => expect(questionLink({ url })).toBeUndefined());
});
