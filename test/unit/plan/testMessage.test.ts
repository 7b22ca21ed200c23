import { email } from '../../../nodes/CustomerMessaging/operations/email';
import type { Resource } from '../../../nodes/CustomerMessaging/operations/operation';
import { push } from '../../../nodes/CustomerMessaging/operations/push';
import { toTestMessage } from '../../../nodes/CustomerMessaging/plan/testMessage';
import type { TestRecipient } from '../../../nodes/CustomerMessaging/run/testRecipient';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';

function recipient({ operations }: Resource, key: string, value: string): TestRecipient {
	const operation = operations.find((one) => one.value === 'send');
	if (!operation) throw new Error('There is no operation that sends to one person');
	return { operation, key, value };
}

const me = recipient(email, 'email', 'me@example.com');
const myPhone = recipient(push, 'user_id', 'me');

const emailToAll: Delivery = {
	itemIndex: 2,
	path: '/api/v1/email/broadcast/all',
	body: { subject: 'News', content: '<p>Hello</p>', track_open: true },
	schedule: { kind: 'now' },
	audience: 'everyone',
	to: { audience: 'everyone' },
};

test('A broadcast becomes a message to the test recipient alone.', () => {
	expect(toTestMessage(emailToAll, me)).toEqual({
		itemIndex: 2,
		path: '/api/v1/sendMessage',
		body: {
			email: 'me@example.com',
			subject: 'News',
			content: '<p>Hello</p>',
			track_open: true,
		},
		schedule: { kind: 'now' },
		to: { email: 'me@example.com' },
		test: { changes: ['Sent to the test recipient instead of everyone'] },
	});
});

test('A push goes to the same platform.', () => {
	const toSegment: Delivery = {
		itemIndex: 0,
		platform: 'ios',
		path: '/api/v1/ios/broadcast/segment',
		body: { segment_id: 42, title: 'News' },
		audience: 'segment 42',
	};
	expect(toTestMessage(toSegment, myPhone)).toMatchObject({
		platform: 'ios',
		path: '/api/v1/ios/send',
		body: { user_id: 'me', title: 'News' },
		to: { user_id: 'me' },
	});
});

test('Nothing is left by which the message could reach other people or devices.', () => {
	const body = {
		user_id: 'C-1',
		subscription_id: 'S-1',
		email: 'ada@example.com',
		mobile: '+4915112345678',
		campaign_id: 7,
		segment_id: 42,
		email_cc: 'team@example.com',
		tag: 'news',
		android_id: 'A-1',
		ios_ifv: 'I-1',
		title: 'News',
	};
	const test = toTestMessage({ itemIndex: 0, path: '/', body, to: { email: body.email } }, me);
	expect(test.body).toEqual({ email: 'me@example.com', title: 'News' });
	expect(test.test?.changes).toEqual([
		'Sent to the test recipient instead of Email ada@example.com',
		'Without Segment, CC Email, tag, android_id, ios_ifv, which could reach other people or devices',
	]);
});

test('The real recipient is named as in the form.', () => {
	const toOne: Delivery = {
		itemIndex: 0,
		platform: 'web',
		path: '/api/v1/web/send',
		body: { user_id: 'C-1' },
		to: { user_id: 'C-1', other: 5 },
	};
	expect(toTestMessage(toOne, myPhone).test?.changes).toEqual([
		'Sent to the test recipient instead of User ID C-1, other 5',
	]);
});

test('A message without a recipient or with a list for a body names nobody.', () => {
	const test = toTestMessage({ itemIndex: 0, path: '/', body: [{ email: 'x' }] }, me);
	expect(test.body).toEqual({ email: 'me@example.com' });
	expect(test.test?.changes).toEqual(['Sent to the test recipient instead of ']);
});

test('A test goes out at once, and says when the real message would.', () => {
	const at = {
		...emailToAll,
		schedule: { kind: 'at', instantMs: Date.parse('2026-11-23T08:30Z'), zone: 'Europe/Berlin' },
	} as const;
	expect(toTestMessage(at, me).schedule).toEqual({ kind: 'now' });
	expect(toTestMessage(at, me).test?.changes[1]).toBe(
		'Sent now instead of at 2026-11-23T09:30:00.000+01:00',
	);
	const later = { ...emailToAll, schedule: { kind: 'delay', seconds: 60 } } as const;
	expect(toTestMessage(later, me).schedule).toEqual({ kind: 'now' });
	expect(toTestMessage(later, me).test?.changes[1]).toBe('Sent now instead of after 60 seconds');
});
