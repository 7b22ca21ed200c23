import type { INodeParameters } from 'n8n-workflow';
import { each, useAttempts, wordsOf } from '../support/attempts';
import { type Order } from '../support/engine';
import { ExecutionList } from '../support/executionList';
import { emailCampaign } from '../support/orders';
import { accountOf, idOf, listedAs, pause, push, rowsOf, toldBy } from '../support/sends';

// Executions in a row, with real waits between them.
jest.setTimeout(60_000);

const use = useAttempts();

const orderOf = (rowCount: number, more: Partial<Order> = {}): Order => ({
	parameters: push({ concurrency: 1 }),
	rows: rowsOf(rowCount),
	credential: accountOf(use().sandbox),
	...more,
});
const refuseOnce = (row: number) => use().refuseOnce(idOf(row));

describe('Retries from the list of executions', () => {
	test('reach nobody twice when the first execution is retried again after its retry', async () => {
		refuseOnce(4);
		const first = await use().list.start(orderOf(12));
		refuseOnce(8);
		const second = await use().list.retry(first);
		expect(use().acceptedRows(12)).toEqual([...each(1, 8), ...each(0, 4)]);
		expect(second.error?.message).toContain('item 8');

		const third = await use().list.retry(first);
		expect(use().acceptedRows(12)).toEqual(each(1, 12));
		expect(third.error).toBeUndefined();
		expect(toldBy(third).map(({ outcome }) => outcome)).toEqual(each('accepted', 12));
		expect(toldBy(third).map(({ details }) => details.sentBefore ?? false)).toEqual([
			...each(true, 8),
			...each(false, 4),
		]);

		await use().list.retry(second);
		await use().list.retry(first);
		expect(use().acceptedRows(12)).toEqual(each(1, 12));
	});

	test('reach nobody twice when the first execution had sent nothing because of a bad row', async () => {
		const first = await use().list.start(orderOf(4, { rows: [...rowsOf(4), { id: '' }] }));
		expect(first.error?.message).toBe(
			'Nothing was sent: User ID is empty. {{ $json.id }} gives nothing. Fill it in, or choose another column. Columns: id (item 4)',
		);
		// As with the currently saved workflow, in which the row is no longer bad.
		const fixed = {
			parameters: { ...push({ concurrency: 1 }), user_id: '={{ $json.id || "someone" }}' },
		};
		refuseOnce(2);
		const second = await use().list.retry(first, fixed);
		expect(use().acceptedRows(4)).toEqual([1, 1, 0, 0]);
		expect(second.error?.message).toContain('item 2');
		expect((await use().list.retry(first, fixed)).error).toBeUndefined();
		expect(use().acceptedRows(4)).toEqual(each(1, 4));
	});

	test('send nothing where n8n had run the execution again after its worker was killed', async () => {
		const order = orderOf(4);
		await use().killAfter(1, async (course) => await use().list.start({ ...order, ...course }));
		const sent = use().sandbox.record.length;
		expect(sent).toBeLessThan(4);
		// n8n starts it from its trigger, with the same ID.
		use().list = new ExecutionList();
		const again = await use().list.start(order);
		expect(again.error?.message).toMatch(
			/^Nothing more was sent: n8n runs this execution a second time/,
		);
		const retried = await use().list.retry(again);
		expect(retried.error?.message).toContain('was interrupted');
		expect(use().sandbox.record).toHaveLength(sent);
	});

	test('send nothing if n8n does not say what the first execution was, as after a crash', async () => {
		const first = await use().list.start(orderOf(3, { mode: 'retry' }));
		expect(first.error?.message).toContain('start the workflow from its trigger');
		expect(use().sandbox.record).toEqual([]);
	});

	test('do not call refused what may have been delivered before', async () => {
		use().sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText: idOf(1) }, first: 1 });
		const first = await use().list.start(orderOf(3));
		use().sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { bodyText: idOf(1) },
			first: 1,
		});
		const second = await use().list.retry(first, {
			parameters: push({ concurrency: 1, retryUnknown: true }),
		});
		expect(listedAs('May have been delivered', second.error)).toEqual([1]);
		expect(listedAs('Refused', second.error)).toEqual([]);
		expect(use().acceptedRows(3)).toEqual([1, 1, 0]);
	});

	test('do not take an email for the SMS that the workflow now sends', async () => {
		const toEmail: INodeParameters = {
			resource: 'email',
			operation: 'send',
			recipientBy: 'user_id',
			user_id: '={{ $json.id }}',
			sendAt: 'now',
			senderFrom: 'define',
			...emailCampaign,
		};
		const toSms: INodeParameters = {
			resource: 'sms',
			operation: 'send',
			recipientBy: 'user_id',
			user_id: '={{ $json.id }}',
			sendAt: 'now',
			senderFrom: 'define',
			sender_name: 'Acme',
			campaign_name: 'Spring sale',
			sender_mobile: '+4915112345678',
			message: 'Hello',
			serviceproviderID: 7,
		};
		refuseOnce(2);
		const first = await use().list.start(
			orderOf(3, { parameters: { ...toEmail, options: { concurrency: 1 } } }),
		);
		expect(use().sandbox.accepted()).toHaveLength(2);
		const second = await use().list.retry(first, { parameters: toSms });
		expect(second.error).toBeUndefined();
		expect(
			use()
				.sandbox.accepted()
				.filter(({ body }) => 'sender_mobile' in (body as object)),
		).toHaveLength(3);
	});

	test('send nothing, and say why, where the node was cut and pasted meanwhile', async () => {
		refuseOnce(4);
		const first = await use().list.start(orderOf(12));
		refuseOnce(8);
		await use().list.retry(first);
		const pasted = await use().list.retry(first, { nodeId: 'pasted' });
		expect(pasted.error?.message).toMatch(/^Nothing more was sent: .*node/);
		expect(use().acceptedRows(12)).toEqual([...each(1, 8), ...each(0, 4)]);
		// With the node as it was, the retry sends what is missing.
		expect((await use().list.retry(first)).error).toBeUndefined();
		expect(use().acceptedRows(12)).toEqual(each(1, 12));
	});
});

