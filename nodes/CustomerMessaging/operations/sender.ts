import type { ZodError } from 'zod/v3';

import {
	type Field,
	type Fields,
	type FormParameter,
	isEmpty,
	oncePerOptions,
	collectProblems,
	required,
	toForm,
	userOnly,
} from '../fields/field';
import { email } from '../fields/email';
import { senderMobile } from '../fields/mobile';
import { line } from '../fields/text';
import { int64, unknownChoice } from '../fields/values';
import type { Body } from '../shared/delivery';
import type { Problem } from '../shared/result';
import type { CheckContext, DefaultSenders, Row } from './operation';

const senderName = (label = 'Sender Name') =>
	line(label, { ...userOnly, placeholder: 'e.g. Acme', description: 'Name of the sender' });

const senderEmail = (label = 'Sender Email') =>
	email(label, { ...userOnly, description: 'Email address of the sender' });

const senderNumber = (label = 'Sender Mobile') =>
	senderMobile(label, {
		...userOnly,
		description: 'Mobile number, short code or name of the sender',
	});

const serviceProvider = (label = 'Service Provider ID'): Field => ({
	...int64(label, {
		...userOnly,
		placeholder: 'e.g. 7',
		description:
			'Whole number that identifies the email or SMS provider in your account. Ask support for the ID.',
	}),
	dependsOnAccount: true,
});

/** The field in the node, and the one of the credential with its name and label there. */
function inBoth(create: (label?: string) => Field, name: string, label: string) {
	return { inNode: create(), inCredential: create(label), name };
}

/** The kinds of messages that have a sender. */
type Kind = 'email' | 'sms';

/** The sender of a campaign, by the API's keys (spec §2.3 and §2.4). */
const senders: Readonly<Record<Kind, Readonly<Record<string, ReturnType<typeof inBoth>>>>> = {
	email: {
		sender_name: inBoth(senderName, 'emailSenderName', 'Email Sender Name'),
		sender_email: inBoth(senderEmail, 'emailSenderAddress', 'Email Sender Address'),
		serviceproviderID: inBoth(
			serviceProvider,
			'emailServiceProviderId',
			'Email Service Provider ID',
		),
	},
	sms: {
		sender_name: inBoth(senderName, 'smsSenderName', 'SMS Sender Name'),
		sender_mobile: inBoth(senderNumber, 'smsSenderMobile', 'SMS Sender Mobile'),
		serviceproviderID: inBoth(serviceProvider, 'smsServiceProviderId', 'SMS Service Provider ID'),
	},
};

/** The fields of the sender in the node, by the API's keys. */
export function senderFields(kind: Kind): Fields {
	return Object.fromEntries(
		Object.entries(senders[kind]).map(([key, { inNode }]) => [key, inNode]),
	);
}

/** The fields of the default sender in the credential, by their names there. */
function fieldsInCredential(kind: Kind): Fields {
	return Object.fromEntries(
		Object.values(senders[kind]).map(({ name, inCredential }) => [name, inCredential]),
	);
}

export const defaultSenderFields: Fields = {
	...fieldsInCredential('email'),
	...fieldsInCredential('sms'),
};

const senderChoice: FormParameter = {
	displayName: 'Sender',
	name: 'senderFrom',
	...userOnly,
	type: 'options',
	noDataExpression: true,
	default: 'credential',
	description: 'Who the message is from',
	options: [
		{
			name: "Credential's Default Sender",
			value: 'credential',
			description: 'The sender under Default Senders in the credential',
		},
		{ name: 'Define Below', value: 'define', description: 'Set the sender in this node' },
	],
};

/** The form for the sender: the choice between the credential's sender and the node's own. */
export function senderForm(kind: Kind): FormParameter[] {
	const displayOptions = { show: { senderFrom: ['define'] } };
	return [senderChoice, ...toForm(senderFields(kind), { required: true, displayOptions })];
}

function makeSchemas(kind: Kind) {
	return {
		inNode: oncePerOptions((options) => required(senderFields(kind), options)),
		inCredential: required(fieldsInCredential(kind)),
	};
}

const schemas = { email: makeSchemas('email'), sms: makeSchemas('sms') };

/** Reads the sender of a row's message as fields of the body. */
export function readSender(
	kind: Kind,
	parameters: Row['parameters'],
	{ senders: defaults, fieldOptions }: Pick<CheckContext, 'senders' | 'fieldOptions'>,
): { sender: Body } | { problems: Problem[] } {
	const { senderFrom } = parameters;
	if (senderFrom === 'define') {
		const read = schemas[kind].inNode(fieldOptions).safeParse(parameters);
		return read.success ? { sender: read.data } : { problems: collectProblems(read.error.issues) };
	}
	if (!isEmpty(senderFrom) && senderFrom !== 'credential')
		return {
			problems: [{ field: 'senderFrom', message: unknownChoice(senderChoice, senderFrom) }],
		};
	if (!defaults) {
		const labels = Object.values(fieldsInCredential(kind)).map(
			({ form }) => `'${form.displayName}'`,
		);
		const message = `The credential has no default sender. Turn on 'Default Senders' in the credential and fill in ${labels.join(', ')} there, or set 'Sender' to Define Below`;
		return { problems: [{ field: 'defaultSenders', message }] };
	}
	const read = schemas[kind].inCredential.safeParse(defaults);
	if (!read.success) return { problems: problemsInCredential(read.error) };
	const fields = Object.entries(senders[kind]);
	return { sender: Object.fromEntries(fields.map(([key, { name }]) => [key, read.data[name]])) };
}

/** The default senders of a credential; undefined if they are switched off. */
export function pickDefaultSenders(
	credential: Readonly<Record<string, unknown>>,
): DefaultSenders | undefined {
	if (!credential.defaultSenders) return undefined;
	return Object.fromEntries(
		Object.keys(defaultSenderFields).map((name) => [name, credential[name]]),
	);
}

/** Validates the default senders that a credential holds. Only those that are used must be filled in. */
export function checkDefaultSenders(defaults: DefaultSenders = {}): Problem[] {
	const filled = Object.entries(defaults).filter(([, value]) => !isEmpty(value) && value !== 0);
	const read = required(defaultSenderFields).partial().safeParse(Object.fromEntries(filled));
	return problemsInCredential(read.error);
}

function problemsInCredential(error?: ZodError): Problem[] {
	return collectProblems(error?.issues ?? []).map(({ field, message }) => ({
		field,
		message: `In the credential, ${message}`,
	}));
}
