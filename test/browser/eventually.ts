import { setTimeout as sleep } from 'node:timers/promises';

/** The editor updates with a delay, so the check is repeated until it passes. */
export async function eventually(check: () => Promise<void> | void, withinMs = 60_000) {
	const deadline = Date.now() + withinMs;
	for (;;) {
		try {
			await check();
			return;
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await sleep(100);
		}
	}
}
