import assert from 'node:assert/strict';
import { pathsOf, runByHand, runByWebhook, outcomesOf, succeeded, type Bench } from '../bench';
import { createExample } from '../examples';

const push = {
	title: 'New season',
	message: 'The autumn collection is here.',
	url: 'https://shop.example.com/autumn',
};
const email = {
	sender_name: 'Example Shop',
	sender_email: 'news@shop.example.com',
	subject: 'This week: 20 % off running shoes',
	campaign_name: 'Running shoes week 12',
	content: '<h1>20 % off</h1><p>Until Sunday, on every pair.</p>',
	serviceproviderID: 3,
	segment_id: 4711,
};
const sms = {
	sender_name: 'EXSHOP',
	campaign_name: 'Autumn SMS',
	sender_mobile: '+447700900100',
	message: 'The autumn collection is here.',
	serviceproviderID: 7,
	segment_id: 4711,
};
const user_attributes = {
	...{ name: 'Ravi Iyer', email: 'ravi@example.com' },
	...{ mobile: '+447700900102', tier: 'gold' },
};
const placed = {
	...{ userID: 'C-2001', event_name: 'Order Placed', ltv: 49.9 },
	...{ attributes: { total: 49.9, currency: 'EUR' }, event_time: '2026-11-20 09:30:00' },
};

/**
 * What the example must send, typed from the service's description and not derived from the node's own table, so that
 * the two can disagree. Without the schedule fields, which hold the present; those of the mail host have them.
 */
const everyRequest: Array<[host: string, path: string, body: object]> = [
	['base', 'user/create', { nv: [{ userID: 'C-2001', user_attributes }] }],
	['base', 'event/create', { nv: [placed] }],
	...['web', 'android', 'ios'].flatMap((platform): typeof everyRequest => [
		['push', `${platform}/send`, { ...push, user_id: 'C-2001' }],
		['push', `${platform}/broadcast/all`, push],
		['push', `${platform}/broadcast/segment`, { ...push, segment_id: 4711 }],
	]),
	['mail', 'sendMessage', { ...email, email: 'ravi@example.com' }],
	['mail', 'email/broadcast', email],
	['mail', 'email/broadcast/all', email],
	['mail', 'email/broadcast/segment', email],
	['mail', 'sendMessage', { ...sms, mobile: '+447700900102' }],
	['mail', 'sms/broadcast/', sms],
	['mail', 'sms/broadcast/all', sms],
	['mail', 'sms/broadcast/segment', sms],
];

/** In any order, because n8n decides the order of parallel branches. */
const sorted = (requests: typeof everyRequest) =>
	requests
		.map(([host, path, body]) => [host, path, Object.entries(body).sort()] as const)
		.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));

export async function everyOperation(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'every-operation.json');
	const run = await succeeded(runByWebhook(bench, workflow, {}));
	const seen = run.arrivals.map(
		({ host, method, path, headers, body, outcome, problems }): (typeof everyRequest)[number] => {
			const { schedule_date, schedule_time, ...rest } = body as Record<string, unknown>;
			assert.equal(Number.isInteger(schedule_date), host === 'mail', 'integers, spec 2.3');
			assert.equal(Number.isInteger(schedule_time), host === 'mail');
			assert.deepEqual([method, outcome], ['POST', 'accepted'], JSON.stringify(problems));
			const { accept, authorization, 'content-type': type } = headers;
			assert.deepEqual([accept, type], ['application/json', 'application/json']);
			assert.deepEqual(
				[headers['x-api-key'], headers['x-brand-id'], authorization],
				['sandbox-key', 'sandbox-brand', undefined],
			);
			return [host, path.replace('/api/v1/', ''), rest];
		},
	);
	assert.deepEqual(sorted(seen), sorted(everyRequest));
	const outcomes = outcomesOf(run, 'Broadcast push to all');
	assert.deepEqual(outcomes, ['accepted', 'accepted', 'accepted']);

	const byHand = pathsOf(await succeeded(runByHand(bench, workflow, 'Start by hand')));
	assert.deepEqual(
		byHand.filter((path) => path.includes('broadcast')),
		[],
		'a run started by hand must send no broadcast',
	);
	assert.equal(byHand.length, 7, 'one user, one event, three pushes, one email, one SMS');
}
