import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { freePort } from '../../../scripts/n8n/ports';
import {
	editFields,
	eachRow,
	makeRows,
	manualTrigger,
	workflow,
} from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { startServer } from '../../engine/support/localServer';
import {
	ended,
	outcomesOf,
	output,
	runByHand,
	runByWebhook,
	startUntil,
	usersOf,
	usersReached,
	valuesOf,
	type Bench,
	type Run,
} from '../bench';
import { createForRows, goingOn, pushNode } from '../rows';
import { benchAt, withService } from '../services';

const ROWS = 600;
const CONCURRENCY = 10;

async function pushes(bench: Bench, path: string, options: object = {}): Promise<StoredWorkflow> {
	const parameters = {
		sendOnce: true,
		options: {
			concurrency: CONCURRENCY,
			// A busy machine answers late.
			requestTimeout: 60,
			maxWait: '={{ $json.maxWait ?? 10 }}',
			...options,
		},
	};
	return await createForRows(bench, path, pushNode(parameters, goingOn));
}

const countOf = (run: Run, outcome: string) =>
	outcomesOf(run).filter((one) => one === outcome).length;

/** 20 s of 503 in the middle of a run. */
export async function outageInTheMiddle(bench: Bench): Promise<void> {
	await withService(bench, async (own) => {
		const path = 'outage-middle';
		const stored = await pushes(own, path);
		const run = await runByWebhook(own, stored, { rows: makeRows(path, ROWS) }, ({ faults }) =>
			faults.add({ kind: 'status', status: 503, after: 300, forMs: 20_000 }),
		);
		const accepted = countOf(run, 'accepted');
		assert.ok(accepted >= 580, `${accepted} accepted`);
		assert.equal(accepted + countOf(run, 'unknown'), ROWS);
		assert.equal(new Set(usersReached(run)).size, accepted);
	});
}

/** The service takes ten a second, and its header speaks of the minute. */
export async function tenASecond(bench: Bench): Promise<void> {
	let second = { at: NaN, taken: 0 };
	const service = await startServer((response) => {
		const at = Math.floor(Date.now() / 1_000);
		if (at !== second.at) second = { at, taken: 0 };
		const status = ++second.taken > 10 ? 429 : 200;
		response.writeHead(status, { 'X-RateLimit-Remaining': '400' }).end('{}');
	});
	try {
		const own = await benchAt(bench, { ...service.urls, customLimits: true, pushLimit: 500 });
		const stored = await pushes(own, 'ten-a-second');
		const startedMs = Date.now();
		const id = await startUntil(own, stored, { rows: makeRows('ten', 120) }, 0);
		assert.equal(countOf(await ended(own, id), 'accepted'), 120);
		const seconds = (Date.now() - startedMs) / 1_000;
		assert.ok(seconds < 60, `it took ${seconds} s`);
	} finally {
		await service.close();
	}
}

/** One run holds a key because its request hangs. Another one sends its other rows, and gives up that one. */
export async function keyHeldByHangingRequest(bench: Bench): Promise<void> {
	const [holdsMs, waitsMs] = [25_000, 3_000];
	await withService(bench, async (own) => {
		const path = 'once-held';
		const stored = await pushes(own, path, { concurrency: 1 });
		const rows = makeRows(path, 6);
		const impatient = rows.map((row) => ({ ...row, maxWait: waitsMs / 60_000 }));
		const [held, ...others] = usersOf(rows);
		const match = { bodyText: `"${held}"` };
		own.sandbox.faults.add({ kind: 'delay', delayMs: holdsMs, match });
		const holding = await startUntil(own, stored, { rows: rows.slice(0, 1) }, 1);
		const startedMs = Date.now();
		const run = await ended(own, await startUntil(own, stored, { rows: impatient }, 1), 1);
		const tookMs = Date.now() - startedMs;
		say(`    the second run ended after ${tookMs} ms`);
		assert.ok(tookMs >= waitsMs && tookMs < holdsMs - 3_000, `it took ${tookMs} ms`);
		const [[error, details] = []] = valuesOf(run, 'Push', 'error', 'details');
		assert.match(String(error), /^Another run was sending a message with the same 'Send Once Key'/);
		const { outcome, reason, message } = details as Record<string, string>;
		assert.deepEqual(
			[outcome, reason, message],
			['notSent', 'keyInUse', `execution ${holding} is sending it`],
		);
		assert.deepEqual(usersReached(run), others, 'the other rows are sent meanwhile');

		assert.equal((await own.client.finished(holding)).status, 'success');
		const arrived = own.sandbox.record.length;
		const last = await ended(own, await startUntil(own, stored, { rows: impatient }, 0), arrived);
		assert.deepEqual([outcomesOf(last), last.arrivals], [Array(6).fill('skipped'), []]);
	});
}

/** A run by hand says what to check if nobody listens at the address, or if there is no such host. */
export async function wrongAddressByHand(bench: Bench): Promise<void> {
	const addresses = [`http://127.0.0.1:${await freePort()}`, 'https://nowhere.invalid'];
	const runs = addresses.map(async (pushUrl, index) => {
		await withService(bench, async (service) => {
			const own = await benchAt(service, { pushUrl });
			const name = `wrong-address-${index}`;
			const jsonOutput = JSON.stringify({ body: { rows: makeRows(name, 60) } });
			const nodes = [
				manualTrigger('By hand'),
				editFields('Rows', { mode: 'raw', jsonOutput, options: {} }),
				eachRow,
				pushNode({}, goingOn),
			];
			const stored = await own.client.createWorkflow(workflow(name, nodes, own.credentialIds));
			const startedMs = Date.now();
			const run = await runByHand(own, stored, 'By hand');
			const seconds = (Date.now() - startedMs) / 1_000;
			say(`    ${pushUrl}: told after ${seconds.toFixed(1)} s`);
			// It waits for half a minute, and a busy machine is slow.
			assert.ok(seconds < 50, `it took ${seconds} s`);
			const items = output(run.data, 'Push').map(({ json }) => json);
			assert.equal(items.length, 60);
			for (const { error, details } of items) {
				const { outcome, description } = details as { outcome: string; description: string };
				assert.equal(outcome, 'notSent');
				assert.match(String(error), /^No connection to /);
				assert.match(description, /Check the 'Push API URL' in the credential/);
				assert.match(description, /start the workflow again with the items/);
				assert.doesNotMatch(description, /retry/i);
			}
		});
	});
	await Promise.all(runs);
}
