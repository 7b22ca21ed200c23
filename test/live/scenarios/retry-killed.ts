import assert from 'node:assert/strict';
import { say } from '../../../scripts/steps';
import {
	create,
	failureText,
	retry,
	startUntil,
	usersReached,
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

const path = 'retry-killed';
const rows = makeRows(path, 100);
/** The first hundred rows are in chunks of so many. */
const MAX_IN_DOUBT = 10;

/** Kills n8n in the middle of a run whose workflow saves its progress, and retries from the list, twice. */
export async function retryOfKilled(bench: CrashableBench): Promise<void> {
	const { client, sandbox } = bench;
	const push = messaging('Push', { ...pushToRow, options: { concurrency: 4 } });
	const described = workflow(
		path,
		[webhook(path), eachRow, push, noOp('Done')],
		bench.credentialIds,
	);
	const settings = { ...described.settings, saveExecutionProgress: true };
	const stored = await create(bench, { ...described, settings });
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
	const { status, data } = await client.finished(id, 30_000);
	const killed: Run = { id, status, data, arrivals: [...sandbox.record] };

	const first = await retry(bench, killed, true);
	const second = await retry(bench, killed, true);
	const reached = [...before, ...usersReached(first), ...usersReached(second)];
	say(`    ${before.length} reached before n8n was killed, ${reached.length} after two retries`);
	const twice = reached.filter((user, index) => reached.indexOf(user) !== index);
	assert.deepEqual(twice, [], 'nobody is reached twice');
	assert.deepEqual(second.arrivals, [], 'the second retry has nothing left to send');
	assert.ok(reached.length >= rows.length - MAX_IN_DOUBT, `${reached.length} are reached`);
	if (reached.length < rows.length)
		assert.match(failureText(first), /may or may not have been delivered/);
}
