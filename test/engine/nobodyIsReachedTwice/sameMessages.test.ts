import { Info } from 'luxon';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { at, freezeClock, passMinutes } from '../support/clock';
import { type Connection, nodeName } from '../support/engine';
import type { Course } from '../support/executionList';
import { hintsIn, inShort, type Turn, useNode } from '../support/node';
import * as order from '../support/orders';
import { push } from '../support/sends';

freezeClock('2026-10-28T12:00:00Z');
const node = useNode({ timezone: 'Europe/Berlin' });
const rows = (...ids: string[]) => ids.map((id) => ({ id }));
const to = () => node.arrived('user_id');
const same = 'skipped sameMessage';
const hourLater = '={{ $now.plus({ hours: 1, seconds: $itemIndex }) }}';
const inAnHour = { sendAt: 'at', scheduledFor: hourLater };
const twice = { concurrency: 1, sendDuplicates: true };

test('The same message to the same recipient is sent once, and each other one is an item that names the first', async () => {
	const report = await node.start({ rows: rows('u1', 'u2', 'u1', 'u3', 'u1') });
	expect(inShort(report)).toBe(`2 accepted, 1 ${same}, 1 accepted, 1 ${same}`);
	expect(to()).toHaveLength(3);
	const json = { user_id: 'u1', reason: 'sameMessage', firstItem: 0, platform: 'web' };
	const leftOut = [2, 4].map((item) => ({ json, pairedItem: { item } }));
	expect(report.output.filter((one) => one.json.reason)).toMatchObject(leftOut);
	expect(hintsIn(report)).toBe(
		"Items 2 (u1), 4 (u1): 2 messages were skipped because this run has the same message to the same recipient before. To send all of them, turn on 'Allow Duplicates' under Options.",
	);
});

test('The same message to the same recipient is left out on each platform of a push, where the first item has it', async () => {
	const parameters = { ...push(), platforms: '={{ $json.on }}' };
	const input = [['web'], ['web', 'ios'], ['ios']].map((on) => ({ id: 'u1', on }));
	const { output } = await node.start({ parameters, rows: input });
	expect(output.filter(({ json }) => json.reason)).toMatchObject([
		{ json: { platform: 'web', firstItem: 0 }, pairedItem: { item: 1 } },
		{ json: { platform: 'ios', firstItem: 1 }, pairedItem: { item: 2 } },
	]);
	expect(to()).toHaveLength(2);
});

const mailTo = { ...order.emailSend, email: '={{ $json.to }}' };
const smsTo = { ...order.smsSend, mobile: '={{ $json.to }}', options: { defaultCountry: 'DE' } };
const pushTo = { ...push(), user_id: '={{ $json.to }}' };
const mailAt = { ...order.emailSend, sendAt: 'at', scheduledFor: '={{ $json.to }}' };
const u1 = { ...push(), user_id: 'u1' };
const says = { ...u1, message: '={{ $json.to }}' };
const noon = '2027-01-04T09:30:00Z';
test.each<[string, INodeParameters, one: string | number, other: string | number, boolean]>([
	['an email', order.emailSend, '', '', true],
	['the year in a footer', { ...u1, message: '=© {{ $now.year }}' }, '', '', true],
	['a time in an hour', { ...order.emailSend, ...inAnHour }, '', '', true],
	['an address in capitals', mailTo, 'Ana@Example.com', ' ana@example.com ', true],
	['a mobile in two notations', smsTo, '0151 12345678', '+4915112345678', true],
	['an ID with an invisible character', pushTo, 'u1', 'u\u200b1', true],
	['a time in two zones', mailAt, noon, '2027-01-04T10:30:20+01:00', true],
	['an ID in capitals', pushTo, 'u1', 'U1', false],
	['a time a minute later', mailAt, noon, '2027-01-04T09:31:00Z', false],
	['another delay', { ...u1, sendAt: 'delay', time: '={{ $json.to }}' }, 1, 2, false],
	['a text in capitals', says, 'See you', 'SEE YOU', false],
	['a field that is random', { ...u1, title: '=No. {{ Math.random() }}' }, '', '', false],
	['Allow Duplicates', { ...u1, options: { sendDuplicates: true } }, '', '', false],
	['an event', order.trackEvent, '', '', false],
	['a broadcast', { ...order.pushToAll, maxBroadcasts: 2 }, '', '', false],
])('What is the same goes by what comes out: %s', async (_, parameters, one, other, isSame) => {
	const told = await node.says({ parameters, rows: [{ to: one }, { to: other }] });
	expect(told).toBe(isSame ? `1 accepted, 1 ${same}` : '2 accepted');
});

