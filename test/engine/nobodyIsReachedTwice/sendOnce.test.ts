import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { testCredentials } from '../../../sandbox';
import { at, freezeClock, passMinutes } from '../support/clock';
import type { Course, Execution } from '../support/executionList';
import { useLogLines } from '../support/logLines';
import { apiKey, hintsIn, inShort, saidBy, type Turn, useNode, wordsOf } from '../support/node';
import * as order from '../support/orders';
import { createUsers, idOf, push, rowsOf, toldBy } from '../support/sends';

freezeClock('2026-10-28T12:00:00Z');
const lines = useLogLines();

const once = (more: INodeParameters = {}): INodeParameters => {
	return { ...push({ concurrency: 2 }), sendOnce: true, ...more };
};
const brands = [...testCredentials.brands, { brandId: 'real-brand', apiKey }];
const node = useNode(
	{ parameters: once(), onError: 'continueErrorOutput', timezone: 'UTC' },
	{ credentials: { ...testCredentials, brands } },
);
const start = async (count: number, more: Turn = {}) =>
	await node.start({ rows: rowsOf(count), ...more });
const said = async (count: number, more: Course = {}) => inShort(await start(count, more));
const before = 'skipped sentBefore accepted';
const unsure = 'skipped sentBefore unknown';
const retryUnknown = { parameters: once({ options: { retryUnknown: true } }) };
const stops = { onError: undefined };

test('Send Once sends nothing that an earlier execution has sent, and says why', async () => {
	await start(3);
	const second = await start(5);
	expect(inShort(second)).toBe(`3 ${before}, 2 accepted`);
	expect(node.acceptedRows(5)).toEqual([1, 1, 1, 1, 1]);
	const about = { resource: 'push', operation: 'send', platform: 'web', user_id: idOf(0) };
	const why = { outcome: 'skipped', reason: 'sentBefore', earlierOutcome: 'accepted' };
	expect(second.output[0]?.json).toEqual({ ...why, ...about });
	expect(hintsIn(second)).toContain(
		"Send Once: 3 messages were skipped, because this node has sent the same before. To send it again on purpose, enter another 'Send Once Key'.",
	);
});

test('Send Once goes by the text if no key is given, else by the key alone, and forgets spaces around it', async () => {
	await start(1);
	expect(await said(1, { parameters: once({ title: 'Other news' }) })).toBe('1 accepted');
	const parameters = once({ sendOnceKey: '={{ $json.order }}' });
	const other = { ...parameters, title: 'Other news' };
	const saidOf = async (id: string, order: number | string, which: INodeParameters = other) =>
		await said(1, { parameters: which, rows: [{ id, order }] });
	expect(await saidOf('u', 1042, parameters)).toBe('1 accepted');
	expect(await saidOf('u', ' 1042 ')).toBe(`1 ${before}`);
	expect(await saidOf('u', '1043')).toBe('1 accepted');
	expect(await saidOf('v', '1042')).toBe('1 accepted');
});

test('Send Once does not repeat what may have been delivered, unless Resend Unconfirmed is on, and a warning counts it', async () => {
	node.refuseOnce(idOf(1), 503);
	expect(await said(2)).toBe('1 accepted, 1 unknown');
	lines.splice(0);
	const again = await start(2);
	expect(inShort(again)).toBe(`1 ${before}, 1 ${unsure}`);
	const words = /^1 message .* may never have arrived.*'Resend Unconfirmed'/;
	const warning = { type: 'warning', message: expect.stringMatching(words) as string };
	expect(again.hints.filter(({ type }) => type === 'warning')).toMatchObject([warning]);
	expect(lines[0]?.[1]).toMatch(words);
	expect(hintsIn(again)).toContain('Send Once: 1 message was skipped, because this node has sent');
	expect(await said(2, retryUnknown)).toBe(`1 ${before}, 1 accepted`);
	const last = await start(2, retryUnknown);
	expect(inShort(last)).toBe(`2 ${before}`);
	expect(last.hints.filter(({ type }) => type === 'warning')).toEqual([]);
});

test('Send Once records nothing in a preview, and holds hashes instead of what was sent', async () => {
	await start(3, { parameters: once({ options: { previewOnly: true } }) });
	expect(node.store.keys.size).toBe(0);
	expect(await said(3)).toBe('3 accepted');
	await start(1, { parameters: once({ sendOnceKey: 'order-1042' }) });
	expect([...node.store.keys].join()).not.toMatch(/order-1042|u000000/);
});

