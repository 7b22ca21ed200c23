import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import { at, freezeClock, passMinutes } from '../support/clock';
import type { Course } from '../support/executionList';
import { useLogLines } from '../support/logLines';
import { useNewStore } from '../support/memoryStore';
import { each, hintsIn, inShort, useNode } from '../support/node';
import * as order from '../support/orders';
import { toldBy } from '../support/sends';

freezeClock('2026-10-28T12:00:00Z');
const lines = useLogLines();
const node = useNode({ timezone: 'Europe/Berlin' });
let callers = 0;
const accepted = () => node.sandbox.accepted().length;
const keyed = (sendOnceKey: string): INodeParameters => ({ sendOnce: true, sendOnceKey });
const before = 'skipped sentBefore accepted';
const [sent, skipped] = ['1 accepted', `1 ${before}`];

/** Rows to persons and to a campaign, and the node that sends to both. */
const rows = [
	{ by: 'email', to: 'anna@example.com' },
	{ by: 'campaign_id', to: 5501 },
	{ by: 'email', to: 'ben@example.com' },
];
const mixed = {
	...{ ...order.emailSend, recipientBy: '={{ $json.by }}' },
	...{ email: '={{ $json.to }}', campaign_id: '={{ $json.to }}' },
};
const toCampaign = { ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 5501 };
const toCampaigns = { ...toCampaign, campaign_id: '={{ $json.id }}' };
const whom = (bodies = node.bodies() as IDataObject[]) =>
	bodies.map(({ email, campaign_id }) => email ?? campaign_id);

/** What became of each round of a loop: its platform and audience, or that there were too many. */
const rounds = async (rows: IDataObject[], maxBroadcasts = 1) => {
	// Other executions have sent nothing.
	node.store = useNewStore();
	const to = { platforms: '={{ [$json.on] }}', segment_id: '={{ $json.to }}' };
	const parameters = { ...order.pushToSegment, ...to, maxBroadcasts };
	const looped = { rowsPerRun: 1, onError: 'continueRegularOutput' } as const;
	const { runs } = await node.start({ parameters, rows, ...looped });
	return runs.flatMap(toldBy).map(({ outcome }) => outcome);
};
const web = { on: 'web', to: 42 };

test('Max Broadcasts counts each round of a loop, for each audience and platform by itself', async () => {
	const rows = [web, { on: 'ios', to: 42 }, { on: 'web', to: 43 }, web, web];
	const first = each('accepted', 3);
	expect(await rounds(rows)).toEqual([...first, 'invalid', 'invalid']);
	expect(await rounds(rows, 2)).toEqual([...first, 'accepted', 'invalid']);
});

test('Max Broadcasts counts also what may have arrived, but not what definitely reached nobody, nor the tries of Retry On Fail', async () => {
	node.refuseOnce('', 400);
	expect(await rounds([web, web, web])).toEqual(['rejected', 'accepted', 'invalid']);
	node.refuseOnce('', 400);
	expect(await node.says({ parameters: order.pushToAll, retryOnFail: true })).toBe(sent);
	node.loseOnce();
	expect(await rounds([web, web])).toEqual(['unknown', 'invalid']);
});

test('A recipient by campaign counts as a broadcast: a number and its text are the same campaign, while other IDs are others, each sent as it was entered', async () => {
	const rows = [{ id: 5501 }, { id: '5501' }];
	expect(await node.stops(toCampaigns, { rows })).toContain(
		"This would make 2 broadcasts to campaign 5501 in one execution, and 'Max Broadcasts' allows 1",
	);
	const ids = [5501, '05502', '５５０３', '5504.5', '-5505', 'A1', 'a1'];
	await node.start({ parameters: toCampaigns, rows: ids.map((id) => ({ id })) });
	expect(node.arrived('campaign_id')).toEqual(ids);
});

test.each<[string, INodeParameters, 'manual' | 'webhook']>([
	['With Send Once and no key', { sendOnce: true }, 'webhook'],
	['By hand, once a day', { testRuns: 'send' }, 'manual'],
])('%s, a recipient by campaign is skipped, also as text', async (_, more, mode) => {
	const said = async (campaign_id: string | number) =>
		await node.says({ parameters: { ...toCampaign, ...more, campaign_id }, mode });
	expect([await said(5501), await said('5501')]).toEqual([sent, skipped]);
	expect(await said('5502')).toBe(sent);
});

