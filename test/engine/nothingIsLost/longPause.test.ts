import { startServerAnswering } from '../support/localServer';
import { useFastClock } from '../support/clock';
import { hintsOf, useNode } from '../support/node';
import { push, rowsOf } from '../support/sends';

const node = useNode({ rows: rowsOf(20), onError: 'continueErrorOutput', mode: 'trigger' });
useFastClock(100);

test('A run that waited a minute or more for the service says so at the end', async () => {
	const server = await startServerAnswering(503, {}, '');
	const account = { pushUrl: server.url };
	const report = await node.run(push({ maxWait: 2 }), { account });
	await server.close();
	expect(hintsOf(report)).toContainEqual(
		expect.stringMatching(/^Waited [12] min \d+ s while the service was down/m),
	);
});
