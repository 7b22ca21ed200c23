import { startSandbox, type Sandbox } from '../../sandbox';
import { call, email, sms, webPush } from './support/calls';

// Typed by hand from spec §4, so that an error in the sandbox's table is found.
const users = { nv: [{ userID: 'u1', user_attributes: { name: 'Ann' } }] };
const events = { nv: [{ userID: 'u1', event_name: 'Signed Up' }] };
const forAll = { title: 'Hello', message: 'There', url: 'https://x.example' };
const forSegment = { ...forAll, segment_id: 3 };
const endpoints = [
	['baseUrl', '/api/v1/user/create', users, 'user', null],
	['baseUrl', '/api/v1/event/create', events, 'event', null],
	['pushUrl', '/api/v1/web/send', webPush, 'push', 'web'],
	['pushUrl', '/api/v1/web/broadcast/all', forAll, 'push', 'web'],
	['pushUrl', '/api/v1/web/broadcast/segment', forSegment, 'push', 'web'],
	['pushUrl', '/api/v1/android/send', webPush, 'push', 'android'],
	['pushUrl', '/api/v1/android/broadcast/all', forAll, 'push', 'android'],
	['pushUrl', '/api/v1/android/broadcast/segment', forSegment, 'push', 'android'],
	['pushUrl', '/api/v1/ios/send', webPush, 'push', 'ios'],
	['pushUrl', '/api/v1/ios/broadcast/all', forAll, 'push', 'ios'],
	['pushUrl', '/api/v1/ios/broadcast/segment', forSegment, 'push', 'ios'],
	['mailUrl', '/api/v1/sendMessage', { ...email, email: 'a@x.example' }, 'email', null],
	['mailUrl', '/api/v1/email/broadcast', { ...email, segment_id: 3 }, 'email', null],
	['mailUrl', '/api/v1/email/broadcast/all', email, 'email', null],
	['mailUrl', '/api/v1/email/broadcast/segment', { ...email, segment_id: 3 }, 'email', null],
	['mailUrl', '/api/v1/sendMessage', { ...sms, mobile: '+49111' }, 'sms', null],
	['mailUrl', '/api/v1/sms/broadcast/', { ...sms, segment_id: 3 }, 'sms', null],
	['mailUrl', '/api/v1/sms/broadcast/all', { ...sms, segment_id: 3 }, 'sms', null],
	['mailUrl', '/api/v1/sms/broadcast/segment', { ...sms, segment_id: 3 }, 'sms', null],
] as const;

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

describe.each(endpoints)('%s%s', (host, path, body, channel, platform) => {
	it('is accepted on its own host', async () => {
		const answered = await call(sandbox.urls[host] + path, { body });
		expect(answered.status).toBe(200);
		expect(sandbox.accepted()).toHaveLength(1);
		expect(sandbox.record[0]).toMatchObject({
			host: host.replace('Url', ''),
			path,
			api: channel,
			channel,
			platform,
			outcome: 'accepted',
			body,
		});
		expect(answered.json).toEqual({ status: 'ok', id: String(sandbox.record[0]?.seq) });
	});

	it('is not found on the other hosts', async () => {
		for (const other of (['baseUrl', 'pushUrl', 'mailUrl'] as const).filter((u) => u !== host)) {
			expect((await call(sandbox.urls[other] + path, { body })).status).toBe(404);
		}
		expect(sandbox.accepted()).toEqual([]);
	});

	it('is not found with a slash added or removed at the end', async () => {
		const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
		expect((await call(sandbox.url + other, { body })).status).toBe(404);
	});
});

it('The sandbox can serve all hosts at one address', async () => {
	const single = await startSandbox({ separateHosts: false });
	try {
		expect(single.urls).toEqual({
			baseUrl: single.url,
			pushUrl: single.url,
			mailUrl: single.url,
		});
	} finally {
		await single.close();
	}
});
