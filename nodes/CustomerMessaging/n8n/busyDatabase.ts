/** With SQLite's own waiting, about half a minute: long enough for a backup of n8n's database. */
const MAX_PAUSES = 15;
const PAUSE_MS = 1_000;

export interface Waiting {
	now: () => number;
	sleep: (ms: number) => Promise<void>;
	/** Whether the execution was stopped. Then nothing is worth waiting for. */
	cancelled: () => boolean;
}

/** Calls a second time after an error, and more often while another process holds n8n's SQLite database. */
export async function callPatiently<T>(
	call: () => Promise<T>,
	{ sleep, cancelled }: Omit<Waiting, 'now'>,
): Promise<T> {
	for (let pauses = 0; pauses < MAX_PAUSES; pauses++) {
		try {
			return await call();
		} catch (error) {
			// If two processes add the row at the same time, the database refuses one of them.
			if (!isBusy(error) || cancelled()) break;
			await sleep(PAUSE_MS);
		}
	}
	return await call();
}

function isBusy(error: unknown): boolean {
	return /SQLITE_BUSY|database is locked/i.test(String(error));
}
