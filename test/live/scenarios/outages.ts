import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, type Sandbox, startSandbox } from '../../../sandbox/index';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { freePort } from '../../../scripts/n8n/ports';
import {
	editFields,
	eachRow,
	makeRows,
	manualTrigger,
	noOp,
	workflow,
} from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { apiKeyCredential } from '../../../scripts/start/sandboxCredentials';
import { type Bench, output, runByHand, runByWebhook, usersReached } from '../bench';
import { createForRows, pushNode } from '../rows';

const ROWS = 600;
const CONCURRENCY = 10;
/** How many messages an outage may leave in doubt. */
const IN_DOUBT = CONCURRENCY + 5;
const LIMIT = 100_000;

export interface Details {
	outcome: string;
	reason?: string;
	retryAt?: string;
}

/** A service of its own, since all runs of n8n share what they know of one. */
export async function withService(
	bench: Bench,
	work: (own: Bench & { sandbox: Sandbox }) => Promise<void>,
): Promise<void> {
	const sandbox = await startSandbox({ limits: { push: LIMIT } });
	try {
		await work(await benchAt(bench, sandbox));
	} finally {
		await sandbox.close();
	}
}

export async function benchAt(bench: Bench, sandbox: Sandbox, data = {}) {
	const credential = apiKeyCredential(sandbox.urls);
	const { id } = await bench.client.createCredential({
		...credential,
		name: `Service at ${sandbox.url}`,
		data: { ...credential.data, customLimits: true, pushLimit: LIMIT, ...data },
	});
	return { ...bench, sandbox, credentialIds: { ...bench.credentialIds, [credential.id]: id } };
}

