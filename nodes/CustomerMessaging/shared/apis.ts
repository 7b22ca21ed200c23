/** The reference does not show the path of events (spec §4.1). The credential can override it. */
export const defaultEventPath = '/api/v1/event/create';

/** A valid header: visible ASCII. Node.js takes 16 kB for all headers of a message. */
export const headerValue = /^[\x21-\x7e]{1,8000}$/;

/** Time is passed in, so that tests can run every decision on a virtual clock. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

export const MINUTE_MS = 60_000;
