import assert from 'node:assert/strict';
import { say } from '../../../scripts/steps';
import {
	create,
	failureText,
	hintsOf,
	output,
	runByWebhook,
	startUntil,
	retry,
	usersReached,
	type Bench,
	type CrashableBench,
	type Run,
} from '../bench';
import {
	eachRow,
	messaging,
	noOp,
	pushToRow,
	makeRows,
	webhook,
	workflow,
} from '../../../scripts/n8n/workflows';
import { withService } from './outages';

/** The maximum size of a chunk, and therefore the maximum in doubt after a kill. */
const MAX_IN_DOUBT = 50;
const sendOnce = { sendOnce: true, sendOnceKey: 'spring sale' };

/** Kills n8n in the middle of a run without Send Once, then turns Send Once on and retries from the list, twice. */
export async function turnedOnForRetry(bench: CrashableBench): Promise<void> {
	const path = 'once-for-retry';
	const { client, sandbox } = bench;
	const nodes = (more: object) => [
		webhook(path),
		eachRow,
		messaging('Push', { ...pushToRow, options: { concurrency: 4 }, ...more }),
		noOp('Done'),
	];
	const rows = makeRows(path, 100);
	const stored = await create(bench, workflow(path, nodes({}), bench.credentialIds));
	sandbox.reset();
	sandbox.configure({ latencyMs: 100 });
	let id: string;
	try {
		id = await startUntil(bench, stored, path, { rows }, 40);
		await bench.crash();
	} finally {
		sandbox.configure({ latencyMs: 0 });
	}
	const before = usersReached({ arrivals: [...sandbox.record] });
	assert.ok(before.length >= 30 && before.length < rows.length, `${before.length} reached before`);
	const { status, data } = await client.finished(id, 30_000);
	const killed: Run = { id, status, data, arrivals: [...sandbox.record] };

	const { nodes: changed } = workflow(path, nodes(sendOnce), bench.credentialIds);
	await client.updateNodes({ ...stored, nodes: changed });
	const reached = [...before];
	for (const attempt of ['first', 'second']) {
		const retried = await retry(bench, killed, true);
		reached.push(...usersReached(retried));
		const text = failureText(retried);
		say(
			`    ${before.length} reached before n8n was killed; the ${attempt} retry of the ${killed.status} execution reached ${usersReached(retried).length} and ended with ${retried.status}: ${text.split('\n')[0]}`,
		);
		const twice = reached.filter((user, index) => reached.indexOf(user) !== index);
		assert.deepEqual(twice, [], 'nobody is reached twice');
		assert.equal(retried.status, 'error');
		// n8n 2.41 tells a retry what it continues. Without that, nothing can be sent.
		if (retried.arrivals.length > 0 || reached.length > before.length)
			assert.match(text, /may or may not have been delivered/);
		else assert.match(text, /retry of an execution that was interrupted/);
	}
	const missing = rows.length - reached.length;
	if (reached.length > before.length)
		assert.ok(missing <= MAX_IN_DOUBT, `${missing} are not reached`);
}

const ROWS = 40;

/** Every other row fails, because the node pauses once several fail in a row. */
export async function outageIsNotSuccess(bench: Bench): Promise<void> {
	await withService(bench, async (own) => {
		const path = 'once-next-day';
		const rows = makeRows(path, ROWS);
		const nodes = [webhook(path), eachRow, pushOnce, noOp('Done')];
		const stored = await create(own, workflow(path, nodes, own.credentialIds));
		const failing = rows.filter((_, index) => index % 2 === 1).map(({ userID }) => userID);
		const first = await runByWebhook(own, stored, path, { rows }, ({ faults }) => {
			for (const user of failing)
				faults.add({ kind: 'status', status: 503, match: { bodyText: `"${user}"` } });
		});
		assert.deepEqual(outcomesOf(first), { accepted: ROWS / 2, unknown: ROWS / 2 });

		const nextDay = await runByWebhook(own, stored, path, { rows });
		assert.deepEqual(nextDay.arrivals, []);
		assert.deepEqual(outcomesOf(nextDay), { skipped: ROWS });
		assert.deepEqual(
			output(nextDay.data, 'Push').map(({ json }) => json.earlierOutcome),
			rows.map((_, index) => (index % 2 === 1 ? 'unknown' : 'accepted')),
		);
		const warnings = hintsOf(nextDay).filter(({ type }) => type === 'warning');
		assert.equal(warnings.length, 1);
		assert.match(
			warnings[0]?.message ?? '',
			/^Send Once: 20 messages were skipped that may never have arrived.*'Retry Unknown'/,
		);
		const others = hintsOf(nextDay).filter(({ type }) => type !== 'warning');
		const [skipped, coarse] = others.map(({ message }) => message);
		assert.equal(
			skipped,
			'Send Once: 20 messages were skipped, because this node has sent them before. To send them again on purpose, turn Send Once off for one run.',
		);
		assert.match(
			String(coarse),
			/^Send Once: all 40 messages .* 'Send Once Key' may be too coarse/,
		);

		const again = rows.map((row) => ({ ...row, retryUnknown: true }));
		const repaired = await runByWebhook(own, stored, path, { rows: again });
		assert.deepEqual(usersReached(repaired), failing);
		assert.deepEqual(outcomesOf(repaired), { accepted: ROWS / 2, skipped: ROWS / 2 });
		say(`    ${warnings[0]?.message}`);
	});
}

const pushOnce = messaging(
	'Push',
	{
		...pushToRow,
		...sendOnce,
		options: { concurrency: 1, retryUnknown: '={{ $json.retryUnknown ?? false }}' },
	},
	{ onError: 'continueRegularOutput' },
);

function outcomesOf({ data }: Run): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { json } of output(data, 'Push')) {
		const { outcome } = (json.details ?? json) as { outcome: string };
		counts[outcome] = (counts[outcome] ?? 0) + 1;
	}
	return counts;
}
