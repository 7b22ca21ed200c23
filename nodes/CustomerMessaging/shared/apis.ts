/** Paths that the reference does not show (spec §4.1; §4.2, note 1). The credential can override them. */
export const defaultPaths = {
	eventPath: '/api/v1/event/create',
	/** Of a push to everyone on web. In its place, the reference shows the path for Android. */
	webBroadcastPath: '/api/v1/web/broadcast/all',
};

/** A valid header: visible ASCII. Node.js takes 16 kB for all headers of a message. */
export const headerValue = /^[\x21-\x7e]{1,8000}$/;

/** Time is passed in, so that tests can run every decision on a virtual clock. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

export const MINUTE_MS = 60_000;
