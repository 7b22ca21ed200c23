import { Info } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { at, freezeClock, passMinutes } from '../support/clock';
import type { Course } from '../support/executionList';
import { useLogLines } from '../support/logLines';
import { hintsIn, inShort, saidBy, type Turn, useNode } from '../support/node';
import * as order from '../support/orders';
import { push } from '../support/sends';

freezeClock('2026-10-28T12:00:00Z');
const lines = useLogLines();
const node = useNode({ timezone: 'Europe/Berlin' });

const before = 'skipped sentBefore accepted';
const accepted = () => node.sandbox.accepted().length;
const everyDay = Info.weekdays('long').map((day) => day.toLowerCase());
const chosen = (scheduledFor: string) => ({ sendAt: 'at', scheduledFor });
const morning = chosen('2026-11-01T09:00:00Z');
const hourLater = chosen('2026-11-01T10:00:00Z');
const computed = chosen('={{ $now.plus({ hours: 1 }) }}');

describe('A list by hand goes out once a day:', () => {
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
	const timed = (more: INodeParameters) => ({ ...push(), ...more });

	test('who got it before is skipped, and a hint counts them', async () => {
		expect(await said('abc')).toBe('3 accepted');
		const again = await click('abxd');
		expect(inShort(again)).toBe(`2 ${before}, 2 accepted`);
		expect(hintsIn(again)).toBe(sentence(2, 4, '2 were'));
		expect(await hinted('ae')).toBe(sentence(1, 2, '1 was'));
		expect(await hinted('ab')).toBe(sentence(2, 2, '0 were'));
	});

	const changing = { ...push(), title: '={{ $execution.id }}' };
	test.each<[string, INodeParameters, INodeParameters?]>([
		['another text', { ...push(), message: 'Here' }],
		['another chosen time', { ...push(), ...hourLater }, { ...push(), ...morning }],
		['another platform', push({}, ['ios'])],
		['Allow Duplicates', push({ sendDuplicates: true })],
		['Send Once, whose keys decide', { ...push(), sendOnce: true }],
		['a field that differs by itself', changing, changing],
	])('it is sent again with %s', async (_, second, first = push()) => {
		expect(await said('ab', first)).toBe('2 accepted');
		expect(await said('ab', second)).toBe('2 accepted');
	});

	test.each<[string, INodeParameters]>([
		['the same chosen time', timed(morning)],
		['a time that is computed from now', timed(computed)],
		['the next time of day', timed({ sendAt: 'next', nextTime: '13:30', nextDays: everyDay })],
		['certain hours', timed({ sendAt: 'withinHours', hoursFrom: '09:00', hoursTo: '13:30' })],
		['email', { ...order.emailSend, email: '={{ $json.id }}@example.com' }],
	])('it is skipped with %s', async (_, parameters) => {
		expect(await said('ab', parameters)).toBe('2 accepted');
		passMinutes(45);
		expect(await said('ab', parameters)).toBe(`2 ${before}`);
	});

	test.each([
		['of the workflow', 'Europe/Berlin', '2026-10-28T22:59:00Z', '2026-10-28T23:01:00Z'],
		['in UTC if that is not known', 'Mars/Olympus', '2026-10-28T23:59:00Z', '2026-10-29T00:01:00Z'],
	])('until the day ends by the clock %s', async (_, timezone, evening, night) => {
		await click('ab', push(), { timezone });
		at(evening);
		expect(await said('ab', push(), { timezone })).toBe(`2 ${before}`);
		at(night);
		expect(await said('ab', push(), { timezone })).toBe('2 accepted');
	});

	test('one recipient alone is always sent, on several platforms too, and counts for lists', async () => {
		const toAll = push({}, ['web', 'ios', 'android']);
		expect(await said('a', toAll)).toBe('3 accepted');
		expect(await said('a', toAll)).toBe('3 accepted');
		expect(await said('ab', toAll)).toBe(`3 ${before}, 3 accepted`);
		expect(await hinted('ab', toAll)).toBe(sentence(2, 2, '0 were'));
		expect(await said('a', toAll)).toBe('3 accepted');
		expect(await said('ab', push({}, ['web']))).toBe(`2 ${before}`);

		// Two messages to one person are for one recipient.
		const parameters = { ...push(), message: '={{ $json.id }}', user_id: 'a' };
		for (let clicks = 0; clicks < 2; clicks++)
			expect(await said('xy', parameters)).toBe('2 accepted');
	});

	test('the test recipient never counts', async () => {
		const ids = ['+49 151 12345678', '+4915187654321', '+4915187654322'];
		const account = { testRecipient: true, testMobile: ids[0] };
		const parameters = { ...order.smsSend, mobile: '={{ $json.id }}' };
		const saidTo = async (count: number) =>
			await said('', parameters, { account, rows: ids.slice(0, count).map((id) => ({ id })) });
		expect(await saidTo(2)).toBe('2 accepted');
		expect(await saidTo(2)).toBe('2 accepted');
		expect(await saidTo(3)).toBe(`1 accepted, 1 ${before}, 1 accepted`);
	});

	test('what a trigger sent does not count, nor is it skipped, and what Allow Duplicates sent does count', async () => {
		const fired = { mode: 'webhook' as const };
		for (const mode of [fired, {}, fired])
			expect(await said('ab', push(), mode)).toBe('2 accepted');
		expect(await said('ab')).toBe(`2 ${before}`);
		expect(await said('ab', push({ previewOnly: true }))).toBe('2 preview');
		await click('cd', push({ sendDuplicates: true }));
		expect(await said('cd')).toBe(`2 ${before}`);
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
		expect(await said('cd', parameters)).toBe('2 accepted');
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
		expect(inShort(again)).toBe('2 accepted');
		expect(hintsIn(again)).toContain(words);
		expect(await hinted('ab')).not.toContain(words);
	});
});

