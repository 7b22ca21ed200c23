import {
	type FormParameter,
	type FieldOptions,
	isEmpty,
	oncePerOptions,
	collectProblems,
	required,
	toForm,
} from '../fields/field';
import { unknownChoice } from '../fields/choice';
import type { Body } from '../shared/delivery';
import type { Problem } from '../shared/problem';
import type { CheckContext, DefaultSenders, Row } from './operation';
import { defaultSenderFields, senderFields, senders } from './senderFields';

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
