import type { Field, Fields } from '../fields/field';
import { email } from '../fields/email';
import { senderMobile } from '../fields/mobile';
import { line } from '../fields/text';
import { int64 } from '../fields/values';

/** A field of the sender, in the node and in the credential. */
export interface SenderField {
	inNode: Field;
	inCredential: Field;
	/** The name of the credential's field. */
	name: string;
}

/** The sender of a campaign, by the API's keys (spec §2.3 and §2.4). */
export const senders: Readonly<Record<'email' | 'sms', Readonly<Record<string, SenderField>>>> = {
	email: {
		sender_name: senderField(senderName, 'Sender Name', 'Email Sender Name', 'emailSenderName'),
		sender_email: senderField(
			senderEmail,
			'Sender Email',
			'Email Sender Address',
			'emailSenderAddress',
		),
		serviceproviderID: senderField(
			serviceProvider,
			'Service Provider ID',
			'Email Service Provider ID',
			'emailServiceProviderId',
		),
	},
	sms: {
		sender_name: senderField(senderName, 'Sender Name', 'SMS Sender Name', 'smsSenderName'),
		sender_mobile: senderField(
			senderMobileNumber,
			'Sender Mobile',
			'SMS Sender Mobile',
			'smsSenderMobile',
		),
		serviceproviderID: senderField(
			serviceProvider,
			'Service Provider ID',
			'SMS Service Provider ID',
			'smsServiceProviderId',
		),
	},
};

function senderName(label: string): Field {
	return line(label, {
		reaches: 'nobody',
		modelMayFill: false,
		placeholder: 'e.g. Acme',
		description: 'Name of the sender',
	});
}

function senderEmail(label: string): Field {
	return email(label, {
		reaches: 'nobody',
		modelMayFill: false,
		description: 'Email address of the sender',
	});
}

function senderMobileNumber(label: string): Field {
	return senderMobile(label, {
		reaches: 'nobody',
		modelMayFill: false,
		description: 'Mobile number, short code or name of the sender',
	});
}

function serviceProvider(label: string): Field {
	const field = int64(label, {
		reaches: 'nobody',
		modelMayFill: false,
		placeholder: 'e.g. 7',
		description:
			"Whole number that identifies the email or SMS provider in your account. The service's reference does not say where it is shown; its support can tell you.",
	});
	return { ...field, dependsOnAccount: true };
}

/** @param create makes the field for a label, which is not the same in the node and in the credential */
function senderField(
	create: (label: string) => Field,
	labelInNode: string,
	labelInCredential: string,
	name: string,
): SenderField {
	return { inNode: create(labelInNode), inCredential: create(labelInCredential), name };
}

/** The fields of the sender in the node, by the API's keys. */
export function senderFields(resource: 'email' | 'sms'): Fields {
	return Object.fromEntries(
		Object.entries(senders[resource]).map(([key, { inNode }]) => [key, inNode]),
	);
}

/** The fields of default senders in the credential, by their names there. */
export const defaultSenderFields: Fields = Object.fromEntries(
	Object.values(senders)
		.flatMap((fields) => Object.values(fields))
		.map(({ name, inCredential }) => [name, inCredential]),
);
