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
			"Whole number that identifies the email or SMS provider in your account. The service's reference does not say where it is shown; its support can tell you.",
	}),
	dependsOnAccount: true,
});

/** The field in the node, and the one of the credential with its name and label there. */
function inBoth(create: (label?: string) => Field, name: string, label: string) {
	return { inNode: create(), inCredential: create(label), name };
}

/** The sender of a campaign, by the API's keys (spec §2.3 and §2.4). */
const senders: Readonly<
	Record<'email' | 'sms', Readonly<Record<string, ReturnType<typeof inBoth>>>>
> = {
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
	return Object.fromEntries(
		Object.keys(defaultSenderFields).map((name) => [name, credential[name]]),
	);
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
