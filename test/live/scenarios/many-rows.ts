import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { assertSucceeded, output, runByWebhook, type Bench } from '../bench';
import { messaging } from '../../../scripts/n8n/workflows';
import { createWithErrorOutput } from '../rows';

interface Row {
	userID: string;
	name: string;
	email: string;
}

const BAD = [1, 3, 8, 13, 14, 15, 20, 25, 30, 35, 40, 41];

/** 30 good rows, and among them 12 bad ones with an invalid email address. */
const rows: Row[] = Array.from({ length: 42 }, (_, index) => ({
	userID: `R-${index}`,
	name: `Row ${index}`,
	email: BAD.includes(index) ? `row ${index} has none` : `row${index}@example.com`,
}));

async function rowsToUsers(
	bench: Bench,
	path: string,
	onError: string,
	authentication = 'apiKey',
): Promise<StoredWorkflow> {
	const parameters = {
		authentication,
		resource: 'user',
		operation: 'create',
		dataMode: 'autoMapInputData',
		userIdField: 'userID',
	};
	const node = messaging('Create user', parameters, { onError });
	return await createWithErrorOutput(bench, path, node);
}

export async function stopOnError(bench: Bench): Promise<void> {
	const stored = await rowsToUsers(bench, 'rows-stop', 'stopWorkflow');
	const { status, data, arrivals } = await runByWebhook(bench, stored, 'rows-stop', { rows });
	assert.equal(status, 'error');
	assert.deepEqual(arrivals, [], 'with bad rows among them, nothing at all is sent');
	const { message = '', description = '' } = data.resultData.error ?? {};
	const text = `${message}\n${description}`;
	assert.deepEqual(namedRows(text), BAD, `the bad rows are named in:\n${text}`);
}

/** The rows that a message names as `Items 1, 3–5`. */
function namedRows(text: string): number[] {
	const [, list = ''] = /Items ([\d–, ]+\d)/.exec(text) ?? [];
	return list.split(', ').flatMap((range) => {
		const [from = NaN, to = from] = range.split('–').map(Number);
		return Array.from({ length: to - from + 1 }, (_, step) => from + step);
	});
}

export async function errorOutput(bench: Bench): Promise<void> {
	const stored = await rowsToUsers(bench, 'rows-go-on', 'continueErrorOutput');
	const run = await runByWebhook(bench, stored, 'rows-go-on', { rows });
	assertSucceeded(run);
	const good = rows.filter((_, index) => !BAD.includes(index));
	const sent = run.arrivals.flatMap(({ body }) => (body as { nv: Array<{ userID: string }> }).nv);
	assert.deepEqual(
		sent.map(({ userID }) => userID),
		good.map(({ userID }) => userID),
	);
	assert.deepEqual(
		output(run.data, 'Sent').map(({ json }) => json.userID),
		good.map(({ userID }) => userID),
	);
	const refused = output(run.data, 'Failed').map(({ json }) => json);
	assert.deepEqual(
		refused.map(({ userID, name, email }) => ({ userID, name, email })),
		BAD.map((index) => rows[index]),
		'each with its own fields',
	);
	for (const { error } of refused) assert.ok(error, 'each says why');
}

export async function partnerToken(bench: Bench): Promise<void> {
	const stored = await rowsToUsers(bench, 'rows-partner', 'stopWorkflow', 'partnerToken');
	const run = await runByWebhook(bench, stored, 'rows-partner', { rows: rows.slice(4, 6) });
	assertSucceeded(run);
	assert.equal(run.arrivals.length, 1);
	const headers = run.arrivals[0]?.headers ?? {};
	assert.equal(run.arrivals[0]?.outcome, 'accepted');
	assert.equal(headers.authorization, 'Bearer sandbox-token');
	assert.equal(headers['content-type'], 'application/json');
	assert.equal(headers['x-api-key'], undefined);
}
