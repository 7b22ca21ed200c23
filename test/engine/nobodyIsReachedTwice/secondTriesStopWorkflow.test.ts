import type { IRun } from 'n8n-workflow';

import { each, saidBy, useAttempts, wordsOf } from '../support/attempts';
import { executeInLoop, type LoopOrder } from '../support/loop';
import { idOf, listedAs, push, rowsOf } from '../support/sends';

const use = useAttempts();
const parameters = push({ concurrency: 1 });
const loseAnswer = (row: number) =>
	use().sandbox.faults.add({
		kind: 'resetAfterAccept',
		match: { bodyText: idOf(row) },
		first: 1,
	});
const ids = (rows: number) => rowsOf(rows).map(({ id }) => id);

describe('With Stop Workflow, one lost answer', () => {
	test('in a loop keeps no later round from being reached by a retry', async () => {
		const inLoop = async (more: Partial<LoopOrder> = {}) => {
			const { run, runs } = await executeInLoop({
				...use().order(parameters, rowsOf(20)),
				rowsPerRun: 4,
				...more,
			});
			const rounds = runs.map(({ data }) => saidBy({ output: data?.main?.[0] ?? [], failed: [] }));
			return { run, rounds, error: run.data.resultData.error };
		};
		loseAnswer(7);
		const first = await inLoop();
		expect(listedAs('May have been delivered', first.error)).toEqual([3]);
		expect(wordsOf(first)).not.toContain('Nothing is left to send');
		expect(wordsOf(first)).toMatch(/[Rr]etry (this|the) execution/);

		const retry = async (retryOf: IRun) => await inLoop({ retryOf });
		const second = await retry(first.run);
		expect(second.error).toBeUndefined();
		expect(second.rounds.filter((round) => round.length > 0)).toEqual([
			each('accepted', 4),
			[...each('accepted before', 3), 'unknown'],
			...each(each('accepted', 4), 3),
		]);
		expect(use().accepted(ids(20))).toEqual(each(1, 20));
	});

	test('that nobody reported stops the first retry after a kill, and no later one', async () => {
		const first = await use().killRetryAfter(14, use().order(parameters, rowsOf(30)));
		const before = use().accepted(ids(30));
		const second = await use().list.retry(first);
		const inDoubt = listedAs('May have been delivered', second.error);
		expect(inDoubt.length).toBeGreaterThan(0);
		expect(wordsOf(second)).toMatch(/[Rr]etry (this|the) execution/);
		const third = await use().list.retry(second);
		expect(third.error).toBeUndefined();
		expect(saidBy(third)).toEqual(
			ids(30).map((_, row) => (inDoubt.includes(row) ? 'unknown interrupted' : 'accepted before')),
		);
		const reached = before.map((count, row) => (inDoubt.includes(row) ? count : 1));
		expect(use().accepted(ids(30))).toEqual(reached);
	});

	test('stops all tries of Retry On Fail, which are one execution', async () => {
		loseAnswer(1);
		const order = use().order(parameters, rowsOf(3), { retryOnFail: true, maxTries: 3 });
		const first = await use().list.start(order);
		expect(listedAs('May have been delivered', first.error)).toEqual([1]);
		expect(use().accepted([idOf(1)])).toEqual([1]);
		const second = await use().list.retry(first);
		expect(second.error).toBeUndefined();
		expect(saidBy(second)).toEqual(['accepted before', 'unknown', 'accepted before']);
		expect(use().accepted(ids(3))).toEqual([1, 1, 1]);
	});
});
