import assert from 'node:assert/strict';
import { makeRows } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { assertSucceeded, outcomesOf, runByWebhook, usersReached, type Bench } from '../bench';
import { createForRows, publishNode, pushNode } from '../rows';
import { withService } from './outages';

/** With the following run, more than the entries of a node that never used Send Once. */
const LONG_LIST = 4_830;
const SHORT_LIST = 300;

/** A long list with Send Once, a short one without it, and the long one again. */
export async function remembersAfterRunWithout(bench: Bench): Promise<void> {
	await withService(bench, async (own) => {
		const path = 'once-long';
		const on = pushNode({ sendOnce: true, sendOnceKey: 'spring sale' });
		const stored = await createForRows(own, path, on);
		const rows = makeRows(path, LONG_LIST);
		const first = await runByWebhook(own, stored, path, { rows });
		assertSucceeded(first);
		assert.equal(usersReached(first).length, LONG_LIST);

		await publishNode(own, stored, pushNode());
		const others = makeRows(`${path}-without`, SHORT_LIST);
		const without = await runByWebhook(own, stored, path, { rows: others });
		assertSucceeded(without);
		assert.equal(usersReached(without).length, SHORT_LIST);

		await publishNode(own, stored, on);
		const again = await runByWebhook(own, stored, path, { rows });
		assertSucceeded(again);
		const skipped = outcomesOf(again).filter((outcome) => outcome === 'skipped').length;
		say(
			`    ${usersReached(first).length} reached with Send Once, ${usersReached(without).length} without it; the first list again: ${again.arrivals.length} sent, ${skipped} skipped`,
		);
		assert.deepEqual(usersReached(again), [], 'nobody is reached twice');
		assert.equal(skipped, LONG_LIST);
	});
}