test('A sub-workflow whose caller is retried sends only what is missing', async () => {
	const parameters = once({ sendOnceKey: 'spring sale', options: { concurrency: 1 } });
	// n8n calls it anew, and does not tell it so.
	const called = (executionId: string) => ({ parameters, caller: { executionId }, ...stops });
	node.refuseOnce(idOf(1));
	expect((await start(3, called('first'))).error?.message).toContain('item 1');
	expect(await said(3, called('retry'))).toBe(`1 ${before}, 2 accepted`);
});

test('After Stop, Send Once skips what was in flight as unknown, and sends the rest', async () => {
	node.sandbox.faults.add({ kind: 'hang', match: { bodyText: idOf(1) }, first: 1 });
	const parameters = once({ options: { concurrency: 1 } });
	const run = async (course: Course) => await start(4, { parameters, ...course });
	await node.stopAt(node.untilArrived(2), run);
	expect(await said(4)).toBe(`1 ${before}, 1 ${unsure}, 2 accepted`);
	expect(node.accepted([idOf(0), idOf(2), idOf(3)])).toEqual([1, 1, 1]);
});

test('After two crashes, Send Once names what is in doubt and reaches nobody twice, also if n8n runs one again', async () => {
	for (let kills = 0; kills < 2; kills++)
		await node.killAfter(3, async (course) => await start(20, course));
	// n8n starts it from its trigger, with the same ID.
	const third = saidBy(await node.list.goOn({ id: 1 }));
	const accepted = node.acceptedRows(20);
	expect(third.filter((words, row) => accepted[row] === 0 && words !== unsure)).toEqual([]);
	expect(third).toContain(unsure);
	expect(Math.max(...accepted)).toBe(1);
});

test('With Stop Workflow, a long list of which little is new is begun, and only what is new is sent', async () => {
	await start(40);
	const parameters = once({ options: { maxWait: 1 } });
	const report = await start(43, { parameters, account: { pushLimit: 10 }, ...stops });
	expect(inShort(report)).toBe(`40 ${before}, 3 accepted`);
	expect(hintsIn(report)).not.toContain('is not sent');
});

test('A stored Send Once of users, for whom the form does not offer it, skips none of their rows', async () => {
	const parameters = { ...createUsers({ batchSize: 1 }), sendOnce: true };
	const rows = ['A', 'B', 'A'].map((version) => ({ id: 'C-1', version }));
	expect(await said(3, { parameters, rows })).toBe('3 accepted');
	const attributes = rows.map(({ version }) => ({ user_attributes: { version } }));
	expect(node.elements()).toMatchObject(attributes);
});

const parameters = once({ sendOncePeriod: 'day', options: { concurrency: 1 } });
const orderOf = (...ids: number[]): Course => {
	return { parameters, rows: ids.map((row) => ({ id: idOf(row) })), ...stops };
};
const daily = async (...ids: number[]) => await node.says(orderOf(...ids));

test('With a period of a day, a retry counts for the day on which the node ran first, also after a slow node', async () => {
	at('2026-10-28T23:50:00Z');
	await daily(3);
	node.refuseOnce(idOf(1));
	const Source = (items: INodeExecutionData[]) => {
		at('2026-10-29T00:10:00Z');
		return [items];
	};
	const first = await node.start({ ...orderOf(0, 1, 2, 3), splits: { Source } });
	expect(first.error?.message).toContain('item 1');
	expect(await daily(2)).toBe('1 accepted');
	passMinutes(24 * 60);
	const retried = inShort(await node.retry(first));
	expect(retried).toBe(`1 accepted before, 1 accepted, 1 ${before}, 1 accepted`);
	// Of the message 3, one on each of two days.
	expect(node.acceptedRows(4)).toEqual([1, 1, 1, 2]);
	expect(await daily(0, 1, 2, 3)).toBe('4 accepted');
});

test('With a period of a day, a retry that remembers no try counts for the day on which its execution began', async () => {
	at('2026-10-28T23:50:00Z');
	const first = await node.failBefore(orderOf(0, 1, 2));
	passMinutes(5);
	await daily(1);
	at('2026-10-29T01:00:00Z');
	expect(inShort(await node.retry(first))).toBe(`1 accepted, 1 ${before}, 1 accepted`);
	passMinutes(60);
	expect(await daily(0, 1, 2)).toBe('3 accepted');
});

