import { createRunExecutionData, type INodeParameters } from 'n8n-workflow';

import type { Arrival } from '../../../sandbox';
import { agentTool } from '../support/agentTool';
import { each, useNode } from '../support/node';
import { notification, trackEvent } from '../support/orders';

const node = useNode();
const toOne: INodeParameters = {
	...{ resource: 'push', operation: 'send', platforms: ['web'], url: notification.url },
	user_id: "={{ $fromAI('user_id', 'ID of the user to notify', 'string') }}",
	title: "={{ $fromAI('title', 'Title', 'string') }}",
	message: "={{ $fromAI('message', 'Text', 'string') }}",
	options: { concurrency: 1 },
};
const hello = { title: 'Hello', message: 'Your parcel is here' };

type Answer = Record<string, string | number | boolean>;

/** The tool of one execution, which is called for a user. It answers with its items. */
function toolOf(more: INodeParameters = {}, rest: Partial<Parameters<typeof agentTool>[0]> = {}) {
	const order = { parameters: { ...toOne, ...more }, credential: node.credential };
	const tool = agentTool({ ...order, retryOnFail: true, ...rest });
	return async (user_id = 'u-1', text: object = hello) =>
		JSON.parse(String(await tool.invoke({ ...text, user_id }))) as Answer[];
}
const outcomes = (items: Answer[]) =>
	items.map((one) => `${one.platform} ${one.outcome}${one.sentBefore === true ? ' before' : ''}`);
const accepted = () => {
	const keyOf = ({ platform, body }: Arrival) => `${platform} ${(body as Answer).user_id}`;
	return node.sandbox.accepted().map(keyOf).sort();
};
const slow = (match = {}, delayMs = 60) =>
	node.sandbox.faults.add({ kind: 'delay', match, delayMs });
const unsure = 'may or may not have been delivered';

test('Where an agent calls for two people at once, a second try sends nothing again', async () => {
	const call = toolOf({ platforms: ['web', 'ios'] });
	const match = { bodyText: 'u-1', platform: 'ios' } as const;
	node.sandbox.faults.add({ kind: 'status', status: 404, match, first: 1 });
	slow({ bodyText: 'u-1', platform: 'web' }, 200);
	const one = call();
	expect(outcomes(await call('u-2'))).toEqual(['web accepted', 'ios accepted']);
	expect(outcomes(await one)).toEqual(['web accepted before', 'ios accepted']);
	expect(accepted()).toEqual(['ios u-1', 'ios u-2', 'web u-1', 'web u-2']);
});

const once = { sendOnce: true, sendOnceKey: 'parcel' };
test.each([{}, once])('Equal calls at once are one, whose result both hear: %j', async (more) => {
	const call = toolOf(more);
	slow();
	const result = { outcome: 'accepted', platform: 'web', statusCode: 200 };
	expect(await Promise.all([call(), call()])).toMatchObject([[result], [result]]);
	expect(accepted()).toEqual(['web u-1']);
});

test('Equal calls one after the other send one message and are answered with its result, and one with another text sends another', async () => {
	const call = toolOf();
	const answers = [await call(), await call(), await call()];
	const before = 'web accepted before';
	expect(answers.flatMap(outcomes)).toEqual(['web accepted', before, before]);
	expect(answers.flat().map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
	expect(accepted()).toEqual(['web u-1']);
	expect(outcomes(await call('u-1', { ...hello, message: 'Hi' }))).toEqual(['web accepted']);
});

const doubt = expect.stringContaining(unsure) as string;
const refused = expect.stringContaining('refused') as string;
const [sent, before] = ['web accepted', 'web accepted before'];
const refuse = () => node.refuseOnce('', 400);
const lose = () => node.loseOnce();
const duplicates = { options: { sendDuplicates: true } };
test.each<[string, fail: () => void, INodeParameters, told: string[], sends: number]>([
	['the second sends if the first was refused', refuse, {}, [refused, sent, before], 1],
	['none sends if the first may have arrived', lose, {}, [doubt, doubt, doubt], 1],
	['each sends with Allow Duplicates', () => {}, duplicates, [sent, sent, sent], 3],
])('Of three equal calls, at once or not, %s', async (_, fail, more, told, sends) => {
	for (const isAtOnce of [true, false]) {
		node.sandbox.reset();
		fail();
		slow();
		const call = toolOf(more, { retryOnFail: false });
		const outcome = async () => await call().then((items) => outcomes(items).join(), String);
		const first = outcome();
		if (!isAtOnce) await first;
		const second = outcome();
		if (!isAtOnce) await second;
		expect(await Promise.all([first, second, outcome()])).toEqual(told);
		expect(accepted()).toEqual(each('web u-1', sends));
	}
});

test('Equal calls of an event each leave, one after the other, and those of two executions', async () => {
	const event = toolOf({ ...trackEvent, userID: "={{ $fromAI('user_id', '', 'string') }}" });
	for (const call of [event, event, toolOf(), toolOf()]) await call();
	expect(node.sandbox.accepted()).toHaveLength(4);
});

test('What a call had in flight when n8n stored the execution is not sent again by a retry', async () => {
	const stored = createRunExecutionData();
	const arrival = node.untilArrived(1);
	slow();
	const first = toolOf({}, { stored })();
	await arrival;
	await expect(toolOf({}, { stored: structuredClone(stored) })()).rejects.toThrow(unsure);
	expect(outcomes(await first)).toEqual(['web accepted']);
	expect(accepted()).toEqual(['web u-1']);
});

test.each([{}, once, duplicates])('In batches, all calls but one fail: %j', async (more) => {
	const stored = createRunExecutionData();
	const users = ['u-1', 'u-2', 'u-3'];
	// n8n makes the tool for all items of a batch before the first call.
	const calls = users.map(() => toolOf(more, { stored, retryOnFail: false }));
	const told = users.map(async (user, at) => calls[at]?.(user).then(outcomes, String));
	const others =
		"Nothing more was sent: n8n gave this call another call's arguments. Set Batch Size to 1 in the AI Agent, or add the agent anew";
	const failed = expect.stringContaining(others) as string;
	expect(await Promise.all(told)).toEqual([['web accepted'], failed, failed]);
	expect(accepted()).toEqual(['web u-1']);
});

test('In batches, a second try sends nobody what another call wrote', async () => {
	const stored = createRunExecutionData();
	const [first, second] = [toolOf({}, { stored }), toolOf({}, { stored, retryOnFail: false })];
	node.refuseOnce('u-1', 400);
	slow();
	const one = first('u-1');
	await expect(second('u-2')).rejects.toThrow("another call's arguments");
	await expect(one).rejects.toThrow("another call's arguments");
	expect(accepted()).toEqual([]);
});