/** Before one o'clock, each item has a title of its own; afterwards all have the same. */
const early = '=No. {{ $now.hour < 13 ? $itemIndex : 0 }}';
const late = '=No. {{ $now.hour < 13 ? 0 : $itemIndex }}';
const leftOut = `1 accepted before, 1 accepted, 2 ${same}, 1 accepted`;
const sent = '4 accepted before, 1 accepted';
test.each<[string, INodeParameters, string, string, number[]]>([
	['was left out', {}, 'u2', leftOut, [1, 1, 1]],
	['was left out, also where texts differ now', { title: late }, 'u2', leftOut, [1, 1, 1]],
	['was sent with Allow Duplicates', { options: twice }, 'u3', sent, [2, 2, 1]],
	['was sent, also where texts are equal now', { title: early }, 'u3', sent, [2, 2, 1]],
])('The same message that %s stays so in a retry', async (_, more, refused, told, reached) => {
	node.refuseOnce(refused, 400);
	const input = rows('u1', 'u2', 'u1', 'u2', 'u3');
	const parameters = { ...push({ concurrency: 1 }), ...more };
	const failed = await node.start({ parameters, rows: input, timezone: 'UTC' });
	at('2026-10-28T14:00:00Z');
	const changed = { ...parameters, options: { concurrency: 1 } };
	expect(inShort(await node.retry(failed, { parameters: changed }))).toBe(told);
	expect(node.accepted(['u1', 'u2', 'u3'])).toEqual(reached);
});

/** The connections of first outputs, one after the other. */
const path = (...names: string[]) =>
	names.slice(1).map((name, index): Connection => [names[index] as string, 0, name]);
const twoNodes = [...path('Source', 'A', nodeName), ...path('Source', 'B', nodeName)];
const twoOutputs: Connection[] = [...path('Source', nodeName), ['Source', 1, nodeName]];
const runsOf = async (connections: Connection[], more: Course = {}) =>
	(await node.start({ rows: rows('u1', 'u2'), connections, ...more })).runs.map(inShort);

test('Two branches into one node send the same message once, also where they are two outputs of one node', async () => {
	const { runs } = await node.start({ rows: rows('u1', 'u2'), connections: twoNodes });
	expect(runs.map(inShort)).toEqual(['2 accepted', `2 ${same}`]);
	expect(runs[1] && hintsIn(runs[1])).toBe(
		"Items 0 (u1), 1 (u2): 2 messages were skipped because another branch of the workflow sent the same message to the same recipient. To send all of them, turn on 'Allow Duplicates' under Options.",
	);
	expect(runs[1]?.output.map(({ json }) => json.firstItem)).toEqual([0, 1]);
	expect(await runsOf(twoOutputs)).toEqual(['2 accepted', `2 ${same}`]);
});

test.each<[string, INodeParameters]>([
	['with Allow Duplicates', push({ sendDuplicates: true })],
	['with keys that differ', { ...push(), sendOnce: true, sendOnceKey: '={{ $runIndex }}' }],
	['if it says something else', { ...push(), message: '={{ $prevNode.name }}' }],
])('Two branches into one node send both %s', async (_, parameters) => {
	expect(await runsOf(twoNodes, { parameters })).toEqual(['2 accepted', '2 accepted']);
});

test('Two branches into one node send in the second what the first could not, and not what may have arrived', async () => {
	node.refuseOnce('u1', 400);
	node.loseOnce('u2');
	const three = { rows: rows('u1', 'u2', 'u3'), onError: 'continueRegularOutput' } as const;
	const ends = ['1 rejected, 1 unknown, 1 accepted', `1 accepted, 2 ${same}`];
	expect(await runsOf(twoNodes, three)).toEqual(ends);
});

test('Two branches into one node send once after a retry, too', async () => {
	node.refuseOnce('u3', 400);
	const Source = (items: INodeExecutionData[]) => [items, items.slice(0, 1)];
	const graph = { rows: rows('u1', 'u3'), splits: { Source }, connections: twoOutputs };
	const first = await node.start(graph);
	expect(first.runs.map(inShort)[0]).toBe('1 accepted');
	const { runs } = await node.retry(first);
	expect(runs.map(inShort)).toEqual(['1 accepted', `1 ${same}, 1 accepted`]);
	expect(to()).toEqual(['u1', 'u3', 'u3']);
});

