import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type Fields, type Form, isEmpty } from '../fields/field';
import { declaredFields, type Operation, type Resource } from '../operations/operation';
import type { Problem } from '../shared/result';

/** Who receives the test messages of a run, and the operation that sends to a single person. */
export interface TestRecipient {
	operation: Operation;
	/** The API's key for the recipient. */
	key: string;
	value: string;
	/** The fields of all operations of this kind of message. */
	fields: Fields;
}

/** The credential's fields for it, each with the kind of message and the API's key for its value. */
export const testRecipientFields = {
	testUserId: {
		resource: 'push',
		key: 'user_id',
		form: textForm('Test User ID', 'e.g. user-1001', 'User who receives test pushes'),
	},
	testEmail: {
		resource: 'email',
		key: 'email',
		form: textForm('Test Email', 'e.g. you@example.com', 'Address that receives test emails'),
	},
	testMobile: {
		resource: 'sms',
		key: 'mobile',
		form: textForm(
			'Test Mobile',
			'e.g. +4915112345678',
			'Mobile number that receives test SMS, with country code',
		),
	},
};

function textForm(displayName: string, placeholder: string, description: string): Form {
	return { displayName, type: 'string', default: '', placeholder, description };
}

/** Reads the test recipient for a kind of message. The credential needs it only if a test is sent. */
export function readTestRecipient(
	{ value: resource, operations }: Resource,
	credential: ICredentialDataDecryptedObject,
): { testRecipient: TestRecipient } | { problems: Problem[] } {
	const field = Object.entries(testRecipientFields).find(([, one]) => one.resource === resource);
	const operation = operations.find(({ value }) => value === 'send');
	if (!field || !operation)
		return refuse(
			'Test messages exist only for push, email and SMS. Set When Run by Hand to Show Only',
		);

	const [name, { key, form }] = field;
	const { displayName: label } = form;
	const given = credential.testRecipient === true ? credential[name] : undefined;
	if (isEmpty(given)) {
		return refuse(
			`When Run by Hand is set to Send a Test to Me, but the credential does not say who that is. Open the credential, switch on Test Recipient and fill in ${label}`,
		);
	}
	const read = operation.fields.recipients?.[key]?.schema.safeParse(given);
	if (!read?.success) {
		const reasons = read?.error.issues.map(({ message }) => message).join('; ');
		return refuse(`${label} in the credential cannot be used: ${reasons}`);
	}
	const fields = Object.assign({}, ...operations.map(declaredFields)) as Fields;
	return { testRecipient: { operation, key, value: String(read.data), fields } };
}

function refuse(message: string): { problems: Problem[] } {
	return { problems: [{ field: 'testRuns', message }] };
}
