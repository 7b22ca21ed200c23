import type { IDataObject } from 'n8n-workflow';

import { each, saidBy, useAttempts } from '../support/attempts';
import { executeInLoop, type LoopOrder } from '../support/loop';
import { idOf, push, rowsOf } from '../support/sends';
import { freezeClock } from '../support/service';

const use = useAttempts();
const parameters = { ...push({ concurrency: 2 }), message: '={{ $json.text ?? "There" }}' };
const goingOn = { onError: 'continueErrorOutput' as const };
const idsOf = (rows: IDataObject[]) => rows.map(({ id }) => `"user_id":"${id as string}"`);

describe('After a retry was killed, another retry', () => {
	const rows = rowsOf(30);
	const shuffled = [...rows.slice(17), ...rows.slice(0, 17)].reverse();

	test.each<[string, IDataObject[]]>([
		['come as before', rows],
		['are one fewer', rows.slice(1)],
		[
			'come in another order, with corrected texts and two more',
			[{ id: 'new' }, ...shuffled, { id: 'newer' }].map((row) => ({ ...row, text: 'Hello' })),
		],
	])('reaches everybody else once where the rows %s', async (_, changed) => {
		const first = await use().killRetryAfter(14, use().order(parameters, rows, goingOn));
		const before = use().accepted(idsOf(changed));
		const said = saidBy(await use().list.retry(first, { rows: changed }));
		expect(said.filter((one) => one.startsWith('unknown')).length).toBeLessThanOrEqual(10);
		const reached = said.map((one, row) => (one.startsWith('unknown') ? before[row] : 1));
		expect(use().accepted(idsOf(changed))).toEqual(reached);
		await use().list.retry(first);
		await use().list.retry(first, { rows: changed });
		expect(Math.max(...use().accepted(idsOf([...rows, ...changed])))).toBe(1);
	});

	test('sends all messages to a recipient of whom the killed one had made none', async () => {
		const twice = [...rows, { id: 'late', text: 'One' }, { id: 'late', text: 'Two' }];
		const first = await use().killRetryAfter(5, use().order(parameters, twice, goingOn));
		const said = saidBy(await use().list.retry(first));
		expect(said.slice(30)).toEqual(each('accepted', 2));
		expect(use().accepted(['late'])).toEqual([2]);
	});
});

test.each([
	['in reverse', rowsOf(24).reverse(), 6],
	['in other portions, with one more', [...rowsOf(24).slice(9), { id: 'new' }, ...rowsOf(9)], 5],
])(
	'In a loop, a retry reaches everybody else once after a kill, with the rows %s',
	async (_, changed, rowsPerRun) => {
		const loop = async (more: Partial<LoopOrder>) =>
			await executeInLoop({
				...use().order(parameters, rowsOf(24), { onError: 'continueRegularOutput' }),
				rowsPerRun: 6,
				...more,
			});
		const { run: retryOf } = await loop({ fails: true });
		await use().killAfter(9, async ({ started }) => await loop({ retryOf, started }));
		const reached = use().sandbox.accepted().length;
		expect(reached).toBeGreaterThanOrEqual(8);
		expect(reached).toBeLessThan(24);
		await loop({ retryOf, rows: changed, rowsPerRun });
		const times = use().accepted(idsOf(changed));
		expect(Math.max(...times)).toBe(1);
		expect(times.filter((count) => count === 0).length).toBeLessThanOrEqual(6);
		await loop({ retryOf });
		expect(Math.max(...use().accepted(idsOf(changed)))).toBe(1);
	},
);

describe('Two executions that begin in the same millisecond', () => {
	freezeClock('2026-11-23T12:00:00Z');

	test('both send their rows, and their retries send what is missing of each', async () => {
		const { sandbox, list } = use();
		const rows = rowsOf(5);
		const match = { bodyText: idOf(2) };
		sandbox.faults.add({ kind: 'status', status: 404, match, first: 2 });
		const order = use().order(parameters, rows);
		const both = await Promise.all([list.start(order), list.start(order)]);
		for (const { error } of both) expect(error?.message).toContain('item 2');
		for (let again = 0; again < 2; again++) {
			for (const one of both) expect((await list.retry(one)).error).toBeUndefined();
			expect(use().accepted(idsOf(rows))).toEqual(each(2, 5));
		}
	});
});