describe('A first attempt', () => {
	test('waits while another process reads and writes the store', async () => {
		await use().store.addToWorkflow(['lock 1'], 'lock');
		const first = use().list.start(orderOf(3));
		await pause(300);
		expect(use().sandbox.record).toEqual([]);
		await use().store.clear('workflow');
		expect((await first).error).toBeUndefined();
		expect(use().acceptedRows(3)).toEqual([1, 1, 1]);
		expect(use().store.namesOfWorkflow).toEqual([]);
	});
});

describe('A row that cannot be sent any more', () => {
	test('keeps its outcome where the credential no longer works, and the message says so', async () => {
		refuseOnce(2);
		const first = await use().list.start(orderOf(4));
		const broken = { ...accountOf(use().sandbox), pushUrl: 'ftp://push.example.com' };
		const second = await use().list.retry(first, { credential: broken });
		expect(second.error?.message).toMatch(/^Nothing more was sent: /);
		expect(second.error?.description).toContain('Accepted: 2 of 2');

		const onward = await use().list.retry(first, {
			credential: broken,
			onError: 'continueRegularOutput',
		});
		expect(toldBy(onward).map(({ outcome }) => outcome)).toEqual([
			'accepted',
			'accepted',
			'invalid',
			'invalid',
		]);
	});

	test('keeps its outcome where its time has passed, and does not stop the others', async () => {
		const parameters: INodeParameters = {
			...push({ concurrency: 1 }),
			sendAt: 'at',
			scheduledFor: '={{ $json.at }}',
			scheduleTimezone: 'UTC',
		};
		const soon = new Date(Date.now() + 3_000).toISOString();
		const later = new Date(Date.now() + 3_600_000).toISOString();
		const rows = rowsOf(3).map((row, index) => ({ ...row, at: index === 0 ? soon : later }));
		refuseOnce(1);
		const first = await use().list.start(orderOf(3, { parameters, rows }));
		expect(use().acceptedRows(3)).toEqual([1, 0, 0]);
		await new Promise((resolve) => setTimeout(resolve, Date.parse(soon) - Date.now() + 1_100));
		const second = await use().list.retry(first);
		expect(second.error).toBeUndefined();
		expect(use().acceptedRows(3)).toEqual([1, 1, 1]);
	});
});

describe('A retry of a run that was started by hand', () => {
	const toAll: INodeParameters = {
		...push(),
		operation: 'broadcastAll',
		platforms: ['web', 'android', 'ios'],
	};

	test('only shows a broadcast, whatever mode n8n reports', async () => {
		use().list.sourceFails = true;
		const first = await use().list.start(orderOf(1, { parameters: toAll, mode: 'manual' }));
		use().list.sourceFails = false;
		const second = await use().list.retry(first);
		expect(toldBy(second).map(({ outcome }) => outcome)).toEqual(['preview', 'preview', 'preview']);
		expect(second.hints.map(({ message }) => message)).toEqual(
			expect.arrayContaining([expect.stringMatching(/^Nothing was sent/)]),
		);
		expect(use().sandbox.record).toEqual([]);
	});
});

test('What stops a workflow names items in their order, also one that an earlier attempt sent', async () => {
	const fails = (row: number) => use().refuseOnce(idOf(row), 503);
	const parameters = { ...push({ concurrency: 1 }), message: '={{ $json.text }}' };
	const rows = rowsOf(52).map((row, index) => ({ ...row, text: index === 50 ? '' : 'There' }));
	fails(50);
	const first = await use().failBefore(use().order(parameters, rows));
	await use().list.retry(first, { rows: [{ id: idOf(50), text: 'There' }] });
	fails(3);
	const second = await use().list.retry(first, { rows });
	expect(wordsOf(second)).toContain('May have been delivered: 2, items 3 (u000003), 50');
});