test('By hand, one row to a campaign makes the whole run one that is only shown, while rows to single persons alone are sent, and by the trigger all rows', async () => {
	const parameters = { ...mixed, testRuns: 'send' };
	const report = await node.start({ parameters, rows, mode: 'manual' });
	expect(inShort(report)).toBe('3 preview');
	expect(whom(report.output.map(({ json }) => json))).toEqual(rows.map(({ to }) => to));
	expect(hintsIn(report)).toContain(
		"Nothing was sent: an expression in 'Recipient By' addresses an item to a campaign",
	);
	const persons = rows.filter(({ by }) => by === 'email');
	await node.start({ parameters, rows: persons, mode: 'manual' });
	await node.start({ parameters: mixed, rows });
	expect(whom()).toEqual([...persons, ...rows].map(({ to }) => to));
});

const occasion =
	"a key that changes with each occasion, such as the campaign's name and date: Spring sale {{ $today.toISODate() }}";
const refusal = (where: string) =>
	`Nothing was sent: ${where}, each call could send this to the same people again. Turn on 'Send Once' and enter ${occasion}. With the period Ever, a fixed key sends once and never again`;

const called = async (parameters: INodeParameters, more: Course = {}, beganAt?: string) => {
	const caller = { executionId: `caller ${++callers}`, beganAt };
	return await node.start({ parameters: { ...order.pushToAll, ...parameters }, caller, ...more });
};

test.each<[string, INodeParameters]>([
	['Send Once is off', {}],
	['the key is made of spaces and invisible characters', keyed(' \u200b ')],
	['it is a message to a campaign', toCampaign],
])('In a sub-workflow, a broadcast is refused if %s', async (_, more) => {
	const { error } = await called(more);
	expect(error?.message).toBe(refusal('In a sub-workflow'));
	expect(node.sandbox.record).toEqual([]);
});

test('In a sub-workflow, a broadcast with a key goes out once, whoever calls how often', async () => {
	const key = keyed('={{ $json.campaign }}');
	const campaigns = [{ campaign: 'Spring sale' }];
	const call = async (title: string) => await called({ ...key, title }, { rows: campaigns });
	expect(inShort(await call('One'))).toBe(sent);
	const again = await call('Two');
	expect(inShort(again)).toBe(skipped);
	expect(hintsIn(again)).toContain("To send it again on purpose, enter another 'Send Once Key'.");
});

test('In a sub-workflow, each row to a campaign needs a key, while rows to single persons are sent', async () => {
	const goingOn = { rows: rows.slice(0, 2), onError: 'continueRegularOutput' } as const;
	const { output } = await called(mixed, goingOn);
	const error = refusal('In a sub-workflow').slice('Nothing was sent: '.length);
	expect(output).toMatchObject([{ json: { outcome: 'accepted' } }, { json: { error } }]);
	expect(accepted()).toBe(1);
});

test.each([
	'n8n-nodes-base.manualTrigger',
	'n8n-nodes-base.executeWorkflow',
	'n8n-nodes-base.evaluationTrigger',
	'@n8n/n8n-nodes-langchain.manualChatTrigger',
])('A called broadcast is only shown if its caller began by hand: %s', async (type) => {
	expect(inShort(await called({ options: { previewOnly: true } }))).toBe('1 preview');
	const report = await called({}, {}, type);
	expect(inShort(report)).toBe('1 preview');
	expect(hintsIn(report)).toContain('Nothing was sent');
	// Without a caller, as from the command line, it is sent.
	expect(await node.says({ parameters: order.pushToAll, mode: 'cli' })).toBe(sent);
});

test('As a tool, a broadcast needs a key, with which it goes out once, whatever the model writes', async () => {
	const title = "={{ $fromAI('title', '', 'string') }}";
	const call = async (words: string, more: INodeParameters = {}) => {
		const parameters = { ...order.pushToAll, title, ...more };
		return await agentTool({ parameters, credential: node.credential }).invoke({ title: words });
	};
	await expect(call('One')).rejects.toThrow(refusal('As a tool'));
	const key = keyed('=Spring sale {{ $today.toISODate() }}');
	expect(await call('One', key)).toContain('accepted');
	expect(await call('Two', key)).toContain('skipped');
	expect(accepted()).toBe(1);
});

