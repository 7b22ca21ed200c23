import { setTimeout as sleep } from 'node:timers/promises';

/** n8n and its editor update with a delay, so the check is repeated until it passes. */
export async function eventually<T>(check: () => Promise<T> | T, withinMs = 60_000): Promise<T> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await sleep(100);
		}
	}
}
