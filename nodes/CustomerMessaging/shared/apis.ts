/** The APIs that have a rate limit of their own (spec §8). */
export const apis = ['user', 'event', 'campaign', 'reporting', 'push', 'email', 'sms'] as const;
export type Api = (typeof apis)[number];

/** Requests per minute, unless the account's limits have been raised (spec §8). */
export const defaultLimits: Readonly<Record<Api, number>> = {
	user: 100,
	event: 500,
	campaign: 500,
	reporting: 50,
	push: 500,
	email: 500,
	sms: 500,
};

/** What the editor calls them. */
export const apiNames: Readonly<Record<Api, string>> = {
	user: 'User',
	event: 'Event',
	campaign: 'Campaign',
	reporting: 'Reporting',
	push: 'Push',
	email: 'Email',
	sms: 'SMS',
};
