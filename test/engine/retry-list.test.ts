import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { type Order, untilNodeEnds } from './support/engine';
import { ExecutionList } from './support/executionList';
import { type MemoryStore, useNewStore } from './support/memoryStore';
import { emailCampaign } from './support/orders';
import {
	accountOf,
	arrivalsByPush,
	idOf,
	listedAs,
	pause,
	push,
	roomySandbox,
	rowsOf,
	toldBy,
	untilQuiet,
} from './support/sends';

// Executions in a row, with real waits between them.
jest.setTimeout(60_000);

let sandbox: Sandbox;
let store: MemoryStore;
let list: ExecutionList;
beforeEach(async () => {
	sandbox = await roomySandbox();
	store = useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

const orderOf = (rowCount: number, more: Partial<Order> = {}): Order => ({
	parameters: push({ concurrency: 1 }),
	rows: rowsOf(rowCount),
	credential: accountOf(sandbox),
	...more,
});
const refuseOnce = (row: number) =>
	sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(row) }, first: 1 });
/** How often the service accepted a push for each row. */
const accepted = (rowCount: number) =>
	rowsOf(rowCount).map(
		({ id }) =>
			(arrivalsByPush(sandbox.record).get(`web ${id}`) ?? []).filter((one) => one.accepted).length,
	);
const times = (count: number, rows: number) => Array.from({ length: rows }, () => count);