test('The same message is sent each time by an IF after the node that leads back to it, and in rounds of a loop with two branches', async () => {
	const onceMore = (items: INodeExecutionData[], run: number) => [run === 0 ? items : [], []];
	const back = path('Source', nodeName, 'If', nodeName);
	const parameters = { ...push(), user_id: 'u1' };
	const rounds = ['1 accepted', '1 accepted'];
	const order = { rows: rows('u1'), parameters };
	expect(await runsOf(back, { ...order, splits: { If: onceMore } })).toEqual(rounds);
	const loop = [...path('Source', 'Loop', 'A', nodeName, 'Loop'), ...path('Loop', 'B', nodeName)];
	expect(await runsOf(loop, { ...order, splits: { Loop: onceMore } })).toEqual(rounds);
});

describe('A list by hand goes out once a day:', () => {
	const before = 'skipped sentBefore accepted';
	const [sent, skipped] = ['2 accepted', `2 ${before}`];
	/** Presses Execute with a row for each letter. */
	const click = async (ids: string, parameters = push(), more: Turn = {}) =>
		await node.start({
			parameters: { testRuns: 'send', ...parameters },
			rows: [...ids].map((id): IDataObject => ({ id })),
			mode: 'manual',
			onError: 'continueRegularOutput',
			...more,
		});
	const said = async (...args: Parameters<typeof click>) => inShort(await click(...args));
	const hinted = async (...args: Parameters<typeof click>) => hintsIn(await click(...args));
	const sentence = (had: number, all: number, now: string) =>
		`${had} of these ${all} got this message from this node today; ${now} sent now. To send it to everyone again on purpose, turn on 'Allow Duplicates' under Options.`;
	test('who got it before is skipped, and a hint counts them', async () => {
		expect(await said('abc')).toBe('3 accepted');
		const again = await click('abxd');
		expect(inShort(again)).toBe(`2 ${before}, 2 accepted`);
		expect(hintsIn(again)).toBe(sentence(2, 4, '2 were'));
		expect(await hinted('ae')).toBe(sentence(1, 2, '1 was'));
		expect(await hinted('ab')).toBe(sentence(2, 2, '0 were'));
	});

	const at9 = { ...push(), sendAt: 'at', scheduledFor: '2026-11-01T09:00:00Z' };
	const at10 = { ...at9, scheduledFor: '2026-11-01T10:00:00Z' };
	const computed = { ...at9, scheduledFor: '={{ $now.plus({ hours: 1 }) }}' };
	const everyDay = Info.weekdays('long').map((day) => day.toLowerCase());
	const atHalfPast = { ...push(), sendAt: 'next', nextTime: '13:30', nextDays: everyDay };
	const hours = { ...push(), sendAt: 'withinHours', hoursFrom: '09:00', hoursTo: '13:30' };
	const changing = { ...push(), title: '={{ $execution.id }}' };
	const toEmail = { ...order.emailSend, email: '={{ $json.id }}@example.com' };
	test.each<[string, string, INodeParameters, INodeParameters?]>([
		['another text', sent, { ...push(), message: 'Here' }],
		['another chosen time', sent, at10, at9],
		['another platform', sent, push({}, ['ios'])],
		['Allow Duplicates', sent, push({ sendDuplicates: true })],
		['Send Once, whose keys decide', sent, { ...push(), sendOnce: true }],
		['a field that differs by itself', sent, changing, changing],
		['the same chosen time', skipped, at9, at9],
		['a time that is computed from now', skipped, computed, computed],
		['the next time of day', skipped, atHalfPast, atHalfPast],
		['certain hours', skipped, hours, hours],
		['email', skipped, toEmail, toEmail],
	])('again with %s: %s', async (_, expected, second, first = push()) => {
		expect(await said('ab', first)).toBe(sent);
		passMinutes(45);
		expect(await said('ab', second)).toBe(expected);
	});

	test.each([
		['of the workflow', 'Europe/Berlin', '2026-10-28T22:59:00Z', '2026-10-28T23:01:00Z'],
		['in UTC if that is not known', 'Mars/Olympus', '2026-10-28T23:59:00Z', '2026-10-29T00:01:00Z'],
	])('until the day ends by the clock %s', async (_, timezone, evening, night) => {
		await click('ab', push(), { timezone });
		at(evening);
		expect(await said('ab', push(), { timezone })).toBe(skipped);
		at(night);
		expect(await said('ab', push(), { timezone })).toBe(sent);
	});

	test('one recipient alone is always sent, on several platforms too, and counts for lists', async () => {
		const toAll = push({}, ['web', 'ios', 'android']);
		for (let clicks = 0; clicks < 2; clicks++) expect(await said('a', toAll)).toBe('3 accepted');
		expect(await said('ab', toAll)).toBe(`3 ${before}, 3 accepted`);
		expect(await hinted('ab', toAll)).toBe(sentence(2, 2, '0 were'));
		expect(await said('a', toAll)).toBe('3 accepted');
		expect(await said('ab', push({}, ['web']))).toBe(skipped);
		// Two messages to one person are for one recipient.
		const parameters = { ...push(), message: '={{ $json.id }}', user_id: 'a' };
		for (let clicks = 0; clicks < 2; clicks++) expect(await said('xy', parameters)).toBe(sent);
	});

	test('the test recipient never counts', async () => {
		const account = { testRecipient: true, testMobile: '+49 151 12345670' };
		const parameters = { ...order.smsSend, mobile: '=+49 151 1234567{{ $json.id }}' };
		for (let clicks = 0; clicks < 2; clicks++)
			expect(await said('01', parameters, { account })).toBe(sent);
		const third = await said('012', parameters, { account });
		expect(third).toBe(`1 accepted, 1 ${before}, 1 accepted`);
	});

	test('what a trigger sent does not count, nor is it skipped, and what Allow Duplicates sent does count', async () => {
		const fired = { mode: 'webhook' as const };
		for (const mode of [fired, {}, fired]) expect(await said('ab', push(), mode)).toBe(sent);
		expect(await said('ab')).toBe(skipped);
		expect(await said('ab', push({ previewOnly: true }))).toBe('2 preview');
		await click('cd', push({ sendDuplicates: true }));
		expect(await said('cd')).toBe(skipped);
	});

	test('what may have arrived is skipped with a warning, and sent with Resend Unconfirmed', async () => {
		node.loseOnce('"a"');
		expect(await said('ab')).toBe('1 unknown, 1 accepted');
		const again = await click('ab');
		expect(inShort(again)).toBe(`1 skipped sentBefore unknown, 1 ${before}`);
		expect(again.hints.map(({ type }) => type)).toEqual(['info', 'warning']);
		expect(hintsIn(again)).toContain('1 message was skipped that may never have arrived');
		expect(hintsIn(again)).toContain("turn on 'Allow Duplicates' under Options");
		expect(await said('ab', push({ retryUnknown: true }))).toBe(`1 accepted, 1 ${before}`);
	});

	test('a retry of a run by hand goes on, and belongs to its day', async () => {
		node.refuseOnce('"b"', 400);
		const parameters = push({ concurrency: 1 });
		const first = await click('abc', parameters, { onError: undefined });
		expect(await said('cd', parameters)).toBe(sent);
		passMinutes(24 * 60);
		expect(inShort(await node.retry(first))).toBe(`1 accepted before, 1 accepted, 1 ${before}`);
	});

	test('rounds of a loop count together from the second on, and may send a person the same twice', async () => {
		const rounds = async (ids: string) =>
			(await click(ids, push(), { rowsPerRun: 1 })).runs.map(inShort).filter(Boolean);
		const [sent, skipped] = ['1 accepted', `1 ${before}`];
		expect(await rounds('abc')).toEqual([sent, sent, sent]);
		expect(await rounds('abc')).toEqual([sent, skipped, skipped]);
		expect(await rounds('xabd')).toEqual([sent, skipped, skipped, sent]);
		expect(await rounds('efef')).toEqual([sent, sent, sent, sent]);
	});

	test('where the notes do not reach back to the beginning of the day, it is sent, and a hint says so', async () => {
		const words = 'its notes do not reach back to the beginning of the day';
		const others = Array.from({ length: 5_000 }, (_, one) => `other ${one}`);
		// A list of the first day gets no such hint, nor does one recipient alone.
		expect(await hinted('ab')).toBe('');
		node.store.preset(others, 5_000);
		expect(await hinted('c')).toBe('');
		node.store.preset(others, 5_000);
		const again = await click('ab');
		expect(inShort(again)).toBe(sent);
		expect(hintsIn(again)).toContain(words);
		expect(await hinted('ab')).not.toContain(words);
	});
});
