import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { email } from '../fields/emailAddress';
import { collectProblems, type Field, isBlank, isEmpty, userOnly } from '../fields/field';
import { readPhone } from '../fields/mobile';
import { withoutInvisible } from '../fields/text';
import { channels } from '../operations/channels';
import { limits } from '../operations/limits';
import { type CheckContext, defaultEventPath, type Host } from '../operations/operation';
import { readBoolean } from '../fields/values';
import { checkFormat, defaultScheduleFormat, type ScheduleFormat } from '../schedule/format';
import { quote } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import type { AnswerRule } from '../engine';
import {
	answerFields,
	defaultSenderFields,
	formats,
	raisedLimits,
	schemas,
	sections,
	testRecipientFields,
} from './accountForm';

/** Reads the segments, an ID and a name on each line. IDs stay digits: one may be too large for a JavaScript number. */
export function readSegments(text: unknown): { names: Map<string, string>; problems: Problem[] } {
	const names = new Map<string, string>();
	const problems: Problem[] = [];
	const refuse = (message: string) => problems.push({ field: 'segments', rule: message });
	const lines = String(isEmpty(text) ? '' : text).split(/\r\n|\r|\n/);
	for (const [index, line] of lines.entries()) {
		if (line.trim() === '') continue;
		const [, id, name] = /^\s*([1-9]\d*)\s+(\S.*)$/.exec(line) ?? [];
		const which = `Line ${index + 1} of Segments`;
		if (!id || !name)
			refuse(
				`${which}, ${quote(line.trim())}, is not a segment. Write its ID, a space and its name, such as 42 VIP customers`,
			);
		else if (names.has(id)) refuse(`${which} repeats the ID ${id}. Enter each segment once`);
		else names.set(id, name.trim());
	}
	return { names, problems };
}

const address = email('Email', userOnly).schema;

/** An entry in the form in which recipients of a kind are compared; empty if it is of another kind. */
const normalize = {
	id: (entry: string) => entry,
	/** `@` and a domain stand for all of its addresses. */
	address: (entry: string): string =>
		entry.startsWith('@')
			? normalize.address(`x${entry}`).slice(1)
			: (address.safeParse(entry).data ?? '').toLowerCase(),
	number: (entry: string): string => {
		const read = readPhone(entry);
		return 'number' in read ? read.number : '';
	},
};

/** An expression may give a number. */
function entryText(value: unknown): string {
	const isText = typeof value === 'string' || typeof value === 'number';
	return isText ? withoutInvisible(String(value)) : '';
}

/**
 * Returns a function that tells whether a list of people holds a recipient as it is sent. `field`: the recipient's;
 * by default, an ID.
 *
 * @param list user IDs, subscription IDs, email addresses, domains such as `@example.com`, and phone numbers
 * @param more further entries, one by one
 */
export function recipientList(list: unknown, more: readonly unknown[] = []) {
	const entries = [...entryText(list).split(/[\r\n,]/), ...more.map(entryText)]
		.map((entry) => entry.trim())
		.filter(Boolean);
	// Made on first use, because a run needs only one kind.
	const sets: Partial<Record<keyof typeof normalize, ReadonlySet<string>>> = {};
	return (value: unknown, field: Pick<Field, 'holdsAddresses' | 'holdsNumber'> = {}): boolean => {
		const ofAddress = field.holdsAddresses ? 'address' : 'id';
		const kind = field.holdsNumber ? 'number' : ofAddress;
		const allowed = (sets[kind] ??= new Set(entries.map(normalize[kind])));
		const sent = kind === 'address' ? String(value).toLowerCase() : String(value);
		const domain = sent.slice(Math.max(0, sent.lastIndexOf('@')));
		return allowed.has(sent) || (kind === 'address' && allowed.has(domain));
	};
}

/** The account that a credential describes, validated. */
export interface Account {
	/** Addresses up to `/api/v1`, without a slash at the end. */
	hosts: Record<Host, string>;
	/** Requests per minute (spec §8). */
	limits: Readonly<Record<string, number>>;
	format: ScheduleFormat;
	/** Absent if their switch is off. Validated where they are used, so that other messages can be sent. */
	senders?: CheckContext['senders'];
	/** The names of segments by ID. A line that is not a segment is left out. */
	segmentNames: ReadonlyMap<string, string>;
	/** People whom messages may reach; absent if everybody may be reached. */
	onlyRecipients?: ReturnType<typeof recipientList>;
	testRecipients: ReturnType<typeof recipientList>;
	/** True if messages to single people need a consent. */
	requireConsent?: boolean;
	/** The path of the event API, which the reference does not show (spec §4.1). */
	eventPath: string;
	/** Absent if its switch is off. */
	answerRule?: AnswerRule;
	/** Absent with an access token, which does not say whose account it belongs to. */
	brandId?: string;
	/** Must never appear in output or logs. */
	secret: string;
}

