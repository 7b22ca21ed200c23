import type { INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import type { Course } from '../support/executionList';
import { hintsIn, inShort, useNode } from '../support/node';
import * as order from '../support/orders';

freezeClock('2026-10-28T12:00:00Z');
const node = useNode({ timezone: 'Europe/Berlin' });

/** As the form has it: *When Run by Hand* is not touched. */
const { testRuns: _, ...untouched } = { ...order.pushSend, testRuns: undefined };
const toRows: INodeParameters = { ...untouched, user_id: '={{ $json.id }}' };
const rowsOf = (ids: string) => [...ids].map((id) => ({ id }));
const goingOn = { onError: 'continueRegularOutput' } as const;
const click = async (ids: string, more: INodeParameters = {}, course: Course = {}) => {
	const parameters = { ...toRows, ...more };
	return await node.start({ parameters, rows: rowsOf(ids), mode: 'manual', ...goingOn, ...course });
};
const told =
	"Nothing was sent: by hand, a list is only shown. To send, set 'When Run by Hand' to Send, and execute it again.";

describe('By hand, as the form has it,', () => {
	test('one recipient is sent to', async () => {
		expect(inShort(await click('a'))).toBe('1 accepted');
		expect(inShort(await click('b', { platforms: ['web', 'ios'] }))).toBe('2 accepted');
		expect(inShort(await click('cc'))).toBe('1 accepted, 1 skipped sameMessage');
	});

	test('two and more recipients are shown, and the hint says how to send', async () => {
		const ids = 'abcdefghijklmnopqrstuvwxyz';
		const run = await click(ids);
		expect(inShort(run)).toBe('26 preview');
		expect(hintsIn(run)).toContain(told);
		expect(node.sandbox.record).toEqual([]);
		// A second click shows them again, and nothing counts as sent.
		expect(inShort(await click(ids))).toBe('26 preview');
		expect(inShort(await click(ids, { testRuns: 'send' }))).toBe('26 accepted');
	});

	test('a bad row beside a good one is a list, too', async () => {
		const parameters = { ...toRows, title: '={{ $json.id === "a" ? "" : "Hi" }}' };
		const rows = rowsOf('ab');
		const run = await node.start({ parameters, rows, mode: 'manual', ...goingOn });
		expect(inShort(run)).toBe('1 invalid, 1 preview');
		expect(node.sandbox.record).toEqual([]);
	});

	test('of a loop of ones, the first is sent and the others are shown', async () => {
		const run = await click('abc', {}, { rowsPerRun: 1 });
		expect(run.runs.map((round) => inShort(round))).toEqual([
			'1 accepted',
			'1 preview',
			'1 preview',
		]);
	});

	test.each<[string, INodeParameters]>([
		['a broadcast', order.pushToAll],
		['a message to a campaign', { ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 7 }],
	])('%s that keeps the choice of a message to one is shown', async (_name, parameters) => {
		const kept = { ...parameters, testRuns: 'previewLists' };
		const run = await node.start({ parameters: kept, mode: 'manual', ...goingOn });
		expect(inShort(run)).toBe('1 preview');
		expect(node.sandbox.record).toEqual([]);
	});

	test.each(['trigger', 'webhook', 'integrated', 'evaluation', 'cli'] as const)(
		'a list in the mode %s is sent',
		async (mode) => expect(inShort(await click('ab', {}, { mode }))).toBe('2 accepted'),
	);
});
