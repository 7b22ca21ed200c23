import assert from 'node:assert/strict';
import { assertSucceeded, runByWebhook, type Bench } from '../bench';
import { messaging } from '../../../scripts/n8n/workflows';
import { createForRows } from '../rows';

export async function partnerToken(bench: Bench): Promise<void> {
	const parameters = {
		authentication: 'partnerToken',
		resource: 'user',
		operation: 'create',
		dataMode: 'autoMapInputData',
		userIdField: 'userID',
	};
	const path = 'rows-partner';
	const stored = await createForRows(bench, path, messaging('Create user', parameters));
	const rows = [
		{ userID: 'R-1', name: 'Row 1' },
		{ userID: 'R-2', name: 'Row 2' },
	];
	const run = await runByWebhook(bench, stored, path, { rows });
	assertSucceeded(run);
	assert.equal(run.arrivals.length, 1);
	const headers = run.arrivals[0]?.headers ?? {};
	assert.equal(run.arrivals[0]?.outcome, 'accepted');
	assert.equal(headers.authorization, 'Bearer sandbox-token');
	assert.equal(headers['content-type'], 'application/json');
	assert.equal(headers['x-api-key'], undefined);
}
