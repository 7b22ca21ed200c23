import { AsyncLocalStorage } from 'node:async_hooks';

const beganAt = Date.now();

/** `1:05` for 65,000 ms. */
export function clock(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const speaker = new AsyncLocalStorage<string>();

export function say(text: string): void {
	const name = speaker.getStore();
	console.log(`[${clock(Date.now() - beganAt)}] ${name === undefined ? '' : `${name}: `}${text}`);
}

/** Puts a name before what is said during the work, because other work goes on beside it. */
export async function sayAs<T>(name: string, work: () => Promise<T>): Promise<T> {
	return await speaker.run(name, work);
}

/** Prints when the work begins and how long it took. The first start takes minutes, and without output it would seem to hang. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	say(`${title} …`);
	const startedAt = Date.now();
	const result = await work();
	say(`  done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
	return result;
}
