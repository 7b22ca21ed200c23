import { createRunExecutionData, type INodeParameters, type IRunExecutionData } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../../sandbox';
import { agentTool } from '../support/agentTool';
import { useNewStore } from '../support/memoryStore';
import { emailSend, smsSend, trackEvent } from '../support/orders';
import { keyCredential } from '../support/service';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
	useNewStore();
});
afterEach(async () => await sandbox.close());

const toOne: INodeParameters = {
	resource: 'push',
	operation: 'send',
	platforms: ['web', 'ios'],
	user_id: "={{ $fromAI('user_id', 'ID of the user to notify', 'string') }}",
	title: "={{ $fromAI('title', 'Title', 'string') }}",
	message: "={{ $fromAI('message', 'Text', 'string') }}",
	url: 'https://example.com/offers',
	options: { concurrency: 1 },
};
const hello = { title: 'Hello', message: 'Your parcel is here' };
const toolOf = (more: INodeParameters = {}, stored?: IRunExecutionData, retryOnFail = true) =>
	agentTool({
		stored,
		parameters: { ...toOne, ...more },
		retryOnFail,
		credential: keyCredential(sandbox),
	});
const outcomes = (answer: unknown) =>
	(JSON.parse(String(answer)) as Array<Record<string, unknown>>).map(
		({ outcome, platform, sentBefore }) =>
			[platform, outcome, sentBefore === true ? 'before' : ''].filter(Boolean).join(' '),
	);
/** Each push that the service accepted. */
const accepted = () =>
	sandbox
		.accepted()
		.map(({ platform, body }) => `${platform} ${(body as { user_id: string }).user_id}`)
		.sort();
const slow = (bodyText: string, delayMs: number) =>
	sandbox.faults.add({ kind: 'delay', match: { bodyText }, delayMs });

describe('An agent that calls the tool for two people at once, with Retry On Fail,', () => {
	test('sends nothing again where the other call ends between two tries', async () => {
		const tool = toolOf();
		sandbox.faults.add({
			kind: 'status',
			status: 404,
			match: { bodyText: 'u-1', platform: 'ios' },
			first: 1,
		});
		sandbox.faults.add({
			kind: 'delay',
			match: { bodyText: 'u-1', platform: 'web' },
			delayMs: 200,
		});
		const one = tool.invoke({ ...hello, user_id: 'u-1' });
		const other = tool.invoke({ ...hello, user_id: 'u-2' });
		expect(outcomes(await other)).toEqual(['web accepted', 'ios accepted']);
		expect(outcomes(await one)).toEqual(['web accepted before', 'ios accepted']);
		expect(accepted()).toEqual(['ios u-1', 'ios u-2', 'web u-1', 'web u-2']);
	});

	test('is told of each that may have been delivered, and neither goes out again', async () => {
		const tool = toolOf({ platforms: ['web'] });
		sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText: 'u-1' } });
		slow('u-2', 60);
		const [one, other] = await Promise.allSettled(
			['u-1', 'u-2'].map(async (user_id) => await tool.invoke({ ...hello, user_id })),
		);
		expect(String((one as PromiseRejectedResult).reason)).toContain(
			'may or may not have been delivered',
		);
		expect(outcomes((other as PromiseFulfilledResult<unknown>).value)).toEqual(['web accepted']);
		expect(accepted()).toEqual(['web u-1', 'web u-2']);
	});
});