test.each<[string, INodeParameters, 'webhook' | 'manual']>([
	['Send Once with a period', once({ sendOncePeriod: 'week' }), 'webhook'],
	['a broadcast by hand', { ...order.pushToAll, testRuns: 'send' }, 'manual'],
])('In an unknown timezone of the workflow, %s is refused', async (_, parameters, mode) => {
	const onMars = { rows: rowsOf(1), timezone: 'Mars/Olympus', ...stops };
	const refused = await node.start({ ...onMars, parameters, mode });
	expect(wordsOf(refused)).toContain(
		"Nothing was sent: The workflow's timezone 'Mars/Olympus' is not known, so the node cannot tell on which day this goes out. Choose one in the workflow's settings, e.g. Europe/Berlin",
	);
	expect(inShort(await node.retry(refused, { timezone: 'Europe/Berlin' }))).toBe('1 accepted');
	passMinutes(1);
	expect(await node.says({ ...onMars, parameters: once() })).toBe('1 accepted');
});

const toOne = { ...push({ concurrency: 1 }), user_id: 'u', message: '={{ $json.text ?? "Hi" }}' };
const keyed = (sendOnceKey: string, more: INodeParameters = {}): INodeParameters => {
	return { ...toOne, sendOnce: true, sendOnceKey, ...more };
};
/** Sends the rows in one execution, a minute after the one before. */
const send = async (parameters: INodeParameters, rows: object[] = [{}], more: Turn = {}) => {
	passMinutes(1);
	return await node.start({ parameters, rows: rows as IDataObject[], ...more });
};
const told = async (...args: Parameters<typeof send>) => inShort(await send(...args));

test.each([
	['={{ "order_" + $json.nr + "_mail" }}', {}, 'undefined'],
	['={{ "order-" + $json.nr }}', { nr: null }, 'null'],
	['={{ $json.nr }}', { nr: { toString: 1 } }, 'must be text or a number'],
	['order-{{ $json.nr }}', { nr: '1' }, '{{ $json.nr }}'],
	['={{ $json.nr }}', { nr: 9_007_199_254_740_993 }, 'so many digits that n8n has rounded'],
])('A key in which a value is missing is refused, and names its row: %s of %j', async (...one) => {
	const [key, row, found] = one;
	const good = { id: 'u1', nr: '1041' };
	const parameters = keyed(key, { user_id: '={{ $json.id }}' });
	const words = wordsOf(await send(parameters, [good, { id: 'u2', ...row }], stops));
	expect(words).toContain('Send Once Key');
	expect(words).toContain(found);
	expect(words.replaceAll('\n', ' ')).toMatch(/\b1\b.*\bu2\b/);
	expect(node.sandbox.record).toEqual([]);
});

test.each([
	['=Order {{ $json.nr }}', false],
	['=Order {{ $json.nr || $json.number }}', true],
])('A key with an empty placeholder is refused: %s (Skip Text Check %s)', async (key, skips) => {
	const nothing = [{}, { nr: '' }, { nr: null }, { nr: '  ' }, { nr: [] }];
	const options = { concurrency: 1, skipTextCheck: skips };
	const good = ['1041', '1042'].map((nr) => ({ nr, number: 'a' }));
	const rows = [...good, ...nothing, ...nothing];
	expect(await told(keyed(key, { options }), rows)).toBe('2 accepted, 10 invalid');
});

const orders = [{ nr: 1 }, {}, { text: 'Bye' }, {}];
const texts = ['One', 'Two', 'One'].map((text) => ({ text }));
const lookMissing = [
	...['nullable', 'NaNcy', 'aNullb', 'annull-2026', '9007199254740993', '9007199254740992'],
	...['order-12345678901234567890', '2e+1', '1e5', 12.5, Number.MAX_SAFE_INTEGER],
];
const lookEqual = ['Caf\u00e9', 'Cafe\u200b\u0301', 'sale\u2764', 'sale\u2764\ufe0f'];
const keysOf = (keys: unknown[]) => keys.map((nr) => ({ nr }));
const ofNumber = '={{ $json.nr }}';
const twice = `1 accepted, 1 ${before}, 1 accepted, 1 ${before}`;

test.each<[string, key: string, object[], said: string]>([
	['one with an empty case', "=Order {{ $json.nr ?? '' }}", orders, `2 accepted, 2 ${before}`],
	// Then the whole request counts.
	['none if it is empty as a whole', '={{ $json.nr || "" }}', orders, `3 accepted, 1 ${before}`],
	['none if it is spaces alone', '  ', texts, `2 accepted, 1 ${before}`],
	['one that only looks as if a value were missing', ofNumber, keysOf(lookMissing), '11 accepted'],
	['the same if it differs in what nobody sees', ofNumber, keysOf(lookEqual), twice],
])('A key is %s', async (_, key, rows, said) => {
	expect(await told(keyed(key), rows)).toBe(said);
});

