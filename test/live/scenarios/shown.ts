import assert from 'node:assert/strict';
import { editFields, eachRow, makeRows, messaging } from '../../../scripts/n8n/workflows';
import { outputSchemas } from '../../outputSchemas';
import { assertLike } from '../examplePlay';
import { goingOn, pushNode, withErrorOutput } from '../nodes';
import { usersOf } from '../run';
import { everywhere, newest } from '../scenario';

/** By these schemas, the editor lists the fields of an output. */
everywhere('The schema of every output is served before the first run', async ({ client }) => {
	const folder = '/schemas/n8n-nodes-customer-messaging.customerMessaging/1.0.0';
	for (const [operation, schema] of outputSchemas)
		assert.deepEqual(await client.file(`${folder}/${operation}.json`), schema, operation);
});

/** The builder itself does not run without a network. */
newest("n8n's AI workflow builder is told of the node and its operations", async ({ client }) => {
	const types =
		await client.file<Array<{ name: string; builderHint?: { searchHint: string } }>>(
			'/types/nodes.json',
		);
	const served = types.find(({ name }) => /^n8n-nodes-customer-messaging\.\w+g$/.test(name));
	const { searchHint = '' } = served?.builderHint ?? {};
	assert.match(searchHint, /outcome.*error output.*Send Once with an order number/);
});

const codeNode = (jsCode: string) => ({
	...editFields('Code', { jsCode }),
	...{ type: 'n8n-nodes-base.code', typeVersion: 2 },
});

newest('Items of a Code node without a row are refused, and dates sent', async (bench) => {
	const fewer = codeNode('return $input.all().slice(1).map(({ json }) => ({ json }));');
	const title = "=Hi {{ $('Each row').item.json.Name || 'friend' }}";
	const nodes = [eachRow, fewer, pushNode({ title }, goingOn)];
	const stored = await bench.behindWebhook('broken-pairing', nodes);
	const rows = ['C-1', 'C-2', 'C-3'].map((userID) => ({ userID, Name: 'Ann' }));
	const run = await bench.run(stored, { rows });
	assert.deepEqual(run.arrivals, []);
	const errors = run.values('Push', 'error').flat();
	assert.equal(errors.length, 2);
	for (const error of errors)
		assert.match(
			String(error),
			/^The expression in 'Title' cannot be evaluated: .*Paired item data for item from node 'Code' is unavailable/,
		);

	const code = codeNode(`return [
			{ json: { when: new Date('2026-11-24T09:30:00Z') } },
			{ json: { when: DateTime.fromISO('2026-11-24T10:30:00+01:00') } },
		];`);
	const event = messaging('Events', {
		...{ resource: 'event', operation: 'track', event_name: 'Bought', userID: 'C-1' },
		...{ event_time: '={{ $json.when }}', scheduleTimezone: 'UTC' },
	});
	const dates = await bench.behindWebhook('raw-date', [code, event]);
	const [body] = (await bench.run(dates, {})).bodies;
	const times = (body as { nv: Array<{ event_time: string }> }).nv.map((one) => one.event_time);
	assert.deepEqual(times, ['2026-11-24 09:30:00', '2026-11-24 09:30:00']);
});

const [INVALID, REJECTED, UNKNOWN] = [4, 11, 15];

/** Reads the row of each item by its name, as nodes after the first one do. */
const readRow = (name: string) => {
	const value = "={{ $('Each row').item.json.city }}";
	const assignments = [{ id: 'row', name: 'row', value, type: 'string' }];
	const parameters = { assignments: { assignments }, includeOtherFields: true, options: {} };
	return editFields(name, parameters);
};

/** Among 20 rows, one cannot be sent, one is refused and one stays unknown. */
everywhere('Invalid, refused and unknown rows keep their columns as errors', async (bench) => {
	const rows = makeRows('mixed', 20).map((row, index) =>
		index === INVALID ? { ...row, userID: '' } : row,
	);
	const nodes = [eachRow, pushNode({}, withErrorOutput), readRow('Sent'), readRow('Failed')];
	const toBoth = { Push: [['Sent'], ['Failed']] };
	const wires = { Webhook: [['Each row']], 'Each row': [['Push']], ...toBoth };
	const stored = await bench.behindWebhook('mixed', nodes, { wires });
	const mixed = await bench.run(stored, { rows }, ({ faults }) => {
		const at = (row: number) => ({ match: { bodyText: `"mixed-${row}"` } });
		faults.add({ kind: 'status', status: 400, ...at(REJECTED) });
		faults.add({ kind: 'statusAfterAccept', status: 503, ...at(UNKNOWN) });
	});
	const failed = [INVALID, REJECTED, UNKNOWN];
	const others = rows.filter((_, index) => !failed.includes(index));
	const reached = usersOf(others).concat(`mixed-${UNKNOWN}`).sort();
	assert.deepEqual(mixed.succeeded().reached.sort(), reached, 'the unknown one too, once');
	assert.equal(mixed.arrivals.length, rows.length - 1, 'and none was tried again');
	const told = ['invalid', 'rejected', 'unknown'].map((outcome, index) => {
		const { userID, city } = rows[failed[index] ?? 0] ?? {};
		return [userID, city, city, outcome, /./];
	});
	assertLike(mixed.values('Failed', 'userID', 'city', 'row', 'outcome', 'error'), told);
	const sent = others.map(({ city }) => ['accepted', city]);
	assert.deepEqual(mixed.values('Sent', 'outcome', 'row'), sent);
});