describe('Two equal calls', () => {
	test.each<[string, INodeParameters]>([
		['without Send Once', {}],
		['with Send Once', { sendOnce: true, sendOnceKey: 'parcel' }],
	])('at once send one message, and both are answered with its result, %s', async (_, more) => {
		const tool = toolOf({ platforms: ['web'], ...more });
		slow('u-1', 60);
		const call = async () => await tool.invoke({ ...hello, user_id: 'u-1' });
		const [one, other] = (await Promise.all([call(), call()])).map(
			(answer) => (JSON.parse(String(answer)) as object[])[0],
		);
		for (const answer of [one, other])
			expect(answer).toMatchObject({ outcome: 'accepted', platform: 'web', statusCode: 200 });
		expect(accepted()).toEqual(['web u-1']);
	});

	test('one after the other send one message, and the second is answered with its result', async () => {
		const tool = toolOf({ platforms: ['web'] });
		const call = async () => await tool.invoke({ ...hello, user_id: 'u-1' });
		const answers = [await call(), await call(), await call()];
		expect(answers.map(outcomes)).toEqual([
			['web accepted'],
			['web accepted before'],
			['web accepted before'],
		]);
		for (const answer of answers)
			expect((JSON.parse(String(answer)) as object[])[0]).toMatchObject({ statusCode: 200 });
		expect(accepted()).toEqual(['web u-1']);
	});

	test.each<[string, INodeParameters]>([
		['pushes', { platforms: ['web'] }],
		['email', { ...emailSend, email: "={{ $fromAI('user_id', 'Whom', 'string') }}@example.com" }],
		['SMS', { ...smsSend, recipientBy: 'user_id' }],
	])('of %s are one message, and calls that differ are others', async (_, more) => {
		const tool = toolOf(more);
		const call = async (user_id: string, message = 'Hi') =>
			await tool.invoke({ title: 'Hello', message, user_id });
		for (const user of ['u-1', 'u-2', 'u-1', 'u-2', 'u-1']) await call(user);
		expect(sandbox.accepted()).toHaveLength(2);
	});

	test('of which one has another text send two messages', async () => {
		const tool = toolOf({ platforms: ['web'] });
		for (const message of ['Your parcel is here', 'Your parcel is here.', 'Your parcel is here'])
			await tool.invoke({ title: 'Hello', message, user_id: 'u-1' });
		expect(accepted()).toEqual(['web u-1', 'web u-1']);
	});

	describe.each([true, false])('at once %s', (isAtOnce) => {
		/** What each of three equal calls is told, or the beginning of its error. */
		const threeCalls = async (more: INodeParameters = {}) => {
			const tool = toolOf({ platforms: ['web'], ...more }, undefined, false);
			const call = async () =>
				await tool.invoke({ ...hello, user_id: 'u-1' }).then(
					(answer) => outcomes(answer)[0],
					(error: Error) => error.message,
				);
			return isAtOnce
				? await Promise.all([call(), call(), call()])
				: [await call(), await call(), await call()];
		};

		test('of which the first was definitely not delivered, the second sends', async () => {
			sandbox.faults.add({ kind: 'status', status: 400, first: 1 });
			slow('u-1', 60);
			const [first, ...others] = await threeCalls();
			expect(first).toMatch(/refused/);
			expect(others).toEqual(['web accepted', 'web accepted before']);
			expect(accepted()).toEqual(['web u-1']);
		});

		test('of which the first may have been delivered, no other sends', async () => {
			sandbox.faults.add({ kind: 'resetAfterAccept', first: 1 });
			const said = await threeCalls();
			for (const one of said) expect(one).toContain('may or may not have been delivered');
			expect(accepted()).toEqual(['web u-1']);
		});

		test('each send with Send Duplicates', async () => {
			const said = await threeCalls({ options: { sendDuplicates: true } });
			expect(said).toEqual(['web accepted', 'web accepted', 'web accepted']);
			expect(accepted()).toEqual(['web u-1', 'web u-1', 'web u-1']);
		});
	});

	test('of an event each leave, one after the other', async () => {
		const tool = toolOf({ ...trackEvent, userID: "={{ $fromAI('user_id', '', 'string') }}" });
		for (let times = 0; times < 2; times++) await tool.invoke({ ...hello, user_id: 'u-1' });
		expect(sandbox.accepted()).toHaveLength(2);
	});

	test('of two executions each send', async () => {
		for (let times = 0; times < 2; times++)
			await toolOf({ platforms: ['web'] }).invoke({ ...hello, user_id: 'u-1' });
		expect(accepted()).toEqual(['web u-1', 'web u-1']);
	});
});

test('What a call had in flight when n8n stored the execution is not sent again by a retry', async () => {
	const stored = createRunExecutionData();
	const callOf = async (execution: IRunExecutionData) =>
		await toolOf({ platforms: ['web'] }, execution).invoke({ ...hello, user_id: 'u-1' });
	const arrival = new Promise<void>((resolve) => sandbox.subscribe(() => resolve()));
	slow('u-1', 60);
	const first = callOf(stored);
	await arrival;
	await expect(callOf(structuredClone(stored))).rejects.toThrow(
		'may or may not have been delivered',
	);
	expect(outcomes(await first)).toEqual(['web accepted']);
	expect(accepted()).toEqual(['web u-1']);
});
