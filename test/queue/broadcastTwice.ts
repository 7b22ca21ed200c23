import assert from 'node:assert/strict';
import { say } from '../../scripts/steps';
import { messaging, noOp, pushToAll, webhook, workflow } from '../../scripts/n8n/workflows';
import { create, hintsOf, outcomesOf } from '../live/bench';
import type { Cluster } from './cluster';
import type { CommandLine } from './commandLine';
import { settled } from './executions';

/**
 * A webhook is called twice within a millisecond, and each call may run on any worker. Each round has a workflow of its
 * own, so its first notes are also the first ones in n8n's store.
 */
export async function broadcastTwice(cluster: Cluster, { rounds }: CommandLine): Promise<void> {
	const { client, sandbox, credentialIds } = cluster;
	const inDoubt: number[] = [];
	for (let round = 1; round <= rounds; round++) {
		sandbox.reset();
		sandbox.configure({ latencyMs: 100 });
		const path = `broadcast-twice-${round}`;
		const push = messaging('Push', { ...pushToAll, platforms: ['web'] });
		const nodes = [webhook(path), push, noOp('Done')];
		const { id } = await create(cluster, workflow(path, nodes, credentialIds));
		await Promise.all([1, 2].map(async () => await client.callWebhook(path, {})));
		const executions = await settled(client, { workflowId: id }, 2, 60_000);
		assert.deepEqual(
			executions.map(({ status }) => status),
			['success', 'success'],
		);
		assert.equal(sandbox.accepted().length, 1, `round ${round}: the broadcast went out once`);
		const outcomes = executions.flatMap((execution) => outcomesOf(execution, 'Done'));
		assert.deepEqual(outcomes.sort(), ['accepted', 'skipped']);
		const warnings = executions.flatMap((execution) => hintsOf(execution));
		assert.equal(warnings.filter(({ type }) => type === 'warning').length, 1);
		if (warnings.some(({ message }) => message.includes('is sending the same')))
			inDoubt.push(round);
	}
	sandbox.configure({ latencyMs: 0 });
	say(`    ${rounds} rounds, in ${inDoubt.length} of them the second found the first under way`);
}
