import assert from 'node:assert/strict';
import type { Arrival } from '../../../sandbox/index';
import { assertSucceeded, create, output, runByHand, runByWebhook, type Bench } from '../bench';
import { example } from '../examples';
import { everyRequest } from '../expectedRequests';

/** In any order, because n8n decides the order of parallel branches. */
const byPath = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));

function seen({ host, path, body }: Arrival): object {
	const { schedule_date, schedule_time, ...rest } = body as Record<string, unknown>;
	if (schedule_date !== undefined)
		assert.ok(
			Number.isInteger(schedule_date) && Number.isInteger(schedule_time),
			'integers, spec 2.3',
		);
	return { host, path, body: sorted(rest), scheduled: schedule_date !== undefined };
}

function sorted(body: Record<string, unknown>): object {
	return Object.fromEntries(Object.entries(body).sort(([a], [b]) => a.localeCompare(b)));
}

export async function everyOperation(bench: Bench): Promise<void> {
	const workflow = await create(bench, example(bench, 'every-operation.json'));
	const run = await runByWebhook(bench, workflow, 'every-operation', {});
	assertSucceeded(run);

	const wanted = everyRequest.map(({ body, ...request }) => ({ ...request, body: sorted(body) }));
	const order = ({
		host,
		path,
		body,
		scheduled,
	}: {
		host: string;
		path: string;
		body: object;
		scheduled: boolean;
	}) => ({ host, path, body, scheduled });
	assert.deepEqual(run.arrivals.map(seen).sort(byPath), wanted.map(order).sort(byPath));
	for (const { method, headers, outcome, problems, path } of run.arrivals) {
		assert.equal(method, 'POST');
		assert.equal(outcome, 'accepted', `${path}: ${JSON.stringify(problems)}`);
		assert.equal(headers['x-api-key'], 'sandbox-key');
		assert.equal(headers['x-brand-id'], 'sandbox-brand');
		assert.equal(headers.accept, 'application/json');
		assert.equal(headers['content-type'], 'application/json');
		assert.equal(headers.authorization, undefined);
	}
	for (const { json } of output(run.data, 'Broadcast push to all'))
		assert.equal(json.outcome, 'accepted');

	const byHand = await runByHand(bench, workflow, 'Start by hand');
	assertSucceeded(byHand);
	assert.ok(
		byHand.arrivals.every(({ path }) => !path.includes('broadcast')),
		'a run started by hand must send no broadcast',
	);
	assert.equal(byHand.arrivals.length, 7, 'one user, one event, three pushes, one email, one SMS');
}
