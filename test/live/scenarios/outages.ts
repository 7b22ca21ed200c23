import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, type Sandbox, startSandbox } from '../../../sandbox/index';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { makeRows } from '../../../scripts/n8n/workflows';
import { apiKeyCredential } from '../../../scripts/start/sandbox-credentials';
import { type Bench, output, runByWebhook, usersReached } from '../bench';
import { createForRows, pushNode } from '../rows';

const ROWS = 600;
const CONCURRENCY = 10;
/** How many messages an outage may leave in doubt. */
const IN_DOUBT = CONCURRENCY + 5;
const LIMIT = 100_000;

interface Details {
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

async function benchAt(bench: Bench, sandbox: Sandbox, data = {}) {
	const credential = apiKeyCredential(sandbox.urls);
	const { id } = await bench.client.createCredential({
		...credential,
		name: `Service at ${sandbox.url}`,
		data: { ...credential.data, customLimits: true, pushLimit: LIMIT, ...data },
	});
	return { ...bench, sandbox, credentialIds: { ...bench.credentialIds, [credential.id]: id } };
}

/** An address at which everything is answered alike, as by a gateway or a login page. */
export async function withAnswers(
	status: number,
	headers: Record<string, string>,
	body: string,
	work: (url: string) => Promise<void>,
): Promise<void> {
	const server = createServer((request, response) => {
		request.resume();
		request.on('end', () => response.writeHead(status, headers).end(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

async function pushes(
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

function toldBy(run: Awaited<ReturnType<typeof runByWebhook>>): Map<string, Details> {
	return new Map(
		output(run.data, 'Push').map(({ json }, index) => [
			String(index),
			(json.details ?? json) as Details,
		]),
	);
}

const countOf = (told: Map<string, Details>, outcome: string) =>
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