describe('Started by hand with Send, a broadcast goes out once a day:', () => {
	const click = async (more: INodeParameters = {}, rest: Course = {}) => {
		const parameters = { ...order.emailToSegment, testRuns: 'send', ...more };
		return await node.start({ parameters, mode: 'manual', ...rest });
	};
	const said = async (...args: Parameters<typeof click>) => inShort(await click(...args));

	const also = (segment_id: number) => ({ ...order.emailToAll, additionalFields: { segment_id } });
	const changing = { campaign_name: '=Sale {{ $now.toMillis() }} {{ $execution.id }}' };
	const corrected = { subject: 'Corrected', content: '<p>Corrected</p>' };
	const later = { sendAt: 'at', scheduledFor: '2026-11-25T09:00:00Z' };
	test.each<[string, INodeParameters, INodeParameters, string]>([
		['another text', {}, corrected, skipped],
		['a name that differs by itself', changing, changing, skipped],
		['another campaign name', {}, { campaign_name: 'Summer sale' }, sent],
		['an additional segment', order.emailToAll, also(7), sent],
		['Allow Duplicates', {}, { options: { sendDuplicates: true } }, sent],
		['another segment', {}, { segment_id: 43 }, sent],
		['Send Once and a key', {}, keyed('Second try'), sent],
		['Send Once and no key', {}, { sendOnce: true, ...corrected }, skipped],
		['another campaign name and no key', keyed(''), { ...keyed(''), campaign_name: 'B' }, sent],
		['a corrected text and the same key', keyed('A'), { ...keyed('A'), ...corrected }, skipped],
	])('again with %s', async (_, first, second, expected) => {
		expect(await said(first)).toBe(sent);
		passMinutes(1);
		expect(await said(second)).toBe(expected);
	});

	test('with another time, it says that this was not changed, and holds none', async () => {
		await click(later);
		const again = await click({ ...later, scheduledFor: '2026-11-26T09:00:00Z' });
		expect(inShort(again)).toBe(skipped);
		expect(hintsIn(again)).toContain('whatever its text, links and time');
		expect(hintsIn(again)).toContain("turn on 'Allow Duplicates' under Options");
		expect(again.output[0]?.json).toMatchObject({ earlierOutcome: 'accepted' });
		expect(again.output[0]?.json).not.toHaveProperty('schedule');
	});

	test('with Send Once and no key, a corrected text is skipped, as a warning says, until the day ends', async () => {
		const parameters = { ...order.pushToAll, ...keyed('') };
		await click(parameters);
		const again = await click({ ...parameters, message: 'Corrected' });
		expect(inShort(again)).toBe(skipped);
		expect(again.hints[0]?.type).toBe('warning');
		expect(hintsIn(again)).toBe(
			"1 broadcast was skipped, because the same went out today already, or before with the same content, and n8n cannot change or cancel it. Started by hand, a broadcast goes out once a day to each audience with the same title, whatever its text, links and time. To send it again on purpose, enter another title, or use a 'Send Once Key' of your own, such as the headline.",
		);
		passMinutes(24 * 60);
		// What is the same in everything stays sent.
		expect(await said(parameters)).toBe(skipped);
		expect(await said({ ...parameters, message: 'Corrected' })).toBe(sent);
	});

	test.each<[string, INodeParameters]>([
		['without Send Once', {}],
		['with Send Once and no key', keyed('')],
	])('%s, a retry and further broadcasts of the execution are not held back', async (_, more) => {
		const message = '={{ $json.text }}';
		const twice = { ...order.pushToAll, ...more, message, maxBroadcasts: 2 };
		const rows = [{ text: 'One' }, { text: 'Two' }];
		node.refuseOnce('Two', 400);
		const first = await click({ ...twice, options: { concurrency: 1 } }, { rows });
		expect(inShort(await node.retry(first))).toBe('1 accepted before, 1 accepted');
		expect(await said(twice, { rows })).toBe(`2 ${before}`);
	});
});

