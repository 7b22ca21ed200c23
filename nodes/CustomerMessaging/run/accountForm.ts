import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { convertedFrom, convertedOr } from '../fields/convert';
import { byName, collectLabels, type Fields, type Form, required, userOnly } from '../fields/field';
import { isLoopback, parseUrl } from '../fields/link';
import { trimmedText } from '../fields/text';
import { flag, integer, unknownChoice } from '../fields/values';
import { channels } from '../operations/channels';
import { limits } from '../operations/limits';
import { checkedPath } from '../operations/customRequest';
import { defaultEventPath, type Host, hostNames } from '../operations/operation';
import { defaultScheduleFormat, type ScheduleFormat } from '../schedule/format';
import { listZones } from '../schedule/localTime';
import { headerValue } from '../shared/mask';
import { quote } from '../shared/formatting';

/** Scheme, host and port in their plain form, so that the URL parser has nothing to reinterpret. */
const plainAddress =
	/^https?:\/\/([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(:\d+)?([/?#]|$)/i;

/** An HTTPS address, or an HTTP address on this machine, up to the `/api/v1` with which all paths begin (spec §9). */
function hostAddress(label: string) {
	return convertedFrom(trimmedText(label), (written, context) => {
		const url = plainAddress.test(written) ? parseUrl(written) : undefined;
		const isAllowed = url && (url.protocol === 'https:' || isLoopback(url.hostname));
		const path = url?.pathname.replace(/\/api\/v1(\/.*)?$/is, '').replace(/\/$/, '') ?? '';
		// It must not lead past the guards of broadcasts and custom requests.
		const isPath = path === '' || checkedPath(label).safeParse(path).success;
		if (isAllowed && isPath) return url.origin + path;
		// Do not quote an address that may contain a password.
		const name = `${label}${written.includes('@') ? '' : ` ${quote(written)}`}`;
		context.addIssue(
			isAllowed
				? `${name} has a path that cannot be used. Enter the address up to /api/v1, such as https://api.example.com/eu1`
				: `${name} cannot be used. Enter an https:// address such as https://api.example.com, without a user name. Only an address of this machine may begin with http://`,
		);
		return z.NEVER;
	});
}

/** The only addresses to which a key goes. */
const hostFields = {
	baseUrl: address('baseUrl', 'e.g. https://api.example.com'),
	pushUrl: address('pushUrl', 'e.g. https://push.example.com'),
	mailUrl: address('mailUrl', 'e.g. https://mail.example.com'),
};

/** The fields that identify the account, by the node's parameter `authentication` (spec §5). */
const identityFields = {
	apiKey: {
		brandId: headerField('Brand ID', {
			description:
				"Identifies your account at the service. Ask the service's support if the API key's page does not show it.",
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

export const limitFields = Object.fromEntries(
	limits.map(({ api, name, perMinute }) => [
		`${api}Limit`,
		integer(`${name} Limit per Minute`, {
			...userOnly,
			default: perMinute,
			description: 'Requests that the account may make',
		}),
	]),
);

const zoneField = {
	scheduleZone: textField('Schedule Zone', trimmedText, {
		type: 'options',
		default: defaultScheduleFormat.scheduleZone,
		description: 'Timezone in which the service reads times',
		options: listZones()
			.map((zone) => ({ name: zone.replaceAll('_', ' '), value: zone }))
			.sort((one, other) => byName(one.name, other.name)),
	}),
};

const campaignNows = ['present', 'nextMinute', 'leaveOut'] as const;

const campaignNowForm: Form = {
	displayName: 'Campaign Time for Now',
	type: 'options',
	default: defaultScheduleFormat.campaignNow,
	description: 'What the date and time of an email or SMS hold that is sent now',
	options: [
		{
			name: 'Leave Out',
			value: 'leaveOut',
			description: 'Neither is sent, for an account that then sends at once',
		},
		{
			name: 'Next Minute',
			value: 'nextMinute',
			description: 'For an account that refuses the present because it has passed',
		},
		{ name: 'Time of Sending', value: 'present' },
	],
};

const formatFields = {
	campaignAsText: flag('Campaign Times As Text', {
		...userOnly,
		description:
			'Whether email and SMS dates and times are sent as text, in any format, instead of whole numbers',
	}),
	campaignDateFormat: format('campaignDateFormat', 'Campaign Date', 'email and SMS dates'),
	campaignTimeFormat: format('campaignTimeFormat', 'Campaign Time', 'email and SMS times'),
	campaignNow: {
		form: campaignNowForm,
		schema: convertedOr(
			(value) => campaignNows.find((one) => one === value),
			(value) => unknownChoice(campaignNowForm, value),
		),
	},
	pushDateFormat: format('pushDateFormat', 'Push Date', 'push dates'),
	pushTimeFormat: format('pushTimeFormat', 'Push Time', 'push times'),
	eventTimeFormat: format('eventTimeFormat', 'Event Time', 'the times of events'),
};

export const answerFields = {
	answerField: textField('Answer Field', trimmedText, {
		placeholder: 'e.g. status or data.code',
		description:
			'Field of an answer with a status of success that says whether the request was accepted. If empty, every such answer is accepted.',
	}),
	acceptedValues: textField('Accepted Values', trimmedText, {
		placeholder: 'e.g. ok, queued',
		description:
			'Its values that mean accepted, separated by commas. Any other one means refused, and an answer without the field stays unknown. If empty, the field must be absent or empty.',
	}),
};

const pathFields = {
	eventPath: textField('Event Path', checkedPath, {
		default: defaultEventPath,
		placeholder: `e.g. ${defaultEventPath}`,
		description: 'Path of the event API at the User and Event API URL, beginning with a slash',
	}),
};

/** The default senders of all channels. */
export const defaultSenderFields: Fields = Object.fromEntries(
	channels.flatMap(({ sender }) => Object.entries(sender?.inCredential ?? {})),
);

/** The recipient of test messages by channel. Validated where a test is sent. */
export const testRecipientFields = Object.fromEntries(
	channels.map(({ testRecipient: { name, displayName, placeholder, description } }) => {
		const texts = { displayName, placeholder, description };
		return [name, { form: { type: 'string', default: '', ...texts } as const }];
	}),
);

/** A switch, and the fields that it shows. */
interface Section {
	name: string;
	displayName: string;
	description: string;
	fields?: Readonly<Record<string, { form: Form }>>;
}

/** Settings that most accounts do not need, in the order of the form. */
export const sections: readonly Section[] = [
	{
		name: 'defaultSenders',
		displayName: 'Default Senders',
		description: 'Whether to use these senders when a node sets none',
		fields: defaultSenderFields,
	},
	{
		name: 'testRecipient',
		displayName: 'Test Recipient',
		description:
			"Whether to enter a recipient for test messages, such as yourself. The node sends them there if its 'When Run by Hand' is set to Send a Test to Me.",
		fields: testRecipientFields,
	},
	{
		name: 'limitRecipients',
		displayName: 'Only These Recipients',
		description:
			'Whether to reach only the people that you list, whatever a workflow says: for a copy of n8n, a staging system or the first day. Messages to others are skipped; broadcasts, custom requests and extra fields are refused.',
		fields: {
			onlyRecipients: textField('Recipients', trimmedText, {
				typeOptions: { rows: 4 },
				placeholder: 'e.g. user-1001, +4915112345678, anna@example.com, @example.com',
				description:
					"One on each line, or separated by commas: user IDs, subscription IDs, email addresses, @example.com for all addresses of a domain, and phone numbers with country code. An empty list allows nobody. While 'Test Recipient' is on, that recipient is allowed too.",
			}),
		},
	},
	{
		name: 'requireConsent',
		displayName: 'Require Consent',
		description:
			"Whether a node that messages single people must have the field 'Consent' under Additional Fields. What could reach others is refused: questions, campaigns, copies, extra fields and custom requests. Broadcasts get a hint.",
	},
	{
		name: 'customLimits',
		displayName: 'Raised Rate Limits',
		description:
			"Whether the account's rate limits differ from the service's defaults, for instance because support raised them",
		fields: limitFields,
	},
	{
		name: 'customSchedule',
		displayName: 'Custom Time Formats',
		description:
			"Whether the account's schedules use another format than this package's defaults. Turn it on if an email, an SMS or a scheduled message is answered with 400.",
		fields: formatFields,
	},
	{
		name: 'customAnswers',
		displayName: 'Custom Answers',
		description:
			'Whether to say which answers with a status of success mean that a request was accepted. Turn it on if accepted messages come out as unknown, or refused ones as accepted.',
		fields: answerFields,
	},
	{
		name: 'customPaths',
		displayName: 'Custom API Paths',
		description:
			"Whether the account's event API has another path than this package's default. The service's reference does not show it.",
		fields: pathFields,
	},
];

/** The form of a credential, in the order in which a user fills it in. */
export function credentialForm(authentication: keyof typeof identityFields): INodeProperties[] {
	return [
		...toProperties({
			...identityFields[authentication],
			...hostFields,
			...zoneField,
			segments: textField('Segments', trimmedText, {
				typeOptions: { rows: 4 },
				placeholder: 'e.g. 42 VIP customers',
				description: 'One per line: ID and a name of your choice',
			}),
		}),
		...sections.flatMap(({ fields = {}, ...shown }): INodeProperties[] => [
			{ ...shown, type: 'boolean', default: false },
			...toProperties(fields, { show: { [shown.name]: [true] } }),
		]),
		{
			displayName: 'The test checks the key with the user API only, and sends nothing.',
			name: 'testNotice',
			type: 'notice',
			default: '',
		},
	];
}

/** The labels of the fields of both credentials, by name. */
export const credentialLabels = collectLabels([
	...credentialForm('apiKey'),
	...credentialForm('partnerToken'),
]);

/** The switches, which both credentials always show. If an expression gives nothing, it must not count as off. */
const switches = Object.fromEntries(
	sections.map(({ name, displayName }) => [name, flag(displayName, userOnly)]),
);

/** Fields with a default, which the credential may lack. */
const withDefault = required({ ...switches, ...pathFields, ...answerFields }).partial();
export const formats = required({ ...zoneField, ...formatFields }).partial();
export const raisedLimits = required(limitFields).partial();

export const schemas = {
	apiKey: required({ ...hostFields, ...identityFields.apiKey }).merge(withDefault),
	partnerToken: required({ ...hostFields, ...identityFields.partnerToken }).merge(withDefault),
};

function toProperties(
	fields: Readonly<Record<string, { form: Form }>>,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties[] {
	const where = displayOptions && { displayOptions };
	return Object.entries(fields).map(([name, { form }]) => ({ ...form, name, ...where }));
}

function textField(
	displayName: string,
	check: (label: string) => z.ZodType<string, z.ZodTypeDef, unknown>,
	form: Partial<Form>,
) {
	const shown: Form = { displayName, type: 'string', default: '', ...form };
	return { form: shown, schema: check(displayName) };
}

function address(host: Host, placeholder: string) {
	const description = 'Address from your account, HTTPS only';
	return textField(hostNames[host], hostAddress, { required: true, placeholder, description });
}

/** A header value: visible ASCII without spaces, so that it cannot add header lines. */
function headerField(displayName: string, form: Partial<Form>) {
	const rule = `${displayName} contains a space or a character that cannot be sent, or it is too long for a header. Copy it again`;
	const check = (label: string) => trimmedText(label).pipe(z.string().regex(headerValue, rule));
	return textField(displayName, check, { required: true, ...form });
}

function format(
	name: Extract<keyof ScheduleFormat, `${string}Format`>,
	ofWhat: string,
	what: string,
) {
	const tokens = defaultScheduleFormat[name];
	return textField(`${ofWhat} Format`, trimmedText, {
		default: tokens,
		placeholder: `e.g. ${tokens}`,
		description: `Luxon tokens for ${what}. X means epoch seconds.`,
	});
}
