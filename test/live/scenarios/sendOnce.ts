import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { say } from '../../../scripts/steps';
import {
	assertNobodyTwice,
	output,
	runByWebhook,
	startUntil,
	usersReached,
	withLatency,
	type Bench,
	type CrashableBench,
} from '../bench';
import { createForRows, pushNode } from '../rows';
import { makeRows } from '../../../scripts/n8n/workflows';

const path = 'send-once';
const rows = makeRows(path, 200);
/** The maximum size of a chunk, and therefore the maximum in doubt after one run. */
const MAX_IN_DOUBT = 50;

/** Stop halfway, then SIGKILL halfway through the next run, then twice to the end. */
export async function sendOnceSurvives(bench: CrashableBench): Promise<void> {
	const { sandbox } = bench;
	const once = { sendOnce: true, sendOnceKey: 'spring sale' };
	const stored = await createForRows(
		bench,
		path,
		pushNode(once, { onError: 'continueErrorOutput' }),
	);
	const reached: string[] = [];
	sandbox.reset();
	await withLatency(bench, 200, async () => {
		const stopped = await startUntil(bench, stored, path, { rows }, 100);
		await bench.client.stopExecution(stopped);
		await sleep(1_000);
		reached.push(...usersReached({ arrivals: [...sandbox.record] }));
		say(`    ${reached.length} of ${rows.length} reached before Stop`);
		sandbox.reset();
		await startUntil(bench, stored, path, { rows }, 50);
		await bench.crash();
		reached.push(...usersReached({ arrivals: [...sandbox.record] }));
		say(`    ${reached.length} reached before n8n was killed`);
	});

	const [third, fourth] = [await toEnd(bench, stored), await toEnd(bench, stored)];
	reached.push(...third.reached, ...fourth.reached);
	say(
		`    the next run reached ${third.reached.length} and skipped ${third.inDoubt.length} in doubt; the last reached ${fourth.reached.length}`,
	);
	assertNobodyTwice(reached);
	assert.deepEqual([third.failed, fourth.failed], [0, 0], 'what is in doubt is skipped');
	assert.deepEqual(fourth.inDoubt, third.inDoubt, 'each run names who is in doubt');
	assert.ok(third.inDoubt.length <= 2 * MAX_IN_DOUBT, `${third.inDoubt.length} are in doubt`);
	const accounted = new Set([...reached, ...third.inDoubt]);
	assert.deepEqual(
		rows.map(({ userID }) => userID).filter((user) => !accounted.has(user)),
		[],
		'everyone is reached or named as in doubt',
	);
	assert.deepEqual(fourth.reached, [], 'nothing is left for the last run');
}

async function toEnd(bench: Bench, stored: StoredWorkflow) {
	const run = await runByWebhook(bench, stored, path, { rows });
	const items = output(run.data, 'Push');
	assert.equal(items.length, rows.length, 'each row has an item');
	return {
		reached: usersReached(run),
		failed: output(run.data, 'Push', 1).length,
		inDoubt: items
			.filter(({ json }) => json.outcome === 'skipped' && json.earlierOutcome === 'unknown')
			.map(({ json }) => String(json.user_id)),
	};
}
