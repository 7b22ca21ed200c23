import { Routes } from '../../sandbox/routes';
import { email, sms } from './support/calls';

const routes = new Routes(() => new Set());

function problems(path: string, body: unknown) {
	return routes.find(`/api/v1/${path}`)?.operation(body).problems(body);
}

function without(body: object, key: string): object {
	return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
}

// Spec §2.3 and §2.4, typed by hand.
const channels = [
	{
		channel: 'email',
		toOne: { ...email, email: 'a@x.example' },
		toSegment: { ...email, segment_id: 3 },
		paths: ['email/broadcast', 'email/broadcast/all', 'email/broadcast/segment'],
		segmentPaths: ['email/broadcast', 'email/broadcast/segment'],
		texts: ['sender_name', 'sender_email', 'subject', 'campaign_name', 'content'],
		optionalTexts: ['reply_to', 'email_cc'],
		flags: ['track_open', 'track_click', 'track_reply', 'frequency_capping', 'dnd'],
		recipients: ['email', 'mobile', 'user_id'],
		recipientPath: 'email / mobile / user_id / campaign_id',
	},
	{
		channel: 'sms',
		toOne: { ...sms, mobile: '+49111' },
		toSegment: { ...sms, segment_id: 3 },
		paths: ['sms/broadcast/', 'sms/broadcast/all', 'sms/broadcast/segment'],
		segmentPaths: ['sms/broadcast/', 'sms/broadcast/all', 'sms/broadcast/segment'],
		texts: ['sender_name', 'campaign_name', 'sender_mobile', 'message'],
		optionalTexts: [],
		flags: ['frequency_capping', 'dnd'],
		recipients: ['mobile', 'user_id'],
		recipientPath: 'mobile / user_id / campaign_id',
	},
];
const integers = ['serviceproviderID', 'segment_id', 'schedule_date', 'schedule_time'];
const requiredIntegers = ['serviceproviderID', 'schedule_date', 'schedule_time'];

describe.each(channels)(
	'$channel',
	({ channel, toOne, toSegment, paths, segmentPaths, texts, optionalTexts, flags, ...more }) => {
		const sender = channel === 'email' ? 'sender_email' : 'sender_mobile';
		const requests: Array<[string, object]> = [
			['sendMessage', toOne],
			...paths.map((path): [string, object] => [path, toSegment]),
		];

		it('accepts a complete message', () => {
			for (const [path, body] of requests) expect(problems(path, body)).toEqual([]);
		});

		it.each([...texts, ...requiredIntegers])('requires %s', (key) => {
			for (const [path, body] of requests) {
				if (path === 'sendMessage' && key === sender) continue;
				const missing = [{ path: key, rule: 'is required' }];
				expect(problems(path, without(body, key))).toEqual(missing);
			}
		});

		it.each(texts)('requires a %s that is not empty', (key) => {
			for (const [path, body] of requests) {
				expect(problems(path, { ...body, [key]: '' })).toEqual([
					{ path: key, rule: 'is required' },
				]);
			}
		});

		it.each([...texts, ...optionalTexts])('accepts only a string as %s', (key) => {
			for (const [path, body] of requests) {
				for (const wrong of [5, true, null, ['a']]) {
					expect(problems(path, { ...body, [key]: wrong })).toEqual([
						{ path: key, rule: 'must be a string' },
					]);
				}
			}
		});

		it.each(integers)('accepts only an integer as %s', (key) => {
			for (const [path, body] of requests) {
				for (const wrong of ['20261121', 1.5, true, null]) {
					expect(problems(path, { ...body, [key]: wrong })).toEqual([
						{ path: key, rule: 'must be an integer' },
					]);
				}
			}
		});

		it.each(flags)('accepts only a boolean as %s', (key) => {
			for (const [path, body] of requests) {
				expect(problems(path, { ...body, [key]: false })).toEqual([]);
				for (const wrong of ['true', 1, 0, null]) {
					expect(problems(path, { ...body, [key]: wrong })).toEqual([
						{ path: key, rule: 'must be a boolean' },
					]);
				}
			}
		});

		it.each(paths)('%s requires a segment if the operation has one', (path) => {
			expect(problems(path, without(toSegment, 'segment_id'))).toEqual(
				segmentPaths.includes(path) ? [{ path: 'segment_id', rule: 'is required' }] : [],
			);
		});

		it('refuses the key of the request examples (spec §2.4)', () => {
			for (const [path, body] of requests) {
				expect(problems(path, { ...body, 'service provider_id': 7 })).toEqual([
					{ path: 'service provider_id', rule: 'is called serviceproviderID' },
				]);
			}
		});

		it('accepts unknown keys', () => {
			for (const [path, body] of requests) {
				expect(problems(path, { ...body, url: 'https://x.example', more: 1 })).toEqual([]);
			}
		});

		it('requires a recipient', () => {
			const base = without(without(toOne, 'email'), 'mobile');
			const missing = [{ path: more.recipientPath, rule: 'one of these is required' }];
			expect(problems('sendMessage', base)).toEqual(missing);
			expect(problems('sendMessage', { ...base, user_id: '' })).toEqual(missing);
			for (const key of more.recipients) {
				expect(problems('sendMessage', { ...base, [key]: 'someone' })).toEqual([]);
				expect(problems('sendMessage', { ...base, [key]: 5 })).toEqual([
					{ path: key, rule: 'must be a string' },
				]);
			}
			for (const id of ['c1', 5]) {
				expect(problems('sendMessage', { ...base, campaign_id: id })).toEqual([]);
			}
			expect(problems('sendMessage', { ...base, campaign_id: true })).toEqual([
				{ path: 'campaign_id', rule: 'must be a string or an integer' },
			]);
		});
	},
);

describe('The channel of sendMessage', () => {
	const operation = (body: unknown) => routes.find('/api/v1/sendMessage')?.operation(body);

	it('depends on the sender', () => {
		expect(operation(email)).toMatchObject({ api: 'email', channel: 'email' });
		expect(operation(sms)).toMatchObject({ api: 'sms', channel: 'sms' });
	});

	it.each<[string, unknown]>([
		['neither sender', { mobile: '+49111' }],
		['both senders', { ...email, ...sms }],
		['no object', 'text'],
		['nothing', undefined],
	])('is unknown with %s, which counts as email', (_name, body) => {
		expect(operation(body)).toMatchObject({ api: 'email', channel: null });
		expect(operation(body)?.problems(body)).toEqual([
			{ path: 'sender_email / sender_mobile', rule: 'exactly one of these is required' },
		]);
	});

	it('does not accept an email address as the recipient of an SMS', () => {
		expect(problems('sendMessage', { ...sms, email: 'a@x.example' })).toEqual([
			{ path: 'mobile / user_id / campaign_id', rule: 'one of these is required' },
		]);
	});
});
