import assert from 'node:assert/strict';
import { type Fault, startSandbox } from '../../../sandbox/index';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { freePort } from '../../../scripts/n8n/ports';
import {
	editFields,
	eachRow,
	makeRows,
	manualTrigger,
	workflow,
	type Row,
} from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { startServer } from '../../engine/support/localServer';
import {
	assertNobodyTwice,
	ended,
	outcomesOf,
	output,
	runByHand,
	runByWebhook,
	startUntil,
	usersOf,
	usersReached,
	type Bench,
	type Run,
} from '../bench';
import { createForRows, goingOn, pushNode } from '../rows';
import { benchAt, withService } from '../services';

const ROWS = 600;
const CONCURRENCY = 10;
/** How many messages an outage may leave in doubt. */
const IN_DOUBT = CONCURRENCY + 5;

interface Details {
	outcome: string;
	reason?: string;
	retryAt?: string;
	message?: string;
}

async function pushes(bench: Bench, path: string, options: object = {}): Promise<StoredWorkflow> {
	const parameters = {
		sendOnce: true,
		options: {
			concurrency: CONCURRENCY,
			// A busy machine answers late.
			requestTimeout: '={{ $json.requestTimeout ?? 20 }}',
			maxWait: '={{ $json.maxWait ?? 1 }}',
			...options,
		},
	};
	return await createForRows(bench, path, pushNode(parameters, goingOn));
}

const detailsOf = ({ data }: Run) =>
	output(data, 'Push').map(({ json }) => (json.details ?? json) as Details);

const countOf = (run: Run, outcome: string) =>
	outcomesOf(run).filter((one) => one === outcome).length;

/**
 * Some rows are sent, then the service fails to the end. When it is back, the next run sends only what was not sent.
 *
 * @param send runs the workflow while the service fails
 */
async function failsToTheEnd(
	bench: Bench,
	path: string,
	send: (stored: StoredWorkflow, rows: Row[]) => Promise<Run>,
	sendAgain: (stored: StoredWorkflow, rows: Row[]) => Promise<Run>,
): Promise<void> {
	const stored = await pushes(bench, path);
	const rows = makeRows(path, ROWS);
	const run = await send(stored, rows);
	const told = detailsOf(run);
	const inDoubt = rows.filter((_, row) => told[row]?.outcome === 'unknown');
	assert.ok(inDoubt.length <= IN_DOUBT, `${inDoubt.length} in doubt`);
	const left = told.filter(({ outcome }) => outcome === 'notSent');
	assert.equal(left.length, ROWS - inDoubt.length - countOf(run, 'accepted'));
	assert.deepEqual([...new Set(left.map(({ reason }) => reason))], ['serviceUnavailable']);
	// It may have passed when n8n has stored the execution.
	for (const { retryAt } of left) assert.ok(Date.parse(String(retryAt)) > Date.now() - 60_000);

	// The next question to the service may be half a minute away.
	const again = await sendAgain(stored, rows);
	const reached = [...usersReached(run), ...usersReached(again)];
	assertNobodyTwice(reached);
	const known = new Set([...reached, ...usersOf(inDoubt)]);
	assert.equal(known.size, ROWS, 'everybody is reached or named');
}

/** The service fails from the 100th push on, in three ways, and is back for the next run. */
export async function outageToTheEnd(bench: Bench): Promise<void> {
	const faults: Record<string, Fault> = {
		503: { kind: 'status', status: 503, after: 100 },
		reset: { kind: 'resetBeforeAccept', after: 100 },
		hang: { kind: 'hang', after: 100 },
	};
	const ways = Object.entries(faults).map(async ([name, fault]) => {
		await withService(bench, async (own) => {
			const runWith = async (stored: StoredWorkflow, rows: object[], fault?: Fault) =>
				await runByWebhook(own, stored, { rows }, (sandbox) => fault && sandbox.faults.add(fault));
			const requestTimeout = name === 'hang' ? 1 : 20;
			await failsToTheEnd(
				own,
				`outage-${name}`,
				async (stored, rows) =>
					await runWith(
						stored,
						rows.map((row) => ({ ...row, maxWait: 0.05, requestTimeout })),
						fault,
					),
				runWith,
			);
		});
	});
	await Promise.all(ways);
}

/** The service no longer listens after some pushes, and later listens at the same port again. */
export async function outageWithoutConnection(bench: Bench): Promise<void> {
	const settings = { latencyMs: 20, separateHosts: false };
	await withService(
		bench,
		async (own) => {
			const { sandbox } = own;
			const send = async (stored: StoredWorkflow, rows: Row[]) => {
				const impatient = rows.map((row) => ({ ...row, maxWait: 0.05 }));
				const id = await startUntil(own, stored, { rows: impatient }, 100);
				await sandbox.close();
				return await ended(own, id);
			};
			await failsToTheEnd(own, 'outage-refused', send, async (stored, rows) => {
				const port = Number(new URL(sandbox.url).port);
				const { limits } = sandbox.settings;
				const back = await startSandbox({ limits, separateHosts: false, port });
				try {
					return await runByWebhook({ ...own, sandbox: back }, stored, { rows });
				} finally {
					await back.close();
				}
			});
		},
		settings,
	);
}

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

export async function wrongKeyEndsEarly(bench: Bench): Promise<void> {
	await withService(bench, async (service) => {
		const own = await benchAt(service, { apiKey: 'a-wrong-key' });
		const path = 'outage-wrong-key';
		const rows = makeRows(path, ROWS);
		const run = await runByWebhook(own, await pushes(own, path), { rows });
		assert.ok(run.arrivals.length <= CONCURRENCY, `${run.arrivals.length} requests`);
		const left = detailsOf(run).filter(({ reason }) => reason === 'credentialsRefused');
		assert.equal(left.length, ROWS - run.arrivals.length);
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
		const id = await startUntil(own, stored, { rows: makeRows('ten', 200) }, 0);
		assert.equal(countOf(await ended(own, id), 'accepted'), 200);
		const seconds = (Date.now() - startedMs) / 1_000;
		assert.ok(seconds < 60, `it took ${seconds} s`);
	} finally {
		await service.close();
	}
}

/** One run holds a key because its request hangs. Another one sends its other rows, and gives up that one. */
export async function keyHeldByHangingRequest(bench: Bench): Promise<void> {
	const [holdsMs, waitsMs] = [15_000, 3_000];
	await withService(bench, async (own) => {
		const path = 'once-held';
		const options = { concurrency: 1, requestTimeout: 120 };
		const stored = await pushes(own, path, options);
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
		const [{ outcome, reason, message } = { outcome: '' }] = detailsOf(run);
		assert.deepEqual(
			[outcome, reason, message],
			['notSent', 'keyInUse', `execution ${holding} is sending it`],
		);
		assert.match(
			String(output(run.data, 'Push')[0]?.json.error),
			/^Another run was sending a message with the same 'Send Once Key'/,
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
			assert.ok(seconds < 35, `it took ${seconds} s`);
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
