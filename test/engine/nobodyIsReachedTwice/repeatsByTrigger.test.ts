import type { INodeParameters } from 'n8n-workflow';

import { saidBy, useAttempts } from '../support/attempts';
import type { Order } from '../support/engine';
import { type Course, ExecutionList } from '../support/executionList';
import { useLogLines } from '../support/logLines';
import { executeInLoop } from '../support/loop';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { freezeClock, keyCredential, useSandbox } from '../support/service';

freezeClock('2026-10-28T12:00:00Z');
const sandbox = useSandbox();
const lines = useLogLines();
let list: ExecutionList;
beforeEach(() => {
	useNewStore();
	list = new ExecutionList();
	jest.setSystemTime(new Date('2026-10-28T12:00:00Z'));
});

const fire = async (parameters: INodeParameters, rest: Partial<Order & Course> = {}) =>
	await list.start({
		parameters,
		credential: keyCredential(sandbox()),
		timezone: 'Europe/Berlin',
		...rest,
	});
const said = async (...args: Parameters<typeof fire>) => saidBy(await fire(...args));
const accepted = () => sandbox().accepted().length;

const before = 'skipped sentBefore accepted';
const toCampaign = { ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 5501 };
const at = (scheduledFor: string) => ({ ...order.emailToSegment, sendAt: 'at', scheduledFor });