describe('Retries from the list of executions', () => {
	test('reach nobody twice when the first execution is retried again after its retry', async () => {
		refuseOnce(4);
		const first = await list.start(orderOf(12));
		refuseOnce(8);
		const second = await list.retry(first);
		expect(accepted(12)).toEqual([...times(1, 8), ...times(0, 4)]);
		expect(second.error?.message).toContain('item 8');

		const third = await list.retry(first);
		expect(accepted(12)).toEqual(times(1, 12));
		expect(third.error).toBeUndefined();
		expect(toldBy(third).map(({ outcome }) => outcome)).toEqual(times(1, 12).map(() => 'accepted'));
		expect(toldBy(third).map(({ details }) => details.sentBefore ?? false)).toEqual([
			...times(1, 8).map(() => true),
			...times(1, 4).map(() => false),
		]);

		await list.retry(second);
		await list.retry(first);
		expect(accepted(12)).toEqual(times(1, 12));
	});

	test('name only rows that no other retry has sent, also when they end early', async () => {
		refuseOnce(2);
		const first = await list.start(orderOf(35));
		sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText: idOf(2) }, first: 1 });
		const second = await list.retry(first);
		sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(33) } });
		const third = await list.retry(second);
		expect(listedAs('Not sent', third.error)).toEqual([34]);

		refuseOnce(2);
		const retryUnknown = { parameters: push({ concurrency: 1, retryUnknown: true }) };
		const fourth = await list.retry(first, retryUnknown);
		expect(fourth.error?.message).toContain('item 2');
		expect(listedAs('Not sent', fourth.error)).toEqual([33, 34]);
		expect(accepted(35)).toEqual([...times(1, 33), 0, 0]);
	});

	test('reach nobody twice when the first execution failed before the node', async () => {
		list.sourceFails = true;
		const first = await list.start(orderOf(6));
		expect(first.error?.message).toContain('The source is not available');
		list.sourceFails = false;
		refuseOnce(3);
		const second = await list.retry(first);
		expect(second.error?.message).toContain('item 3');
		expect(accepted(6)).toEqual([1, 1, 1, 0, 0, 0]);
		const third = await list.retry(first);
		expect(third.error).toBeUndefined();
		await list.retry(second);
		expect(accepted(6)).toEqual(times(1, 6));
	});

	test('send what is missing where the rows have changed since another retry', async () => {
		list.sourceFails = true;
		const first = await list.start(orderOf(6));
		list.sourceFails = false;
		refuseOnce(3);
		await list.retry(first);
		expect(accepted(6)).toEqual([1, 1, 1, 0, 0, 0]);
		refuseOnce(4);
		const rows = [{ id: 'new' }, ...rowsOf(6)];
		const changed = await list.retry(first, { rows });
		expect(changed.error?.message).toContain('item 5');
		expect(accepted(6)).toEqual([1, 1, 1, 1, 0, 0]);
		expect((await list.retry(changed)).error).toBeUndefined();
		expect(accepted(6)).toEqual(times(1, 6));
		expect(sandbox.accepted()).toHaveLength(7);
	});

	test('reach nobody twice when the first execution had sent nothing because of a bad row', async () => {
		const first = await list.start(orderOf(4, { rows: [...rowsOf(4), { id: '' }] }));
		expect(first.error?.message).toBe('Nothing was sent: User ID is empty. Fill it in (item 4)');
		// As with the currently saved workflow, in which the row is no longer bad.
		const fixed = {
			parameters: { ...push({ concurrency: 1 }), user_id: '={{ $json.id || "someone" }}' },
		};
		refuseOnce(2);
		const second = await list.retry(first, fixed);
		expect(accepted(4)).toEqual([1, 1, 0, 0]);
		expect(second.error?.message).toContain('item 2');
		expect((await list.retry(first, fixed)).error).toBeUndefined();
		expect(accepted(4)).toEqual(times(1, 4));
	});

	test('send nothing where n8n had run the execution again after its worker was killed', async () => {
		const order = orderOf(4);
		let stop = () => {};
		const unsubscribe = sandbox.subscribe(() => {
			store.isCrashed = true;
			stop();
		});
		await list.start({ ...order, started: (press) => (stop = press) });
		await untilNodeEnds();
		await untilQuiet(sandbox);
		unsubscribe();
		store.isCrashed = false;
		const sent = sandbox.record.length;
		expect(sent).toBeLessThan(4);
		// n8n starts it from its trigger, with the same ID.
		list = new ExecutionList();
		const again = await list.start(order);
		expect(again.error?.message).toMatch(
			/^Nothing more was sent: n8n runs this execution a second time/,
		);
		const retried = await list.retry(again);
		expect(retried.error?.message).toContain('was interrupted');
		expect(sandbox.record).toHaveLength(sent);
	});

	test('send nothing if n8n does not say what the first execution was, as after a crash', async () => {
		const first = await list.start(orderOf(3, { mode: 'retry' }));
		expect(first.error?.message).toContain('start the workflow from its trigger');
		expect(sandbox.record).toEqual([]);
	});

	test('continue after a retry was killed, and call unknown what was in flight', async () => {
		refuseOnce(2);
		const first = await list.start(orderOf(8));
		let stop = () => {};
		const unsubscribe = sandbox.subscribe(() => {
			// Rows 0 and 1 were accepted and 2 refused before; now 2 and 3 have arrived.
			if (sandbox.record.length < 5) return;
			store.isCrashed = true;
			stop();
		});
		await list.retry(first, { started: (press) => (stop = press) });
		unsubscribe();
		store.isCrashed = false;
		const arrived = accepted(8);

		const third = await list.retry(first);
		expect(Math.max(...accepted(8))).toBe(1);
		const told = toldBy(third).map(({ outcome }) => outcome);
		expect(third.error?.message ?? '').toContain('may or may not have been delivered');
		expect(told).toEqual([]);
		const doubtful = listedAs('May have been delivered', third.error);
		for (const [row, count] of arrived.entries()) {
			// Whatever is not in doubt has been sent by now.
			expect([row, accepted(8)[row]]).toEqual([row, doubtful.includes(row) ? count : 1]);
		}
	});

	test('send what was never sent although a row before it is unknown', async () => {
		sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText: idOf(3) }, first: 1 });
		const first = await list.start(orderOf(8));
		expect(accepted(8)).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
		const second = await list.retry(first);
		expect(accepted(8)).toEqual(times(1, 8));
		expect(listedAs('May have been delivered', second.error)).toEqual([3]);
		expect(second.error?.message).toContain('7 accepted, 1 may have been delivered');

		const retryUnknown = { parameters: push({ concurrency: 1, retryUnknown: true }) };
		const third = await list.retry(second, retryUnknown);
		expect(third.error).toBeUndefined();
		expect(accepted(8)).toEqual([1, 1, 1, 2, 1, 1, 1, 1]);
	});

	test('do not call refused what may have been delivered before', async () => {
		sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText: idOf(1) }, first: 1 });
		const first = await list.start(orderOf(3));
		sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: idOf(1) }, first: 1 });
		const second = await list.retry(first, {
			parameters: push({ concurrency: 1, retryUnknown: true }),
		});
		expect(listedAs('May have been delivered', second.error)).toEqual([1]);
		expect(listedAs('Refused', second.error)).toEqual([]);
		expect(accepted(3)).toEqual([1, 1, 0]);
	});

	test('name what failed now before what was unknown already', async () => {
		sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText: idOf(1) }, first: 1 });
		const first = await list.start(orderOf(5));
		refuseOnce(4);
		const second = await list.retry(first);
		expect(second.error?.message).toContain(
			'(item 4, u000004 on web). 3 accepted, 1 not sent: refused by the service (1), 1 may have been delivered',
		);
		expect(listedAs('May have been delivered', second.error)).toEqual([1]);
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
		const first = await list.start(
			orderOf(3, { parameters: { ...toEmail, options: { concurrency: 1 } } }),
		);
		expect(sandbox.accepted()).toHaveLength(2);
		const second = await list.retry(first, { parameters: toSms });
		expect(second.error).toBeUndefined();
		expect(
			sandbox.accepted().filter(({ body }) => 'sender_mobile' in (body as object)),
		).toHaveLength(3);
	});

	test('send nothing where n8n cannot store that something is about to be sent', async () => {
		refuseOnce(2);
		const first = await list.start(orderOf(4));
		const before = sandbox.record.length;
		store.failure = new Error('SQLITE_BUSY: database is locked');
		const second = await list.retry(first);
		expect(second.error?.message).toContain('database is locked');
		expect(sandbox.record).toHaveLength(before);
		delete store.failure;
		expect((await list.retry(first)).error).toBeUndefined();
		expect(accepted(4)).toEqual(times(1, 4));
	});
});

