import type { INodeParameters, IRun } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import { each, saidBy, wordsOf } from '../support/attempts';
import { ExecutionList } from '../support/executionList';
import { executeInLoop } from '../support/loop';
import { useNewStore } from '../support/memoryStore';
import { hintsOf } from '../support/mistakes';
import * as order from '../support/orders';
import { createUsers, idOf, push, rowsOf } from '../support/sends';
import { keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

const accepted = () => sandbox().accepted().length;
const raise = 'If that is meant, raise it under Options';
const send = async (count: number, options: INodeParameters = {}) =>
	await run(sandbox(), push(options), { rows: rowsOf(count) });
const orderOf = (count: number, parameters: INodeParameters) => ({
	parameters,
	credential: keyCredential(sandbox()),
	rows: rowsOf(count),
});
const once = (maxMessages: number, maxWait = 60): INodeParameters => ({
	...push({ maxMessages, maxWait, concurrency: 1 }),
	sendOnce: true,
});

describe('Max Messages', () => {
	it('lets a run of so many messages pass, and refuses one more before anything is sent', async () => {
		expect((await send(3, { maxMessages: 3 })).error).toBeUndefined();
		expect((await send(4, { maxMessages: 3 })).error?.message).toBe(
			`Nothing was sent: This run would send 4 messages, and Max Messages is 3. ${raise}`,
		);
		expect(accepted()).toBe(3);
	});

	it('is 10,000 unless it is set', async () => {
		const told = 'This run would send 10,001 messages, and Max Messages is 10,000.';
		expect((await send(10_001)).error?.message).toContain(told);
		expect(sandbox().record).toEqual([]);
	});

	it.each<[string, INodeParameters]>([
		['a push to three platforms as one', push({ maxMessages: 2 }, ['web', 'ios', 'android'])],
		['no users', createUsers({ maxMessages: 1 })],
		['no events', { ...order.trackEvent, userID: '={{ $json.id }}', options: { maxMessages: 1 } }],
		['no broadcasts', { ...order.pushToAll, maxBroadcasts: 2, options: { maxMessages: 1 } }],
	])('counts %s', async (_, parameters) => {
		const { error } = await run(sandbox(), parameters, { rows: rowsOf(2) });
		expect(error).toBeUndefined();
	});

	it('counts over the rounds of a loop', async () => {
		const { runs } = await executeInLoop({
			...orderOf(6, push({ maxMessages: 4 })),
			rowsPerRun: 2,
			onError: 'continueRegularOutput',
		});
		const items = runs.flatMap(({ data }) => data?.main?.[0] ?? []);
		const refusal = `With this run, the execution would send 6 messages, and Max Messages is 4. ${raise}`;
		expect(items.map(({ json }) => json.error ?? json.outcome)).toEqual([
			...each('accepted', 4),
			...each(refusal, 2),
		]);
	});

	it('counts each message once over an execution and its retries', async () => {
		const list = new ExecutionList();
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: idOf(3) }, first: 2 });
		const failed = await list.start(orderOf(5, push({ concurrency: 1, maxMessages: 5 })));
		const again = await list.retry(failed);
		expect(again.error).toBeDefined();
		expect((await list.retry(again)).error).toBeUndefined();
		expect(accepted()).toBe(5);
	});

	it.each([false, true])(
		'counts what other attempts sent in a loop, whichever is retried how often, Send Once %s',
		async (sendOnce) => {
			const attempt = async (retryOf?: IRun) => {
				const parameters = { ...push({ concurrency: 1, maxMessages: 15 }), sendOnce };
				const loop = { ...orderOf(25, parameters), rowsPerRun: 5, retryOf };
				const { run: whole, runs } = await executeInLoop(loop);
				const outputs = runs.map(({ data }) => data?.main?.[0] ?? []);
				const said = outputs.map((output) => saidBy({ output, failed: [] }));
				const words = String(whole.data.resultData.error?.message);
				return { whole, said: said.filter((round) => round.length > 0), words };
			};
			sandbox().faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(7) }, first: 1 });
			const oldest = await attempt();
			expect(oldest.said).toEqual([each('accepted', 5)]);
			expect(accepted()).toBe(7);

			const [all, before] = [each('accepted', 5), each('accepted before', 5)];
			const partly = [...each('accepted before', 2), ...each('accepted', 3)];
			const expected = [[all, partly, all], ...each([all, before, before], 3)];
			for (const rounds of expected) {
				const next = await attempt(oldest.whole);
				expect(next.said).toEqual(rounds);
				expect(next.words).toContain('Max Messages');
				expect(accepted()).toBe(15);
			}
		},
	);

	it('lets each call of an agent send', async () => {
		const tool = agentTool({
			parameters: { ...push({ maxMessages: 1 }), user_id: "={{ $fromAI('user', '', 'string') }}" },
			credential: keyCredential(sandbox()),
		});
		for (const user of ['u1', 'u2']) await tool.invoke({ user });
		expect(accepted()).toBe(2);
	});

	it('counts new messages of Send Once as it goes, and the rest is not sent, also by a retry', async () => {
		const list = new ExecutionList();
		await list.start(orderOf(2, once(2)));
		const stopped = await list.start(orderOf(6, once(3)));
		expect(stopped.error?.message).toContain(
			"The execution has sent as many messages as 'Max Messages' allows, so it was not sent",
		);
		expect(accepted()).toBe(5);
		expect((await list.retry(stopped)).error).toBeDefined();
		expect(accepted()).toBe(5);
		const { output } = await list.retry(stopped, { parameters: once(4) });
		expect(output).toHaveLength(6);
		expect(accepted()).toBe(6);
	});

	it('does not count what the retry before could not look up', async () => {
		const whole = orderOf(30, once(30));
		const store = useNewStore();
		const list = new ExecutionList();
		list.sourceFails = true;
		const first = await list.start(whole);
		list.sourceFails = false;
		store.fail({ call: 'add', when: 'beforeCommit' });
		const silent = await list.retry(first, { parameters: once(30, 0) });
		expect(wordsOf(silent)).toContain('May have been delivered: 30');
		store.fail();
		const next = await list.retry(silent, whole);
		expect(next.error).toBeUndefined();
		expect(saidBy(next)).toEqual(each('accepted', 30));
		expect(accepted()).toBe(30);
	});
});

describe('A hint about Max Messages', () => {
	it.each([
		[7, 10],
		[1, 1],
	])('does not come with %d of %d', async (count, maxMessages) => {
		expect(hintsOf(await send(count, { maxMessages })).join()).not.toContain('Max Messages');
	});

	it.each([
		[8, false, 'This execution has sent 8 messages', 'If more are meant'],
		[8, true, 'This execution would send 8 messages', 'If more are meant'],
		[11, true, 'This run would send 11 messages', 'If that is meant'],
	])('comes from 80 %% on, and in a preview: %d, %j', async (count, previewOnly, told, means) => {
		const hints = hintsOf(await send(count, { maxMessages: 10, previewOnly }));
		expect(hints).toContain(`${told}, and Max Messages is 10. ${means}, raise it under Options.`);
	});
});
