import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import type { Order } from './support/engine';
import { untilNodeEnds } from './support/engine';
import { ExecutionList } from './support/executionList';
import { type MemoryStore, useNewStore } from './support/memoryStore';
import * as order from './support/orders';
import {
	accountOf,
	arrivalsByPush,
	countsOf,
	creations,
	idOf,
	push,
	roomySandbox,
	rowsOf,
	toldBy,
	untilQuiet,
} from './support/sends';

let sandbox: Sandbox;
let store: MemoryStore;
let list: ExecutionList;
beforeEach(async () => {
	sandbox = await roomySandbox();
	store = useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

const once = (more: INodeParameters = {}): INodeParameters => ({
	...push({ concurrency: 2 }),
	sendOnce: true,
	...more,
});
const start = async (rowCount: number, more: Partial<Order> = {}) =>
	await list.start({
		parameters: once(),
		rows: rowsOf(rowCount),
		credential: accountOf(sandbox),
		onError: 'continueErrorOutput',
		...more,
	});
/** How often the service accepted a push for each row. */
const accepted = (rowCount: number) =>
	rowsOf(rowCount).map(
		({ id }) =>
			(arrivalsByPush(sandbox.record).get(`web ${id}`) ?? []).filter((one) => one.accepted).length,
	);
const times = (count: number, rows: number) => Array.from({ length: rows }, () => count);
const failOnce = (row: number, status: number) =>
	sandbox.faults.add({ kind: 'status', status, match: { bodyText: idOf(row) }, first: 1 });

describe('Send Once', () => {
	test('sends nothing that an earlier execution has sent, and says why', async () => {
		await start(3);
		const second = await start(5);
		expect(accepted(5)).toEqual(times(1, 5));
		expect(second.output[0]?.json).toEqual({
			outcome: 'skipped',
			reason: 'sentBefore',
			earlierOutcome: 'accepted',
			resource: 'push',
			operation: 'send',
			platform: 'web',
			user_id: idOf(0),
		});
		expect(second.output[0]?.pairedItem).toEqual({ item: 0 });
		expect(countsOf(toldBy(second))).toEqual({ skipped: 3, accepted: 2 });
		expect(second.hints.map(({ message }) => message)).toContain(
			'Send Once: 3 messages were skipped, because this node has sent them before. To send them again on purpose, turn Send Once off for one run.',
		);
		expect(second.error).toBeUndefined();
	});

	test('is what keeps a new execution from sending everything again', async () => {
		for (const parameters of [push(), push(), once(), once()]) await start(3, { parameters });
		expect(accepted(3)).toEqual(times(3, 3));
	});

	test('sends a message again whose text has changed if no key is given', async () => {
		await start(1);
		await start(1, { parameters: once({ title: 'Other news' }) });
		expect(sandbox.record).toHaveLength(2);
	});

	test('goes by the key alone if one is given, and forgets spaces around it', async () => {
		const key = '={{ $json.order }}';
		const rows = [{ id: 'u', order: 1042 }];
		await start(1, { parameters: once({ sendOnceKey: key }), rows });
		const other = { ...once({ sendOnceKey: key }), title: 'Other news' };
		const again = await start(1, { parameters: other, rows: [{ id: 'u', order: ' 1042 ' }] });
		expect(again.output[0]?.json.outcome).toBe('skipped');
		const next = await start(1, { parameters: other, rows: [{ id: 'u', order: '1043' }] });
		expect(next.output[0]?.json.outcome).toBe('accepted');
		const someoneElse = await start(1, { parameters: other, rows: [{ id: 'v', order: '1042' }] });
		expect(someoneElse.output[0]?.json.outcome).toBe('accepted');
	});

	test('takes true and false as keys, and goes by the whole message where the key is null', async () => {
		const parameters = once({ sendOnceKey: '={{ $json.key }}', message: '={{ $json.text }}' });
		const rows = [
			{ id: 'u', key: true, text: 'Hello' },
			{ id: 'u', key: false, text: 'Hello' },
			{ id: 'u', key: null, text: 'Hello' },
			{ id: 'u', key: true, text: 'Hello again' },
			{ id: 'u', key: null, text: 'Hello again' },
			{ id: 'u', key: null, text: 'Hello' },
		];
		const told = toldBy(await start(rows.length, { parameters, rows }));
		expect(told.map(({ outcome }) => outcome)).toEqual([
			'accepted',
			'accepted',
			'accepted',
			'skipped',
			'accepted',
			'skipped',
		]);
	});

	test('refuses a key that is a list or an object, and sends nothing', async () => {
		const parameters = once({ sendOnceKey: '={{ $json.order }}' });
		const { error } = await start(1, {
			parameters,
			rows: [{ id: 'u', order: { number: 1 } }],
			onError: undefined,
		});
		expect(error?.message).toMatch(/^Nothing was sent: Send Once Key must be /);
		expect(sandbox.record).toEqual([]);
	});

	test('counts each platform by itself', async () => {
		await start(1);
		const both = await start(1, { parameters: once({ platforms: ['android', 'web'] }) });
		expect(toldBy(both).map(({ platform, outcome }) => [platform, outcome])).toEqual([
			['android', 'accepted'],
			['web', 'skipped'],
		]);
	});

	test('tries again what the service refused or could not be reached for', async () => {
		failOnce(1, 404);
		const first = await start(3);
		expect(countsOf(toldBy(first))).toEqual({ accepted: 2, rejected: 1 });
		const second = await start(3);
		expect(accepted(3)).toEqual(times(1, 3));
		expect(toldBy(second).map(({ outcome }) => outcome)).toEqual([
			'skipped',
			'accepted',
			'skipped',
		]);
	});

	test('does not repeat what may have been delivered, unless Retry Unknown is on', async () => {
		failOnce(1, 503);
		const first = await start(2);
		expect(toldBy(first).map(({ outcome }) => outcome)).toEqual(['accepted', 'unknown']);
		const second = await start(2);
		expect(toldBy(second).map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
		expect(toldBy(second)[1]?.details.earlierOutcome).toBe('unknown');
		expect(sandbox.record).toHaveLength(2);

		const retryUnknown = { ...once(), options: { retryUnknown: true } };
		const third = await start(2, { parameters: retryUnknown });
		expect(toldBy(third).map(({ outcome }) => outcome)).toEqual(['skipped', 'accepted']);
		await start(2, { parameters: retryUnknown });
		expect(accepted(2)).toEqual([1, 1]);
	});

	test('still calls a message unknown if a repetition of it was refused', async () => {
		const retryUnknown = { ...once(), options: { retryUnknown: true } };
		sandbox.faults.add({ kind: 'resetAfterAccept', first: 1 });
		await start(1);
		failOnce(0, 400);
		const second = await start(1, { parameters: retryUnknown });
		expect(toldBy(second)[0]?.outcome).toBe('unknown');
		const third = await start(1);
		expect(toldBy(third)[0]?.outcome).toBe('skipped');
		expect(accepted(1)).toEqual([1]);
	});

	test('sends repeated rows of one run once', async () => {
		const rows = [...rowsOf(2), ...rowsOf(2), ...rowsOf(2)];
		const { output } = await start(0, { rows });
		expect(output.map(({ json }) => json.outcome)).toEqual([
			...times(1, 2).map(() => 'accepted'),
			...times(1, 4).map(() => 'skipped'),
		]);
		expect(accepted(2)).toEqual([1, 1]);
	});

	test('tries a repeated row if the first one was refused', async () => {
		failOnce(0, 400);
		const told = toldBy(await start(0, { rows: [...rowsOf(1), ...rowsOf(1), ...rowsOf(1)] }));
		expect(told.map(({ outcome }) => outcome)).toEqual(['rejected', 'accepted', 'skipped']);
	});

	test('leaves skipped events out of their batch', async () => {
		const parameters = {
			...order.trackEvent,
			userID: '={{ $json.id }}',
			options: { batchSize: 4 },
			sendOnce: true,
		};
		await start(3, { parameters });
		const second = await start(6, { parameters });
		expect(countsOf(toldBy(second))).toEqual({ skipped: 3, accepted: 3 });
		expect([...creations(sandbox.record).values()]).toEqual(times(1, 6));
		expect(toldBy(second)[4]?.details.userID).toBe(idOf(4));
	});

	test('records nothing in a preview', async () => {
		const preview = { ...once(), options: { previewOnly: true } };
		await start(3, { parameters: preview });
		expect(store.keys.size).toBe(0);
		await start(3);
		expect(accepted(3)).toEqual(times(1, 3));
	});

	test('does not count a skipped broadcast', async () => {
		const toAll = { ...once(), operation: 'broadcastAll' };
		const first = await start(1, { parameters: toAll });
		const second = await start(1, { parameters: toAll });
		expect([first, second].map(({ output }) => output[0]?.json.outcome)).toEqual([
			'accepted',
			'skipped',
		]);
		expect(second.output[0]?.json.audience).toBe('everyone');
		expect(sandbox.record).toHaveLength(1);
	});

	test('treats two spellings of an email address as the same', async () => {
		const parameters = {
			...order.emailSend,
			email: '={{ $json.email }}',
			sendOnce: true,
			sendOnceKey: 'welcome',
		};
		await start(1, { parameters, rows: [{ email: 'Ann@example.com' }] });
		const { output } = await start(1, { parameters, rows: [{ email: 'ann@example.com' }] });
		expect(output[0]?.json.outcome).toBe('skipped');
	});

	test('keeps the accounts of different addresses apart', async () => {
		await start(1);
		const other = await roomySandbox();
		const { output } = await start(1, { credential: accountOf(other) });
		expect(output[0]?.json.outcome).toBe('accepted');
		await other.close();
	});
});

describe('Send Once after Stop', () => {
	test('calls unknown what was in flight, and sends the rest', async () => {
		sandbox.faults.add({ kind: 'hang', match: { bodyText: idOf(1) }, first: 1 });
		const arrived = new Promise<void>((resolve) =>
			sandbox.subscribe(() => sandbox.record.length >= 2 && resolve()),
		);
		let stop = () => {};
		const first = start(4, {
			parameters: { ...once(), options: { concurrency: 1 } },
			started: (press) => (stop = press),
		});
		await arrived;
		stop();
		await first;
		await untilNodeEnds();
		const told = toldBy(await start(4));
		expect(told[1]).toMatchObject({ outcome: 'unknown', details: { reason: 'interrupted' } });
		expect([0, 2, 3].map((row) => accepted(4)[row])).toEqual([1, 1, 1]);
	});
});

describe('Send Once after a crash', () => {
	/** Kills n8n when a number of requests has arrived. */
	async function killedAfter(requests: number, rowCount: number) {
		let stop = () => {};
		const unsubscribe = sandbox.subscribe(() => {
			if (sandbox.record.length < requests) return;
			store.isCrashed = true;
			stop();
		});
		await start(rowCount, { started: (press) => (stop = press) });
		await untilNodeEnds();
		unsubscribe();
		store.isCrashed = false;
	}

	test('calls one chunk unknown at most, sends the rest, and reaches nobody twice', async () => {
		await killedAfter(15, 40);
		const arrived = accepted(40);
		const told = toldBy(await start(40));
		const inDoubt = told.filter(({ outcome }) => outcome === 'unknown');
		expect(inDoubt.length).toBeGreaterThan(0);
		expect(inDoubt.length).toBeLessThanOrEqual(10);
		for (const { item, outcome, details } of told) {
			if (outcome === 'unknown') expect(details.reason).toBe('interrupted');
			if (outcome === 'skipped') expect([item, arrived[item]]).toEqual([item, 1]);
			if (outcome === 'accepted') expect([item, arrived[item]]).toEqual([item, 0]);
		}
		expect(Math.max(...accepted(40))).toBe(1);

		const third = toldBy(await start(40));
		expect(third.map(({ outcome }) => outcome)).toEqual(
			told.map(({ outcome }) => (outcome === 'unknown' ? 'unknown' : 'skipped')),
		);
		const retryUnknown = { ...once(), options: { retryUnknown: true } };
		const fourth = toldBy(await start(40, { parameters: retryUnknown }));
		expect(countsOf(fourth)).toEqual({
			skipped: 40 - inDoubt.length,
			accepted: inDoubt.length,
		});
	});

	test('continues if n8n runs the execution of a killed worker again', async () => {
		await killedAfter(5, 20);
		await untilQuiet(sandbox);
		const before = accepted(20);
		// n8n starts it from its trigger, with the same ID.
		list = new ExecutionList();
		const told = toldBy(await start(20));
		expect(Math.max(...accepted(20))).toBe(1);
		const reached = told.filter(({ outcome }) => outcome !== 'unknown').map(({ item }) => item);
		expect(reached.map((item) => accepted(20)[item])).toEqual(reached.map(() => 1));
		expect(before.some((count) => count === 0)).toBe(true);
	});

	test('sends nothing in a retry if n8n does not say which execution it retries', async () => {
		await start(2);
		const { failed } = await start(4, { mode: 'retry' });
		expect(failed).toHaveLength(4);
		expect(failed[0]?.json.error).toContain(
			'start the workflow from its trigger with the same rows',
		);
		expect(accepted(4)).toEqual([1, 1, 0, 0]);
	});
});

describe('Two executions of one process with Send Once', () => {
	test('reach everyone once if they begin at the same time', async () => {
		const both = await Promise.all([start(30), start(30)]);
		expect(accepted(30)).toEqual(times(1, 30));
		const outcomes = both.flatMap((execution) => toldBy(execution));
		expect(countsOf(outcomes)).toEqual({ accepted: 30, skipped: 30 });
	});

	test('wait for each other, and the second sends what the first could not', async () => {
		failOnce(0, 400);
		const both = await Promise.all([start(1), start(1)]);
		expect(countsOf(both.flatMap((execution) => toldBy(execution)))).toEqual({
			rejected: 1,
			accepted: 1,
		});
	});

	test('can be stopped while one waits for the other', async () => {
		sandbox.faults.add({ kind: 'hang', first: 1 });
		const arrived = new Promise<void>((resolve) => sandbox.subscribe(() => resolve()));
		let stopFirst = () => {};
		const first = start(1, { started: (stop) => (stopFirst = stop) });
		await arrived;
		let stopSecond = () => {};
		const rowBehind = new Promise<void>((resolve) =>
			sandbox.subscribe(() => sandbox.record.length === 2 && resolve()),
		);
		const second = start(2, { started: (stop) => (stopSecond = stop) });
		await rowBehind;
		stopSecond();
		await second;
		expect(accepted(2)).toEqual([0, 1]);
		expect(sandbox.record).toHaveLength(2);
		stopFirst();
		await first;
		await untilNodeEnds();
	});
});

describe("Send Once and n8n's store", () => {
	test('send nothing if the store cannot be read', async () => {
		store.failure = new Error('SQLITE_BUSY: database is locked');
		const { failed } = await start(2);
		expect(failed).toHaveLength(2);
		expect(failed[0]?.json.error).toMatch(/^Send Once is on, but n8n cannot read.*locked/);
		expect(sandbox.record).toEqual([]);
	});

	test('send nothing that could not be recorded, and forget nothing that was', async () => {
		await start(12);
		const add = store.add.bind(store);
		let calls = 0;
		store.add = async (...call) => {
			if (++calls > 2) throw new Error('disk full');
			return await add(...call);
		};
		const told = toldBy(await start(30));
		store.add = add;
		const unsent = told.filter(({ outcome }) => outcome === 'notSent');
		expect(unsent.length).toBeGreaterThan(0);
		expect(unsent[0]?.details.reason).toBe('notRecorded');
		const last = toldBy(await start(30));
		expect(Math.max(...accepted(30))).toBe(1);
		for (const { item, outcome } of last) {
			if (outcome !== 'unknown') expect([item, accepted(30)[item]]).toEqual([item, 1]);
		}
	});

	test('keep 100,000 keys and drop the oldest', async () => {
		await start(1);
		store.preset(...Array.from({ length: 100_000 }, (_, key) => `filler ${key}`));
		await start(1, { rows: [{ id: 'someone' }] });
		expect(store.keys.size).toBeLessThanOrEqual(100_000);
		expect(store.keys.size).toBeGreaterThan(99_990);
		const { output } = await start(1);
		expect(output[0]?.json.outcome).toBe('accepted');
	});

	test('leave the row of a node alone whose scope is the workflow, and a hint says what that means', async () => {
		await store.addToWorkflow(['order 1'], 'entries');
		await start(3);
		const second = await start(3);
		expect(countsOf(toldBy(second))).toEqual({ skipped: 3 });
		expect(store.namesOfWorkflow).toEqual(['order 1']);
		expect(second.hints.map(({ message }) => message).join()).toContain('Remove Duplicates');
		expect((await start(3, { parameters: push() })).hints).toEqual([]);
	});

	test('hold hashes instead of what was sent', async () => {
		await start(1, { parameters: once({ sendOnceKey: 'order-1042' }) });
		expect([...store.keys].join()).not.toMatch(/order-1042|u000000/);
	});
});