describe('A first attempt', () => {
	test('waits while another process reads and writes the store', async () => {
		await store.addToWorkflow(['lock 1'], 'lock');
		const first = list.start(orderOf(3));
		await pause(300);
		expect(sandbox.record).toEqual([]);
		await store.clear('workflow');
		expect((await first).error).toBeUndefined();
		expect(accepted(3)).toEqual([1, 1, 1]);
		expect(store.namesOfWorkflow).toEqual([]);
	});
});

describe('A row that cannot be sent any more', () => {
	test('keeps its outcome where the credential no longer works, and the message says so', async () => {
		refuseOnce(2);
		const first = await list.start(orderOf(4));
		const broken = { ...accountOf(sandbox), pushUrl: 'ftp://push.example.com' };
		const second = await list.retry(first, { credential: broken });
		expect(second.error?.message).toMatch(/^Nothing more was sent: /);
		expect(second.error?.description).toContain('Accepted: 2 of 2');

		const onward = await list.retry(first, {
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
		const first = await list.start(orderOf(3, { parameters, rows }));
		expect(accepted(3)).toEqual([1, 0, 0]);
		await new Promise((resolve) => setTimeout(resolve, Date.parse(soon) - Date.now() + 1_100));
		const second = await list.retry(first);
		expect(second.error).toBeUndefined();
		expect(accepted(3)).toEqual([1, 1, 1]);
	});

	test('is named where it was sent on another platform than the retry has', async () => {
		refuseOnce(1);
		const first = await list.start(orderOf(2));
		expect(accepted(2)).toEqual([1, 0]);
		const title = `={{ $json.id === '${idOf(0)}' ? 'x'.repeat(71) : 'Hello' }}`;
		const onIos = { ...push({ concurrency: 1 }, ['ios']), title };
		const second = await list.retry(first, { parameters: onIos, onError: 'continueRegularOutput' });
		expect(toldBy(second).map(({ item, outcome }) => `${item} ${outcome}`)).toEqual([
			'0 invalid',
			'0 accepted',
			'1 accepted',
		]);
	});

	test('keeps the outcome that another retry gave it', async () => {
		refuseOnce(1);
		const first = await list.start(orderOf(4));
		refuseOnce(3);
		await list.retry(first);
		const broken = { ...accountOf(sandbox), pushUrl: 'ftp://push.example.com' };
		const third = await list.retry(first, { credential: broken, onError: 'continueRegularOutput' });
		expect(toldBy(third).map(({ outcome }) => outcome)).toEqual([
			'accepted',
			'accepted',
			'accepted',
			'invalid',
		]);
		expect((await list.retry(first)).error).toBeUndefined();
		expect(accepted(4)).toEqual(times(1, 4));
	});
});

describe('A retry of a run that was started by hand', () => {
	const toAll: INodeParameters = {
		...push(),
		operation: 'broadcastAll',
		platforms: ['web', 'android', 'ios'],
	};

	test('only shows a broadcast, whatever mode n8n reports', async () => {
		list.sourceFails = true;
		const first = await list.start(orderOf(1, { parameters: toAll, mode: 'manual' }));
		list.sourceFails = false;
		const second = await list.retry(first);
		expect(toldBy(second).map(({ outcome }) => outcome)).toEqual(['preview', 'preview', 'preview']);
		expect(second.hints.map(({ message }) => message)).toEqual(
			expect.arrayContaining([expect.stringMatching(/^Nothing was sent/)]),
		);
		expect(sandbox.record).toEqual([]);
	});

	test('sends what is missing of a broadcast that its trigger had started', async () => {
		sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'android' }, first: 1 });
		const first = await list.start(orderOf(1, { parameters: toAll }));
		expect(first.error?.message).toContain('on android');
		const second = await list.retry(first);
		expect(second.error).toBeUndefined();
		expect(
			sandbox
				.accepted()
				.map(({ platform }) => platform)
				.sort(),
		).toEqual(['android', 'ios', 'web']);
	});

	test('sends nothing and fails if n8n does not say how the run was started', async () => {
		const first = await list.start(orderOf(1, { parameters: toAll, mode: 'retry' }));
		expect(first.error?.message).toContain('stored neither how it was started');
		expect(sandbox.record).toEqual([]);
	});
});
