import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import { collectProblems, isBlank, isEmpty, required } from '../fields/field';
import { channels } from '../operations/channels';
import { limits } from '../operations/limits';
import { type CheckContext, defaultEventPath, type Host } from '../operations/operation';
import { readBoolean } from '../fields/values';
import { checkFormat, defaultScheduleFormat, type ScheduleFormat } from '../schedule/format';
import { given, quote } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import type { AnswerRule } from '../engine';
import {
	answerFields,
	credentialLabels,
	defaultSenderFields,
	formatFields,
	hostFields,
	identityFields,
	limitFields,
	pathFields,
	switches,
	testRecipientFields,
	zoneField,
} from './accountForm';
import { OnlyRecipients } from './onlyRecipients';

/**
 * Reads the credential's segments: one on each line, its ID and then its name. IDs stay digits, because one
 * may be too large for a JavaScript number.
 */
export function readSegments(text: unknown): { names: Map<string, string>; problems: Problem[] } {
	const names = new Map<string, string>();
	const problems: Problem[] = [];
	const refuse = (message: string) => problems.push({ field: 'segments', rule: message });
	if (!isEmpty(text) && typeof text !== 'string')
		refuse(`Segments must be text, but it is ${given(text)}. Write one segment on each line`);
	const lines = typeof text === 'string' ? text.split(/\r\n|\r|\n/) : [];
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
	onlyRecipients?: OnlyRecipients;
	testRecipients: OnlyRecipients;
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

/** Switches whose fields must not all be empty. */
const filledIfOn = { defaultSenders: defaultSenderFields, testRecipient: testRecipientFields };

/** Checks the fields of a valid credential that only some rows use. A sender needs all of its fields, or none. */
export function checkForRows(credential: ICredentialDataDecryptedObject): Problem[] {
	const isFilled = (name: string) => !isBlank(credential[name]);
	const isOn = (name: string) => readBoolean(credential[name]) === true;
	const empty = Object.entries(filledIfOn)
		.filter(([name, fields]) => isOn(name) && !Object.keys(fields).some(isFilled))
		.map(([field]): Problem => {
			const rule = `${credentialLabels[field]} is on, but all of its fields are empty. Fill in what you need, or turn it off`;
			return { field, rule };
		});
	const senders = channels.flatMap(({ sender }) => {
		const isUsed = isOn('defaultSenders') && Object.keys(sender?.inCredential ?? {}).some(isFilled);
		const read = isUsed && sender?.read({}, { senders: credential, fieldOptions: {} });
		return read && 'problems' in read ? read.problems : [];
	});
	return [...empty, ...senders, ...readSegments(credential.segments).problems];
}

const hosts = required(hostFields);

const identities = {
	apiKey: required(identityFields.apiKey),
	partnerToken: required(identityFields.partnerToken),
};

const zone = required(zoneField).partial();
const onOrOff = required(switches).partial();

/** Fields behind switches. A field that the credential lacks keeps its default. */
const switched = {
	customLimits: required(limitFields).partial(),
	customSchedule: required(formatFields).partial(),
	customPaths: required(pathFields).partial(),
	customAnswers: required(answerFields).partial(),
};

/** Validates a decrypted credential. A field whose expression gives nothing is refused if it has a default. */
export function readAccount(
	authentication: Authentication,
	credential: ICredentialDataDecryptedObject,
): { account: Account } | { problems: Problem[] } {
	const present = Object.fromEntries(
		Object.entries(credential)
			// These may be left empty by hand.
			.filter(([name, value]) => value !== '' || !(name in answerFields))
			.map(([name, value]) => [name, value ?? null]),
	);
	const behind = (name: keyof typeof switched) => (readBoolean(credential[name]) ? present : {});
	const read = z
		.object({ hosts, identity: identities[authentication], zone, on: onOrOff, ...switched })
		.safeParse({
			hosts: credential,
			identity: credential,
			zone: present,
			on: present,
			customLimits: behind('customLimits'),
			customSchedule: behind('customSchedule'),
			customPaths: behind('customPaths'),
			customAnswers: behind('customAnswers'),
		});
	if (!read.success) return { problems: collectProblems(read.error.issues) };

	const { identity, on, customLimits, customSchedule, customPaths, customAnswers } = read.data;
	const { answerField: field = '', acceptedValues = '' } = customAnswers;
	const accepted = acceptedValues.split(',').map((value) => value.trim());
	const scheduleFormat = { ...defaultScheduleFormat, ...read.data.zone, ...customSchedule };
	const problems = checkFormat(scheduleFormat);
	if (problems.length > 0) return { problems };
	const pick = (fields: object) =>
		Object.fromEntries(Object.keys(fields).map((name) => [name, credential[name]]));
	const testRecipients = on.testRecipient ? Object.values(pick(testRecipientFields)) : [];

	return {
		account: {
			hosts: read.data.hosts,
			...('apiKey' in identity
				? { brandId: identity.brandId, secret: identity.apiKey }
				: { secret: identity.accessToken }),
			limits: Object.fromEntries(
				limits.map(({ api, perMinute }) => [api, customLimits[`${api}Limit`] ?? perMinute]),
			),
			format: scheduleFormat,
			senders: on.defaultSenders ? pick(defaultSenderFields) : undefined,
			onlyRecipients: on.limitRecipients
				? new OnlyRecipients(credential.onlyRecipients, testRecipients)
				: undefined,
			testRecipients: new OnlyRecipients('', testRecipients),
			requireConsent: on.requireConsent,
			segmentNames: readSegments(credential.segments).names,
			eventPath: defaultEventPath,
			...customPaths,
			answerRule: on.customAnswers ? { field, accepted: accepted.filter(Boolean) } : undefined,
		},
	};
}
