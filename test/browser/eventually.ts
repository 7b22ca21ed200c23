import { setTimeout as sleep } from 'node:timers/promises';

/** What the editor shows follows a moment after what is done to it: looks again until the check holds. */
export async function eventually(
	check: () => Promise<void> | void,
	withinMs = 60_000,
): Promise<void> {
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
