import fc from 'fast-check';
import { email, push, sms } from '../../../sandbox/support/sampleRequests';

export interface HostileRequest {
	/** What is hostile about it. */
	what: string;
	method: string;
	path: string;
	headers: Record<string, string>;
	/** Made only when it is sent, as some are large. */
	body: () => string;
	/** Whether the client leaves before it has sent everything. */
	isAborted: boolean;
}

type Body = Pick<HostileRequest, 'what' | 'body'>;

const paths = fc.oneof(
	fc.constantFrom(
		...['/api/v1/web/send', '/api/v1/android/send', '/api/v1/ios/broadcast/segment'],
		...['/api/v1/user/create', '/api/v1/sendMessage', '/api/v1/email/broadcast/all'],
		...['/api/v1/sms/broadcast/', '/api/v1/event/create', '/api/v1/campaign/x', '/'],
	),
	fc.webPath().map((path) => `/api/v1${path}`),
	fc.constantFrom('/%', '/%ff%fe', '/api/v1/../../etc/passwd', '//', '/__proto__', '*'),
	fc.nat(30_000).map((length) => `/${'p'.repeat(Math.min(length, 10_000))}`),
	fc.nat(25_000).map((seq) => `/sandbox/inbox/email/${seq}`),
	fc.constantFrom('/sandbox/record', '/sandbox/settings', '/sandbox/faults', '/sandbox/gauges?x'),
);

const brand = { 'x-brand-id': 'sandbox-brand', 'x-api-key': 'sandbox-key' };
const json = { accept: 'application/json', 'content-type': 'application/json' };
const headers = fc.oneof(
	{ weight: 6, arbitrary: fc.constant<Record<string, string>>({ ...brand, ...json }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Array<Record<string, string>>>(
			{},
			{ ...brand },
			{ ...json, authorization: 'Bearer wrong' },
			{ ...brand, 'content-type': 'nonsense' },
			{ ...brand, ...json, origin: 'https://evil.example' },
			{ ...brand, ...json, 'x-long': 'x'.repeat(8_000) },
			{ ...brand, ...json, __proto__: 'x', constructor: 'y' },
			{ ...brand, ...json, host: 'evil.example' },
		),
	},
);

const ofSize = (what: string, part: string, [open, close]: [string, string] = ['', '']) =>
	fc
		.oneof(
			{ weight: 200, arbitrary: fc.nat(30_000) },
			{ weight: 10, arbitrary: fc.nat(500_000) },
			{ weight: 1, arbitrary: fc.integer({ min: 4_000_000, max: 6_000_000 }) },
		)
		.map((chars): Body => ({
			what,
			body: () => open + part.repeat(Math.ceil(chars / part.length)) + close,
		}));

const emailStart = JSON.stringify({ ...email, content: '' }).slice(0, -2);
const smsStart = JSON.stringify({ ...sms, message: '' }).slice(0, -2);
const nested = fc.nat(300_000).map((depth): Body => {
	return { what: 'nested', body: () => `{"nv":${'['.repeat(depth)}${']'.repeat(depth)}}` };
});

const odd = fc.oneof(
	fc.constantFrom<unknown>(9e12, 2 ** 53, -1, 1e308, '__proto__', '=constructor', '\u2028', null),
	fc.string({ unit: 'binary', maxLength: 300 }),
	fc.jsonValue(),
);
const message = fc
	.tuple(
		fc.constantFrom<object>(push, email, sms, { nv: [{ userID: 'u', user_attributes: {} }] }),
		fc.dictionary(
			fc.constantFrom(
				...['time', 'title', 'message', 'content', 'nv', 'segment_id', 'schedule_date', 'user_id'],
				...['schedule_time', 'time_zone', 'sender_mobile', '__proto__', 'event_name', 'event_time'],
			),
			odd,
		),
	)
	.map(([known, changes]): Body => {
		return { what: 'message', body: () => JSON.stringify({ ...known, ...changes }) };
	});

const bodies = fc.oneof(
	{ weight: 8, arbitrary: message },
	{ weight: 2, arbitrary: fc.json().map((text): Body => ({ what: 'JSON', body: () => text })) },
	{
		weight: 2,
		arbitrary: fc
			.string({ unit: 'binary', maxLength: 2_000 })
			.map((text): Body => ({ what: 'text', body: () => text })),
	},
	{ weight: 1, arbitrary: nested },
	{ weight: 1, arbitrary: ofSize('objects', '{},', ['{"nv":[', '{}]}']) },
	{ weight: 1, arbitrary: ofSize('lists', '[],', ['[', '[]]']) },
	{ weight: 1, arbitrary: ofSize('integers', '9223372036854775807,', ['{"nv":[', '1]}']) },
	{ weight: 1, arbitrary: ofSize('repeated keys', '"a":1,', ['{', '"a":12345678901234567890}']) },
	{ weight: 1, arbitrary: ofSize('tags', '<a‹a', [emailStart, '"}']) },
	{ weight: 1, arbitrary: ofSize('styles', '<style', [emailStart, '"}']) },
	{ weight: 1, arbitrary: ofSize('SMS', 'a\u0301👩‍👩‍👧', [smsStart, '"}']) },
	{ weight: 1, arbitrary: ofSize('quotes', '\\"', ['"', '"']) },
);

/** Requests that faulty programs and hostile pages send. */
export const hostileRequests: fc.Arbitrary<HostileRequest> = fc
	.record({
		method: fc.oneof(
			{ weight: 20, arbitrary: fc.constant('POST') },
			{ weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH') },
		),
		path: paths,
		headers,
		content: bodies,
		isAborted: fc.nat(40).map((number) => number === 0),
	})
	.map(({ content, method, ...rest }) => ({
		...rest,
		...content,
		// Emptying the record is not hostile, and the page may be requesting one of its messages.
		method: rest.path.startsWith('/sandbox') ? 'GET' : method,
	}));
