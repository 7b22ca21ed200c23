import type { INodeProperties } from 'n8n-workflow';

/** What both credential types ask beside their secrets. */
export const serviceFields: INodeProperties[] = [
	address('User and Event Address', 'baseUrl', 'e.g. https://api.example.com', 'user and event'),
	address('Push Address', 'pushUrl', 'e.g. https://push.example.com', 'push'),
	address('Email and SMS Address', 'mailUrl', 'e.g. https://mail.example.com', 'email and SMS'),
	{
		displayName: 'Custom Limits',
		name: 'customLimits',
		type: 'boolean',
		default: false,
		description:
			"Whether the account's rate limits differ from the service's defaults, for instance because support raised them",
	},
	limit('User Limit', 'userLimit', 100),
	limit('Event Limit', 'eventLimit', 500),
	limit('Campaign Limit', 'campaignLimit', 500),
	limit('Reporting Limit', 'reportingLimit', 50),
	limit('Push Limit', 'pushLimit', 500),
	limit('Email Limit', 'emailLimit', 500),
	limit('SMS Limit', 'smsLimit', 500),
	{
		displayName: 'Custom Schedule Format',
		name: 'customSchedule',
		type: 'boolean',
		default: false,
		description:
			"Whether the account writes schedules in another way than this package's defaults. The service's reference does not show the format.",
	},
	format('Campaign Date Format', 'campaignDateFormat', 'yyyyMMdd', 'email and SMS dates, digits only'),
	format('Campaign Time Format', 'campaignTimeFormat', 'HHmm', 'email and SMS times, digits only'),
	format('Push Date Format', 'pushDateFormat', 'yyyy-MM-dd', 'push dates'),
	format('Push Time Format', 'pushTimeFormat', 'HH:mm:ss', 'push times'),
	{
		displayName: 'Schedule Zone',
		name: 'scheduleZone',
		type: 'string',
		default: 'UTC',
		placeholder: 'e.g. Europe/Berlin',
		description: 'IANA name of the zone in which the service reads dates and times',
		displayOptions: { show: { customSchedule: [true] } },
	},
];

function address(displayName: string, name: string, placeholder: string, api: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		required: true,
		default: '',
		placeholder,
		description: `Where the account's ${api} API answers. HTTPS only; what stands behind the host is ignored.`,
	};
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
		description: `Luxon tokens for ${what}. X gives epoch seconds.`,
		displayOptions: { show: { customSchedule: [true] } },
	};
}
