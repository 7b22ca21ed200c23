import assert from 'node:assert/strict';
import { makeRows } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { type Bench, runByWebhook } from '../bench';
import { benchAt, countOf, type Details, pushes, toldBy, withServer } from './outages';

const MINUTE = 60;

/** Sends to a service that answers as `isRefused` says, and returns what was told and after how many seconds. */
async function send(
	bench: Bench,
	path: string,
	count: number,
	headers: Record<string, string>,
	isRefused: (body: string) => boolean,
) {
	const sent = { told: new Map<string, Details>(), seconds: NaN };
	await withServer(
		(response, body) => response.writeHead(isRefused(body) ? 429 : 200, headers).end('{}'),
		async (pushUrl) => {
			const own = await benchAt(bench, bench.sandbox, { pushUrl, pushLimit: 500 });
			const stored = await pushes(own, path, { maxWait: 1 });
			const rows = makeRows(path, count);
			const startedMs = Date.now();
			sent.told = toldBy(await runByWebhook(own, stored, path, { rows }));
			sent.seconds = (Date.now() - startedMs) / 1_000;
		},
	);
	say(`    ${path}: ${countOf(sent.told, 'accepted')} of ${count} after ${sent.seconds} s`);
	return sent;
}

const something = { 'X-RateLimit-Remaining': '400' };

/** One person's messages are always answered 429. */
export async function refusedForItself(bench: Bench): Promise<void> {
	const healthy = await send(bench, 'none-refused', 100, something, () => false);
	for (const [path, headers, most] of [
		['one-refused', something, healthy.seconds + 5],
		['one-refused-without-header', {}, healthy.seconds + 2 * MINUTE],
	] as const) {
		const isRefused = (body: string) => body.includes(`"${path}-40"`);
		const { told, seconds } = await send(bench, path, 100, { ...headers }, isRefused);
		assert.equal(countOf(told, 'accepted'), 99);
		const { outcome, reason, retryAt } = told.get('40') ?? {};
		assert.deepEqual({ outcome, reason }, { outcome: 'notSent', reason: 'rateLimit' });
		assert.ok(Number.isFinite(Date.parse(String(retryAt))), `retryAt is ${retryAt}`);
		assert.ok(seconds < most, `it took ${seconds} s`);
	}
}

/** The service takes ten a second, and its header speaks of the minute. */
export async function tenASecond(bench: Bench): Promise<void> {
	let second = { at: NaN, taken: 0 };
	const { told, seconds } = await send(bench, 'ten-a-second', 200, something, () => {
		const at = Math.floor(Date.now() / 1_000);
		if (at !== second.at) second = { at, taken: 0 };
		return ++second.taken > 10;
	});
	assert.equal(countOf(told, 'accepted'), 200);
	assert.ok(seconds < MINUTE, `it took ${seconds} s`);
}
