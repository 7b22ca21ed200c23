import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { at, freezeClock } from '../support/clock';
import { type Connection, nodeName } from '../support/engine';
import type { Course } from '../support/executionList';
import { hintsIn, inShort, useNode } from '../support/node';
import * as order from '../support/orders';
import { push } from '../support/sends';

freezeClock('2026-10-28T12:00:00Z');
const node = useNode();
const rows = (...ids: string[]): IDataObject[] => ids.map((id) => ({ id }));
const to = () => node.sandbox.record.map(({ body }) => (body as IDataObject).user_id);
const same = 'skipped sameMessage';
const goingOn = { onError: 'continueRegularOutput' as const };
const tagged = (tag: string) => ({ ...push(), additionalFields: { tag } });
const inAnHour = {
	sendAt: 'at',
	scheduledFor: '={{ $now.plus({ hours: 1, seconds: $itemIndex }) }}',
};
const random = { ...push(), title: '=No. {{ Math.random() }}' };

describe('The same message to the same recipient', () => {
	test('is sent once, and each other one is an item that names the first', async () => {
		const report = await node.start({ rows: rows('u1', 'u2', 'u1', 'u3', 'u1') });
		expect(inShort(report)).toBe(`2 accepted, 1 ${same}, 1 accepted, 1 ${same}`);
		const about = { user_id: 'u1', reason: 'sameMessage', firstItem: 0, platform: 'web' };
		expect(report.output.filter(({ json }) => json.reason)).toMatchObject([
			{ json: about, pairedItem: { item: 2 } },
			{ json: about, pairedItem: { item: 4 } },
		]);
		expect(hintsIn(report)).toBe(
			"Items 2 (u1), 4 (u1): 2 messages were skipped because this run has the same message to the same recipient before. To send all of them, turn on 'Allow Duplicates' under Options.",
		);
		expect(to()).toHaveLength(3);
	});

	test('is left out on each platform of a push, where the first item has it', async () => {
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
	const says = { ...push(), message: '={{ $json.to }}', user_id: 'u1' };
	const u1 = { ...push(), user_id: 'u1' };
	const noon = '2027-01-04T09:30:00Z';
	test.each<[string, INodeParameters, one: string | number, other: string | number, boolean]>([
		['an email', order.emailSend, '', '', true],
		['the year in a footer', { ...u1, message: '=© {{ $now.year }}' }, '', '', true],
		['the time of day', { ...u1, title: '=On {{ $now.toFormat("HH:mm:ss") }}' }, '', '', true],
		['a tag of its execution', { ...tagged('={{ $execution.id }}'), user_id: 'u1' }, '', '', true],
		['a time in an hour', { ...order.emailSend, ...inAnHour }, '', '', true],
		['an address in capitals', mailTo, 'Ana@Example.com', ' ana@example.com ', true],
		['a mobile in two notations', smsTo, '0151 12345678', '+4915112345678', true],
		['an ID with an invisible character', pushTo, 'u1', 'u\u200b1', true],
		['a time in two zones', mailAt, noon, '2027-01-04T10:30:20+01:00', true],
		['an ID in capitals', pushTo, 'u1', 'U1', false],
		['a time a minute later', mailAt, noon, '2027-01-04T09:31:00Z', false],
		['another delay', { ...u1, sendAt: 'delay', time: '={{ $json.to }}' }, 1, 2, false],
		['a text in capitals', says, 'See you', 'SEE YOU', false],
		['a field that came out differently', { ...random, user_id: 'u1' }, '', '', false],
		['Allow Duplicates', { ...u1, options: { sendDuplicates: true } }, '', '', false],
		['an event', order.trackEvent, '', '', false],
		['a custom request', order.customPost, '', '', false],
		['a broadcast', { ...order.pushToAll, maxBroadcasts: 2 }, '', '', false],
	])('goes by what comes out: %s', async (_, parameters, one, other, isSame) => {
		const told = await node.says({ parameters, rows: [{ to: one }, { to: other }] });
		expect(told).toBe(isSame ? `1 accepted, 1 ${same}` : '2 accepted');
	});

	test.each<[string, string, boolean, string, number[]]>([
		['left out', 'u2', false, `1 accepted before, 1 accepted, 2 ${same}, 1 accepted`, [1, 1, 1]],
		['called sent', 'u3', true, '4 accepted before, 1 accepted', [2, 2, 1]],
	])('is %s by a retry if %s failed before, with Allow Duplicates %s', async (...one) => {
		const [, refused, sendDuplicates, told, reached] = one;
		node.refuseOnce(refused, 400);
		const parameters = push({ concurrency: 1, sendDuplicates });
		const failed = await node.start({ parameters, rows: rows('u1', 'u2', 'u1', 'u2', 'u3') });
		expect(failed.error).toBeDefined();
		const retried = await node.retry(failed, { parameters: push({ concurrency: 1 }) });
		expect(inShort(retried)).toBe(told);
		expect(node.accepted(['u1', 'u2', 'u3'])).toEqual(reached);
	});
});

describe('Where a text comes out differently in a retry,', () => {
	/** Before one o'clock, each item has a title of its own; afterwards all have the same. */
	const early = '={{ $now.hour < 13 ? $json.title : "Hello" }}';
	const late = '={{ $now.hour < 13 ? "Hello" : $json.title }}';
	const input = ['u1', 'u1', 'u2'].map((id, index) => ({ id, title: `Title ${index}` }));
	test.each([
		['left out stays left out', late, `1 accepted before, 1 ${same}, 1 accepted`, [1, 1]],
		['sent is not called left out', early, '2 accepted before, 1 accepted', [2, 1]],
	])('what was %s', async (_, title, told, reached) => {
		node.refuseOnce('u2', 400);
		const parameters = { ...push({ concurrency: 1 }), title };
		const first = await node.start({ parameters, rows: input, timezone: 'UTC' });
		expect(first.error).toBeDefined();
		at('2026-10-28T14:00:00Z');
		expect(inShort(await node.retry(first))).toBe(told);
		expect(node.accepted(['u1', 'u2'])).toEqual(reached);
	});
});

/** The connections of first outputs, one after the other. */
const path = (...names: string[]) =>
	names.slice(1).map((name, index): Connection => [names[index] as string, 0, name]);
const twoNodes = [...path('Source', 'A', nodeName), ...path('Source', 'B', nodeName)];
const twoOutputs: Connection[] = [...path('Source', nodeName), ['Source', 1, nodeName]];
const runsOf = async (connections: Connection[], more: Course = {}) =>
	(await node.start({ rows: rows('u1', 'u2'), connections, ...more })).runs.map(inShort);

describe('Two branches into one node', () => {
	test('send the same message once, also where they are two outputs of one node', async () => {
		const { runs } = await node.start({ rows: rows('u1', 'u2'), connections: twoNodes });
		expect(runs.map(inShort)).toEqual(['2 accepted', `2 ${same}`]);
		expect(to()).toEqual(['u1', 'u2']);
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
	])('send both %s', async (_, parameters) => {
		expect(await runsOf(twoNodes, { parameters })).toEqual(['2 accepted', '2 accepted']);
	});

	test('send in the second what the first could not, and not what may have arrived', async () => {
		node.refuseOnce('u1', 400);
		node.loseOnce('u2');
		expect(await runsOf(twoNodes, { rows: rows('u1', 'u2', 'u3'), ...goingOn })).toEqual([
			'1 rejected, 1 unknown, 1 accepted',
			`1 accepted, 2 ${same}`,
		]);
	});

	test('send once after a retry, too', async () => {
		node.refuseOnce('u3', 400);
		const split = (items: INodeExecutionData[]) => [
			items,
			items.filter(({ json }) => json.id !== 'u3'),
		];
		const graph = { rows: rows('u1', 'u3'), splits: { Source: split }, connections: twoOutputs };
		const first = await node.start(graph);
		expect(first.runs.map(inShort)[0]).toBe('1 accepted');
		expect(first.run.data.resultData.error).toBeDefined();
		const retried = await node.retry(first);
		expect(retried.runs.map(inShort)).toEqual(['1 accepted', `1 ${same}, 1 accepted`]);
		expect(to()).toEqual(['u1', 'u3', 'u3']);
	});
});

describe('The same message is sent each time', () => {
	const onceMore = (items: INodeExecutionData[], run: number) => [run === 0 ? items : [], []];

	test('by an IF after the node that leads back to it, such as a reminder', async () => {
		const connections = path('Source', nodeName, 'If', nodeName);
		const parameters = { ...push(), user_id: '={{ $json.id ?? $json.user_id }}' };
		const told = await runsOf(connections, { parameters, splits: { If: onceMore } });
		expect(told).toEqual(['2 accepted', '2 accepted']);
	});

	test('in rounds of a loop that has two branches inside', async () => {
		const connections = [
			...path('Source', 'Loop', 'A', nodeName, 'Loop'),
			...path('Loop', 'B', nodeName),
		];
		const parameters = { ...push(), user_id: 'u1' };
		const loop = { rows: rows('u1'), parameters, splits: { Loop: onceMore } };
		expect(await runsOf(connections, loop)).toEqual(['1 accepted', '1 accepted']);
	});
});
