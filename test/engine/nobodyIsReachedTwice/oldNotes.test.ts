import type { INodeParameters } from 'n8n-workflow';

import { at, freezeClock, passMinutes } from '../support/clock';
import { ExecutionList } from '../support/executionList';
import { each, idsOf, inShort, useNode } from '../support/node';
import { push, rowsOf } from '../support/sends';

const began = '2026-11-24T12:00:00Z';
freezeClock(began);
/** Sets the clock to so many hours after the execution that is retried began. */
const atHour = (hours: number) => at(Date.parse(began) + hours * 3_600_000);

const plain = push({ concurrency: 2 });
const once: INodeParameters = { ...plain, sendOnce: true, sendOnceKey: 'spring sale' };
const retryUnknown = { parameters: push({ retryUnknown: true }) };
const node = useNode({ parameters: plain, rows: rowsOf(30), onError: 'continueErrorOutput' });

/** What other executions leave in the list, which holds so many entries. */
const fill = (name: string, entries: number, keep = 5_000) =>
	node.store.preset(
		Array.from({ length: entries }, (_, entry) => `${name} ${entry}`),
		keep,
	);
/** Another execution, of one message, a second later. */
const runSmall = async (id: string, parameters = plain) => {
	passMinutes(1 / 60);
	await node.start({ parameters, rows: [{ id }] });
};
/** An execution before the one that is retried. */
const runEarly = async (parameters = plain) => {
	atHour(-3);
	await runSmall('early', parameters);
	atHour(0);
};

test.each([
	['without', plain, 5_000],
	['with', once, 100_000],
])('Beside a full list, a retry %s Send Once sends all three months later', async (...one) => {
	const [, parameters, full] = one;
	fill('older', full, full);
	await runEarly(parameters);
	const first = await node.failBefore({ parameters });
	fill('others', full / 2, full);
	await runSmall('late', parameters);
	atHour(24 * 90);
	expect(inShort(await node.retry(first))).toBe('30 accepted');
	expect(node.acceptedRows(30)).toEqual(each(1, 30));
});

describe('Where n8n counts its executions from 1 again and its notes are still there,', () => {
	/** As after a move by export, and as n8n 1 runs a killed execution again. */
	const runWithFirstId = async (rows: Array<{ id: string }>) => {
		node.list = new ExecutionList();
		return await node.start({ rows });
	};

	test('a month later a new execution sends everything, and so does its retry', async () => {
		const others = rowsOf(30, 'v');
		await runWithFirstId(rowsOf(30));
		atHour(24 * 30);
		expect(inShort(await runWithFirstId(others))).toBe('30 accepted');
		atHour(24 * 60);
		node.list = new ExecutionList();
		const failed = await node.failBefore({ rows: others });
		atHour(24 * 60 + 1);
		expect(inShort(await node.retry(failed))).toBe('30 accepted');
		expect(node.accepted(idsOf(others))).toEqual(each(2, 30));
	});

	test('a second run of a killed one sends nothing after midnight, nor its retry', async () => {
		await node.killAfter(12, async (course) => await node.start(course));
		const arrived = node.acceptedRows(30);
		atHour(13);
		const again = await runWithFirstId(rowsOf(30));
		expect(again.failed[0]?.json.error).toContain(
			'n8n runs this execution a second time from the start',
		);
		const retried = await node.retry(again);
		expect(retried.failed[0]?.json.error).toContain('was interrupted');
		expect([again, retried].map(inShort)).toEqual(each('30 unknown interrupted', 2));
		expect(node.acceptedRows(30)).toEqual(arrived);
	});
});

test('A retry of an execution that is older than the notes calls everything unknown, and sends it with Resend Unconfirmed', async () => {
	await runEarly();
	const first = await node.failBefore();
	fill('others', 5_000);
	await runSmall('late');
	atHour(1);
	expect(inShort(await node.retry(first))).toMatch(/^30 unknown \w+$/);
	expect(node.acceptedRows(30)).toEqual(each(0, 30));
	expect(inShort(await node.retry(first, retryUnknown))).toBe('30 accepted');
	expect(node.acceptedRows(30)).toEqual(each(1, 30));
});
