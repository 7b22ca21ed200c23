import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { assertSucceeded, runByWebhook, type Bench } from '../bench';
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
