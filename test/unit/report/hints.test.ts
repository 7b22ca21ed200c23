import { tellRun } from '../../../nodes/CustomerMessaging/report/hints';
import { planPushes } from '../support/planned';

test('A message that was left out, and a long pause, stand in the last box', async () => {
	const planned = await planPushes([{ id: 'C-1' }, { id: 'C-2' }, { id: 'C-1' }]);
	const values = { statusCode: 200, response: {}, rateLimitRemaining: 5 };
	const ended = { attempts: 1, ending: { kind: 'accepted', values } } as const;
	const results = planned.plan.deliveries.map((delivery) => ({ delivery, ...ended }));
	const told = tellRun({ ...planned, done: { requests: 0, results, pausedMs: 120_000 } });
	const rest = [
		"Item 2 (C-1): 1 message was skipped because this run has the same message to the same recipient before. To send all of them, turn on 'Allow Duplicates' under Options",
		'Waited 2 min 0 s while the service was down',
	];
	expect(told).toEqual({ happened: [], warnings: [], rest });
});

test('A user ID that is an address gets a hint', async () => {
	expect(JSON.stringify(await told([...rows, { id: 'anna@example.com' }]))).toContain(
		'Item 2 (anna@example.com): User ID has an @',
	);
});
