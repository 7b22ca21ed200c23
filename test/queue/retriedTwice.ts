import assert from 'node:assert/strict';
import { eachRow, makeRows, noOp, rowsFrom } from '../../scripts/n8n/workflows';
import type { Bench } from '../live/bench';
import { goingOn, pushNode } from '../live/nodes';
import { withRowSource } from '../live/rowSource';
import { usersOf, usersReached } from '../live/run';

/**
 * Two retries at once of an execution that never reached the node. One of them sends each row. The other waits for it or,
 * on another worker, may call it unknown.
 */
export async function retriedTwiceAtOnce(bench: Bench): Promise<void> {
	for (const [path, once] of [
		['retry-twice', {}],
		['retry-twice-once', { sendOnce: true, sendOnceKey: 'spring sale' }],
	] as const) {
		const rows = makeRows(path, 12);
		await withRowSource(rows, async (source) => {
			const node = pushNode({ ...once, options: { concurrency: 2 } }, goingOn);
			const nodes = [rowsFrom(source.url), eachRow, node, noOp('Done')];
			const first = await bench.run(await bench.behindWebhook(path, nodes), {});
			assert.ok(!first.hasRun('Push'), 'the node before it failed');
			source.isDown = false;
			const retry = async () => await bench.retry(first);
			const runs = await bench.withLatency(300, async () => await Promise.all([retry(), retry()]));
			runs.push(await retry());
			const reached = usersReached(bench.sandbox.record);
			assert.deepEqual(reached.sort(), usersOf(rows).sort(), 'everybody once');
			const told = runs.map((run) => run.told());
			for (const row of rows.keys()) {
				const [last, ...others] = told.map((one) => one[row]?.[1]).reverse();
				assert.equal(last, 'accepted before');
				assert.match(others.sort().join(', '), /^accepted, (accepted before|unknown( before)?)$/);
			}
		});
	}
}
