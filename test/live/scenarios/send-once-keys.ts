import assert from 'node:assert/strict';
import { type Arrival, startSandbox, testCredentials } from '../../../sandbox/index';
import { sandboxCredentials } from '../../../scripts/start/sandbox-credentials';
import {
	assertSucceeded,
	failureText,
	outcomesOf,
	output,
	runByWebhook,
	usersReached,
	type Bench,
} from '../bench';
import { messaging } from '../../../scripts/n8n/workflows';
import { createForRows, pushNode } from '../rows';

/** An order number is missing in two rows to one user, so their keys would be the same. */
export async function incompleteKeys(bench: Bench): Promise<void> {
	const rows = [{ nr: 1 }, {}, { nr: 2 }, {}].map((row) => ({ ...row, userID: 'keys-1' }));
	const runWith = async (onError: string) => {
		const path = `once-keys-${onError.toLowerCase()}`;
		const key = { sendOnce: true, sendOnceKey: '={{ "order-" + $json.nr }}' };
		const stored = await createForRows(bench, path, pushNode(key, { onError }));
		return await runByWebhook(bench, stored, path, { rows });
	};

	const stopped = await runWith('stopWorkflow');
	assert.equal(stopped.status, 'error');
	assert.deepEqual(stopped.arrivals, []);
	assert.match(failureText(stopped), /Send Once Key contains [^\n]*undefined/);

	const goesOn = await runWith('continueRegularOutput');
	assert.equal(goesOn.arrivals.length, 2);
	assert.deepEqual(outcomesOf(goesOn), ['accepted', 'invalid', 'accepted', 'invalid']);
}

/** Expressions that format a date which a row does not have: in a key, in a text and in an attribute. */
export async function missingDates(bench: Bench): Promise<void> {
	const date = "DateTime.fromISO($json.due).toFormat('d MMM')";
	const rows = [{ userID: 'dates-1', due: '2026-12-01' }, { userID: 'dates-2' }];
	const nodes: Record<string, object> = {
		key: { sendOnce: true, sendOnceKey: `={{ "due-" + ${date} }}` },
		text: { title: `=Your appointment: {{ ${date} }}` },
		script: { message: '=Since {{ new Date($json.due) }}' },
	};
	for (const [name, more] of Object.entries(nodes)) {
		const node = pushNode({ ...more }, { onError: 'continueRegularOutput' });
		const stored = await createForRows(bench, `date-${name}`, node);
		const run = await runByWebhook(bench, stored, `date-${name}`, { rows });
		assert.deepEqual(outcomesOf(run), ['accepted', 'invalid'], name);
		assert.equal(run.arrivals.length, 1);
		assert.match(JSON.stringify(output(run.data, 'Push')[1]?.json), /Invalid Date/);
	}
	const assignments = [{ id: '1', name: 'due', type: 'string', value: `={{ ${date} }}` }];
	const user = {
		resource: 'user',
		operation: 'create',
		userID: '={{ $json.userID }}',
		customAttributes: { assignments },
	};
	const node = messaging('Push', user, { onError: 'continueRegularOutput' });
	const stored = await createForRows(bench, 'date-attribute', node);
	const run = await runByWebhook(bench, stored, 'date-attribute', { rows });
	assert.deepEqual(outcomesOf(run), ['accepted', 'invalid']);
}

/** One order number and one user, as people copy them from different programs. */
export async function keysWrittenAlike(bench: Bench): Promise<void> {
	const rows = [
		{ userID: 'alike-1', key: 'Caf\u00e9-17' },
		{ userID: 'alike-1\u200b', key: 'Cafe\u0301-17' },
		{ userID: '\ufeffalike-1', key: 'Caf\u00e9\u200b-17' },
	];
	const node = pushNode({ sendOnce: true, sendOnceKey: '={{ $json.key }}' });
	const stored = await createForRows(bench, 'keys-alike', node);
	const run = await runByWebhook(bench, stored, 'keys-alike', { rows });
	assertSucceeded(run);
	assert.deepEqual(outcomesOf(run), ['accepted', 'skipped', 'skipped']);
	assert.deepEqual(usersReached(run), ['alike-1']);
}

