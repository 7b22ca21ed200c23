import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../../sandbox';
import { agentTool } from '../support/agentTool';
import type { Order } from '../support/engine';
import { useNewStore } from '../support/memoryStore';
import { keyCredential } from '../support/service';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => {
	sandbox.reset();
	useNewStore();
});
afterAll(async () => await sandbox.close());

function toolOf(
	order: Pick<Order, 'parameters' | 'retryOnFail'>,
	mode?: Order['mode'],
	row?: IDataObject,
	fields: Order['credential'] = {},
) {
	return agentTool({ ...order, mode, credential: { ...keyCredential(sandbox), ...fields } }, row);
}

const words: INodeParameters = {
	title: "={{ $fromAI('title', 'Title of the notification, at most 70 characters', 'string') }}",
	message: "={{ $fromAI('message', 'Text, at most 130 characters', 'string') }}",
	url: 'https://example.com/offers',
};

const toOne: INodeParameters = {
	resource: 'push',
	operation: 'send',
	platforms: ['web', 'ios'],
	user_id: "={{ $fromAI('user_id', 'ID of the user to notify', 'string') }}",
	...words,
};

const toAll: INodeParameters = {
	resource: 'push',
	operation: 'broadcastAll',
	platforms: ['web'],
	sendOnce: true,
	sendOnceKey: 'Spring sale',
	...words,
};

const hello = { title: 'Hello', message: 'Your parcel is here' };

test('The model sees the fields that were left to it, and no others', () => {
	const { schema, description } = toolOf({ parameters: toOne });
	expect(Object.keys(schema.shape).sort()).toEqual(['message', 'title', 'user_id']);
	expect(description).toBe('Send push to user in Customer Messaging');
});

test('A call sends to the user whom the model named, and its answer is short', async () => {
	const answer = String(await toolOf({ parameters: toOne }).invoke({ user_id: 'u-1', ...hello }));
	expect(sandbox.accepted().map(({ path, body }) => [path, body])).toEqual([
		['/api/v1/web/send', { user_id: 'u-1', ...hello, url: 'https://example.com/offers' }],
		['/api/v1/ios/send', { user_id: 'u-1', ...hello, url: 'https://example.com/offers' }],
	]);
	expect(JSON.parse(answer)).toEqual([
		expect.objectContaining({ outcome: 'accepted', platform: 'web', statusCode: 200 }),
		expect.objectContaining({ outcome: 'accepted', platform: 'ios', statusCode: 200 }),
	]);
	expect(answer.length).toBeLessThan(500);
});

test('A call does not ask and wait, and the answer says where to place the node', async () => {
	const parameters = { ...toOne, operation: 'sendAndWait', user_id: 'manager' };
	const answer = toolOf({ parameters }).invoke(hello);
	await expect(answer).rejects.toThrow(
		/cannot use 'Send and Wait for Response' as a tool of its own/,
	);
	expect(sandbox.record).toEqual([]);
});

test('With Send Once, an agent of another execution does not send the same message again', async () => {
	const parameters = { ...toOne, platforms: ['web'], sendOnce: true, sendOnceKey: 'parcel' };
	await toolOf({ parameters }).invoke({ user_id: 'u-1', ...hello });
	const answer = String(
		await toolOf({ parameters }).invoke({ user_id: 'u-1', ...hello, title: 'Hello again' }),
	);
	expect(JSON.parse(answer)).toEqual([
		expect.objectContaining({ outcome: 'skipped', reason: 'sentBefore', user_id: 'u-1' }),
	]);
	expect(sandbox.record).toHaveLength(1);
});

test('A model may not decide what Send Once takes for the same message', async () => {
	const sendOnceKey = "={{ $fromAI('key', 'A key', 'string') }}";
	const tool = toolOf({ parameters: { ...toOne, sendOnce: true, sendOnceKey } });
	await expect(tool.invoke({ user_id: 'u-1', ...hello, key: 'x' })).rejects.toThrow(
		/'Send Once Key' is left to the model/,
	);
	expect(sandbox.record).toEqual([]);
});

test('What the model fills in is checked like any other input', async () => {
	const call = toolOf({ parameters: toOne }).invoke({
		...hello,
		user_id: 'u-1',
		title: 'x'.repeat(71),
	});
	await expect(call).rejects.toThrow(/^Nothing was sent: Title has 71 characters/);
	expect(sandbox.record).toEqual([]);
});

test('A campaign of unknown reach is not left to the model', async () => {
	const parameters = {
		...toOne,
		resource: 'sms',
		recipientBy: 'campaign_id',
		campaign_id: "={{ $fromAI('campaign', '', 'string') }}",
	};
	await expect(toolOf({ parameters }).invoke({ ...hello, campaign: '5' })).rejects.toThrow(
		"'Campaign ID' is left to the model",
	);
	expect(sandbox.record).toEqual([]);
});

test.each([
	[
		'Segment',
		{ operation: 'broadcastSegment', segment_id: "={{ $fromAI('segment', '', 'number') }}" },
	],
	['Platforms', { platforms: "={{ $fromAI('platforms', '', 'json') }}" }],
	['Max Broadcasts', { maxBroadcasts: "={{ $fromAI('most', '', 'number') }}" }],
	['When Run by Hand', { testRuns: "={{ $fromAi('runs', '', 'string') }}" }],
	['Operation', { operation: "={{ $fromAI('operation', '', 'string') }}" }],
	[
		'Extra Body Fields',
		{ additionalFields: { extraBodyFields: "={{ $fromAI('extra', '', 'json') }}" } },
	],
	['Tag', { additionalFields: { tag: "={{ $fromAI('operation', '', 'string') }}" } }],
	['Authentication', { authentication: "={{ $fromAI('authentication', '', 'string') }}" }],
	['Preview Only', { options: { previewOnly: "={{ $fromAI('flag', '', 'boolean') }}" } }],
	[
		'Segment',
		{ operation: 'broadcastSegment', segment_id: "={{ $from\\u0041I('segment', '', 'number') }}" },
	],
])('%s left to the model is refused by name', async (label, parameters) => {
	const call = toolOf({ parameters: { ...toAll, ...parameters } }).invoke({
		...hello,
		segment: 7,
		platforms: ['web'],
		most: 500,
		runs: 'send',
		operation: 'broadcastAll',
		extra: { segment_id: 7 },
		authentication: 'apiKey',
		flag: false,
	});
	await expect(call).rejects.toThrow(`'${label}' is left to the model`);
	expect(sandbox.record).toEqual([]);
});

test('A path left to the model is refused, as it could be a broadcast', async () => {
	const tool = toolOf({
		parameters: {
			resource: 'customRequest',
			operation: 'post',
			host: 'pushUrl',
			api: 'push',
			path: "={{ $fromAI('path', '', 'string') }}",
			body: '{}',
		},
	});
	await expect(tool.invoke({ path: '/api/v1/web/broadcast/all' })).rejects.toThrow(
		"'Path' is left to the model",
	);
	expect(sandbox.record).toEqual([]);
});
