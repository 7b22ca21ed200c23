import assert from 'node:assert/strict';
import { freePort } from '../../../scripts/n8n/ports';
import { editFields, eachRow, makeRows, manualTrigger } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { startServer } from '../../engine/support/localServer';
import type { Bench } from '../bench';
import { goingOn, pushNode } from '../nodes';
import { usersOf } from '../run';
import { newestWaiting, nightlyWaiting } from '../scenario';

async function pushes(bench: Bench, path: string, concurrency: number) {
	const maxWait = '={{ $json.maxWait ?? 10 }}';
	// A busy machine answers late.
	const options = { concurrency, requestTimeout: 60, maxWait };
	return await bench.forRows(path, pushNode({ sendOnce: true, options }, goingOn));
}

/** Its header speaks of the minute. */
newestWaiting('A service that takes ten a second gets 120 rows within a minute', async (bench) => {
	let second = { at: NaN, taken: 0 };
	const service = await startServer((response) => {
		const at = Math.floor(Date.now() / 1_000);
		if (at !== second.at) second = { at, taken: 0 };
		const status = ++second.taken > 10 ? 429 : 200;
		response.writeHead(status, { 'X-RateLimit-Remaining': '400' }).end('{}');
	});
	try {
		const own = await bench.at({ ...service.urls, customLimits: true, pushLimit: 500 });
		const stored = await pushes(own, 'ten-a-second', 10);
		const startedMs = Date.now();
		const run = await own.ended(await own.call(stored, { rows: makeRows('ten', 120) }));
		assert.deepEqual(run.outcomes('Push'), Array(120).fill('accepted'));
		const seconds = (Date.now() - startedMs) / 1_000;
		assert.ok(seconds < 60, `it took ${seconds} s`);
	} finally {
		await service.close();
	}
});

/** One run holds a key because its request hangs. Another one sends its other rows, and gives up that one. */
newestWaiting('A run gives up a Send Once Key after Max Wait', async (bench) => {
	const [holdsMs, waitsMs] = [25_000, 3_000];
	await bench.withService(async (own) => {
		const stored = await pushes(own, 'once-held', 1);
		const rows = makeRows('once-held', 6);
		const impatient = rows.map((row) => ({ ...row, maxWait: waitsMs / 60_000 }));
		const [held, ...others] = usersOf(rows);
		const match = { bodyText: `"${held}"` };
		own.sandbox.faults.add({ kind: 'delay', delayMs: holdsMs, match });
		const holding = await own.startUntil(stored, { rows: rows.slice(0, 1) }, 1);
		const startedMs = Date.now();
		const run = await own.ended(await own.call(stored, { rows: impatient }), 1);
		const tookMs = Date.now() - startedMs;
		assert.ok(tookMs >= waitsMs && tookMs < holdsMs - 3_000, `it took ${tookMs} ms`);
		const [[error, details] = []] = run.values('Push', 'error', 'details');
		assert.match(String(error), /^Another run was sending a message with the same 'Send Once Key'/);
		const { outcome, reason, message } = details as Record<string, string>;
		const says = `execution ${holding} is sending it`;
		assert.deepEqual([outcome, reason, message], ['notSent', 'keyInUse', says]);
		assert.deepEqual(run.reached, others, 'the other rows are sent meanwhile');

		(await own.ended(holding)).succeeded();
		const arrived = own.sandbox.record.length;
		const last = await own.ended(await own.call(stored, { rows: impatient }), arrived);
		assert.deepEqual([last.outcomes('Push'), last.arrivals], [Array(6).fill('skipped'), []]);
	});
});

/** What it says if nobody listens at the address, or if there is no such host. */
nightlyWaiting('A run by hand names a wrong address within half a minute', async (bench) => {
	const addresses = [`http://127.0.0.1:${await freePort()}`, 'https://nowhere.invalid'];
	const told = addresses.map(async (pushUrl, index) => {
		const own = await bench.at({ pushUrl });
		const name = `wrong-address-${index}`;
		const jsonOutput = JSON.stringify({ body: { rows: makeRows(name, 60) } });
		const rows = editFields('Rows', { mode: 'raw', jsonOutput, options: {} });
		const push = pushNode({}, goingOn);
		const stored = await own.store(name, manualTrigger('By hand'), rows, eachRow, push);
		const startedMs = Date.now();
		const run = await own.ended(await own.client.runByHand(stored, 'By hand'));
		const seconds = (Date.now() - startedMs) / 1_000;
		say(`    ${pushUrl}: told after ${seconds.toFixed(1)} s`);
		// It waits for half a minute, and a busy machine is slow.
		assert.ok(seconds < 50, `it took ${seconds} s`);
		assert.deepEqual(run.outcomes('Push'), Array(60).fill('notSent'));
		for (const [error, details] of run.values('Push', 'error', 'details')) {
			const { description } = details as { description: string };
			assert.match(String(error), /^No connection to /);
			assert.match(description, /Check the 'Push API URL' in the credential/);
			assert.match(description, /start the workflow again with the items/);
			assert.doesNotMatch(description, /retry/i);
		}
	});
	await Promise.all(told);
});
