import type { IDataObject } from 'n8n-workflow';

import { each, inShort, useNode, wordsOf } from '../support/node';
import { push, rowsOf } from '../support/sends';

const node = useNode({ onError: 'continueRegularOutput' }, { isNewEachTest: true });

test("A colleague's credential with a wrong key and a limit of 1 does not slow the right one of the same brand", async () => {
	node.sandbox.configure({ latencyMs: 20, sendRateLimitHeader: false });
	const parameters = push({ concurrency: 5, maxWait: 0.02 });
	const arrived = node.untilArrived(20);
	const right = node.says({ parameters, rows: rowsOf(100) });
	await arrived;
	const account = { apiKey: 'wrong', pushLimit: 1 };
	const wrong = node.says({ parameters, rows: rowsOf(3, 'w'), account });
	expect([await right, await wrong]).toEqual([
		'100 accepted',
		'1 rejected, 2 notSent credentialsRefused',
	]);
	expect(node.acceptedRows(100)).toEqual(each(1, 100));
});

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
		else expect(inShort(report)).toBe('1000 notSent stopped');
	},
);

test('Timers of others run while rows are checked.', async () => {
	let turns = 0;
	const others = setInterval(() => turns++, 1);
	const turnsAtRow: number[] = [];
	await node.run(push(), { rows: slowRows(100, () => turnsAtRow.push(turns)) });
	clearInterval(others);

	const [first = 0] = turnsAtRow;
	// 100 rows of 3 ms are at least six slices of at most 50 ms.
	expect(new Set(turnsAtRow.slice(0, 100).map((seen) => seen - first)).size).toBeGreaterThan(5);
	expect(node.sandbox.accepted()).toHaveLength(100);
});