/** An address at which each request is answered as its body and the test say. */
export async function withServer(
	answer: (response: ServerResponse, body: string) => void,
	work: (url: string) => Promise<void>,
): Promise<void> {
	const server = createServer((request, response) => {
		void text(request).then((body) => answer(response, body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

/** An address at which everything is answered alike, as by a gateway or a login page. */
export async function withAnswers(
	status: number,
	headers: Record<string, string>,
	body: string,
	work: (url: string) => Promise<void>,
): Promise<void> {
	await withServer((response) => response.writeHead(status, headers).end(body), work);
}

export async function pushes(
	bench: Bench,
	path: string,
	options: object,
	settings: Record<string, unknown> = { onError: 'continueRegularOutput' },
): Promise<StoredWorkflow> {
	const parameters = {
		sendOnce: true,
		options: {
			concurrency: CONCURRENCY,
			// A busy machine answers late.
			requestTimeout: '={{ $json.requestTimeout ?? 20 }}',
			...options,
		},
	};
	return await createForRows(bench, path, pushNode(parameters, settings));
}

export function toldBy(run: Awaited<ReturnType<typeof runByWebhook>>): Map<string, Details> {
	return new Map(
		output(run.data, 'Push').map(({ json }, index) => [
			String(index),
			(json.details ?? json) as Details,
		]),
	);
}

export const countOf = (told: Map<string, Details>, outcome: string) =>
	[...told.values()].filter((details) => details.outcome === outcome).length;

function assertLeftOver(told: Map<string, Details>): void {
	assert.equal(told.size, ROWS);
	const unknown = countOf(told, 'unknown');
	assert.ok(unknown <= IN_DOUBT, `${unknown} in doubt`);
	const left = [...told.values()].filter(({ outcome }) => outcome === 'notSent');
	assert.equal(left.length, ROWS - unknown - countOf(told, 'accepted'));
	assert.deepEqual([...new Set(left.map(({ reason }) => reason))], ['serviceUnavailable']);
	// It may have passed when n8n has stored the execution.
	for (const { retryAt } of left) assert.ok(Date.parse(String(retryAt)) > Date.now() - 60_000);
}

/** Runs the same rows again after the outage: with Send Once, only what was not sent goes out. */
async function sendsTheRest(
	bench: Bench,
	stored: StoredWorkflow,
	path: string,
	rows: object[],
	first: { told: Map<string, Details>; reached: string[] },
): Promise<void> {
	// The next question to the service may be half a minute away.
	const patient = rows.map((row) => ({ ...row, maxWait: 1, requestTimeout: 20 }));
	const again = await runByWebhook(bench, stored, path, { rows: patient });
	const reached = [...first.reached, ...usersReached(again)];
	assert.equal(new Set(reached).size, reached.length, 'nobody twice');
	const inDoubt = [...first.told].filter(([, { outcome }]) => outcome === 'unknown');
	const expected = ROWS - inDoubt.length;
	const notInDoubt = new Set(inDoubt.map(([index]) => `${path}-${index}`));
	assert.equal(reached.filter((user) => !notInDoubt.has(user)).length, expected);
}

/** The service fails from the 100th push on, in three ways, and is back for the next run. */
export async function outageToTheEnd(bench: Bench): Promise<void> {
	const faults: Array<[string, Fault]> = [
		['503', { kind: 'status', status: 503, after: 100 }],
		['reset', { kind: 'resetBeforeAccept', after: 100 }],
		['hang', { kind: 'hang', after: 100 }],
	];
	for (const [name, fault] of faults) {
		await withService(bench, async (own) => {
			const path = `outage-${name}`;
			const stored = await pushes(own, path, { maxWait: '={{ $json.maxWait }}' });
			const requestTimeout = name === 'hang' ? 1 : 20;
			const rows = makeRows(path, ROWS).map((row) => ({ ...row, maxWait: 0.05, requestTimeout }));
			const run = await runByWebhook(own, stored, path, { rows }, (sandbox) =>
				sandbox.faults.add(fault),
			);
			const told = toldBy(run);
			assertLeftOver(told);
			await sendsTheRest(own, stored, path, rows, { told, reached: usersReached(run) });
		});
	}
}

/** The service no longer listens after some pushes, and later listens at the same port again. */
export async function outageWithoutConnection(bench: Bench): Promise<void> {
	const path = 'outage-refused';
	const sandbox = await startSandbox({
		limits: { push: LIMIT },
		latencyMs: 20,
		separateHosts: false,
	});
	const own = await benchAt(bench, sandbox);
	const stored = await pushes(own, path, { maxWait: '={{ $json.maxWait }}' });
	const rows = makeRows(path, ROWS).map((row) => ({ ...row, maxWait: 0.05 }));
	const closed = (async () => {
		while (sandbox.record.length < 100) await sleep(5);
		await sandbox.close();
	})();
	const run = await runByWebhook(own, stored, path, { rows });
	await closed;
	const told = toldBy(run);
	assertLeftOver(told);
	const port = Number(new URL(sandbox.url).port);
	const back = await startSandbox({ limits: { push: LIMIT }, separateHosts: false, port });
	try {
		const again = { ...own, sandbox: back };
		await sendsTheRest(again, stored, path, rows, { told, reached: usersReached(run) });
	} finally {
		await back.close();
	}
}

/** 20 s of 503 in the middle of a run. */
export async function outageInTheMiddle(bench: Bench): Promise<void> {
	await withService(bench, async (own) => {
		const path = 'outage-middle';
		const stored = await pushes(own, path, {});
		const run = await runByWebhook(
			own,
			stored,
			path,
			{ rows: makeRows(path, ROWS) },
			({ faults }) => faults.add({ kind: 'status', status: 503, after: 300, forMs: 20_000 }),
		);
		const told = toldBy(run);
		const accepted = countOf(told, 'accepted');
		assert.ok(accepted >= 580, `${accepted} accepted`);
		assert.equal(accepted + countOf(told, 'unknown'), ROWS);
		assert.equal(new Set(usersReached(run)).size, accepted);
	});
}

export async function wrongKeyEndsEarly(bench: Bench): Promise<void> {
	await withService(bench, async ({ sandbox, ...rest }) => {
		const own = await benchAt(rest as Bench, sandbox, { apiKey: 'a-wrong-key' });
		const path = 'outage-wrong-key';
		const stored = await pushes(own, path, {});
		const run = await runByWebhook(own, stored, path, { rows: makeRows(path, ROWS) });
		const told = toldBy(run);
		assert.ok(run.arrivals.length <= CONCURRENCY, `${run.arrivals.length} requests`);
		const left = [...told.values()].filter(({ reason }) => reason === 'credentialsRefused');
		assert.equal(left.length, ROWS - run.arrivals.length);
	});
}

/** A run by hand says what to check if nobody listens at the address, or if there is no such host. */
export async function wrongAddressByHand(bench: Bench): Promise<void> {
	const addresses = {
		port: `http://127.0.0.1:${await freePort()}`,
		host: 'https://nowhere.invalid',
	};
	for (const [wrong, pushUrl] of Object.entries(addresses)) {
		const own = await benchAt(bench, bench.sandbox, { pushUrl });
		const name = `wrong-${wrong}`;
		const fields = {
			mode: 'raw',
			jsonOutput: JSON.stringify({ body: { rows: makeRows(name, 60) } }),
		};
		const nodes = [
			manualTrigger('By hand'),
			editFields('Rows', { ...fields, options: {} }),
			eachRow,
			pushNode({}, { onError: 'continueRegularOutput' }),
			noOp('Done'),
		];
		const stored = await own.client.createWorkflow(workflow(name, nodes, own.credentialIds));
		const startedMs = Date.now();
		const run = await runByHand(own, stored, 'By hand');
		const seconds = (Date.now() - startedMs) / 1_000;
		const items = output(run.data, 'Push').map(({ json }) => json);
		say(`    wrong ${wrong}: told after ${seconds.toFixed(1)} s: ${String(items.at(-1)?.error)}`);
		assert.equal(items.length, 60);
		assert.ok(seconds < 35, `it took ${seconds} s`);
		for (const { error, details } of items) {
			const { outcome, description } = details as { outcome: string; description: string };
			assert.equal(outcome, 'notSent');
			assert.match(String(error), /^No connection to /);
			assert.match(description, /Check the 'Push API URL' in the credential/);
			assert.match(description, /start the workflow again with the items/);
			assert.doesNotMatch(description, /retry/i);
		}
	}
}