describe('A broadcast by a trigger goes out once in ten minutes:', () => {
	it('the second is skipped, with a warning that is in the log too', async () => {
		expect(await said(order.pushToAll)).toEqual(['accepted']);
		const again = await fire(order.pushToAll);
		expect(saidBy(again)).toEqual([before]);
		const warning =
			"1 broadcast was skipped, because another execution sent the same to the same audience in the last minutes: triggers may fire twice for one event. To send it again on purpose, wait 20 minutes, or turn on 'Send Duplicates' under Options. Or turn on 'Send Once' with a key that changes with each occasion.";
		expect(again.hints).toMatchObject([{ type: 'warning', message: warning }]);
		expect(lines).toContainEqual(['warn', warning]);
		expect(accepted()).toBe(1);
	});

	it('this span of ten minutes and the one before count', async () => {
		jest.setSystemTime(new Date('2026-10-28T12:01:00Z'));
		await fire(order.pushToAll);
		jest.setSystemTime(new Date('2026-10-28T12:19:59Z'));
		expect(await said(order.pushToAll)).toEqual([before]);
		jest.setSystemTime(new Date('2026-10-28T12:20:00Z'));
		expect(await said(order.pushToAll)).toEqual(['accepted']);
	});

	it('two executions at the border of two spans are compared, whichever is first', async () => {
		jest.setSystemTime(new Date('2026-10-28T12:10:00Z'));
		await fire(order.pushToAll);
		jest.setSystemTime(new Date('2026-10-28T12:09:59.999Z'));
		expect(await said(order.pushToAll)).toEqual([before]);
	});

	it('two at the same moment are compared', async () => {
		const both = await Promise.all([fire(order.pushToAll), fire(order.pushToAll)]);
		expect(both.map(saidBy).sort()).toEqual([['accepted'], [before]]);
		expect(accepted()).toBe(1);
	});

	it.each<[string, INodeParameters, INodeParameters?]>([
		['the same text', order.emailToSegment],
		['to a campaign', toCampaign],
		[
			'a field that differs by itself',
			{ ...order.pushToAll, message: '=It is {{ $now.toMillis() }}, {{ $execution.id }}' },
		],
		[
			'a tag that differs by itself',
			{ ...order.pushToAll, additionalFields: { tag: '={{ $execution.id }}' } },
		],
		['a chosen time', at('2026-11-01T09:00:00Z')],
		['a time that is computed from now', at('={{ $now.plus({ hours: 1 }) }}')],
		[
			'certain hours',
			{ ...order.pushToAll, sendAt: 'withinHours', hoursFrom: '09:00', hoursTo: '13:02' },
		],
		[
			'the next time of day',
			{ ...order.pushToAll, sendAt: 'next', nextTime: '13:02', nextDays: [1, 2, 3, 4, 5, 6, 7] },
		],
	])('it is skipped with %s', async (_, first, second = first) => {
		expect(await said(first)).toEqual(['accepted']);
		jest.setSystemTime(Date.now() + 3 * 60_000);
		expect(await said(second)).toEqual([before]);
	});

	it.each<[string, INodeParameters, INodeParameters]>([
		['another text', order.pushToAll, { ...order.pushToAll, message: 'Another' }],
		['another platform', order.pushToAll, { ...order.pushToAll, platforms: ['ios'] }],
		['another segment', order.pushToSegment, { ...order.pushToSegment, segment_id: 43 }],
		['another chosen time', at('2026-11-01T09:00:00Z'), at('2026-11-01T10:00:00Z')],
		[
			'another text around what differs by itself',
			{ ...order.pushToAll, message: '=One at {{ $now.toMillis() }}' },
			{ ...order.pushToAll, message: '=Two at {{ $now.toMillis() }}' },
		],
		['Send Duplicates', order.pushToAll, { ...order.pushToAll, options: { sendDuplicates: true } }],
		[
			'Send Once and a key',
			order.pushToAll,
			{ ...order.pushToAll, sendOnce: true, sendOnceKey: 'k' },
		],
	])('it is sent with %s', async (_, first, second) => {
		expect(await said(first)).toEqual(['accepted']);
		expect(await said(second)).toEqual(['accepted']);
	});

	it('within one execution, Max Broadcasts decides', async () => {
		const twice = { ...order.pushToAll, maxBroadcasts: 2 };
		expect(await said(twice, { rows: [{}, {}] })).toEqual(['accepted', 'accepted']);
		useNewStore();
		const { runs } = await executeInLoop({
			parameters: { ...twice, maxBroadcasts: 3 },
			rows: [{}, {}, {}],
			rowsPerRun: 1,
			credential: keyCredential(sandbox()),
		});
		const rounds = runs.flatMap(({ data }) => data?.main?.[0] ?? []);
		expect(rounds.map(({ json }) => json.outcome)).toEqual(['accepted', 'accepted', 'accepted']);
		expect(await said(twice, { rows: [{}, {}] })).toEqual([before, before]);
	});

	it('what was refused goes out by the next execution, and a retry then skips it', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, first: 1 });
		const first = await fire(order.pushToAll);
		expect(first.error).toBeDefined();
		expect(await said(order.pushToAll)).toEqual(['accepted']);
		expect(saidBy(await list.retry(first))).toEqual([before]);
		expect(accepted()).toBe(1);
	});

	it('a retry sends what the execution itself could not', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'ios' }, first: 1 });
		sandbox().faults.add({ kind: 'status', status: 400, after: 1, first: 1 });
		const twice = { ...order.pushToAll, maxBroadcasts: 2 };
		const first = await fire(twice, { rows: [{}, {}] });
		expect(first.error).toBeDefined();
		const retried = await list.retry(first);
		expect(saidBy(retried)).toEqual(['accepted before', 'accepted']);
		expect(accepted()).toBe(2);
	});

	it('what may have arrived is skipped with a warning', async () => {
		sandbox().faults.add({ kind: 'resetAfterAccept', first: 1 });
		const rest = { onError: 'continueRegularOutput' as const };
		expect(await said(order.pushToAll, rest)).toEqual(['unknown']);
		const again = await fire(order.pushToAll, rest);
		expect(saidBy(again)).toEqual(['skipped sentBefore unknown']);
		expect(again.hints).toMatchObject([
			{
				type: 'warning',
				message:
					"1 broadcast was skipped, because another execution is sending the same to the same audience, or does not know how that ended. Its output says what became of it; otherwise check in the account. To send it all the same, turn on 'Send Duplicates' under Options.",
			},
		]);
	});

	it('one that is started by hand is not compared with those of a trigger', async () => {
		const byHand = { mode: 'manual' as const };
		const parameters = { ...order.pushToAll, testRuns: 'send' };
		await fire(parameters);
		expect(await said(parameters, byHand)).toEqual(['accepted']);
		expect(await said(parameters, byHand)).toEqual([before]);
		expect(await said(parameters)).toEqual([before]);
		jest.setSystemTime(Date.now() + 30 * 60_000);
		expect(await said(parameters)).toEqual(['accepted']);
	});

	it('lists of a trigger are never compared', async () => {
		const rest = { rows: [{ id: 'a' }, { id: 'b' }] };
		const parameters = { ...order.pushSend, user_id: '={{ $json.id }}' };
		for (let fired = 0; fired < 2; fired++)
			expect(await said(parameters, rest)).toEqual(['accepted', 'accepted']);
	});
});

describe('After a kill', () => {
	const attempts = useAttempts();

	it('a broadcast that may have left is in doubt in a retry, and skipped by another execution', async () => {
		const parameters = { ...order.pushToAll };
		const first = await attempts().failBefore(attempts().order(parameters, [{}]));
		await attempts().killAfter(1, async (course) => await attempts().list.retry(first, course));
		jest.setSystemTime(Date.now() + 1_000);
		const other = await attempts().list.start(attempts().order(parameters, [{}]));
		expect(saidBy(other)).toEqual(['skipped sentBefore unknown']);
		const retried = await attempts().list.retry(first, { onError: 'continueRegularOutput' });
		expect(saidBy(retried)).toEqual(['unknown interrupted']);
		expect(attempts().sandbox.accepted()).toHaveLength(1);
	});
});
