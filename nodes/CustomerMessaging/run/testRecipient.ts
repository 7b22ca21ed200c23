import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isEmpty } from '../fields/field';
import type { Operation, Resource } from '../operations/operation';
import type { Problem } from '../shared/problem';

/** Who receives the test messages of a run, and the operation that sends to a single person. */
export interface TestRecipient {
	operation: Operation;
	/** The API's key for the recipient. */
	key: string;
	value: string;
}

/** The credential's field for each kind of message, its label, and the API's key for its value. */
const recipients: Readonly<Record<string, { field: string; label: string; key: string }>> = {
	push: { field: 'testUserId', label: 'Test User ID', key: 'user_id' },
	email: { field: 'testEmail', label: 'Test Email', key: 'email' },
	sms: { field: 'testMobile', label: 'Test Mobile', key: 'mobile' },
};

/** Reads the test recipient for a kind of message. The credential needs it only if a test is sent. */
export function readTestRecipient(
	{ value: resource, operations }: Resource,
	credential: ICredentialDataDecryptedObject,
): { testRecipient: TestRecipient } | { problems: Problem[] } {
	const recipient = recipients[resource];
	const operation = operations.find(({ value }) => value === 'send');
	const schema = operation?.fields.recipients?.[recipient?.key ?? '']?.schema;
	if (!recipient || !operation || !schema)
		return refuse('Test messages exist only for push, email and SMS. Set Test Runs to Preview');

	const { field, label, key } = recipient;
	const given = credential.testRecipient === true ? credential[field] : undefined;
	if (isEmpty(given)) {
		return refuse(
			`Test Runs is set to Test Recipient, but the credential does not say who that is. Open the credential, switch on Test Recipient and fill in ${label}`,
		);
	}
	const read = schema.safeParse(given);
	if (!read.success) {
		const reasons = read.error.issues.map(({ message }) => message).join('; ');
		return refuse(`${label} in the credential cannot be used: ${reasons}`);
	}
	return { testRecipient: { operation, key, value: String(read.data) } };
}

function refuse(message: string): { problems: Problem[] } {
	return { problems: [{ field: 'testRuns', message }] };
}
