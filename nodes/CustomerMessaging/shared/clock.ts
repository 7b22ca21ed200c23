/** Time is passed in, so that tests can run every decision on a virtual clock. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	sleep(ms: number): Promise<void>;
}