describe('A broadcast by a trigger goes out once in ten minutes:', () => {
	const { pushToAll: toAll, emailToSegment: toSegment } = order;
	const fire = async (parameters: INodeParameters = toAll, more: Course = {}) =>
		await node.start({ parameters, ...more });
	const said = async (...args: Parameters<typeof fire>) => inShort(await fire(...args));
	const both = { rows: [{}, {}] };
	const twice = { ...toAll, maxBroadcasts: 2 };

	test('the second is skipped, with a warning that is in the log too', async () => {
		expect(await said()).toBe('1 accepted');
		const again = await fire();
		expect(inShort(again)).toBe(`1 ${before}`);
		const message =
			"1 broadcast was skipped, because another execution sent the same to the same audience in the last minutes: triggers may fire twice for one event. To send it again on purpose, wait 20 minutes, or turn on 'Allow Duplicates' under Options. Or turn on 'Send Once' with a key that changes with each occasion.";
		expect(again.hints).toMatchObject([{ type: 'warning', message }]);
		expect(lines).toContainEqual(['warn', message]);
		expect(accepted()).toBe(1);
	});

	test('two at the same moment send it once', async () => {
		const both = await Promise.all([fire(), fire()]);
		expect(both.map(inShort).sort()).toEqual(['1 accepted', expect.stringMatching(/^1 skipped/)]);
		expect(accepted()).toBe(1);
	});

	test('this span of ten minutes and the one before count, and executions at the border of two, whichever is first', async () => {
		at('2026-10-28T12:01:00Z');
		await fire();
		at('2026-10-28T12:19:59Z');
		expect(await said()).toBe(`1 ${before}`);
		at('2026-10-28T12:20:00Z');
		expect(await said()).toBe('1 accepted');
		at('2026-10-28T13:00:00Z');
		expect(await said()).toBe('1 accepted');
		at('2026-10-28T12:59:59.999Z');
		expect(await said()).toBe(`1 ${before}`);
	});

	test.each<[string, INodeParameters]>([
		['the same text', toSegment],
		['a field that differs by itself', { ...toAll, message: '=At {{ $now.toMillis() }}' }],
		['a tag that differs', { ...toAll, additionalFields: { tag: '={{ $execution.id }}' } }],
		['a time that is computed from now', { ...toSegment, ...computed }],
	])('it is skipped with %s', async (_, parameters) => {
		expect(await said(parameters)).toBe('1 accepted');
		passMinutes(3);
		expect(await said(parameters)).toBe(`1 ${before}`);
	});

	const timed = (text: string) => ({ ...toAll, message: `=${text} at {{ $now.toMillis() }}` });
	test.each<[string, INodeParameters, INodeParameters?]>([
		['another text', { ...toAll, message: 'Another' }],
		['another platform', { ...toAll, platforms: ['ios'] }],
		['another segment', { ...order.pushToSegment, segment_id: 43 }, order.pushToSegment],
		['another chosen time', { ...toSegment, ...hourLater }, { ...toSegment, ...morning }],
		['another text around what differs', timed('Two'), timed('One')],
		['Allow Duplicates', { ...toAll, options: { sendDuplicates: true } }],
		['Send Once and a key', { ...toAll, sendOnce: true, sendOnceKey: 'k' }],
	])('it is sent with %s', async (_, second, first = toAll) => {
		expect(await said(first)).toBe('1 accepted');
		expect(await said(second)).toBe('1 accepted');
	});

	test('what was refused goes out by the next execution, and then a retry skips it', async () => {
		node.refuseOnce('', 400);
		const first = await fire();
		expect(first.error).toBeDefined();
		expect(await said()).toBe('1 accepted');
		expect(inShort(await node.retry(first))).toBe(`1 ${before}`);
		expect(accepted()).toBe(1);
	});

	test('a retry sends what the execution itself could not', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 400, after: 1, first: 1 });
		const first = await fire(twice, both);
		expect(first.error).toBeDefined();
		expect(inShort(await node.retry(first))).toBe('1 accepted before, 1 accepted');
		expect(accepted()).toBe(2);
	});

	test('one that is started by hand is not compared with those of a trigger', async () => {
		const byHand = { mode: 'manual' as const };
		const parameters = { ...toAll, testRuns: 'send' };
		await fire(parameters);
		expect(await said(parameters, byHand)).toBe('1 accepted');
		expect(await said(parameters, byHand)).toBe(`1 ${before}`);
		expect(await said(parameters)).toBe(`1 ${before}`);
		passMinutes(30);
		expect(await said(parameters)).toBe('1 accepted');
	});

	test('after a kill, one that may have left is in doubt in a retry, and skipped by another execution', async () => {
		const first = await node.killRetryAfter(1, { parameters: toAll });
		passMinutes(1 / 60);
		expect(saidBy(await fire())).toEqual(['skipped sentBefore unknown']);
		const retried = await node.retry(first, { onError: 'continueRegularOutput' });
		expect(saidBy(retried)).toEqual(['unknown interrupted']);
		expect(accepted()).toBe(1);
	});
});
