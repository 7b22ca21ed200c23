import type { INodeParameters, IRun } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import { each, saidBy, wordsOf } from '../support/attempts';
import { ExecutionList } from '../support/executionList';
import { executeInLoop } from '../support/loop';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { createUsers, idOf, push, rowsOf } from '../support/sends';
import { keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const accepted = () => sandbox().accepted().length;
const raise = 'If that is meant, raise it under Options';

const once = (maxMessages: number, maxWait = 60): INodeParameters => ({
	...push({ maxMessages, maxWait, concurrency: 1 }),
	sendOnce: true,
});

describe('Max Messages', () => {
	it('lets a run of so many messages pass, and refuses one more before anything is sent', async () => {
		const parameters = push({ maxMessages: 3 });
		expect((await run(sandbox(), parameters, { rows: rowsOf(3) })).error).toBeUndefined();
		const { error } = await run(sandbox(), parameters, { rows: rowsOf(4) });
		expect(error?.message).toBe(
			`Nothing was sent: This run would send 4 messages, and Max Messages is 3. ${raise}`,
		);
		expect(accepted()).toBe(3);
	});

	it('is 10,000 unless it is set', async () => {
		const { error } = await run(sandbox(), push(), { rows: rowsOf(10_001) });
		expect(error?.message).toBe(
			`Nothing was sent: This run would send 10,001 messages, and Max Messages is 10,000. ${raise}`,
		);
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

	const loop = async (count: number, parameters: INodeParameters) => {
		const { runs } = await executeInLoop({
			parameters,
			rows: rowsOf(count),
			rowsPerRun: 2,
			credential: keyCredential(sandbox()),
			onError: 'continueRegularOutput',
		});
		return runs.flatMap(({ data }) => data?.main?.[0] ?? []).map(({ json }) => json);
	};

	it('counts over the rounds of a loop', async () => {
		const items = await loop(6, push({ maxMessages: 4 }));
		const outcomes = items.map(({ outcome, error }) => error ?? outcome);
		const refusal = `With this run, the execution would send 6 messages, and Max Messages is 4. ${raise}`;
		expect(outcomes).toEqual([...Array<string>(4).fill('accepted'), refusal, refusal]);
	});

	it('counts each message once over an execution and its retries', async () => {
		const list = new ExecutionList();
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'u000003' }, first: 2 });
		const failed = await list.start({
			parameters: push({ concurrency: 1, maxMessages: 5 }),
			credential: keyCredential(sandbox()),
			rows: rowsOf(5),
		});
		const again = await list.retry(failed);
		expect(again.error).toBeDefined();
		expect((await list.retry(again)).error).toBeUndefined();
		expect(accepted()).toBe(5);
	});

	it.each([false, true])(
		'counts what other attempts sent in a loop, whichever is retried how often, Send Once %s',
		async (sendOnce) => {
			const attempt = async (retryOf?: IRun) => {
				const { run, runs } = await executeInLoop({
					parameters: { ...push({ concurrency: 1, maxMessages: 15 }), sendOnce },
					rows: rowsOf(25),
					rowsPerRun: 5,
					credential: keyCredential(sandbox()),
					retryOf,
				});
				const outputs = runs.map(({ data }) => data?.main?.[0] ?? []);
				const said = outputs.map((output) => saidBy({ output, failed: [] }));
				return { run, said: said.filter((round) => round.length > 0), ...wordsIn(run) };
			};
			const wordsIn = (run: IRun) => ({ words: String(run.data.resultData.error?.message) });
			sandbox().faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(7) }, first: 1 });
			const oldest = await attempt();
			expect(oldest.said).toEqual([each('accepted', 5)]);
			expect(accepted()).toBe(7);

			const second = await attempt(oldest.run);
			expect(second.said).toEqual([
				each('accepted', 5),
				[...each('accepted before', 2), ...each('accepted', 3)],
				each('accepted', 5),
			]);
			expect(second.words).toContain('Max Messages');
			expect(accepted()).toBe(15);
			for (let times = 0; times < 3; times++) {
				const next = await attempt(oldest.run);
				expect(next.said).toEqual([
					each('accepted', 5),
					each('accepted before', 5),
					each('accepted before', 5),
				]);
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
});

describe('With Send Once, Max Messages', () => {
	it('counts new messages as it goes, and the rest is not sent, also by a retry', async () => {
		const list = new ExecutionList();
		const credential = keyCredential(sandbox());
		await list.start({ parameters: once(2), credential, rows: rowsOf(2) });
		const rows = rowsOf(6);
		const stopped = await list.start({ parameters: once(3), credential, rows });
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
});

test('What a retry could not look up does not count towards Max Messages of the next one', async () => {
	const order = {
		parameters: once(30),
		credential: keyCredential(sandbox()),
		rows: rowsOf(30),
	};
	const store = useNewStore();
	const list = new ExecutionList();
	list.sourceFails = true;
	const first = await list.start(order);
	list.sourceFails = false;
	store.fail({ call: 'add', when: 'beforeCommit' });
	const silent = await list.retry(first, { parameters: once(30, 0) });
	expect(wordsOf(silent)).toContain('May have been delivered: 30');
	store.fail();
	const next = await list.retry(silent, order);
	expect(next.error).toBeUndefined();
	expect(saidBy(next)).toEqual(each('accepted', 30));
	expect(accepted()).toBe(30);
});

describe('A hint about Max Messages', () => {
	const hintsOf = async (count: number, options: INodeParameters) => {
		const { hints } = await run(sandbox(), push(options), { rows: rowsOf(count) });
		return hints.map(({ message }) => message);
	};

	it('comes from 80 % on', async () => {
		expect((await hintsOf(7, { maxMessages: 10 })).join()).not.toContain('Max Messages');
		expect((await hintsOf(1, { maxMessages: 1 })).join()).not.toContain('Max Messages');
		expect(await hintsOf(8, { maxMessages: 10 })).toContain(
			'This execution has sent 8 messages, and Max Messages is 10. If more are meant, raise it under Options.',
		);
	});

	it('comes in a preview too, which also shows what would be refused', async () => {
		expect(await hintsOf(8, { maxMessages: 10, previewOnly: true })).toContain(
			'This execution would send 8 messages, and Max Messages is 10. If more are meant, raise it under Options.',
		);
		expect(await hintsOf(11, { maxMessages: 10, previewOnly: true })).toContain(
			`This run would send 11 messages, and Max Messages is 10. ${raise}.`,
		);
	});
});
