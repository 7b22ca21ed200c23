const beganAt = Date.now();

/** `1:05` for 65,000 ms. */
export function clock(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function say(text: string): void {
	console.log(`[${clock(Date.now() - beganAt)}] ${text}`);
}

/** Prints when the work begins and how long it took. The first start takes minutes, and without output it would seem to hang. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	say(`${title} …`);
	const startedAt = Date.now();
	const result = await work();
	say(`  done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
	return result;
}