/** The values of the node's parameter `authentication`, with the credential each one uses. */
export const credentialTypes = {
	apiKey: 'customerMessagingApi',
	partnerToken: 'customerMessagingPartnerApi',
} as const;
export type Authentication = keyof typeof credentialTypes;

export function isAuthentication(value: unknown): value is Authentication {
	return typeof value === 'string' && Object.hasOwn(credentialTypes, value);
}

/** The headers that identify the account (spec §5). */
export function authenticationHeaders(
	authentication: Authentication,
	{ brandId, apiKey, accessToken }: ICredentialDataDecryptedObject,
) {
	// Spaces and line breaks are easily copied along.
	const trimmed = (value: unknown) => String(value).trim();
	return authentication === 'partnerToken'
		? { Authorization: `Bearer ${trimmed(accessToken)}` }
		: { 'x-api-key': trimmed(apiKey), 'x-brand-id': trimmed(brandId) };
}

/** Checks the fields of a valid credential that only some rows use. A sender needs all of its fields, or none. */
export function checkForRows(credential: ICredentialDataDecryptedObject): Problem[] {
	const isFilled = (name: string) => !isBlank(credential[name]);
	const empty = sections
		.filter(({ name }) => ['defaultSenders', 'testRecipient'].includes(name))
		.filter(({ name, fields = {} }) => {
			return readBoolean(credential[name]) && !Object.keys(fields).some(isFilled);
		})
		.map(({ name, displayName }): Problem => {
			const rule = `${displayName} is on, but all of its fields are empty. Fill in what you need, or turn it off`;
			return { field: name, rule };
		});
	const senders = channels.flatMap(({ sender }) => {
		const isUsed =
			readBoolean(credential.defaultSenders) &&
			Object.keys(sender?.inCredential ?? {}).some(isFilled);
		const read = isUsed && sender?.read({}, { senders: credential, fieldOptions: {} });
		return read && 'problems' in read ? read.problems : [];
	});
	return [...empty, ...senders, ...readSegments(credential.segments).problems];
}

/** Validates a decrypted credential. A field whose expression gives nothing is refused if it has a default. */
export function readAccount(
	authentication: Authentication,
	credential: ICredentialDataDecryptedObject,
): { account: Account } | { problems: Problem[] } {
	const isOn = (name: string) => readBoolean(credential[name]) === true;
	const hidden = sections.filter(({ name }) => !isOn(name)).map(({ fields = {} }) => fields);
	const present = Object.fromEntries(
		Object.entries(credential)
			.filter(([name]) => !hidden.some((fields) => name in fields))
			// These may be left empty by hand.
			.filter(
				([name, value]) => !(name in answerFields) || typeof value !== 'string' || !isBlank(value),
			)
			.map(([name, value]) => [name, value ?? null]),
	);
	const read = schemas[authentication].safeParse(present);
	const schedule = formats.safeParse(present);
	const raised = raisedLimits.safeParse(present);
	if (!read.success || !schedule.success || !raised.success) {
		const issues = [read, schedule, raised].flatMap(({ error }) => error?.issues ?? []);
		return { problems: collectProblems(issues) };
	}
	const { baseUrl, pushUrl, mailUrl, answerField: field = '', ...fields } = read.data;
	const accepted = (fields.acceptedValues ?? '').split(',').map((value) => value.trim());
	const format = { ...defaultScheduleFormat, ...schedule.data };
	const problems = checkFormat(format);
	if (problems.length > 0) return { problems };
	const pick = (names: object) =>
		Object.fromEntries(Object.keys(names).map((name) => [name, credential[name]]));
	const testRecipients = isOn('testRecipient') ? Object.values(pick(testRecipientFields)) : [];

	return {
		account: {
			hosts: { baseUrl, pushUrl, mailUrl },
			...('apiKey' in fields
				? { brandId: fields.brandId, secret: fields.apiKey }
				: { secret: fields.accessToken }),
			limits: Object.fromEntries(
				limits.map(({ api, perMinute }) => [api, raised.data[`${api}Limit`] ?? perMinute]),
			),
			format,
			senders: isOn('defaultSenders') ? pick(defaultSenderFields) : undefined,
			onlyRecipients: isOn('limitRecipients')
				? recipientList(credential.onlyRecipients, testRecipients)
				: undefined,
			testRecipients: recipientList('', testRecipients),
			requireConsent: isOn('requireConsent'),
			segmentNames: readSegments(credential.segments).names,
			eventPath: fields.eventPath ?? defaultEventPath,
			answerRule: isOn('customAnswers') ? { field, accepted: accepted.filter(Boolean) } : undefined,
		},
	};
}
