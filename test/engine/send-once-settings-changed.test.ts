import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { untilNodeEnds } from './support/engine';
import { ExecutionList } from './support/executionList';
import { type MemoryStore, useNewStore } from './support/memoryStore';
import { accountOf, arrivalsByPush, push, roomySandbox, rowsOf, untilQuiet } from './support/sends';

let sandbox: Sandbox;
let store: MemoryStore;
let list: ExecutionList;
beforeEach(async () => {
	sandbox = await roomySandbox();
	store = useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

const without: INodeParameters = push({ concurrency: 4 });
const withOnce: INodeParameters = { ...without, sendOnce: true, sendOnceKey: 'spring sale' };
/** The most often that anybody got the message, and how many got it. */
function reached() {
	const accepted = [...arrivalsByPush(sandbox.record).values()].map(
		(arrivals) => arrivals.filter((one) => one.accepted).length,
	);
	return { most: Math.max(0, ...accepted), people: accepted.filter((times) => times > 0).length };
}

/** Starts 200 pushes and kills n8n when 80 have arrived. n8n then stores nothing of the execution. */
async function killedAfter80(parameters: INodeParameters) {
	let stop = () => {};
	const unsubscribe = sandbox.subscribe(() => {
		if (sandbox.record.length < 80) return;
		store.isCrashed = true;
		stop();
	});
	const first = await list.start({
		parameters,
		rows: rowsOf(200),
		credential: accountOf(sandbox),
		isKilled: () => true,
		started: (press) => (stop = press),
	});
	await untilNodeEnds();
	await untilQuiet(sandbox);
	unsubscribe();
	store.isCrashed = false;
	expect(reached().people).toBeGreaterThanOrEqual(80);
	return first;
}

describe('Send Once that is turned on only for a retry', () => {
	test('reaches nobody twice after n8n was killed, and says what to do', async () => {
		const first = await killedAfter80(without);
		const before = reached();
		const retry = await list.retry(first, { parameters: withOnce, isKilled: () => false });
		expect(reached()).toEqual(before);
		expect(retry.error?.message).toContain('retry of an execution that was interrupted');
		const again = await list.retry(retry, { parameters: withOnce });
		expect(again.error).toBeDefined();
		expect(reached()).toEqual(before);
	});

	test('sends what is missing once if the node before gives the rows in another order', async () => {
		list.sourceFails = true;
		const first = await list.start({
			parameters: without,
			rows: rowsOf(200),
			credential: accountOf(sandbox),
		});
		list.sourceFails = false;
		sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: 'u000080' }, first: 1 });
		await list.retry(first);
		const before = reached();
		expect(before.people).toBeGreaterThanOrEqual(80);
		expect(before.people).toBeLessThan(200);
		const retry = await list.retry(first, {
			parameters: withOnce,
			rows: rowsOf(200).reverse(),
		});
		expect(retry.error).toBeUndefined();
		expect(reached()).toEqual({ most: 1, people: 200 });
		// What it sent is known by the keys of Send Once.
		const off = await list.retry(first, { rows: rowsOf(200).reverse() });
		expect(off.error?.message).toContain('Turn on Send Once again');
		await list.retry(first, { parameters: withOnce });
		expect(reached()).toEqual({ most: 1, people: 200 });
	});

	test('sends what is missing once if another retry has had other rows in between', async () => {
		list.sourceFails = true;
		const first = await list.start({
			parameters: without,
			rows: rowsOf(60),
			credential: accountOf(sandbox),
		});
		list.sourceFails = false;
		for (const row of ['u000020', 'u000040'])
			sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: row }, first: 1 });
		await list.retry(first);
		await list.retry(first, { rows: rowsOf(60).reverse() });
		expect(reached().people).toBeLessThan(60);
		await list.retry(first, { parameters: withOnce, rows: rowsOf(60) });
		expect(reached()).toEqual({ most: 1, people: 60 });
	});
});

describe('Send Once that every attempt had', () => {
	test('lets a retry with other rows send what is missing', async () => {
		list.sourceFails = true;
		const first = await list.start({
			parameters: withOnce,
			rows: rowsOf(200),
			credential: accountOf(sandbox),
		});
		list.sourceFails = false;
		sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: 'u000080' }, first: 1 });
		await list.retry(first);
		expect(reached().people).toBeLessThan(200);
		const retry = await list.retry(first, { rows: rowsOf(200).reverse() });
		expect(retry.error).toBeUndefined();
		expect(reached()).toEqual({ most: 1, people: 200 });
	});

	test('sends what is missing if the workflow is started again after n8n was killed', async () => {
		await killedAfter80(withOnce);
		await list.start({
			parameters: { ...withOnce, options: { concurrency: 4, retryUnknown: false } },
			rows: rowsOf(200),
			credential: accountOf(sandbox),
			onError: 'continueErrorOutput',
		});
		expect(reached().most).toBe(1);
		expect(reached().people).toBeGreaterThanOrEqual(190);
	});
});
