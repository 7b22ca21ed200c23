/** The APIs, each with its own rate limit (spec §8). */
export const apis = ['user', 'event', 'campaign', 'reporting', 'push', 'email', 'sms'] as const;
export type Api = (typeof apis)[number];

/** Default limits in requests per minute (spec §8). The credential can override them. */
export const defaultLimits: Readonly<Record<Api, number>> = {
	user: 100,
	event: 500,
	campaign: 500,
	reporting: 50,
	push: 500,
	email: 500,
	sms: 500,
};

/** The names shown in the editor. */
export const apiNames: Readonly<Record<Api, string>> = {
	user: 'User',
	event: 'Event',
	campaign: 'Campaign',
	reporting: 'Reporting',
	push: 'Push',
	email: 'Email',
	sms: 'SMS',
};

/** The path of the event API unless the credential gives another. The reference shows none (spec §4.1). */
export const defaultEventPath = '/api/v1/event/create';
