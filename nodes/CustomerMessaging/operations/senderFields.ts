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
		sender_name: twice(senderName, 'Sender Name', 'Email Sender Name', 'emailSenderName'),
		sender_email: twice(emailOf, 'Sender Email', 'Email Sender Address', 'emailSenderAddress'),
		serviceproviderID: twice(
			serviceProvider,
			'Service Provider ID',
			'Email Service Provider ID',
			'emailServiceProviderId',
		),
	},
	sms: {
		sender_name: twice(senderName, 'Sender Name', 'SMS Sender Name', 'smsSenderName'),
		sender_mobile: twice(mobileOf, 'Sender Mobile', 'SMS Sender Mobile', 'smsSenderMobile'),
		serviceproviderID: twice(
			serviceProvider,
			'Service Provider ID',
			'SMS Service Provider ID',
			'smsServiceProviderId',
		),
	},
};

function senderName(label: string): Field {
	return line(label, {
		modelMayFill: true,
		placeholder: 'e.g. Acme',
		description: 'Name of the sender',
	});
}

function emailOf(label: string): Field {
	return email(label, { modelMayFill: true, description: 'Email address of the sender' });
}

function mobileOf(label: string): Field {
	return senderMobile(label, {
		modelMayFill: true,
		description: 'Mobile number, short code or name of the sender',
	});
}

function serviceProvider(label: string): Field {
	return int64(label, {
		modelMayFill: true,
		placeholder: 'e.g. 7',
		description:
			"Whole number that identifies the email or SMS provider in your account. The service's reference does not say where it is shown; its support can tell you.",
	});
}

function twice(
	make: (label: string) => Field,
	labelInNode: string,
	labelInCredential: string,
	name: string,
): SenderField {
	return { inNode: make(labelInNode), inCredential: make(labelInCredential), name };
}

/** The fields of the sender in the node, by the API's keys. */
export function senderFields(resource: 'email' | 'sms'): Fields {
	return Object.fromEntries(
		Object.entries(senders[resource]).map(([key, { inNode }]) => [key, inNode]),
	);
}
