import type { INodeParameters } from 'n8n-workflow';
import { each, useAttempts } from '../support/attempts';
import type { Order } from '../support/engine';
import { untilNodeEnds } from '../support/engine';
import { ExecutionList } from '../support/executionList';
import { accountOf, countsOf, idOf, push, rowsOf, toldBy } from '../support/sends';

const use = useAttempts();

const once = (more: INodeParameters = {}): INodeParameters => ({
	...push({ concurrency: 2 }),
	sendOnce: true,
	...more,
});
const start = async (rowCount: number, more: Partial<Order> = {}) =>
	await use().list.start({
		parameters: once(),
		rows: rowsOf(rowCount),
		credential: accountOf(use().sandbox),
		onError: 'continueErrorOutput',
		...more,
	});
const failOnce = (row: number, status: number) => use().refuseOnce(idOf(row), status);

describe('Send Once', () => {
	test('sends nothing that an earlier execution has sent, and says why', async () => {
		await start(3);
		const second = await start(5);
		expect(use().acceptedRows(5)).toEqual(each(1, 5));
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

	test('sends a message again whose text has changed if no key is given', async () => {
		await start(1);
		await start(1, { parameters: once({ title: 'Other news' }) });
		expect(use().sandbox.record).toHaveLength(2);
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

	test('takes true and false as keys, and goes by the whole message where the key is meant to be empty', async () => {
		const parameters = once({
			sendOnceKey: '={{ $json.key ?? "" }}',
			message: '={{ $json.text }}',
		});
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
		expect(use().sandbox.record).toEqual([]);
	});

	test('tries again what the service refused or could not be reached for', async () => {
		failOnce(1, 404);
		const first = await start(3);
		expect(countsOf(toldBy(first))).toEqual({ accepted: 2, rejected: 1 });
		const second = await start(3);
		expect(use().acceptedRows(3)).toEqual(each(1, 3));
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
		expect(use().sandbox.record).toHaveLength(2);

		const retryUnknown = { ...once(), options: { retryUnknown: true } };
		const third = await start(2, { parameters: retryUnknown });
		expect(toldBy(third).map(({ outcome }) => outcome)).toEqual(['skipped', 'accepted']);
		await start(2, { parameters: retryUnknown });
		expect(use().acceptedRows(2)).toEqual([1, 1]);
	});

	test('records nothing in a preview', async () => {
		const preview = { ...once(), options: { previewOnly: true } };
		await start(3, { parameters: preview });
		expect(use().store.keys.size).toBe(0);
		await start(3);
		expect(use().acceptedRows(3)).toEqual(each(1, 3));
	});
});

describe('Send Once after Stop', () => {
	test('skips what was in flight as unknown, and sends the rest', async () => {
		use().sandbox.faults.add({ kind: 'hang', match: { bodyText: idOf(1) }, first: 1 });
		const arrived = new Promise<void>((resolve) =>
			use().sandbox.subscribe(() => use().sandbox.record.length >= 2 && resolve()),
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
		expect(told[1]).toMatchObject({ outcome: 'skipped', details: { earlierOutcome: 'unknown' } });
		expect([0, 2, 3].map((row) => use().acceptedRows(4)[row])).toEqual([1, 1, 1]);
	});
});

describe('Send Once after a crash', () => {
	const isUnsure = ({ details }: ReturnType<typeof toldBy>[number]) =>
		details.earlierOutcome === 'unknown';

	test('continues if n8n runs the execution of a killed worker again', async () => {
		await use().killAfter(5, async (course) => await start(20, course));
		const before = use().acceptedRows(20);
		// n8n starts it from its trigger, with the same ID.
		use().list = new ExecutionList();
		const told = toldBy(await start(20));
		expect(Math.max(...use().acceptedRows(20))).toBe(1);
		const reached = told.filter((one) => !isUnsure(one)).map(({ item }) => item);
		expect(reached.map((item) => use().acceptedRows(20)[item])).toEqual(reached.map(() => 1));
		expect(before.some((count) => count === 0)).toBe(true);
	});

	test('names what is in doubt, also if the first execution that finds it is killed too', async () => {
		for (let kills = 0; kills < 2; kills++)
			await use().killAfter(3, async (course) => await start(20, course));
		const third = toldBy(await start(20));
		const accepted = use().acceptedRows(20);
		expect(third.filter((one) => accepted[one.item] === 0 && !isUnsure(one))).toEqual([]);
		expect(third.some(isUnsure)).toBe(true);
		expect(Math.max(...accepted)).toBe(1);
		const fourth = countsOf(toldBy(await start(20)));
		expect(fourth).toEqual({ skipped: 20 });
	});

	test('sends nothing in a retry if n8n does not say which execution it retries', async () => {
		await start(2);
		const { failed } = await start(4, { mode: 'retry' });
		expect(failed).toHaveLength(4);
		expect(failed[0]?.json.error).toContain(
			'start the workflow from its trigger with the same items',
		);
		expect(use().acceptedRows(4)).toEqual([1, 1, 0, 0]);
	});
});

describe('Two executions of one process with Send Once', () => {
	test('reach everyone once if they begin at the same time', async () => {
		const both = await Promise.all([start(30), start(30)]);
		expect(use().acceptedRows(30)).toEqual(each(1, 30));
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
});

/** It does not wait for a store that fails. */
const impatient = { parameters: once({ options: { concurrency: 2, maxWait: 0 } }) };

describe("Send Once and n8n's store", () => {
	test('send nothing if the store cannot be read', async () => {
		use().store.failure = new Error('SQLITE_BUSY: database is locked');
		const { failed } = await start(2, impatient);
		expect(failed).toHaveLength(2);
		expect(failed[0]?.json.error).toMatch(/^Send Once is on, but n8n cannot read.*locked/);
		expect(use().sandbox.record).toEqual([]);
	});

	test('keep 100,000 keys and drop the oldest', async () => {
		await start(1);
		use().store.preset(Array.from({ length: 100_000 }, (_, key) => `filler ${key}`));
		await start(1, { rows: [{ id: 'someone' }] });
		expect(use().store.keys.size).toBeLessThanOrEqual(100_000);
		expect(use().store.keys.size).toBeGreaterThan(99_990);
		const { output } = await start(1);
		expect(output[0]?.json.outcome).toBe('accepted');
	});

	test('leave the row of a node alone whose scope is the workflow, and a hint says what that means', async () => {
		await use().store.addToWorkflow(['order 1'], 'entries');
		await start(3);
		const second = await start(3);
		expect(countsOf(toldBy(second))).toEqual({ skipped: 3 });
		expect(use().store.namesOfWorkflow).toEqual(['order 1']);
		expect(second.hints.map(({ message }) => message).join()).toContain('Remove Duplicates');
		expect((await start(3, { parameters: push() })).hints).toEqual([]);
	});

	test('hold hashes instead of what was sent', async () => {
		await start(1, { parameters: once({ sendOnceKey: 'order-1042' }) });
		expect([...use().store.keys].join()).not.toMatch(/order-1042|u000000/);
	});
});
