import type { INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { present } from '../support/endpoints';
import type { Order } from '../support/engine';
import { push } from '../support/mistakes';
import { hintsOf, inShort, useNode } from '../support/node';
import * as order from '../support/orders';

freezeClock(present);
const node = useNode();

const recipient = {
	...{ testRecipient: true, testUserId: 'me-1' },
	...{ testEmail: 'me@example.com', testMobile: '+4915112345678' },
};
const manual = (fields: object = recipient) => ({
	mode: 'manual' as const,
	credential: { ...node.credential, ...fields },
});
const tested = (parameters: INodeParameters) => ({ ...parameters, testRuns: 'testRecipient' });

async function byHand(parameters: INodeParameters, rest: Partial<Order> = {}) {
	return await node.run(tested(parameters), { ...manual(), ...rest });
}

const arrivals = () => node.sandbox.record.map(({ path, body }) => [path, body]);
const paths = () => node.sandbox.record.map(({ path }) => path);

// Typed by hand from spec §4.
const now = { schedule_date: 20270304, schedule_time: 1506 };
const { notification, emailCampaign, smsCampaign } = order;
const toMe = { user_id: 'me-1', ...notification };
const email = ['/api/v1/sendMessage', { email: 'me@example.com', ...emailCampaign, ...now }];
const sms = ['/api/v1/sendMessage', { mobile: '+4915112345678', ...smsCampaign, ...now }];
const onWeb = ['/api/v1/web/send', toMe];

describe('A run by hand with When Run by Hand set to Send a Test to Me', () => {
	it.each([
		[order.pushToAll, onWeb],
		[order.emailToAll, email],
		[order.smsToAll, sms],
		[order.smsSend, sms],
	])('sends a message to the test recipient alone (case %#)', async (parameters, arrival) => {
		const { output, error } = await byHand(parameters);

		expect(error).toBeUndefined();
		expect(arrivals()).toEqual([arrival]);
		const { resource } = parameters;
		const to = Object.fromEntries(Object.entries(arrival[1] ?? {}).slice(0, 1));
		expect(output.map(({ json }) => json)).toMatchObject([
			{ outcome: 'accepted', resource, operation: 'send', ...to, test: true },
		]);
	});

	it('sends the first item on each platform, previews the others, and says so', async () => {
		const parameters = push({ platforms: ['web', 'ios'], user_id: '={{ $json.id }}' });
		const rows = ['C-1', 'C-2', 'C-3'].map((id) => ({ id }));
		const { output, hints } = await byHand(parameters, { rows });

		expect(arrivals()).toEqual([onWeb, ['/api/v1/ios/send', toMe]]);
		const outcomes = output.map(({ json, binary }) => [json.outcome, json.platform, !!binary]);
		const previews = ['web', 'ios'].map((platform) => ['preview', platform, true]);
		const accepted = previews.map(([, platform]) => ['accepted', platform, false]);
		expect(outcomes).toEqual([...accepted, ...previews, ...previews]);
		const said = hintsOf({ hints }).join('\n');
		expect(said).toContain(
			'Test sent to me-1 on web, ios. Nobody else got it; other messages are only previewed.',
		);
		expect(said).toContain('A test is sent at once, without fields that could reach others.');
	});

	it('leaves out what could reach others, and sends at once', async () => {
		const report = await byHand({
			...{ ...order.emailToSegment, sendAt: 'at', scheduledFor: '2027-04-01T09:00:00Z' },
			scheduleTimezone: 'Europe/Berlin',
			additionalFields: { ...order.emailExtras, extraBodyFields: { user_id: 'C-9', channel: 'x' } },
		});

		const { email_cc: _, ...kept } = order.emailExtras;
		const body = { email: 'me@example.com', ...emailCampaign, ...kept, ...now };
		expect(arrivals()).toEqual([['/api/v1/sendMessage', body]]);
		expect(report.output[0]?.json.test).toBe(true);

		node.sandbox.reset();
		await byHand({
			...{ ...order.pushToAll, platforms: ['android', 'ios'], sendAt: 'delay', time: 90 },
			additionalFields: { ...order.appearance, ...order.devices },
		});
		const { tag, ...everywhere } = order.everywhere;
		const ofApps = ['/api/v1/android/send', '/api/v1/ios/send'];
		expect(arrivals()).toEqual(ofApps.map((path) => [path, { ...toMe, ...everywhere }]));
	});
});

const open = (label: string) =>
	`Open the credential, switch on Test Recipient and fill in ${label}`;

const unusable = 'Test Mobile in the credential cannot be used: ';

it.each([
	['push', order.pushToAll, { testRecipient: true, testEmail: 'a@b.c' }, open('Test User ID')],
	['email', order.emailToAll, {}, open('Test Email')],
	['SMS', order.smsToAll, { ...recipient, testRecipient: false }, open('Test Mobile')],
	['SMS to no number', order.smsToAll, { ...recipient, testMobile: 'my phone' }, unusable],
])('A test of %s without a test recipient says where to enter one', async (...one) => {
	const [, parameters, fields, why] = one;
	const { error } = await byHand(parameters, manual(fields));
	expect(error?.message).toContain(why);
	expect(arrivals()).toEqual([]);
});

test('A message to one person is only previewed by hand if When Run by Hand says so', async () => {
	const report = await node.run(push({ testRuns: 'preview' }), { mode: 'manual' });
	expect(arrivals()).toEqual([]);
	expect(report.output.map(({ json }) => json.outcome)).toEqual(['preview']);
	expect(hintsOf(report)).toContain(
		"Nothing was sent: this is a preview. To send, set 'When Run by Hand' to Send, and execute it again.",
	);
});

test('A refused test says that it is the test that failed', async () => {
	node.sandbox.faults.add({ kind: 'status', status: 400 });
	const stopped = await byHand(order.pushToAll);
	expect(stopped.error?.message).toMatch(/^Test message: The service refused the request \(400\)/);

	const { failed, hints } = await byHand(order.pushToAll, { onError: 'continueErrorOutput' });
	expect(failed[0]?.json.error).toMatch(/^Test message: The service refused the request /);
	expect(failed[0]?.json.details).toMatchObject({ outcome: 'rejected', operation: 'send' });
	expect(hintsOf({ hints }).slice(0, 2)).toEqual([
		'0 accepted, 1 not sent: refused by the service (1). What failed left by the error output.',
		expect.stringContaining('was not accepted everywhere'),
	]);
});

test('A test is sent once in an execution with a loop', async () => {
	const parameters = { ...order.pushToAll, maxBroadcasts: 9 };
	const { runs } = await byHand(parameters, { rows: [{}, {}, {}], rowsPerRun: 1 });
	expect(arrivals()).toEqual([onWeb]);
	expect(runs.map(inShort)).toEqual(['1 accepted', '1 preview', '1 preview']);
	expect(runs[1]?.hints[0]?.message).toContain('has sent its test message already');
});

test('A test of which one platform failed is sent once if it is retried, which sends no broadcast', async () => {
	node.sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' }, first: 1 });
	const parameters = tested({ ...order.pushToAll, platforms: ['web', 'ios'] });
	const first = await node.start({ parameters, ...manual() });
	expect(first.error).toBeDefined();
	expect((await node.retry(first)).error).toBeUndefined();
	expect(paths()).toEqual(['/api/v1/web/send', '/api/v1/ios/send', '/api/v1/ios/send']);
});

test('Send Once neither skips a test nor takes it for the real message', async () => {
	const once = { ...order.pushToAll, sendOnce: true, sendOnceKey: 'spring' };
	const byTrigger = () => byHand(once, { mode: 'trigger' });
	const reports = [await byHand(once), await byTrigger(), await byTrigger(), await byHand(once)];

	const test = '/api/v1/web/send';
	expect(paths()).toEqual([test, '/api/v1/web/broadcast/all', test]);
	const told = reports.map(({ output: [item] }) => [item?.json.outcome, item?.json.operation]);
	const words = 'accepted send accepted broadcastAll skipped broadcastAll accepted send';
	expect(told.flat()).toEqual(words.split(' '));
});
