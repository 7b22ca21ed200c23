import {
	type Field,
	type Fields,
	type FormParameter,
	type FieldOptions,
	isEmpty,
	oncePerOptions,
	collectProblems,
	required,
	toForm,
} from '../fields/field';
import { email } from '../fields/email';
import { senderMobile } from '../fields/mobile';
import { line } from '../fields/text';
import { int64, unknownChoice } from '../fields/values';
import type { Body } from '../shared/delivery';
import type { Problem } from '../shared/result';
import type { CheckContext, DefaultSenders, Row } from './operation';

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

const senderChoice: FormParameter = {
	displayName: 'Sender',
	name: 'senderFrom',
	reaches: 'nobody',
	modelMayFill: false,
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
export function senderForm(resource: 'email' | 'sms'): FormParameter[] {
	return [
		senderChoice,
		...toForm(senderFields(resource)).map((property) => ({
			...property,
			required: true,
			displayOptions: { show: { senderFrom: ['define'] } },
		})),
	];
}

function makeSchemas(resource: 'email' | 'sms') {
	const inCredential = Object.fromEntries(
		Object.entries(senders[resource]).map(([key, field]) => [key, field.inCredential]),
	);
	return {
		inNode: oncePerOptions((options) => required(senderFields(resource), options)),
		inCredential: oncePerOptions((options) => required(inCredential, options)),
	};
}

const schemas = { email: makeSchemas('email'), sms: makeSchemas('sms') };

/** Reads the sender of a row's message as fields of the body. */
export function readSender(
	resource: 'email' | 'sms',
	parameters: Row['parameters'],
	{ senders: defaults, fieldOptions }: Pick<CheckContext, 'senders' | 'fieldOptions'>,
): { sender: Body } | { problems: Problem[] } {
	const { senderFrom } = parameters;
	if (senderFrom === 'define') {
		const read = schemas[resource].inNode(fieldOptions).safeParse(parameters);
		return read.success ? { sender: read.data } : { problems: collectProblems(read.error.issues) };
	}
	if (isEmpty(senderFrom) || senderFrom === 'credential')
		return defaultSender(resource, defaults, fieldOptions);
	return { problems: [{ field: 'senderFrom', message: unknownChoice(senderChoice, senderFrom) }] };
}

function defaultSender(
	resource: 'email' | 'sms',
	defaults: DefaultSenders | undefined,
	options: FieldOptions,
) {
	const fields = Object.entries(senders[resource]);
	if (!defaults) {
		const labels = fields.map(([, { inCredential }]) => `'${inCredential.form.displayName}'`);
		const message = `The credential has no default sender. Turn on 'Default Senders' in the credential and fill in ${labels.join(', ')} there, or set 'Sender' to Define Below`;
		return { problems: [{ field: 'defaultSenders', message }] };
	}
	const sender: Body = {};
	const inCredential = schemas[resource].inCredential(options);
	const problems = fields.flatMap(([key, { name }]) => {
		const read = inCredential.shape[key]?.safeParse(defaults[name]);
		if (!read) return [];
		if (read.success) sender[key] = read.data;
		return problemsInCredential(name, read.error?.issues ?? []);
	});
	return problems.length > 0 ? { problems } : { sender };
}

/** The default senders of a credential; undefined if they are switched off. */
export function pickDefaultSenders(
	credential: Readonly<Record<string, unknown>>,
): DefaultSenders | undefined {
	if (!credential.defaultSenders) return undefined;
	const names = Object.keys(defaultSenderFields);
	return Object.fromEntries(names.map((name) => [name, credential[name]]));
}

/** Validates the default senders that a credential holds. Only those that are used must be filled in. */
export function checkDefaultSenders(defaults: DefaultSenders = {}): Problem[] {
	return Object.entries(defaultSenderFields)
		.filter(([name]) => !isEmpty(defaults[name]) && defaults[name] !== 0)
		.flatMap(([name, { schema }]) =>
			problemsInCredential(name, schema.safeParse(defaults[name]).error?.issues ?? []),
		);
}

function problemsInCredential(field: string, issues: ReadonlyArray<{ message: string }>) {
	return issues.map(({ message }): Problem => ({
		field,
		message: `In the credential, ${message}`,
	}));
}