/** The credential moves from one brand to another, and its key or token is renewed. */
export async function accountBelongsToKey(bench: Bench): Promise<void> {
	const [brand] = testCredentials.brands;
	assert.ok(brand);
	const real = { brandId: 'real-brand', apiKey: 'real-key' };
	const renewed = { brandId: real.brandId, apiKey: 'renewed-key' };
	const tokens = [...testCredentials.tokens, 'renewed-token'];
	const sandbox = await startSandbox({ credentials: { brands: [brand, real, renewed], tokens } });
	try {
		const ids: Record<string, string> = {};
		const credentials = sandboxCredentials(sandbox.urls);
		for (const { id, ...credential } of credentials)
			ids[id] = (await bench.client.createCredential(credential)).id;
		const own = { ...bench, sandbox, credentialIds: ids };
		const edit = async (id: string, changes: object) => {
			const credential = credentials.find((one) => one.id === id);
			assert.ok(credential);
			const data = { ...credential.data, ...changes };
			await bench.client.updateCredential({ ...credential, id: ids[id] ?? '', data });
		};

		const withKey = await pushesOnce(own, 'once-brand', 'apiKey');
		assert.deepEqual(await withKey('1'), ['accepted']);
		assert.deepEqual(await withKey('1'), ['skipped']);
		await edit('sandbox-api-key', real);
		assert.deepEqual(await withKey('1'), ['accepted'], 'another brand has other users');
		await edit('sandbox-api-key', renewed);
		assert.deepEqual(await withKey('1'), ['skipped'], 'a new key is no new account');
		assert.deepEqual(await withKey('2'), ['accepted'], 'the new key is in use');
		await edit('sandbox-api-key', brand);
		assert.deepEqual(await withKey('1'), ['skipped'], 'the first brand is still known');

		const withToken = await pushesOnce(own, 'once-token', 'partnerToken');
		assert.deepEqual(await withToken('1'), ['accepted']);
		await edit('sandbox-partner-token', { accessToken: 'renewed-token' });
		assert.deepEqual(await withToken('1'), ['skipped'], 'a new token is no new account');
		assert.deepEqual(await withToken('2'), ['accepted'], 'the new token is in use');
	} finally {
		await sandbox.close();
	}
}

/** A workflow that sends one push with Send Once to the given user. */
async function pushesOnce(bench: Bench, path: string, authentication: string) {
	const once = { authentication, sendOnce: true, sendOnceKey: 'spring sale' };
	const stored = await createForRows(bench, path, pushNode(once));
	return async (user: string) => {
		const run = await runByWebhook(bench, stored, path, { rows: [{ userID: user }] });
		assertSucceeded(run);
		const sent = outcomesOf(run).filter((outcome) => outcome === 'accepted').length;
		assert.equal(usersReached(run).length, sent);
		return outcomesOf(run);
	};
}

/** A workflow saved by a program may have Send Once on users, where the form does not offer it. */
export async function usersIgnoreSendOnce(bench: Bench): Promise<void> {
	const rows = ['A', 'B', 'A'].map((version) => ({ userID: 'once-user', version }));
	for (const options of [{}, { batchSize: 1 }]) {
		const path = `once-users-${Object.keys(options).length}`;
		const { run } = await usersOnce(bench, path, options);
		const all = await run(rows);
		assert.deepEqual(outcomesOf(all), ['accepted', 'accepted', 'accepted']);
		assert.equal(lastVersion(all.arrivals), 'A');
		const arrivals: Arrival[] = [];
		for (const row of rows) arrivals.push(...(await run([row])).arrivals);
		assert.equal(arrivals.length, rows.length);
		assert.equal(lastVersion(arrivals), 'A', 'also in later executions');
	}

	const settings = { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2 };
	const options = { batchSize: 1, concurrency: 1 };
	const { stored, path } = await usersOnce(bench, 'once-users-tries', options, settings);
	const versions = ['old', 'new'].map((version) => ({ userID: 'once-user', version }));
	const tried = await runByWebhook(bench, stored, path, { rows: versions }, ({ faults }) =>
		faults.add({ kind: 'status', status: 400, match: { bodyText: '"old"' }, first: 1 }),
	);
	assert.deepEqual(
		tried.arrivals.map(({ status }) => status),
		[400, 200, 200, 200],
	);
	assert.equal(lastVersion(tried.arrivals), 'new', 'the older row does not come last');
}

async function usersOnce(bench: Bench, path: string, options: object, settings = {}) {
	const parameters = {
		resource: 'user',
		operation: 'create',
		dataMode: 'autoMapInputData',
		userIdField: 'userID',
		sendOnce: true,
		options,
	};
	const stored = await createForRows(bench, path, messaging('Push', parameters, settings));
	const run = async (rows: object[]) => await runByWebhook(bench, stored, path, { rows });
	return { stored, path, run };
}

/** What the account holds after these requests. */
function lastVersion(arrivals: readonly Arrival[]): unknown {
	return arrivals
		.filter(({ accepted }) => accepted)
		.flatMap(({ body }) => (body as { nv: Array<{ user_attributes: object }> }).nv)
		.map(({ user_attributes: attributes }) => (attributes as { version: unknown }).version)
		.at(-1);
}
