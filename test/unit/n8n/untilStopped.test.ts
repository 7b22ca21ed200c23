import { untilStopped } from '../../../nodes/CustomerMessaging/n8n/context';

/** A pause that notes its length, and ends at once. */
function pauses() {
	const sleptMs: number[] = [];
	return { sleptMs, sleep: async (ms: number) => void sleptMs.push(ms) };
}

const endless = new Promise<never>(() => undefined);

test('Work without a signal is waited for', async () => {
	const { sleptMs, sleep } = pauses();
	expect(await untilStopped(Promise.resolve('stored'), undefined, sleep)).toBe('stored');
	expect(sleptMs).toEqual([]);
});

test('Work that is done before Stop gives its result, and Stop then starts no pause', async () => {
	const { sleptMs, sleep } = pauses();
	const stop = new AbortController();
	expect(await untilStopped(Promise.resolve('stored'), stop.signal, sleep)).toBe('stored');
	stop.abort();
	expect(sleptMs).toEqual([]);
});

test('After Stop, work gets less than half a second to note how messages ended', async () => {
	const { sleptMs, sleep } = pauses();
	const stop = new AbortController();
	const result = untilStopped(endless, stop.signal, sleep);
	stop.abort();
	expect(await result).toBeUndefined();
	expect(sleptMs).toEqual([400]);
});

test('Work that begins after Stop gets the same time', async () => {
	const { sleptMs, sleep } = pauses();
	expect(await untilStopped(endless, AbortSignal.abort(), sleep)).toBeUndefined();
	expect(sleptMs).toEqual([400]);
});

test('Work that is done within that time gives its result', async () => {
	const result = untilStopped(Promise.resolve('stored'), AbortSignal.abort(), () => endless);
	expect(await result).toBe('stored');
});

test('Work that fails after Stop gives its reason', async () => {
	const failed = Promise.reject(new Error('database is locked'));
	const result = untilStopped(failed, AbortSignal.abort(), () => endless);
	await expect(result).rejects.toThrow('database is locked');
});
