import { tellRun } from '../../../nodes/CustomerMessaging/report/hints';
import { planPushes } from '../support/planned';

const values = { statusCode: 200, response: {}, rateLimitRemaining: 5 };
const ending = { kind: 'accepted', values } as const;
const rows = [{ id: 'C-1' }, { id: 'C-2' }];

/** Tells a run of which everything was accepted. */
async function told(given: typeof rows, pausedMs?: number) {
	const planned = await planPushes(given);
	const results = planned.plan.deliveries.map((delivery) => ({ delivery, attempts: 1, ending }));
	return tellRun({ ...planned, done: { requests: 0, results, pausedMs } });
}

test('A run that did what it should says nothing', async () => {
	expect(await told(rows)).toEqual({ happened: [], warnings: [], rest: [] });
});

test('A message that was left out, and a long pause, stand in the last box', async () => {
	const { rest } = await told([...rows, { id: 'C-1' }], 120_000);
	expect(rest).toEqual([
		"Item 2 (C-1): 1 message was skipped because this run has the same message to the same recipient before. To send all of them, turn on 'Allow Duplicates' under Options",
		'Waited 2 min 0 s while the service was down',
	]);
});
