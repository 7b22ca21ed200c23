import assert from 'node:assert/strict';
import { say } from '../../scripts/steps';
import type { CommandLine } from '../commandLine';
import { TOKEN_WITH_RAISED_LIMIT, type Cluster } from './cluster';
import { accountOf, assertTold, calledUnknown, startExecutions } from './executions';

/** More than a race of some rounds sends within a minute, so that no round waits for the next one. */
const RAISED_LIMIT = 5_000;

const race = {
	...{ executions: 3, rowsEach: 100, sameRows: true, authentication: 'partnerToken' as const },
	parameters: { sendOnce: true, sendOnceKey: 'welcome', options: { concurrency: 10 } },
} as const;

/**
 * Three executions get the same rows at the same moment, each on any worker. Each round has a workflow of its own, so
 * its first notes are also the first ones in n8n's store.
 */
export async function sameRowsAtOnce(cluster: Cluster, { rounds }: CommandLine): Promise<void> {
	const { client, sandbox, credentialIds } = cluster;
	const normalLimit = sandbox.settings.limits.push;
	sandbox.configure({ latencyMs: 100, limits: { push: RAISED_LIMIT } });
	// An account of its own.
	const { id } = await client.createCredential({
		name: 'Sandbox (raised limit)',
		type: 'customerMessagingPartnerApi',
		data: {
			...{ ...sandbox.urls, accessToken: TOKEN_WITH_RAISED_LIMIT },
			...{ customLimits: true, pushLimit: RAISED_LIMIT },
		},
	});
	const raised = cluster.with({ credentialIds: { ...credentialIds, 'sandbox-partner-token': id } });
	for (let round = 1; round <= rounds; round++) {
		sandbox.reset();
		const started = await startExecutions(raised, `send-once-race-${round}`, race);
		const runs = await started.settled(race.executions);
		const { accepted, doubled, lost } = accountOf(sandbox, started.rows);
		const unknown = runs.map((run) => calledUnknown([run.succeeded()]).size);
		say(`    round ${round}: ${accepted} accepted, ${unknown.join(', ')} called unknown`);
		assertTold(sandbox, runs);
		assert.deepEqual({ doubled, lost }, { doubled: [], lost: [] });
	}
	sandbox.configure({ latencyMs: 0, limits: { push: normalLimit } });
}
