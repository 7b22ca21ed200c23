import { tellRun } from '../../../nodes/CustomerMessaging/report/hints';
import type { Result } from '../../../nodes/CustomerMessaging/shared/ending';
import { planPushes } from '../support/planned';

const response = { statusCode: 200, response: {}, rateLimitRemaining: 5 };
const rows = [{ id: 'C-1' }, { id: 'C-2' }];

/** Tells a run that did with each delivery what `become` says. */
async function told(
	planned: Awaited<ReturnType<typeof planPushes>>,
	become: (delivery: Result['delivery']) => Result = (delivery) => ({
		...{ delivery, attempts: 1, ending: { kind: 'accepted', values: response } },
	}),
	more = {},
) {
	const done = { requests: 0, results: planned.plan.deliveries.map(become), ...more };
	return tellRun({ ...planned, done });
}

test('A run that did what it should says nothing', async () => {
	expect(await told(await planPushes(rows))).toEqual({ happened: [], warnings: [], rest: [] });
});

test('A list that is only shown by hand says so first', async () => {
	const { happened } = await told(await planPushes(rows, {}, { mode: 'manual' }));
	expect(happened).toEqual([
		"Nothing was sent: by hand, a list is only shown. To send, set 'When Run by Hand' to Send, and execute it again",
	]);
});

test('What an earlier attempt may not have delivered is a warning, with names', async () => {
	const { warnings } = await told(await planPushes(rows), (delivery) => ({
		...{ delivery, attempts: 1, wasReported: true, ending: { kind: 'unknown' } },
	}));
	expect(warnings).toEqual([
		'2 messages of an earlier attempt may never have arrived: items 0 (C-1), 1 (C-2). Check in the account: nothing of it is sent again.',
	]);
});

test('A message that was left out, and a long pause, stand in the last box', async () => {
	const planned = await planPushes([...rows, { id: 'C-1' }]);
	const { rest } = await told(planned, undefined, { pausedMs: 120_000 });
	expect(rest).toEqual([
		"Item 2 (C-1): 1 message was skipped because this run has the same message to the same recipient before. To send all of them, turn on 'Allow Duplicates' under Options",
		'Waited 2 min 0 s while the service was down',
	]);
});

test('Nearly as many messages as allowed are told', async () => {
	const planned = await planPushes(rows, { options: { maxMessages: 2 } });
	planned.n8n.memory().context.messages = { runIndex: 0, rounds: 0, attempts: 2 };
	expect((await told(planned)).rest).toEqual([
		'This execution has sent 2 messages, and Max Messages is 2. If more are meant, raise it under Options',
	]);
});
