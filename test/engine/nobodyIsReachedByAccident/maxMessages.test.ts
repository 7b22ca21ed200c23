import type { INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import type { Report } from '../support/engine';
import { each, hintsOf, inShort, useNode, wordsOf } from '../support/node';
import * as order from '../support/orders';
import { createUsers, idOf, push, rowsOf } from '../support/sends';

const node = useNode();

const accepted = () => node.sandbox.accepted().length;
const raise = 'If that is meant, raise it under Options';
const send = async (count: number, options: INodeParameters = {}) =>
	await node.run(push(options), { rows: rowsOf(count) });
const orderOf = (count: number, parameters: INodeParameters) => {
	return { parameters, rows: rowsOf(count) };
};
const oneByOne = (maxMessages: number, sendOnce = false, more = {}) => {
	return { ...push({ maxMessages, concurrency: 1, ...more }), sendOnce };
};
const once = (maxMessages: number, more = {}) => oneByOne(maxMessages, true, more);

it('Max Messages lets so many messages pass, by default 10,000, and refuses one more before anything is sent', async () => {
	expect((await send(3, { maxMessages: 3 })).output).toHaveLength(3);
	const refusal = (count: string, most: string) =>
		`Nothing was sent: This run would send ${count} messages, and Max Messages is ${most}. ${raise}`;
	expect((await send(4, { maxMessages: 3 })).error?.message).toBe(refusal('4', '3'));
	expect((await send(10_001)).error?.message).toBe(refusal('10,001', '10,000'));
	expect(node.sandbox.record).toHaveLength(3);
});

it.each<[string, maxMessages: number, INodeParameters]>([
	['a push to three platforms as one', 2, push({}, ['web', 'ios', 'android'])],
	['no users', 1, createUsers()],
	['no events', 1, { ...order.trackEvent, userID: '={{ $json.id }}' }],
	['no broadcasts', 1, { ...order.pushToAll, maxBroadcasts: 2 }],
])('Max Messages counts %s', async (_, maxMessages, parameters) => {
	const options = { maxMessages, sendDuplicates: true };
	const { error } = await node.run({ ...parameters, options }, { rows: rowsOf(2) });
	expect(error).toBeUndefined();
});

it('Max Messages counts over the rounds of a loop', async () => {
	const loop = { rows: rowsOf(6), rowsPerRun: 2, onError: 'continueRegularOutput' } as const;
	const { runs } = await node.run(push({ maxMessages: 4 }), loop);
	const said = runs.flatMap(({ output }) => output.map(({ json }) => json.error ?? json.outcome));
	const refusal = `With this run, the execution would send 6 messages, and Max Messages is 4. ${raise}`;
	expect(said).toEqual([...each('accepted', 4), ...each(refusal, 2)]);
});

it('Max Messages counts each message once over an execution and its retries', async () => {
	for (let times = 0; times < 2; times++) node.refuseOnce(idOf(3));
	const again = await node.retry(await node.start(orderOf(5, oneByOne(5))));
	expect(again.error).toBeDefined();
	expect(inShort(await node.retry(again))).toBe('3 accepted before, 2 accepted');
	expect(accepted()).toBe(5);
});

it.each([false, true])('Max Messages counts attempts in a loop, Send Once %s', async (sendOnce) => {
	const saidOf = ({ runs }: Report) => runs.map(inShort).filter((round) => round !== '');
	node.refuseOnce(idOf(7));
	const oldest = await node.start({ ...orderOf(25, oneByOne(15, sendOnce)), rowsPerRun: 5 });
	expect(saidOf(oldest)).toEqual(['5 accepted']);
	expect(accepted()).toBe(7);

	const [all, before] = ['5 accepted', '5 accepted before'];
	const partly = '2 accepted before, 3 accepted';
	const expected = [[all, partly, all], ...each([all, before, before], 3)];
	for (const rounds of expected) {
		const next = await node.retry(oldest);
		expect(saidOf(next)).toEqual(rounds);
		expect(next.error?.message).toContain('Max Messages');
		expect(accepted()).toBe(15);
	}
});

it('Max Messages lets each call of an agent send', async () => {
	const tool = agentTool({
		parameters: { ...push({ maxMessages: 1 }), user_id: "={{ $fromAI('user', '', 'string') }}" },
		credential: node.credential,
	});
	for (const user of ['u1', 'u2']) await tool.invoke({ user });
	expect(accepted()).toBe(2);
});

it('Max Messages counts new messages of Send Once as it goes, and the rest is not sent, also by a retry', async () => {
	await node.start(orderOf(2, once(2)));
	const stopped = await node.start(orderOf(6, once(3)));
	expect(stopped.error?.message).toContain(
		"The execution has sent as many messages as 'Max Messages' allows, so it was not sent",
	);
	expect(accepted()).toBe(5);
	expect((await node.retry(stopped)).error).toBeDefined();
	expect(accepted()).toBe(5);
	const { output } = await node.retry(stopped, { parameters: once(4) });
	expect(output).toHaveLength(6);
	expect(accepted()).toBe(6);
});

it('Max Messages does not count what the retry before could not look up', async () => {
	const whole = orderOf(30, once(30));
	const first = await node.failBefore(whole);
	node.store.fail({ call: 'add' });
	const silent = await node.retry(first, { parameters: once(30, { maxWait: 0 }) });
	expect(wordsOf(silent)).toContain('May have been delivered: 30');
	node.store.fail();
	expect(inShort(await node.retry(silent, whole))).toBe('30 accepted');
	expect(accepted()).toBe(30);
});

it.each([
	[7, 10, undefined],
	[1, 1, undefined],
	[8, 10, 'This execution would send 8 messages, and Max Messages is 10'],
	[11, 10, 'This execution would send 11 messages, and Max Messages is 10'],
])('A hint in a preview tells of %d messages where %d are allowed: %j', async (...one) => {
	const [count, maxMessages, told] = one;
	const hints = hintsOf(await send(count, { maxMessages, previewOnly: true }));
	expect(hints.find((hint) => hint.includes('Max Messages'))).toBe(
		told && `${told}. If more are meant, raise it under Options.`,
	);
});
