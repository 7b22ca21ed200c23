import type { INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import type { Order } from '../support/engine';
import { type Caller, type Execution, ExecutionList } from '../support/executionList';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { freezeClock, keyCredential, useSandbox, run } from '../support/service';

freezeClock('2026-10-28T12:00:00Z');
const sandbox = useSandbox();
let list: ExecutionList;
beforeEach(() => {
	useNewStore();
	list = new ExecutionList();
	callers = 0;
});

let callers = 0;
const newCaller = (beganAt?: string): Caller => ({ executionId: `caller ${++callers}`, beganAt });

async function called(more: INodeParameters = {}, rest: Partial<Order & { caller: Caller }> = {}) {
	const parameters = { ...order.pushToAll, ...more };
	const credential = keyCredential(sandbox());
	return await list.start({ parameters, credential, caller: newCaller(), ...rest });
}

const outcomesOf = ({ output }: Pick<Execution, 'output'>) =>
	output.map(({ json }) => json.outcome);
const accepted = () => sandbox().accepted().length;
const keyed = (sendOnceKey: string): INodeParameters => ({ sendOnce: true, sendOnceKey });
/** Rows to a person and to a campaign, and the node that sends to both. */
const rows = [
	{ by: 'email', to: 'anna@example.com' },
	{ by: 'campaign_id', to: 5501 },
];
const mixed = {
	...order.emailSend,
	recipientBy: '={{ $json.by }}',
	email: '={{ $json.to }}',
	campaign_id: '={{ $json.to }}',
};
const toCampaign = { ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 5501 };

const occasion =
	"a key that changes with each occasion, such as the campaign's name and date: Spring sale {{ $today.toISODate() }}";
const refusal = (where: string) =>
	`Nothing was sent: ${where}, each call could send this to the same people again. Turn on 'Send Once' and enter ${occasion}. With the period Ever, a fixed key sends once and never again`;

describe('In a sub-workflow, a broadcast needs a key of Send Once:', () => {
	test.each<[string, INodeParameters]>([
		['Send Once is off', {}],
		['the key is empty', keyed('')],
		['the key is made of spaces and invisible characters', keyed(' \u200b ')],
		['Max Broadcasts is high', { maxBroadcasts: 500 }],
	])('it is refused if %s', async (_, more) => {
		const { error } = await called(more);
		expect(error?.message).toBe(refusal('In a sub-workflow'));
		expect(sandbox().record).toEqual([]);
	});

	test.each([
		'$execution.id',
		'$now.toMillis()',
		'DateTime.now().day',
		'Date.now()',
		'new Date()',
		'Math.random()',
	])('it is refused if the key holds %s, which differs in each execution', async (code) => {
		const { error } = await called(keyed(`=Sale {{ ${code} }}`));
		expect(error?.message).toMatch(
			/^Nothing was sent: Send Once Key contains '.*', which differs in each execution, so each/,
		);
		expect(error?.message).toContain(`Enter ${occasion}`);
		expect(sandbox().record).toEqual([]);
	});

	test.each([
		'Spring sale',
		'=Spring sale {{ $today.toISODate() }}',
		'=Spring sale {{ $now.toISODate() }}',
		'={{ $json.campaign }}',
	])('with the key %s, it goes out once, whoever calls how often', async (key) => {
		const rows = [{ campaign: 'Spring sale' }];
		const told = [];
		for (const title of ['One', 'Two', 'Three'])
			told.push(await called({ ...keyed(key), title }, { rows }));
		expect(told.flatMap(outcomesOf)).toEqual(['accepted', 'skipped', 'skipped']);
		expect(accepted()).toBe(1);
		expect(told[2]?.hints.map(({ message }) => message).join()).toContain(
			"To send it again on purpose, enter another 'Send Once Key'.",
		);
	});

	test('and so does each row to a campaign, while rows to single persons are sent', async () => {
		const report = await called(mixed, { rows, onError: 'continueRegularOutput' });
		expect(report.output.map(({ json }) => json.error ?? json.outcome)).toEqual([
			'accepted',
			refusal('In a sub-workflow').slice('Nothing was sent: '.length),
		]);
		expect(sandbox().accepted()).toHaveLength(1);
		expect((await called(toCampaign)).error?.message).toBe(refusal('In a sub-workflow'));
	});

	test('but not if it only shows what it would send', async () => {
		const shown = await called({ options: { previewOnly: true } });
		expect(outcomesOf(shown)).toEqual(['preview']);
	});
});

describe('A broadcast in a sub-workflow is only shown', () => {
	test.each([
		'n8n-nodes-base.manualTrigger',
		'n8n-nodes-base.executeWorkflow',
		'n8n-nodes-base.evaluationTrigger',
		'@n8n/n8n-nodes-langchain.manualChatTrigger',
	])('if its caller began at %s, which only somebody by hand can start', async (type) => {
		const report = await called({}, { caller: newCaller(type) });
		expect(outcomesOf(report)).toEqual(['preview']);
		expect(report.hints[0]?.message).toContain('Nothing was sent');
		expect(sandbox().record).toEqual([]);
	});
});

test('A broadcast that begins at a Manual Trigger without a caller is sent, as from the command line', async () => {
	expect(outcomesOf(await run(sandbox(), order.pushToAll, { mode: 'cli' }))).toEqual(['accepted']);
});

describe('As a tool, a broadcast needs a key of Send Once:', () => {
	const call = async (more: INodeParameters, isOverMcp = false) => {
		const parameters = {
			...order.pushToAll,
			title: "={{ $fromAI('title', '', 'string') }}",
			...more,
		};
		const tool = agentTool({ parameters, credential: keyCredential(sandbox()), isOverMcp });
		return String(await tool.invoke({ title: `Title ${++callers}`, key: 'k' }));
	};

	test.each([false, true])('without one, nothing is sent (over MCP: %s)', async (isOverMcp) => {
		await expect(call({}, isOverMcp)).rejects.toThrow(refusal('As a tool'));
		expect(sandbox().record).toEqual([]);
	});

	test.each([false, true])(
		'with one, it goes out once, whatever title the model gives (over MCP: %s)',
		async (isOverMcp) => {
			const answers = [];
			for (let calls = 0; calls < 3; calls++)
				answers.push(await call(keyed('=Spring sale {{ $today.toISODate() }}'), isOverMcp));
			expect(answers.map((answer) => (JSON.parse(answer) as object[])[0])).toMatchObject([
				{ outcome: 'accepted' },
				{ outcome: 'skipped' },
				{ outcome: 'skipped' },
			]);
			expect(accepted()).toBe(1);
		},
	);
});

describe('Started by hand with Send, a broadcast goes out once a day:', () => {
	const click = async (more: INodeParameters = {}, rest: Partial<Order> = {}) =>
		await list.start({
			parameters: { ...order.emailToSegment, testRuns: 'send', ...more },
			credential: keyCredential(sandbox()),
			mode: 'manual',
			timezone: 'Europe/Berlin',
			...rest,
		});
	const tomorrow = () => jest.setSystemTime(Date.now() + 86_400_000);
	afterEach(() => jest.setSystemTime(new Date('2026-10-28T12:00:00Z')));

	test('a second click is skipped, and says why and what to do', async () => {
		expect(outcomesOf(await click())).toEqual(['accepted']);
		const again = await click();
		expect(outcomesOf(again)).toEqual(['skipped']);
		expect(again.error).toBeUndefined();
		const words = again.hints.map(({ message }) => message).join();
		expect(words).toContain(
			'because it went out today already, and n8n cannot change or cancel it',
		);
		expect(again.hints[0]?.type).toBe('warning');
		for (const way of [
			'enter another campaign name',
			"turn on 'Send Duplicates' under Options",
			"turn on 'Send Once' with a key of your own, such as the headline",
		])
			expect(words).toContain(way);
		expect(accepted()).toBe(1);
	});

	test.each<[string, INodeParameters, INodeParameters]>([
		['text', {}, { subject: 'Corrected', content: '<p>Corrected</p>' }],
		['sender', {}, { sender_name: 'Somebody else' }],
		['time', {}, { sendAt: 'at', scheduledFor: '2026-11-25T09:00:00Z' }],
		[
			'name, which differs by itself',
			{ campaign_name: '=Sale {{ $now.toMillis() }} {{ $execution.id }}' },
			{ campaign_name: '=Sale {{ $now.toMillis() }} {{ $execution.id }}' },
		],
		['link of a push', order.pushToAll, { ...order.pushToAll, url: 'https://shop.example.com/' }],
	])('another %s does not send it again', async (_, first, second) => {
		expect(outcomesOf(await click(first))).toEqual(['accepted']);
		expect(outcomesOf(await click(second))).toEqual(['skipped']);
	});

	test('of a push, the hint names the title', async () => {
		await click(order.pushToAll);
		const [hint] = (await click(order.pushToAll)).hints;
		expect(hint?.message).toContain('enter another title, or');
	});

	test('within one execution, Max Broadcasts decides', async () => {
		const twice = { maxBroadcasts: 2 };
		const both = { rows: [{}, {}] };
		expect(outcomesOf(await click(twice, both))).toEqual(['accepted', 'accepted']);
		expect(outcomesOf(await click(twice, both))).toEqual(['skipped', 'skipped']);
	});

	test.each<[string, INodeParameters]>([
		['with another campaign name', { campaign_name: 'Summer sale' }],
		['to an additional segment', { ...order.emailToAll, additionalFields: { segment_id: 7 } }],
		['with Send Duplicates', { options: { sendDuplicates: true } }],
		['to another segment', { segment_id: 43 }],
		['with Send Once and a key', keyed('Second try')],
	])('it goes out again %s', async (_, more) => {
		await click(more.operation === 'broadcastAll' ? order.emailToAll : {});
		expect(outcomesOf(await click(more))).toEqual(['accepted']);
		expect(accepted()).toBe(2);
	});

	test('and on the next day, by the clock of the workflow', async () => {
		await click();
		jest.setSystemTime(new Date('2026-10-28T22:59:00Z'));
		expect(outcomesOf(await click())).toEqual(['skipped']);
		jest.setSystemTime(new Date('2026-10-28T23:01:00Z'));
		expect(outcomesOf(await click())).toEqual(['accepted']);
	});

	test('what was refused or cannot have arrived goes out at the next click', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, first: 1 });
		const first = await click();
		expect(first.error).toBeDefined();
		expect(outcomesOf(await list.retry(first))).toEqual(['accepted']);
		expect(outcomesOf(await click())).toEqual(['skipped']);
		expect(accepted()).toBe(1);
	});

	test('its retry belongs to the day of the click', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, first: 1 });
		const first = await click();
		await click();
		tomorrow();
		expect(outcomesOf(await list.retry(first))).toEqual(['skipped']);
		expect(accepted()).toBe(1);
	});

	test('so does a message to a campaign, but not one to a single person', async () => {
		const person = { rows: rows.slice(0, 1) };
		expect(outcomesOf(await click(mixed, person))).toEqual(['accepted']);
		expect(outcomesOf(await click(mixed, person))).toEqual(['accepted']);
		expect(outcomesOf(await click(toCampaign))).toEqual(['accepted']);
		expect(outcomesOf(await click(toCampaign))).toEqual(['skipped']);
		expect(outcomesOf(await click({ ...order.emailSend }))).toEqual(['accepted']);
		expect(outcomesOf(await click({ ...order.emailSend }))).toEqual(['accepted']);
	});
});
