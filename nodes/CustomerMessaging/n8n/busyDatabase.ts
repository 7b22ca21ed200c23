/** With SQLite's own waiting, about half a minute: long enough for a backup of n8n's database. */
const MAX_PAUSES = 15;
const PAUSE_MS = 1_000;

export interface Waiting {
	now: () => number;
	sleep: (ms: number) => Promise<void>;
	/** Whether the execution was stopped. Then nothing is worth waiting for. */
	cancelled: () => boolean;
}

/** Calls again while another process holds n8n's SQLite database. */
export async function callWhileBusy<T>(
	call: () => Promise<T>,
	{ sleep, cancelled }: Omit<Waiting, 'now'>,
): Promise<T> {
	for (let pauses = 0; pauses < MAX_PAUSES; pauses++) {
		const attempt = call();
		const isToRepeat = await attempt.then(
			() => false,
			(error: unknown) => isBusy(error) && !cancelled(),
		);
		if (!isToRepeat) return await attempt;
		await sleep(PAUSE_MS);
	}
	return await call();
}

/** The same, and a second time after any other error. */
export async function callPatiently<T>(
	call: () => Promise<T>,
	waiting: Omit<Waiting, 'now'>,
): Promise<T> {
	const attempt = callWhileBusy(call, waiting);
	const isToRepeat = await attempt.then(
		() => false,
		(error: unknown) => !isBusy(error) || waiting.cancelled(),
	);
	return isToRepeat ? await call() : await attempt;
}

function isBusy(error: unknown): boolean {
	return /SQLITE_BUSY|database is locked/i.test(String(error));
}
