/** After Stop, how long n8n's store gets to note how messages ended. */
const GRACE_MS = 400;

/**
 * Waits for work, but no longer than a moment after the execution was stopped. The work itself goes on, so
 * that what it notes is not lost.
 *
 * @returns undefined if the execution was stopped first
 */
export async function untilStopped<T>(
	work: Promise<T>,
	signal: AbortSignal | undefined,
	sleep: (ms: number) => Promise<void>,
): Promise<T | undefined> {
	if (!signal) return await work;
	let stop = () => {};
	const stopped = new Promise<undefined>((resolve, reject) => {
		stop = () => void sleep(GRACE_MS).then(() => resolve(undefined), reject);
	});
	if (signal.aborted) stop();
	else signal.addEventListener('abort', stop);
	try {
		return await Promise.race([work, stopped]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
