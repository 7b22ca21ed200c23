import type { INodeParameters } from 'n8n-workflow';

import { present } from '../support/endpoints';
import type { Order, Report } from '../support/engine';
import { ExecutionList } from '../support/executionList';
import { executeInLoop } from '../support/loop';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { freezeClock, keyCredential, run, useSandbox } from '../support/service';

freezeClock(present);
const sandbox = useSandbox();
// With the clock stopped, executions of different tests begin at the same time.
beforeEach(() => void useNewStore());

const recipient = {
	testRecipient: true,
	testUserId: 'me-1',
	testEmail: 'me@example.com',
	testMobile: '+4915112345678',
};
const credentialOf = (fields: object = recipient) => ({ ...keyCredential(sandbox()), ...fields });
const now = { schedule_date: 20270304, schedule_time: 1506 };
const tested = (parameters: INodeParameters) => ({ ...parameters, testRuns: 'testRecipient' });

async function byHand(parameters: INodeParameters, rest: Partial<Order> = {}): Promise<Report> {
	return await run(sandbox(), tested(parameters), {
		mode: 'manual',
		credential: credentialOf(),
		...rest,
	});
}

const arrivals = () => sandbox().record.map(({ path, body }) => [path, body]);
const hintsOf = ({ hints }: Report) => hints.map(({ message }) => message).join('\n');

// Typed by hand from spec §4.
const { notification, emailCampaign, smsCampaign } = order;
const email = [
	'/api/v1/sendMessage',
	{ email: 'me@example.com', ...emailCampaign, ...now },
] as const;
const sms = ['/api/v1/sendMessage', { mobile: '+4915112345678', ...smsCampaign, ...now }] as const;
const push = ['/api/v1/web/send', { user_id: 'me-1', ...notification }] as const;

describe('A run by hand with When Run by Hand set to Send a Test to Me', () => {
	it.each([
		['a push to everyone', order.pushToAll, push, 'everyone'],
		['a push to a segment', order.pushToSegment, push, 'segment 42'],
		['a push to one user', order.pushSend, push, 'User ID C-1'],
		['an email campaign', order.emailBroadcast, email, 'segment 42'],
		['an email to everyone', order.emailToAll, email, 'everyone'],
		['an email to a segment', order.emailToSegment, email, 'segment 42'],
		['an email to one person', order.emailSend, email, 'Email ravi@example.com'],
		['an SMS campaign', order.smsBroadcast, sms, 'segment 42'],
		['an SMS to everyone', order.smsToAll, sms, 'everyone, with segment 42'],
		['an SMS to a segment', order.smsToSegment, sms, 'segment 42'],
		['an SMS to one person', order.smsSend, sms, 'Mobile +919812345679'],
	])('sends %s to the test recipient alone', async (_, parameters, [path, body], whom) => {
		const { output, error } = await byHand(parameters);

		expect(error).toBeUndefined();
		expect(arrivals()).toEqual([[path, body]]);
		const [key = '', value] = Object.entries(body)[0] ?? [];
		expect(output.map(({ json }) => json)).toMatchObject([
			{
				outcome: 'accepted',
				resource: parameters.resource,
				operation: 'send',
				[key]: value,
				test: {
					changes: expect.arrayContaining([
						`Sent to the test recipient instead of ${whom}`,
					]) as string[],
				},
			},
		]);
	});

	it('sends the first item on each platform, previews the others, and says so', async () => {
		const report = await byHand(
			{ ...order.pushSend, platforms: ['web', 'ios'], user_id: '={{ $json.id }}' },
			{ rows: [{ id: 'C-1' }, { id: 'C-2' }, { id: 'C-3' }] },
		);

		expect(arrivals()).toEqual([
			['/api/v1/web/send', { user_id: 'me-1', ...notification }],
			['/api/v1/ios/send', { user_id: 'me-1', ...notification }],
		]);
		expect(
			report.output.map(({ json, binary }) => [
				json.outcome,
				json.platform,
				Object.keys(binary ?? {}),
			]),
		).toEqual([
			['accepted', 'web', []],
			['accepted', 'ios', []],
			['preview', 'web', ['preview']],
			['preview', 'ios', ['preview']],
			['preview', 'web', ['preview']],
			['preview', 'ios', ['preview']],
		]);
		expect(hintsOf(report)).toContain(
			'Test sent to me-1 on web, ios. Nobody else got it: the other messages are only previewed.',
		);
		expect(hintsOf(report)).toContain('Sent to the test recipient instead of User ID C-1.');
	});

	it('leaves out what could reach others, sends at once, and says what differs', async () => {
		const report = await byHand({
			...order.emailToSegment,
			additionalFields: { ...order.emailExtras, extraBodyFields: { user_id: 'C-9', channel: 'x' } },
			sendAt: 'at',
			scheduledFor: '2027-04-01T09:00:00Z',
			scheduleTimezone: 'Europe/Berlin',
		});

		const { email_cc: _, ...kept } = order.emailExtras;
		expect(arrivals()).toEqual([
			['/api/v1/sendMessage', { email: 'me@example.com', ...emailCampaign, ...kept, ...now }],
		]);
		expect(report.output[0]?.json.test).toEqual({
			changes: [
				'Sent to the test recipient instead of segment 42',
				'Sent now instead of Thu 1 Apr, 11:00',
			],
		});
		expect(hintsOf(report)).toContain('Sent now instead of Thu 1 Apr, 11:00.');
	});

	it('leaves out the devices and tags of a push', async () => {
		await byHand({
			...order.pushToAll,
			platforms: ['android', 'ios'],
			additionalFields: { ...order.appearance, ...order.devices },
			sendAt: 'delay',
			time: 90,
		});
		const { tag: _, ...kept } = order.appearance;
		const body = { user_id: 'me-1', ...notification, ...kept };
		expect(arrivals()).toEqual([
			['/api/v1/android/send', body],
			['/api/v1/ios/send', body],
		]);
	});
});