describe('A broadcast by a trigger goes out once in ten minutes:', () => {
	const { pushToAll: toAll, emailToSegment: toSegment } = order;
	const fire = async (parameters: INodeParameters = toAll, more: Course = {}) =>
		await node.start({ parameters, ...more });
	const said = async (...args: Parameters<typeof fire>) => inShort(await fire(...args));

	test('the second is skipped, also at the same moment, with a warning that is in the log too', async () => {
		const both = await Promise.all([said(toSegment), said(toSegment)]);
		expect(both.sort()).toEqual([sent, expect.stringMatching(/^1 skipped/)]);
		lines.splice(0);
		expect(await said()).toBe(sent);
		const again = await fire();
		expect(inShort(again)).toBe(skipped);
		const message =
			"1 broadcast was skipped, because another execution sent the same to the same audience in the last minutes: triggers may fire twice for one event. To send it again on purpose, wait 20 minutes, or turn on 'Allow Duplicates' under Options. Or turn on 'Send Once' with a key that changes with each occasion.";
		expect(again.hints).toMatchObject([{ type: 'warning', message }]);
		expect(lines).toContainEqual(['warn', message]);
	});

	test('this span of ten minutes and the one before count, and executions at the border of two, whichever is first', async () => {
		const all: string[] = [];
		for (const time of ['12:01:00', '12:19:59', '12:20:00', '13:00:00', '12:59:59.999']) {
			at(`2026-10-28T${time}Z`);
			all.push(await said());
		}
		expect(all).toEqual([sent, skipped, sent, sent, skipped]);
	});

	const timed = (text: string) => ({ ...toAll, message: `=${text} at {{ $now.toMillis() }}` });
	const tagged = { ...toAll, additionalFields: { tag: '={{ $execution.id }}' } };
	const chosen = (scheduledFor: string) => ({ ...toSegment, sendAt: 'at', scheduledFor });
	const [morning, hourLater] = [chosen('2026-11-01T09:00:00Z'), chosen('2026-11-01T10:00:00Z')];
	const inAnHour = chosen('={{ $now.plus({ hours: 1 }) }}');
	const segment43 = { ...order.pushToSegment, segment_id: 43 };
	test.each<[string, string, INodeParameters, INodeParameters?]>([
		['the same text', skipped, toSegment, toSegment],
		['a field that differs by itself', skipped, timed('One'), timed('One')],
		['a tag that differs', skipped, tagged, tagged],
		['a time that is computed from now', skipped, inAnHour, inAnHour],
		['another text', sent, { ...toAll, message: 'Another' }],
		['another platform', sent, { ...toAll, platforms: ['ios'] }],
		['another segment', sent, segment43, order.pushToSegment],
		['another chosen time', sent, hourLater, morning],
		['another text around what differs', sent, timed('Two'), timed('One')],
		['Allow Duplicates', sent, { ...toAll, options: { sendDuplicates: true } }],
		['Send Once and a key', sent, { ...toAll, sendOnce: true, sendOnceKey: 'k' }],
	])('again with %s: %s', async (_, expected, second, first = toAll) => {
		expect(await said(first)).toBe(sent);
		passMinutes(3);
		expect(await said(second)).toBe(expected);
	});

	test('what was refused goes out by the next execution or a retry, and only once', async () => {
		node.refuseOnce('', 400);
		const refused = await fire();
		expect(await said()).toBe(sent);
		expect(inShort(await node.retry(refused))).toBe(skipped);
		expect(accepted()).toBe(1);

		passMinutes(30);
		node.sandbox.faults.add({ kind: 'status', status: 400, after: 1, first: 1 });
		const first = await fire({ ...toAll, maxBroadcasts: 2 }, { rows: [{}, {}] });
		expect(inShort(await node.retry(first))).toBe('1 accepted before, 1 accepted');
		expect(accepted()).toBe(3);
	});

	test('one that is started by hand is not compared with those of a trigger', async () => {
		const parameters = { ...toAll, testRuns: 'send' };
		for (const expected of [sent, skipped]) {
			expect(await said(parameters)).toBe(expected);
			expect(await said(parameters, { mode: 'manual' })).toBe(expected);
		}
		passMinutes(30);
		expect(await said(parameters)).toBe(sent);
	});

	test('after a kill, one that may have left is in doubt in a retry, and skipped by another execution', async () => {
		const first = await node.killRetryAfter(1, { parameters: toAll });
		passMinutes(1 / 60);
		expect(await said()).toBe('1 skipped sentBefore unknown');
		const retried = await node.retry(first, { onError: 'continueRegularOutput' });
		expect(inShort(retried)).toBe('1 unknown interrupted');
		expect(accepted()).toBe(1);
	});
});
