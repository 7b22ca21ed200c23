/** The APIs, by the names shown in the editor, each with its own rate limit (spec §8). */
export const apiNames = {
	user: 'User',
	event: 'Event',
	campaign: 'Campaign',
	reporting: 'Reporting',
	push: 'Push',
	email: 'Email',
	sms: 'SMS',
};
export type Api = keyof typeof apiNames;
export const apis = Object.keys(apiNames) as [Api, ...Api[]];

/** In requests per minute (spec §8). The credential can override them. */
const usual = { event: 500, campaign: 500, push: 500, email: 500, sms: 500 };
export const defaultLimits: Readonly<Record<Api, number>> = { ...usual, user: 100, reporting: 50 };

/** Paths that the reference does not show (spec §4.1; §4.2, note 1). The credential can override them. */
export const defaultPaths = {
	eventPath: '/api/v1/event/create',
	/** Of a push to everyone on web. In its place, the reference shows the path for Android. */
	webBroadcastPath: '/api/v1/web/broadcast/all',
};

/** What a header can carry: visible ASCII. Node.js takes 16 kB for all headers of a message. */
export const headerValue = /^[\x21-\x7e]{1,8000}$/;

/** Time is passed in, so that tests can run every decision on a virtual clock. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

export const MINUTE_MS = 60_000;
