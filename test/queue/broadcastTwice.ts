import assert from 'node:assert/strict';
import { say } from '../../scripts/steps';
import { messaging, noOp, pushToAll } from '../../scripts/n8n/workflows';
import type { Cluster } from './cluster';
import type { CommandLine } from './commandLine';
import { settled } from './executions';

/**
 * A webhook is called twice within a millisecond, and each call may run on any worker. Each round has a workflow of its
 * own, so its first notes are also the first ones in n8n's store.
 */
export async function broadcastTwice(cluster: Cluster, { rounds }: CommandLine): Promise<void> {
	const { client, sandbox } = cluster;
	let inDoubt = 0;
	for (let round = 1; round <= rounds; round++) {
		sandbox.reset();
		sandbox.configure({ latencyMs: 100 });
		const path = `broadcast-twice-${round}`;
		const push = messaging('Push', { ...pushToAll, platforms: ['web'] });
		const { id } = await cluster.behindWebhook(path, [push, noOp('Done')]);
		await Promise.all([1, 2].map(async () => await client.callWebhook(path, {})));
		const runs = await settled(cluster, id, 2, 60_000);
		const outcomes = runs.flatMap((run) => run.succeeded().outcomes());
		assert.deepEqual(outcomes.sort(), ['accepted', 'skipped']);
		assert.equal(sandbox.accepted().length, 1, `round ${round}: the broadcast went out once`);
		const hints = runs.flatMap((run) => run.hints());
		assert.equal(hints.filter(({ type }) => type === 'warning').length, 1);
		if (hints.some(({ message }) => message.includes('is sending the same'))) inDoubt++;
	}
	sandbox.configure({ latencyMs: 0 });
	say(`    ${rounds} rounds, in ${inDoubt} of them the second found the first under way`);
}
