import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../scripts/steps';
import type { Run } from '../live/run';
import { accountOf, startExecutions, type Started } from '../queue/executions';
import type { Fault } from './faults';
import type { Surroundings } from './surroundings';

/** With Send Once, and as many without. */
const EXECUTIONS = 4;
const ROWS_EACH = 30;
const SETTLED_WITHIN_MS = 240_000;
const STRUCK_WITHIN_MS = 120_000;

/** Runs eight executions through a fault, and then does what a user would do: start or retry them again. */
export async function endure(
	{ title, strike, endsExecutions = false }: Fault,
	surroundings: Surroundings,
): Promise<void> {
	const { cluster } = surroundings;
	const { sandbox } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: 300 });
	const start = async (kind: string, parameters: Record<string, unknown>) =>
		await startExecutions(cluster, `${title.toLowerCase().replace(/\W+/g, '-')}-${kind}`, {
			executions: EXECUTIONS,
			rowsEach: ROWS_EACH,
			parameters,
		});
	const plain = await start('plain', {});
	const once = await start('once', { sendOnce: true, sendOnceKey: 'sale' });
	const all = plain.rows.length + once.rows.length;
	const { record } = sandbox;
	for (const deadline = Date.now() + STRUCK_WITHIN_MS; record.length < all / 3; await sleep(20))
		assert.ok(Date.now() < deadline, `only ${record.length} of ${all} requests came`);
	say(`    after ${record.length} of ${all} requests: it happens`);
	await strike(surroundings);
	say('    it is over');

	/** Those who were neither reached nor named by an execution. Nobody may be reached twice. */
	const forgotten = ({ rows }: Started, executions: Run[]) => {
		const { doubled, lost } = accountOf(sandbox, rows);
		const named = new Set(executions.flatMap(failed));
		const unnamed = lost.filter((user) => !named.has(user));
		say(`    ${rows.length - lost.length} of ${rows.length} reached, ${unnamed.length} not named`);
		for (const { id, status, data } of executions)
			say(`    ${id} ${status} ${data.resultData.error?.message ?? ''}`);
		assert.deepEqual(doubled, [], 'nobody is reached twice');
		return unnamed;
	};
	const end = async (started: Started) => {
		const ended = await started.settled(EXECUTIONS, SETTLED_WITHIN_MS);
		const unnamed = forgotten(started, ended);
		const succeeded = ended.filter(({ status }) => status === 'success');
		for (const execution of succeeded)
			assert.equal(
				accepted(execution) + failed(execution).length,
				ROWS_EACH,
				'an execution that succeeded names each of its rows',
			);
		if (!endsExecutions) {
			assert.equal(succeeded.length, EXECUTIONS);
			assert.equal(ended.length, EXECUTIONS);
			assert.deepEqual(unnamed, [], 'everyone is reached or named');
		}
		return ended;
	};
	const ofPlain = await end(plain);
	await end(once);

	sandbox.configure({ latencyMs: 0 });
	await once.again();
	const later = await once.settled(2 * EXECUTIONS, SETTLED_WITHIN_MS);
	assert.deepEqual(forgotten(once, later), [], 'everyone is reached or named');
	// As a user would in the list of executions.
	const retries: Run[] = [];
	for (const { id, status } of ofPlain) {
		if (status === 'success') continue;
		// n8n gives the job of a killed worker to another one, which may only now have succeeded.
		const now = await cluster.ended(id);
		retries.push(now.status === 'success' ? now : await cluster.retry(now));
	}
	forgotten(plain, [...ofPlain, ...retries]);
}

const accepted = (run: Run) =>
	run.items('Push').filter(({ json }) => json.outcome === 'accepted').length;

/** The users whom an execution names as not sent or in doubt. Those that another one left in doubt are skipped. */
const failed = (run: Run) =>
	run.told().flatMap(([user, said]) => (/notSent|unknown/.test(said) ? [user] : []));
