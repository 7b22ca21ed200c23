import { email } from '../../../nodes/CustomerMessaging/operations/email';
import type { Resource } from '../../../nodes/CustomerMessaging/operations/operation';
import { push } from '../../../nodes/CustomerMessaging/operations/push';
import { toTestMessage } from '../../../nodes/CustomerMessaging/plan/testMessage';
import {
	readTestRecipient,
	type TestRecipient,
} from '../../../nodes/CustomerMessaging/run/testRecipient';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';

function recipient(resource: Resource, field: string, value: string): TestRecipient {
	const read = readTestRecipient(resource, { testRecipient: true, [field]: value });
	if ('problems' in read) throw new Error(read.problems[0]?.message);
	return read.testRecipient;
}

const me = recipient(email, 'testEmail', 'me@example.com');
const myPhone = recipient(push, 'testUserId', 'me');

const emailToAll: Delivery = {
	itemIndex: 2,
	path: '/api/v1/email/broadcast/all',
	buildBody: () => ({ subject: 'News', content: '<p>Hello</p>', track_open: true }),
	schedule: { kind: 'now' },
	audience: 'everyone',
	to: { audience: 'everyone' },
};

function withBody({ buildBody, ...delivery }: Delivery) {
	return { ...delivery, body: buildBody() };
}

test('A broadcast becomes a message to the test recipient alone.', () => {
	expect(withBody(toTestMessage(emailToAll, me))).toEqual({
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
		buildBody: () => ({ segment_id: 42, title: 'News' }),
		audience: 'segment 42',
	};
	expect(withBody(toTestMessage(toSegment, myPhone))).toMatchObject({
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
		subject: 'News',
		title: 'no field of an email',
	};
	const test = toTestMessage(
		{ itemIndex: 0, path: '/', buildBody: () => body, to: { email: body.email } },
		me,
	);
	expect(test.buildBody()).toEqual({ email: 'me@example.com', subject: 'News' });
	expect(test.test?.changes).toEqual([
		'Sent to the test recipient instead of Email ada@example.com',
	]);
});

describe('Keys that are no fields of the node', () => {
	const extra = {
		email_bcc: 'x@example.com',
		user_ids: ['1'],
		to: 'all',
		topic: 'news',
		constructor: 1,
	};
	const body = {
		...extra,
		subject: 'News',
		reply_to: 'shop@example.com',
		user_id: 'C-1',
		segment_id: 42,
	};

	test('are left out of a test, because they could reach others.', () => {
		const test = toTestMessage({ ...emailToAll, buildBody: () => body }, me);
		expect(test.buildBody()).toEqual({
			email: 'me@example.com',
			subject: 'News',
			reply_to: 'shop@example.com',
		});
		expect(test.test?.changes).toEqual(['Sent to the test recipient instead of everyone']);
	});

	test('are kept if the user asks for it, but never a field that is known to reach others.', () => {
		const test = toTestMessage({ ...emailToAll, buildBody: () => body }, me, true);
		expect(test.buildBody()).toEqual({
			email: 'me@example.com',
			...extra,
			subject: 'News',
			reply_to: 'shop@example.com',
		});
	});

	test('do not bring back a field that only another operation has.', () => {
		const toOne = {
			itemIndex: 0,
			platform: 'web',
			path: '/',
			buildBody: () => ({ segment_id: 42, title: 'News' }),
		} as const;
		expect(toTestMessage(toOne, myPhone, true).buildBody()).toEqual({
			user_id: 'me',
			title: 'News',
		});
	});
});

test('The real recipient is named as in the form.', () => {
	const toOne: Delivery = {
		itemIndex: 0,
		platform: 'web',
		path: '/api/v1/web/send',
		buildBody: () => ({ user_id: 'C-1' }),
		to: { user_id: 'C-1', other: 5 },
	};
	expect(toTestMessage(toOne, myPhone).test?.changes).toEqual([
		'Sent to the test recipient instead of User ID C-1, other 5',
	]);
});

test('A message without a recipient or with a list for a body names nobody.', () => {
	const test = toTestMessage({ itemIndex: 0, path: '/', buildBody: () => [{ email: 'x' }] }, me);
	expect(test.buildBody()).toEqual({ email: 'me@example.com' });
	expect(test.test?.changes).toEqual(['Sent to the test recipient instead of ']);
});

test('A test goes out at once, and says when the real message would.', () => {
	const at = {
		...emailToAll,
		schedule: { kind: 'at', instantMs: Date.parse('2026-11-23T08:30Z'), zone: 'Europe/Berlin' },
	} as const;
	expect(toTestMessage(at, me).schedule).toEqual({ kind: 'now' });
	expect(toTestMessage(at, me).test?.changes[1]).toBe('Sent now instead of Mon 23 Nov, 09:30');
	const later = { ...emailToAll, schedule: { kind: 'delay', seconds: 60 } } as const;
	expect(toTestMessage(later, me).schedule).toEqual({ kind: 'now' });
	expect(toTestMessage(later, me).test?.changes[1]).toBe('Sent now instead of after 60 seconds');
});
