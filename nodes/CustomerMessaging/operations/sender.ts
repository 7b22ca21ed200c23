import {
	type Field,
	type FieldOptions,
	type Fields,
	type FormParameter,
	isEmpty,
	oncePerOptions,
	collectProblems,
	required,
	toForm,
	userOnly,
} from '../fields/field';
import { email } from '../fields/emailAddress';
import { senderMobile } from '../fields/mobile';
import { line } from '../fields/text';
import { int64, unknownChoice } from '../fields/values';
import type { Body } from '../shared/delivery';
import type { Problem } from '../shared/ending';
import { say } from '../shared/formatting';

/**
 * The kinds of sender fields (spec §2.3 and §2.4), by the API's keys. In the credential, their names and labels begin
 * with the channel.
 */
const kinds = {
	sender_name: {
		name: 'SenderName',
		label: 'Sender Name',
		make: (label = 'Sender Name') =>
			line(label, { ...userOnly, placeholder: 'e.g. Acme', description: 'Name of the sender' }),
	},
	sender_email: {
		name: 'SenderAddress',
		label: 'Sender Address',
		make: (label = 'Sender Email') =>
			email(label, { ...userOnly, description: 'Email address of the sender' }),
	},
	sender_mobile: {
		name: 'SenderMobile',
		label: 'Sender Mobile',
		make: (label = 'Sender Mobile') =>
			senderMobile(label, {
				...userOnly,
				description: 'Mobile number, short code or name of the sender',
			}),
	},
	serviceproviderID: {
		name: 'ServiceProviderId',
		label: 'Service Provider ID',
		make: (label = 'Service Provider ID'): Field =>
			int64(label, {
				...userOnly,
				placeholder: 'e.g. 7',
				description:
					'Whole number that identifies the provider in your account. Ask support for the ID.',
			}),
	},
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

/** Creates the sender fields. In the credential, their names begin with `prefix` and their labels with `title`. */
export function makeSender(prefix: string, title: string, keys: ReadonlyArray<keyof typeof kinds>) {
	const nameOf = (key: keyof typeof kinds) => prefix + kinds[key].name;
	const inNode: Fields = Object.fromEntries(keys.map((key) => [key, kinds[key].make()]));
	const inCredential: Fields = Object.fromEntries(
		keys.map((key) => [nameOf(key), kinds[key].make(`${title} ${kinds[key].label}`)]),
	);
	const schemaInNode = oncePerOptions((options) => required(inNode, options));
	const schemaInCredential = required(inCredential);
	const form: FormParameter[] = [
		senderChoice,
		...toForm(inNode, {
			required: true,
			displayOptions: { show: { senderFrom: ['define'] } },
		}),
	];
	return {
		/** The choice between the credential's sender and the node's own, and the fields of the node's own. */
		form,
		inNode,
		inCredential,
		/** Reads the sender of a row's message as fields of the body. */
		read(
			{ senderFrom, ...parameters }: Body,
			{ senders: defaults, fieldOptions }: { senders?: Body; fieldOptions: FieldOptions },
		): { sender: Body } | { problems: Problem[] } {
			if (senderFrom === 'define') {
				const { data, error } = schemaInNode(fieldOptions).safeParse(parameters);
				return data ? { sender: data } : { problems: collectProblems(error.issues) };
			}
			if (!isEmpty(senderFrom) && senderFrom !== 'credential')
				return {
					problems: [{ field: 'senderFrom', ...unknownChoice(senderChoice, senderFrom) }],
				};
			if (!defaults) {
				const labels = Object.values(inCredential).map(({ form }) => `'${form.displayName}'`);
				const rule = `The credential has no default sender. Turn on 'Default Senders' in the credential and fill in ${labels.join(', ')} there, or set 'Sender' to Define Below`;
				return { problems: [{ field: 'defaultSenders', rule }] };
			}
			const read = schemaInCredential.safeParse(defaults);
			const problems = collectProblems(read.error?.issues ?? []).map(
				({ field, ...sentence }): Problem => ({ field, ...say`In the credential, ${sentence}` }),
			);
			if (!read.success) return { problems };
			return { sender: Object.fromEntries(keys.map((key) => [key, read.data[nameOf(key)]])) };
		},
	};
}
