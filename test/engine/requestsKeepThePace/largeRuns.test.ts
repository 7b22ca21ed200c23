import type { IDataObject } from 'n8n-workflow';

import { useNode, wordsOf } from '../support/node';
import { countsOf, push, rowsOf, toldBy } from '../support/sends';

const node = useNode();

/** Rows that take a while to read, as rows with long texts do. `read` is called for each. */
function slowRows(count: number, read: () => void): IDataObject[] {
	return rowsOf(count).map(({ id }) => ({
		get id() {
			const untilMs = Date.now() + 3;
			while (Date.now() < untilMs);
			read();
			return id;
		},
	}));
}

test.each(['continueRegularOutput', 'stopWorkflow'] as const)(
	'On Error %s: Stop while the rows are checked sends nothing, and checks no further',
	async (onError) => {
		let stop = () => {};
		let reads = 0;
		const report = await node.run(push(), {
			rows: slowRows(1_000, () => {
				reads++;
				if (reads === 100) stop();
			}),
			onError,
			started: (press) => (stop = press),
		});

		expect(node.sandbox.record).toEqual([]);
		expect(reads).toBeLessThan(200);
		if (onError === 'stopWorkflow')
			expect(wordsOf(report)).toContain('Not sent: 1000, items 0–999 on web.');
		else expect(countsOf(toldBy(report))).toEqual({ notSent: 1_000 });
	},
);

test('Timers of others run while rows are checked.', async () => {
	let turns = 0;
	const others = setInterval(() => turns++, 1);
	const turnsAtRow: number[] = [];
	await node.run(push(), { rows: slowRows(200, () => turnsAtRow.push(turns)) });
	clearInterval(others);

	const [first = 0] = turnsAtRow;
	// 200 rows of 3 ms are at least twelve slices of at most 50 ms.
	expect(new Set(turnsAtRow.slice(0, 200).map((seen) => seen - first)).size).toBeGreaterThan(11);
	expect(node.sandbox.accepted()).toHaveLength(200);
});
