import assert from 'node:assert/strict';
import {
	assertSucceeded,
	create,
	hintsOf,
	outcomesOf,
	output,
	runByHand,
	runByWebhook,
	type Bench,
	type Run,
} from '../bench';
import { createForRows } from '../rows';
import {
	manualTrigger,
	messaging,
	noOp,
	makeRows,
	pushToAll,
	webhook,
	workflow,
} from '../../../scripts/n8n/workflows';

const toAllBySms = {
	resource: 'sms',
	operation: 'broadcastAll',
	senderFrom: 'define',
	sender_name: 'EXSHOP',
	campaign_name: 'Autumn SMS',
	sender_mobile: '+919800000001',
	message: 'The autumn collection is here.',
	serviceproviderID: 7,
	segment_id: 4711,
};

export async function broadcastToAll(bench: Bench): Promise<void> {
	const nodes = [
		manualTrigger('By hand'),
		webhook('to-all'),
		messaging('Broadcast', pushToAll),
		noOp('Done'),
	];
	const wires = { 'By hand': [['Broadcast']], Webhook: [['Broadcast']], Broadcast: [['Done']] };
	const stored = await create(bench, workflow('to-all', nodes, bench.credentialIds, wires));

	const byHand = await runByHand(bench, stored, 'By hand');
	assertSucceeded(byHand);
	assert.deepEqual(byHand.arrivals, [], 'a run by hand sends nothing');
	const shown = output(byHand.data, 'Done').map(({ json: { outcome, platform, method } }) => ({
		outcome,
		platform,
		method,
	}));
	assert.deepEqual(
		shown,
		pushToAll.platforms.map((platform) => ({ outcome: 'preview', platform, method: 'POST' })),
	);
	const hints = hintsOf(byHand, 'Broadcast');
	assert.ok(
		hints.some(({ message }) => message.startsWith('Nothing was sent')),
		`hints: ${JSON.stringify(hints)}`,
	);

	const byWebhook = await runByWebhook(bench, stored, 'to-all', {});
	assertSucceeded(byWebhook);
	assert.deepEqual(
		byWebhook.arrivals.map(({ path, outcome }) => `${path} ${outcome}`).sort(),
		['android', 'ios', 'web'].map((platform) => `/api/v1/${platform}/broadcast/all accepted`),
		'once to each platform',
	);
}

const rows = makeRows('many', 500);

async function fiveHundred(
	bench: Bench,
	path: string,
	more: Record<string, unknown>,
): Promise<Run> {
	const stored = await createForRows(
		bench,
		path,
		messaging('Broadcast', { ...toAllBySms, ...more }),
	);
	return await runByWebhook(bench, stored, path, { rows });
}

export async function rowsAreNotBroadcasts(bench: Bench): Promise<void> {
	const { status, data, arrivals } = await fiveHundred(bench, 'many-rows', {});
	assert.equal(status, 'error');
	assert.deepEqual(arrivals, [], 'nothing is sent');
	const { message = '' } = data.resultData.error ?? {};
	assert.match(message, /^Nothing was sent: .*500 broadcasts.*'Max Broadcasts' allows 1/);
}

/** One broadcast for each of 500 rows, on purpose. */
export async function manyBroadcasts(bench: Bench): Promise<void> {
	const run = await fiveHundred(bench, 'many-broadcasts', { maxBroadcasts: 500 });
	assertSucceeded(run);
	const accepted = run.arrivals.filter((arrival) => arrival.accepted);
	assert.equal(accepted.length, 500);
	assert.ok(accepted.every(({ path }) => path === '/api/v1/sms/broadcast/all'));
	assert.deepEqual(
		outcomesOf(run, 'Done'),
		rows.map(() => 'accepted'),
	);
}
