import assert from 'node:assert/strict';
import { say } from '../../scripts/steps';
import type { CommandLine } from '../commandLine';
import type { Cluster } from './cluster';
import { accountOf, assertTold, calledUnknown, startExecutions } from './executions';

const race = {
	...{ executions: 3, rowsEach: 100, sameRows: true },
	parameters: { sendOnce: true, sendOnceKey: 'welcome', options: { concurrency: 10 } },
} as const;

/**
 * Three executions get the same rows at the same moment, each on any worker. Each round has a workflow of its own, so
 * its first notes are also the first ones in n8n's store.
 */
export async function sameRowsAtOnce(cluster: Cluster, { rounds }: CommandLine): Promise<void> {
	await cluster.withService(async (own) => {
		const { sandbox } = own;
		sandbox.configure({ latencyMs: 100 });
		for (let round = 1; round <= rounds; round++) {
			sandbox.reset();
			const started = await startExecutions(own, `send-once-race-${round}`, race);
			const runs = await started.settled(race.executions);
			const { accepted, doubled, lost } = accountOf(sandbox, started.rows);
			const unknown = runs.map((run) => calledUnknown([run.succeeded()]).size);
			say(`    round ${round}: ${accepted} accepted, ${unknown.join(', ')} called unknown`);
			assertTold(sandbox, runs);
			assert.deepEqual({ doubled, lost }, { doubled: [], lost: [] });
		}
	});
}
