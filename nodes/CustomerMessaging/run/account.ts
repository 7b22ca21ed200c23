import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { convertedFrom } from '../fields/convert';
import { type Form, isEmpty, collectProblems, required, userOnly } from '../fields/field';
import { parseUrl, suggest } from '../fields/link';
import { segmentIdSource } from '../fields/segment';
import { trimmedText } from '../fields/text';
import { integer } from '../fields/values';
import { checkedPath } from '../operations/customRequest';
import { type DefaultSenders, type Host, hostNames } from '../operations/operation';
import { defaultSenderFields, pickDefaultSenders } from '../operations/sender';
import { checkFormat, defaultScheduleFormat, type ScheduleFormat } from '../schedule/format';
import { type Api, apiNames, apis, defaultLimits, defaultPaths, headerValue } from '../shared/apis';
import { given, quote } from '../shared/formatting';
import type { Problem } from '../shared/result';

/** Scheme, host and port in their plain form, so that the URL parser has nothing to reinterpret. */
const plainAddress =
	/^https?:\/\/([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(:\d+)?([/?#]|$)/i;

/** The origin of an HTTPS address, or of an HTTP address on this machine. Any path is dropped. */
function origin(label: string) {
	return convertedFrom(trimmedText(label), (written, context) => {
		const url = plainAddress.test(written) ? parseUrl(written) : undefined;
		if (url && (url.protocol === 'https:' || isLoopback(url))) return url.origin;
		const meant = suggest(written);
		// Do not quote an address that may contain a password.
		context.addIssue(
			`${label}${written.includes('@') ? '' : ` ${quote(written)}`} cannot be used. Enter an https:// address${meant ? `. Did you mean ${meant}?` : ' such as https://api.example.com, without a user name'}`,
		);
		return z.NEVER;
	});
}

/** A header value: visible ASCII without spaces, so that it cannot add header lines. */
function visibleAscii(label: string) {
	const rule = `${label} contains a space or a character that cannot be sent, or it is too long for a header. Copy it again`;
	return trimmedText(label).pipe(z.string().regex(headerValue, rule));
}

/** Whether only this machine can open an address. */
export function isLoopback({ hostname }: URL): boolean {
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The only addresses to which a key goes. */
const hostFields = {
	baseUrl: address('baseUrl', 'e.g. https://api.example.com', 'user and event'),
	pushUrl: address('pushUrl', 'e.g. https://push.example.com', 'push'),
	mailUrl: address('mailUrl', 'e.g. https://mail.example.com', 'email and SMS'),
};

/** The fields that identify the account, by the node's parameter `authentication` (spec §5). */
const identityFields = {
	apiKey: {
		brandId: headerField('Brand ID', {
			description:
				"Identifies your account. The service's reference does not say where it is shown; look beside the API key, or ask its support.",
		}),
		apiKey: headerField('API Key', {
			typeOptions: { password: true },
			description: 'Found in the account under Settings > Store Integration',
		}),
	},
	partnerToken: {
		accessToken: headerField('Access Token', {
			typeOptions: { password: true },
			description: 'The token that was returned when the client granted access to the partner app',
		}),
	},
};

const limitFields = Object.fromEntries(
	apis.map((api) => [
		`${api}Limit`,
		integer(`${apiNames[api]} Limit`, {
			...userOnly,
			default: defaultLimits[api],
			description: 'Requests per minute',
		}),
	]),
);

const formatFields = {
	campaignDateFormat: format(
		'campaignDateFormat',
		'Campaign Date',
		'email and SMS dates, digits only',
	),
	campaignTimeFormat: format(
		'campaignTimeFormat',
		'Campaign Time',
		'email and SMS times, digits only',
	),
	pushDateFormat: format('pushDateFormat', 'Push Date', 'push dates'),
	pushTimeFormat: format('pushTimeFormat', 'Push Time', 'push times'),
	eventTimeFormat: format('eventTimeFormat', 'Event Time', 'the times of events'),
	scheduleZone: textField('Schedule Zone', trimmedText, {
		default: defaultScheduleFormat.scheduleZone,
		placeholder: 'e.g. Europe/Berlin',
		description: 'IANA name of the timezone in which the service reads dates and times',
	}),
};

const pathFields = {
	eventPath: textField('Event Path', checkedPath, {
		default: defaultPaths.eventPath,
		placeholder: `e.g. ${defaultPaths.eventPath}`,
		description: 'Path of the event API at the User and Event API URL, beginning with a slash',
	}),
	webBroadcastPath: textField('Web Broadcast Path', (label) => checkedPath(label, true), {
		default: defaultPaths.webBroadcastPath,
		placeholder: `e.g. ${defaultPaths.webBroadcastPath}`,
		description: 'Path of a push to everyone on web at the Push API URL, beginning with a slash',
	}),
};

/** The test recipient, each with the kind of message and the API's key for its value. */
export const testRecipientFields = {
	testUserId: {
		resource: 'push',
		key: 'user_id',
		...textField('Test User ID', trimmedText, {
			placeholder: 'e.g. user-1001',
			description: 'User who receives test pushes',
		}),
	},
	testEmail: {
		resource: 'email',
		key: 'email',
		...textField('Test Email', trimmedText, {
			placeholder: 'e.g. you@example.com',
			description: 'Address that receives test emails',
		}),
	},
	testMobile: {
		resource: 'sms',
		key: 'mobile',
		...textField('Test Mobile', trimmedText, {
			placeholder: 'e.g. +4915112345678',
			description: 'Mobile number that receives test SMS, with country code',
		}),
	},
};

/** The form of a credential, in the order in which a user fills it in. */
export function credentialForm(authentication: keyof typeof identityFields): INodeProperties[] {
	return [
		...toProperties(identityFields[authentication]),
		...toProperties(hostFields),
		{
			displayName: `A successful test shows that the user API accepts the ${authentication === 'apiKey' ? 'key' : 'token'}. Whether the push, email and SMS URLs accept it, and whether senders, segments and schedule formats are right, only the first message shows.`,
			name: 'testNotice',
			type: 'notice',
			default: '',
		},
		...section(
			'Default Senders',
			'defaultSenders',
			'Whether to use these senders when a node sets none',
			defaultSenderFields,
		),
		...section(
			'Test Recipient',
			'testRecipient',
			"Whether to enter a recipient for test messages, such as yourself. The node sends them there if its 'When Run by Hand' is set to Send a Test to Me.",
			testRecipientFields,
		),
		{
			displayName: 'Segments',
			name: 'segments',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. 42 VIP customers',
			description: `The account's segments, one on each line: the ID and a name of your choice. The node offers these names in a list, and shows them in previews and messages. ${segmentIdSource}`,
		},
		...section(
			'Custom Limits',
			'customLimits',
			"Whether the account's rate limits differ from the service's defaults, for instance because support raised them",
			limitFields,
		),
		...section(
			'Custom Schedule Format',
			'customSchedule',
			"Whether the account's schedules use another format than this package's defaults. The service's reference does not show the format.",
			formatFields,
		),
		...section(
			'Custom Paths',
			'customPaths',
			"Whether the account's event API, or its push to everyone on web, has another path than this package's default. The service's reference shows neither path.",
			pathFields,
		),
	];
}

function toProperties(fields: Readonly<Record<string, { form: Form }>>): INodeProperties[] {
	return Object.entries(fields).map(([name, { form }]) => ({ ...form, name }));
}

/** A switch, and the fields that it shows. */
function section(
	displayName: string,
	name: string,
	description: string,
	fields: Readonly<Record<string, { form: Form }>>,
): INodeProperties[] {
	const displayOptions = { show: { [name]: [true] } };
	return [
		{ displayName, name, type: 'boolean', default: false, description },
		...toProperties(fields).map((property) => ({ ...property, displayOptions })),
	];
}

function textField(
	displayName: string,
	check: (label: string) => z.ZodType<string, z.ZodTypeDef, unknown>,
	form: Partial<Form>,
) {
	const shown: Form = { displayName, type: 'string', default: '', ...form };
	return { form: shown, schema: check(displayName) };
}

function address(host: Host, placeholder: string, api: string) {
	const description = `Address of the account's ${api} API. HTTPS only; any path is ignored.`;
	return textField(hostNames[host], origin, { required: true, placeholder, description });
}

function headerField(displayName: string, form: Partial<Form>) {
	return textField(displayName, visibleAscii, { required: true, ...form });
}

function format(name: keyof ScheduleFormat, ofWhat: string, what: string) {
	const tokens = defaultScheduleFormat[name];
	return textField(`${ofWhat} Format`, trimmedText, {
		default: tokens,
		placeholder: `e.g. ${tokens}`,
		description: `Luxon tokens for ${what}. X means epoch seconds.`,
	});
}

/**
 * Reads the credential's segments: one on each line, its ID and then its name. IDs stay digits, because one
 * may be too large for a JavaScript number.
 */
export function readSegments(text: unknown): { names: Map<string, string>; problems: Problem[] } {
	const names = new Map<string, string>();
	const problems: Problem[] = [];
	const refuse = (message: string) => problems.push({ field: 'segments', message });
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
	/** Origins, without a slash at the end. */
	hosts: Record<Host, string>;
	/** Requests per minute (spec §8). */
	limits: Record<Api, number>;
	format: ScheduleFormat;
	/** Absent if their switch is off. Validated where they are used, so that others can be sent. */
	senders?: DefaultSenders;
	/** The names of segments by ID. A line that is not a segment is left out. */
	segmentNames: ReadonlyMap<string, string>;
	/** The path of the event API, which the reference does not show (spec §4.1). */
	eventPath: string;
	/** The path of a push to all web subscribers, which it does not show either (spec §4.2, note 1). */
	webBroadcastPath: string;
	/** Absent with an access token, which does not say whose account it belongs to. */
	brandId?: string;
	/** Identifies the account to the service. Stored only as a hash. */
	identity: string;
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

const hosts = required(hostFields);

const identities = {
	apiKey: required(identityFields.apiKey).transform(({ brandId, apiKey }) => ({
		brandId,
		identity: brandId,
		secret: apiKey,
	})),
	partnerToken: required(identityFields.partnerToken).transform(({ accessToken }) => ({
		brandId: undefined,
		identity: accessToken,
		secret: accessToken,
	})),
};

/** Of what is behind a switch, an empty field keeps its default. */
const switched = {
	customLimits: required(limitFields).partial(),
	customSchedule: required(formatFields).partial(),
	customPaths: required(pathFields).partial(),
};

/** Validates a decrypted credential. A field whose expression gives nothing counts as not filled in. */
export function readAccount(
	authentication: Authentication,
	credential: ICredentialDataDecryptedObject,
): { account: Account } | { problems: Problem[] } {
	const filled = Object.fromEntries(
		Object.entries(credential).filter(([, value]) => !isEmpty(value)),
	);
	const ifOn = Object.keys(switched).map((name) => [name, credential[name] ? filled : {}]);
	const read = z
		.object({ hosts, identity: identities[authentication], ...switched })
		.safeParse({ hosts: credential, identity: credential, ...Object.fromEntries(ifOn) });
	if (!read.success) return { problems: collectProblems(read.error.issues) };

	const { customLimits, customSchedule, customPaths } = read.data;
	const scheduleFormat = { ...defaultScheduleFormat, ...customSchedule };
	const problems = checkFormat(scheduleFormat);
	if (problems.length > 0) return { problems };

	const limits = apis.map((api) => [api, customLimits[`${api}Limit`] ?? defaultLimits[api]]);
	return {
		account: {
			hosts: read.data.hosts,
			...read.data.identity,
			limits: Object.fromEntries(limits) as Account['limits'],
			format: scheduleFormat,
			senders: pickDefaultSenders(credential),
			segmentNames: readSegments(credential.segments).names,
			...defaultPaths,
			...customPaths,
		},
	};
}

/** Parsing addresses takes long beside a request, and n8n passes the same object for all of a run. */
const originsByCredential = new WeakMap<ICredentialDataDecryptedObject, string[]>();

/** The origins that a credential names, as far as they can be used. Its key goes nowhere else. */
export function namedOrigins(credential: ICredentialDataDecryptedObject): string[] {
	const known = originsByCredential.get(credential);
	if (known) return known;
	const read = Object.entries(hosts.shape).map(([name, host]) => host.safeParse(credential[name]));
	const named = [...new Set(read.flatMap(({ data }) => data ?? []))];
	originsByCredential.set(credential, named);
	return named;
}