/** Sends the same once more from an account. */
const saidWith = async (account: object, more: Course = {}) => {
	const parameters = keyed('spring sale', more.parameters);
	return await told(parameters, [{}], { ...more, parameters, account });
};

test('What was sent counts for its brand, at the same address too, whatever its API key and its credential', async () => {
	const real = { brandId: 'real-brand' };
	expect(await saidWith({})).toBe('1 accepted');
	expect(await saidWith(real)).toBe('1 accepted');
	expect(await saidWith(real)).toBe(`1 ${before}`);
	expect(await saidWith({})).toBe(`1 ${before}`);
	expect(await saidWith({ apiKey: 'renewed-key' }, { credentialId: '2' })).toBe(`1 ${before}`);
});

test('What was sent with an access token counts for its credential, also after the token was renewed', async () => {
	const parameters = { authentication: 'partnerToken' };
	for (const credentialId of ['1', '2'])
		expect(await saidWith({}, { parameters, credentialId })).toBe('1 accepted');
	const renewed = { accessToken: 'renewed-token' };
	expect(await saidWith(renewed, { parameters, credentialId: '1' })).toBe(`1 ${before}`);
});

test.each<[string, string, INodeParameters, string]>([
	['a push to one person', '$now', toOne, '$now'],
	['a broadcast', '$now', order.pushToAll, '$now'],
	['an event', '$now', order.trackEvent, '$now'],
	['a push to one person', 'DateTime.local()', toOne, 'DateTime'],
])('A key of %s that differs each time is refused: %s', async (_, code, parameters, found) => {
	const why = await node.stops(keyed(`=Sale {{ ${code} }}`, parameters), stops);
	expect(why).toMatch(/^Nothing was sent: Send Once Key .*differs/);
	expect(why).toContain(found);
	expect(why).toContain('Enter a key that changes with each occasion');
});

const sentAt = { id: '1', name: 'at', value: '={{ $now.toISO() }}', type: 'string' };
const dated = { ...toOne, message: '=It is {{ $now.toFormat("HH:mm:ss.SSS") }}' };

test.each<[string, INodeParameters]>([
	['push to one person', dated],
	['custom request', { ...order.customPost, body: '={{ { at: new Date() } }}' }],
	['event', { ...order.trackEvent, attributes: { assignments: [sentAt] } }],
])('Without a key, a field that differs each time asks for one: %s', async (_, parameters) => {
	const why = await node.stops(keyed('', parameters), stops);
	expect(why).toMatch(/^Nothing was sent: .*[Ee]nter a key/);
});

test.each<[string, INodeParameters]>([
	['with a key', keyed('={{ $json.order }}', dated)],
	['with a day', keyed('=Sale {{ DateTime.local(2026, 11, 24) }} {{ $now.toISODate() }}')],
	['that differs by its row only', keyed('', { message: '=Order {{ $json.order }}' })],
])('Send Once takes a message %s', async (_, parameters) => {
	expect(await told(parameters, [{ order: 17 }])).toBe('1 accepted');
	expect(await told(parameters, [{ order: 17 }])).toBe(`1 ${before}`);
});

const byId = { user_id: '={{ $json.id }}' };
const differsIn = (report: Execution) => toldBy(report).map(({ details }) => details.differs);

test('Where different messages share a key, each skipped item says that it differs from the one that was sent', async () => {
	const orders = ['u1 1', 'u1 2', 'u1 1', 'u2 3', 'u1 4'].map((order) => order.split(' '));
	const rows = orders.map(([id, number]) => ({ id, text: `Order ${number} is on its way` }));
	const report = await send(keyed('order', byId), rows);
	expect(inShort(report)).toBe(`1 accepted, 2 ${before}, 1 accepted, 1 ${before}`);
	expect(differsIn(report)).toEqual([undefined, true, undefined, undefined, true]);
	const message = `Send Once: 2 messages were skipped although another message of this run with the same key says something else: items 1 (u1), 4 (u1). If people should get all of them, 'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as an order number, or the occasion: shipped, delivered.`;
	expect(report.hints).toContainEqual(expect.objectContaining({ type: 'warning', message }));
});

test('Where the run is skipped as a whole, it is no matter that texts to different people differ', async () => {
	const toTwo = async (text: string) => {
		const rows = ['u1', 'u2'].map((id) => ({ id, text: `${text} ${id}` }));
		return await send(keyed('={{ $json.id }}', byId), rows);
	};
	await toTwo('Order');
	const again = await toTwo('Dear');
	expect(inShort(again)).toBe(`2 ${before}`);
	expect(differsIn(again)).toEqual([undefined, undefined]);
	expect(hintsIn(again)).not.toContain('too coarse');
});
