import { resources } from '../../../nodes/CustomerMessaging/operations';
import { readTestRecipient } from '../../../nodes/CustomerMessaging/run/testRecipient';

const me = {
	testRecipient: true,
	testUserId: ' me ',
	testEmail: 'Me@example.com',
	testMobile: '+4915112345678',
};

function read(kind: string, credential: Record<string, string | boolean> = me) {
	const resource = resources.find(({ value }) => value === kind);
	if (!resource) throw new Error(`There is no ${kind}`);
	const found = readTestRecipient(resource, credential);
	return 'problems' in found ? found.problems : found.testRecipient;
}

test.each([
	['push', 'user_id', 'me'],
	['email', 'email', 'Me@example.com'],
	['sms', 'mobile', '+4915112345678'],
])('A test %s goes to the one person of the credential, by %s', (kind, key, value) => {
	expect(read(kind)).toMatchObject({ key, value, operation: { value: 'send' } });
});

test.each([
	['push', 'Test User ID'],
	['email', 'Test Email'],
	['sms', 'Test Mobile'],
])('Without one for %s, the field to fill in is named', (kind, label) => {
	const message = `When Run by Hand is set to Send a Test to Me, but the credential does not say who that is. Open the credential, switch on Test Recipient and fill in ${label}`;
	expect(read(kind, { testRecipient: true })).toEqual([{ field: 'testRuns', message }]);
	expect(read(kind, { ...me, testRecipient: false })).toEqual([{ field: 'testRuns', message }]);
});

test('A test recipient that cannot be used is refused with the reason', () => {
	expect(read('email', { ...me, testEmail: 'me' })).toEqual([
		{
			field: 'testRuns',
			message: expect.stringMatching(/^Test Email in the credential cannot be used: .+/) as string,
		},
	]);
});

test.each(['user', 'event', 'customRequest'])('There is no test of %s', (kind) => {
	expect(read(kind)).toEqual([
		{
			field: 'testRuns',
			message:
				'Test messages exist only for push, email and SMS. Set When Run by Hand to Show Only',
		},
	]);
});
