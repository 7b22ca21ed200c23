import type { INodeProperties } from 'n8n-workflow';

import { segmentIdSource } from '../nodes/CustomerMessaging/fields/segment';
import { type SenderField, senders } from '../nodes/CustomerMessaging/operations/senderFields';
import {
	apiNames,
	apis,
	defaultEventPath,
	defaultLimits,
} from '../nodes/CustomerMessaging/shared/apis';
import { defaultScheduleFormat } from '../nodes/CustomerMessaging/schedule/scheduleFormat';
import { testRecipientFields } from './testRecipientFields';

/** The fields that both credential types have in addition to their secrets. */
export const serviceFields: INodeProperties[] = [
	address('User and Event Address', 'baseUrl', 'e.g. https://api.example.com', 'user and event'),
	address('Push Address', 'pushUrl', 'e.g. https://push.example.com', 'push'),
	address('Email and SMS Address', 'mailUrl', 'e.g. https://mail.example.com', 'email and SMS'),
	{
		displayName: 'Segments',
		name: 'segments',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. 42 VIP customers',
		description: `The account's segments, one on each line: the ID and a name of your choice. The node offers these names in a list. ${segmentIdSource}`,
	},
	{
		displayName: 'Default Senders',
		name: 'defaultSenders',
		type: 'boolean',
		default: false,
		description:
			'Whether to send every email and SMS whose node defines no sender in the name of the senders below',
	},
	...Object.values(senders).flatMap((fields) => Object.values(fields).map(sender)),
	{
		displayName: 'Custom Limits',
		name: 'customLimits',
		type: 'boolean',
		default: false,
		description:
			"Whether the account's rate limits differ from the service's defaults, for instance because support raised them",
	},
	...apis.map((api) => limit(`${apiNames[api]} Limit`, `${api}Limit`, defaultLimits[api])),
	{
		displayName: 'Custom Schedule Format',
		name: 'customSchedule',
		type: 'boolean',
		default: false,
		description:
			"Whether the account's schedules use another format than this package's defaults. The service's reference does not show the format.",
	},
	format(
		'Campaign Date Format',
		'campaignDateFormat',
		defaultScheduleFormat.campaignDateFormat,
		'email and SMS dates, digits only',
	),
	format(
		'Campaign Time Format',
		'campaignTimeFormat',
		defaultScheduleFormat.campaignTimeFormat,
		'email and SMS times, digits only',
	),
	format('Push Date Format', 'pushDateFormat', defaultScheduleFormat.pushDateFormat, 'push dates'),
	format('Push Time Format', 'pushTimeFormat', defaultScheduleFormat.pushTimeFormat, 'push times'),
	format(
		'Event Time Format',
		'eventTimeFormat',
		defaultScheduleFormat.eventTimeFormat,
		'the times of events',
	),
	{
		displayName: 'Schedule Zone',
		name: 'scheduleZone',
		type: 'string',
		default: 'UTC',
		placeholder: 'e.g. Europe/Berlin',
		description: 'IANA name of the timezone in which the service reads dates and times',
		displayOptions: { show: { customSchedule: [true] } },
	},
	{
		displayName: 'Custom Paths',
		name: 'customPaths',
		type: 'boolean',
		default: false,
		description:
			"Whether the account's event API has another path than this package's default. The service's reference does not show the path.",
	},
	{
		displayName: 'Event Path',
		name: 'eventPath',
		type: 'string',
		default: defaultEventPath,
		placeholder: `e.g. ${defaultEventPath}`,
		description: 'Path of the event API at the User and Event Address, beginning with a slash',
		displayOptions: { show: { customPaths: [true] } },
	},
	...testRecipientFields,
	{
		displayName:
			'A successful test shows that the user API accepts the key. Whether the push, email and SMS addresses accept it, and whether senders, segments and schedule formats are right, only the first message shows.',
		name: 'testNotice',
		type: 'notice',
		default: '',
	},
];

function address(
	displayName: string,
	name: string,
	placeholder: string,
	api: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		required: true,
		default: '',
		placeholder,
		description: `Address of the account's ${api} API. HTTPS only; any path is ignored.`,
	};
}

function sender({ name, inCredential }: SenderField): INodeProperties {
	const { form } = inCredential;
	return { ...form, name, displayOptions: { show: { defaultSenders: [true] } } };
}

function limit(displayName: string, name: string, perMinute: number): INodeProperties {
	return {
		displayName,
		name,
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: perMinute,
		description: 'Requests per minute',
		displayOptions: { show: { customLimits: [true] } },
	};
}

function format(displayName: string, name: string, tokens: string, what: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: tokens,
		placeholder: `e.g. ${tokens}`,
		description: `Luxon tokens for ${what}. X means epoch seconds.`,
		displayOptions: { show: { customSchedule: [true] } },
	};
}