describe('Without a test recipient in the credential', () => {
	it.each([
		['push', order.pushToAll, { testRecipient: true, testEmail: 'me@example.com' }, 'Test User ID'],
		['email', order.emailToAll, {}, 'Test Email'],
		['SMS', order.smsToAll, { ...recipient, testRecipient: false }, 'Test Mobile'],
	])(
		'a test of %s is refused and says where to enter one',
		async (_, parameters, fields, label) => {
			const { error } = await byHand(parameters, { credential: credentialOf(fields) });
			expect(error?.message).toContain(
				`Open the credential, switch on Test Recipient and fill in ${label}`,
			);
			expect(arrivals()).toEqual([]);
		},
	);

	it('a test recipient that cannot be used is refused by its label', async () => {
		const { error } = await byHand(order.smsToAll, {
			credential: credentialOf({ ...recipient, testMobile: 'my phone' }),
		});
		expect(error?.message).toMatch(/Test Mobile in the credential cannot be used: /);
		expect(arrivals()).toEqual([]);
	});
});

test('A run by its trigger sends the real message, whatever When Run by Hand says', async () => {
	await byHand(order.pushToAll, { mode: 'trigger' });
	expect(arrivals()).toEqual([['/api/v1/web/broadcast/all', notification]]);
});

test('A message to one person is only previewed by hand if When Run by Hand says so', async () => {
	const report = await run(
		sandbox(),
		{ ...order.pushSend, testRuns: 'preview' },
		{ mode: 'manual' },
	);
	expect(arrivals()).toEqual([]);
	expect(report.output.map(({ json }) => json.outcome)).toEqual(['preview']);
	expect(hintsOf(report)).toContain(
		"Nothing was sent: this is a preview. To send, set 'When Run by Hand' to Send, and execute it again.",
	);
});

test('A refused test says that it is the test that failed', async () => {
	sandbox().faults.add({ kind: 'status', status: 400 });
	const stopped = await byHand(order.pushToAll);
	expect(stopped.error?.message).toMatch(/^The service refused the test message \(400\): /);

	const { failed, hints } = await byHand(order.pushToAll, { onError: 'continueErrorOutput' });
	expect(failed[0]?.json.error).toMatch(/^The service refused the test message /);
	expect(failed[0]?.json.details).toMatchObject({ outcome: 'rejected', operation: 'send' });
	expect(hints[0]?.message).toBe(
		'0 accepted, 1 not sent: refused by the service (1). They left by the error output.',
	);
	expect(hints[1]?.message).toContain('was not accepted everywhere');
});

describe('A test is sent once', () => {
	it('in an execution with a loop', async () => {
		const { runs } = await executeInLoop({
			parameters: tested({ ...order.pushToAll, maxBroadcasts: 9 }),
			rows: [{}, {}, {}],
			rowsPerRun: 1,
			credential: credentialOf(),
			mode: 'manual',
		});
		expect(arrivals()).toEqual([push]);
		expect(runs.map(({ data }) => data?.main?.[0]?.[0]?.json.outcome)).toEqual([
			'accepted',
			'preview',
			'preview',
		]);
		expect(runs[1]?.hints?.[0]?.message).toContain('has sent its test message already');
	});

	it('when its execution is retried, which sends no broadcast', async () => {
		const list = new ExecutionList();
		sandbox().faults.add({ kind: 'status', status: 400, match: { platform: 'ios' }, first: 1 });
		const first = await list.start({
			parameters: tested({ ...order.pushToAll, platforms: ['web', 'ios'] }),
			credential: credentialOf(),
			mode: 'manual',
		});
		expect(first.error).toBeDefined();
		const second = await list.retry(first);
		expect(second.error).toBeUndefined();
		expect(sandbox().record.map(({ path }) => path)).toEqual([
			'/api/v1/web/send',
			'/api/v1/ios/send',
			'/api/v1/ios/send',
		]);
	});
});

test('A retry that sends for real after a failed test sends every broadcast', async () => {
	const list = new ExecutionList();
	sandbox().faults.add({ kind: 'status', status: 400, match: { platform: 'ios' }, first: 1 });
	const platforms = ['web', 'ios'];
	const first = await list.start({
		parameters: tested({ ...order.pushToAll, platforms }),
		credential: credentialOf(),
		mode: 'manual',
	});
	sandbox().reset();
	const second = await list.retry(first, {
		parameters: { ...order.pushToAll, platforms, testRuns: 'send' },
	});
	expect(sandbox().record.map(({ path }) => path)).toEqual([
		'/api/v1/web/broadcast/all',
		'/api/v1/ios/broadcast/all',
	]);
	expect(second.output.map(({ json }) => [json.outcome, json.sentBefore])).toEqual([
		['accepted', undefined],
		['accepted', undefined],
	]);
});

test('Send Once neither skips a test nor takes it for the real message', async () => {
	const once = { ...order.pushToAll, sendOnce: true, sendOnceKey: 'spring' };
	const byTrigger = () => run(sandbox(), once, { mode: 'trigger', credential: credentialOf() });

	await byHand(once);
	const real = await byTrigger();
	const again = await byTrigger();
	const { output } = await byHand(once);

	expect(arrivals().map(([path]) => path)).toEqual([
		'/api/v1/web/send',
		'/api/v1/web/broadcast/all',
		'/api/v1/web/send',
	]);
	expect(real.output[0]?.json.outcome).toBe('accepted');
	expect(again.output[0]?.json.outcome).toBe('skipped');
	expect(output[0]?.json).toMatchObject({ outcome: 'accepted', operation: 'send' });
});
