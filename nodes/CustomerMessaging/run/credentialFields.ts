import { z } from 'zod/v3';
import type { INodeProperties } from 'n8n-workflow';

import { parseUrl, suggest } from '../fields/link';
import { convertedFrom, refined } from '../fields/convert';
import { trimmedText } from '../fields/text';
import { broadcastPathProblem, pathProblem } from '../operations/customRequest';
import { quote } from '../shared/formatting';
import { headerValue, type Api, apiNames, apis, defaultLimits, defaultPaths } from '../shared/apis';
import { type Form, userOnly } from '../fields/field';
import { segmentIdSource } from '../fields/segment';
import { integer } from '../fields/values';
import { type Host, hostNames } from '../operations/operation';
import { defaultSenderFields } from '../operations/sender';
import { defaultScheduleFormat, type ScheduleFormat } from '../schedule/format';
import { testRecipientFields } from './testRecipient';

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

function checkedPath(problemOf: (path: string, label: string) => string | undefined) {
	return (label: string) =>
		refined(trimmedText(label), (written, context) => {
			const message = problemOf(written, label);
			if (message) context.addIssue(message);
		});
}

/** Whether only this machine can open an address. */
export function isLoopback({ hostname }: URL): boolean {
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The only addresses to which a key goes. */
export const hostFields = {
	baseUrl: address('baseUrl', 'e.g. https://api.example.com', 'user and event'),
	pushUrl: address('pushUrl', 'e.g. https://push.example.com', 'push'),
	mailUrl: address('mailUrl', 'e.g. https://mail.example.com', 'email and SMS'),
};

/** The fields that identify the account, by the node's parameter `authentication` (spec §5). */
export const identityFields = {
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

/** Requests per minute. */
export const limitFields = Object.fromEntries(apis.map((api) => [`${api}Limit`, limit(api)]));

export const formatFields = {
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

export const pathFields = {
	eventPath: textField('Event Path', checkedPath(pathProblem), {
		default: defaultPaths.eventPath,
		placeholder: `e.g. ${defaultPaths.eventPath}`,
		description: 'Path of the event API at the User and Event API URL, beginning with a slash',
	}),
	webBroadcastPath: textField('Web Broadcast Path', checkedPath(broadcastPathProblem), {
		default: defaultPaths.webBroadcastPath,
		placeholder: `e.g. ${defaultPaths.webBroadcastPath}`,
		description: 'Path of a push to everyone on web at the Push API URL, beginning with a slash',
	}),
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

function limit(api: Api) {
	return integer(`${apiNames[api]} Limit`, {
		...userOnly,
		default: defaultLimits[api],
		description: 'Requests per minute',
	});
}
