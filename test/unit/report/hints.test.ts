import { tellRun } from '../../../nodes/CustomerMessaging/report/hints';
import { planPushes } from '../support/planned';

test('A message that was left out, an ID that is an address, and a long pause stand in the last box', async () => {
	const ids = ['C-1', 'anna@example.com', 'C-1'];
	const planned = await planPushes(ids.map((id) => ({ id })));
	const values = { statusCode: 200, response: {}, rateLimitRemaining: 5 };
	const ended = { attempts: 1, ending: { kind: 'accepted', values } } as const;
	const results = planned.plan.deliveries.map((delivery) => ({ delivery, ...ended }));
	const told = tellRun({ ...planned, done: { requests: 0, results, pausedMs: 120_000 } });
	const rest = [
		"Item 2 (C-1): 1 message was skipped because this run has the same message to the same recipient before. To send all of them, turn on 'Allow Duplicates' under Options",
		'Item 1 (anna@example.com): User ID has an @. It is the ID that your shop or CRM uses for a person, which is seldom the email address',
		'Waited 2 min 0 s while the service was down',
	];
	expect(told).toEqual({ happened: [], warnings: [], rest });
});
