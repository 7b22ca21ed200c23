import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { type Fault, testCredentials } from '../../../sandbox';
import { at, freezeClock } from '../support/clock';
import { each, inShort, useNode, wordsOf } from '../support/node';
import { emailSend, pushToAll, smsSend, trackEvent } from '../support/orders';
import { countsOf, createUsers, idOf, listedAs, push, rowsOf, toldBy } from '../support/sends';

freezeClock('2026-11-23T12:00:00Z');
const parameters = push({ concurrency: 1 });
const tokens = [...testCredentials.tokens, 'other-token'];
const node = useNode({ parameters }, { credentials: { ...testCredentials, tokens } });

test.each([
	[false, 'start the workflow from its trigger with the items that are missing'],
	[true, 'If Send Once was on then and is on now, start it with all items instead'],
])('A retry of an unknown execution sends nothing (Send Once %s)', async (sendOnce, words) => {
	const order = { parameters: { ...parameters, sendOnce }, rows: rowsOf(3) };
	expect(wordsOf(await node.start({ ...order, mode: 'retry' }))).toContain(words);
	expect(node.sandbox.record).toEqual([]);
});

test('Retries from the list of executions send nothing, and say why, where the node was cut and pasted meanwhile', async () => {
	node.refuseOnce(idOf(4));
	const first = await node.start({ rows: rowsOf(12) });
	node.refuseOnce(idOf(8));
	await node.retry(first);
	const pasted = await node.retry(first, { nodeId: 'pasted' });
	expect(pasted.error?.message).toMatch(/^Nothing more was sent: .*node/);
	// With the node as it was, the retry sends what is missing.
	expect(inShort(await node.retry(first))).toBe('8 accepted before, 4 accepted');
	expect(node.acceptedRows(12)).toEqual(each(1, 12));
});

test('A row that cannot be sent any more keeps its outcome where the credential no longer works, and the message says so', async () => {
	node.refuseOnce(idOf(2));
	const first = await node.start({ rows: rowsOf(4) });
	const account = { pushUrl: 'ftp://push.example.com' };
	const second = wordsOf(await node.retry(first, { account }));
	expect(second).toMatch(/^Nothing more was sent: [^]*Accepted: 2 of 2/);
	const onward = await node.retry(first, { account, onError: 'continueRegularOutput' });
	expect(inShort(onward)).toBe('2 accepted before, 2 invalid');
});

test('A row that cannot be sent any more keeps its outcome where its time has passed, and does not stop the others', async () => {
	const rows = rowsOf(3).map((row, index) => ({ ...row, at: `${index === 0 ? 12 : 13}:00:03` }));
	const scheduledFor = '=2026-11-23T{{ $json.at }}';
	const scheduled = { ...parameters, sendAt: 'at', scheduledFor, scheduleTimezone: 'UTC' };
	node.refuseOnce(idOf(1));
	const first = await node.start({ parameters: scheduled, rows });
	at('2026-11-23T12:00:05Z');
	expect(inShort(await node.retry(first))).toBe('1 accepted before, 2 accepted');
	expect(node.acceptedRows(3)).toEqual([1, 1, 1]);
});

const five = rowsOf(5);
const bad = [...five, { id: '' }];
const byFive = { ...pushToAll, maxBroadcasts: 5 };
const tooMany = 'With this run, the execution would send 10 messages';
const isEmpty = '{{ $json.id }} in User ID is empty';
test.each<[string, INodeParameters, IDataObject[], string]>([
	['a bad row', parameters, bad, isEmpty],
	['Max Messages', push({ maxMessages: 9 }), [...five, ...rowsOf(5, 'v')], tooMany],
	['Max Broadcasts', byFive, [...five, ...five], 'This would make 10 broadcasts to everyone'],
	['a user without an ID', createUsers(), bad, ''],
])('A refused round says that others may have sent: %s', async (_, parameters, rows, words) => {
	const { error, runs } = await node.start({ parameters, rows, rowsPerRun: 5 });
	expect(error?.message).toContain(`Nothing more was sent: ${words}`);
	expect(runs).toHaveLength(2);
});

test('In a retry too, a refused round says so, and one lost answer keeps no later round from being reached', async () => {
	node.loseOnce(idOf(7));
	const first = await node.start({ rows: [...rowsOf(20), { id: '' }], rowsPerRun: 4 });
	expect(listedAs('May have been delivered', first.error)).toEqual([3]);
	expect(wordsOf(first)).toContain('3 accepted');
	expect(wordsOf(first)).not.toContain('Nothing is left to send');
	expect(wordsOf(first)).toMatch(/[Rr]etry (this|the) execution/);
	const second = await node.retry(first);
	const rounds = ['4 accepted', '3 accepted before, 1 unknown', ...each('4 accepted', 3)];
	expect(second.runs.map(inShort).filter(Boolean)).toEqual(rounds);
	for (const retried of [second, await node.retry(second)])
		expect(retried.error?.message).toContain(`Nothing more was sent: ${isEmpty}`);
	expect(node.acceptedRows(20)).toEqual(each(1, 20));
});

describe('A retry with a corrected recipient, or something else in place of it,', () => {
	const rows = rowsOf(4).map(({ id }, row) => ({ id, other: idOf(row, 'v') }));
	const toColumn = (column: string) => ({ ...parameters, user_id: `={{ $json.${column} }}` });
	const options = { batchSize: 1, concurrency: 1 };
	const toEvent = { ...trackEvent, userID: '={{ $json.id }}', options };
	const [all, once] = ['4 accepted', '1 accepted before, 1 accepted'];
	const ofTwo = '2 accepted before, 1 accepted, 1 accepted before';
	const inSome = toColumn(`id.replace('${idOf(1)}', 'v000001')`);
	const swapped = toColumn('id.replace(/[23]$/, (row) => 5 - row)');
	const renamed = { ...toEvent, event_name: 'Order Shipped' };
	const mapped = { ...toEvent, dataMode: 'autoMapInputData' };
	const byId = { ...mapped, userIdField: 'id', ignoreFields: 'other' };
	const byOther = { ...mapped, userIdField: 'other', ignoreFields: 'id' };
	const toUser = { recipientBy: 'user_id', user_id: '={{ $json.id }}' };
	const toEmail = { ...emailSend, ...toUser, options: { concurrency: 1 } };
	const toMobile = { ...smsSend, ...toUser };
	const noConsent = { additionalFields: { consent: '={{ $json.id.slice(9) }}' } };
	const noKey = { sendOnce: true, sendOnceKey: '={{ $now }}' };

	test.each<[string, INodeParameters, INodeParameters, string, number[]]>([
		['tracks events by another column', byId, byOther, all, [1, 1, 1, 0, 1, 1, 1, 1]],
		['is sent to all', parameters, toColumn('other'), all, [1, 1, 1, 0, 1, 1, 1, 1]],
		['leaves other rows alone', parameters, inSome, `${once}, ${once}`, [1, 1, 1, 1, 0, 1, 0, 0]],
		['is sent to one of two swapped', parameters, swapped, ofTwo, [1, 1, 1, 1, 0, 0, 0, 0]],
		['sends an SMS in place of an email', toEmail, toMobile, all, [2, 2, 2, 1, 0, 0, 0, 0]],
		['tracks an event of another name', toEvent, renamed, all, [2, 2, 2, 1, 0, 0, 0, 0]],
	])('%s', async (_, before, corrected, said, reached) => {
		node.refuseOnce(idOf(3));
		const first = await node.start({ parameters: before, rows });
		expect(wordsOf(first)).toContain('3 accepted, 1 not sent');
		// With a mistake that refuses every row, none counts as accepted that is for somebody else now.
		const wrong = { ...corrected, ...(corrected.resource === 'event' ? noKey : noConsent) };
		const other = await node.retry(first, { parameters: wrong, onError: 'continueRegularOutput' });
		expect(inShort(other)).toBe(said.replaceAll(/(\d) accepted(?! before)/g, '$1 invalid'));
		expect(inShort(await node.retry(first, { parameters: corrected }))).toBe(said);
		expect(node.accepted([...rows, ...rowsOf(4, 'v')].map(({ id }) => id))).toEqual(reached);
	});
});

test.each([false, true])('A retry with another token sends to all (kill: %s)', async (isKilled) => {
	node.refuseOnce(idOf(2));
	const byToken = { ...parameters, authentication: 'partnerToken' };
	const order = { rows: rowsOf(3), parameters: byToken };
	const before = isKilled ? await node.failBefore(order) : undefined;
	const refused = before ? await node.retry(before) : await node.start(order);
	expect(wordsOf(refused)).toContain('2 accepted, 1 not sent');
	// After a kill, n8n stored nothing of the attempt that sent.
	const first = before ?? refused;
	const account = { accessToken: 'other-token' };
	const second = await node.retry(first, { account, credentialId: '2' });
	expect(inShort(second)).toBe('3 accepted');
	expect(inShort(await node.retry(first))).toBe('2 accepted before, 1 accepted');
	const by = node.sandbox.accepted().map(({ identity }) => identity);
	expect(by).toEqual([...each('token:1', 2), ...each('token:2', 3), 'token:1']);
});

const twoAtOnce = push({ concurrency: 2 });
const arrivalsOf = (row: number) =>
	node.sandbox.record.filter(({ body }) => (body as IDataObject).user_id === idOf(row));

test.each<[string, number, OnError, boolean, number]>([
	['Refused', 0, 'stopWorkflow', true, 3],
	['Refused', 0, 'continueRegularOutput', true, 3],
	['Refused', 5, 'continueErrorOutput', true, 1],
	['May have been delivered', 0, 'stopWorkflow', true, 1],
	['May have been delivered', 5, 'continueErrorOutput', false, 1],
])('%s: item %d, On Error %s, Retry On Fail %s: it is tried %d times', async (...one) => {
	const [heading, bad, onError, retryOnFail, tries] = one;
	const isRefused = heading === 'Refused';
	const fault: Fault = isRefused ? { kind: 'status', status: 400 } : { kind: 'resetAfterAccept' };
	node.sandbox.faults.add({ ...fault, match: { bodyText: idOf(bad) } });
	const rows = rowsOf(6);
	const report = await node.start({ rows, onError, retryOnFail, parameters: twoAtOnce });
	const notSent = listedAs('Not sent', report.error);
	expect(rows.map((_, row) => arrivalsOf(row).length)).toEqual(
		rows.map((_, row) => (row === bad ? tries : notSent.includes(row) ? 0 : 1)),
	);
	if (report.error) expect(listedAs(heading, report.error)).toEqual([bad]);
	const outcome = isRefused ? 'rejected' : 'unknown';
	const said = rows.map((_, row) => (row === bad ? outcome : 'accepted'));
	const told = toldBy(report).map((one) => one.outcome);
	expect(told).toEqual(onError === 'stopWorkflow' ? [] : said);
});

const all: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
test.each(all)('On Error %s, a second try sends the rest with its request', async (onError) => {
	node.refuseOnce(idOf(0));
	const order = { parameters: twoAtOnce, rows: rowsOf(6), onError, retryOnFail: true };
	const told = toldBy(await node.start(order));
	expect(countsOf(told)).toEqual({ accepted: 6 });
	for (const { item, details } of told) {
		const taken = arrivalsOf(item).filter(({ accepted }) => accepted);
		expect(taken.map(({ seq }) => String(seq))).toEqual([(details.response as IDataObject).id]);
	}
	expect(node.sandbox.record).toHaveLength(7);
});

test('An item accepted by an earlier try is output again with the batch that it was sent in', async () => {
	node.refuseOnce(idOf(4));
	const users = createUsers({ batchSize: 2, concurrency: 1 });
	const rows = rowsOf(6);
	const { output } = await node.start({ parameters: users, rows, retryOnFail: true });
	const batch = { index: expect.any(Number) as number, size: 2 };
	expect(output).toMatchObject(rows.map(({ id }) => ({ json: { userID: id, batch } })));
});

test("An event is not tracked twice by Retry On Fail or a retry from the list, although its time is then another, unless 'Resend Unconfirmed' is on", async () => {
	const events = (more: INodeParameters = {}) => {
		const options = { batchSize: 10, concurrency: 1, ...more };
		return { parameters: { ...trackEvent, userID: '={{ $json.id }}', options }, rows: rowsOf(30) };
	};
	node.loseOnce(idOf(15));
	const first = await node.start({ ...events(), retryOnFail: true });
	expect(first.error?.message).toContain('may or may not have been delivered');
	const told = '10 accepted before, 10 unknown, 10 accepted before';
	expect(inShort(await node.retry(first))).toBe(told);
	expect(node.acceptedRows(30)).toEqual(each(1, 30));

	node.loseOnce(idOf(15));
	await node.start(events({ retryUnknown: true }));
	expect(node.acceptedRows(30)).toEqual([...each(2, 10), ...each(3, 10), ...each(2, 10)]);
});

test('With On Error, a bad first row does not make Retry On Fail send a broadcast again', async () => {
	const rows = [{ url: 'no link' }, { url: 'https://example.com' }];
	const order = { parameters: { ...pushToAll, url: '={{ $json.url }}' }, rows, retryOnFail: true };
	const told = await node.says({ ...order, onError: 'continueRegularOutput' });
	expect(told).toBe('1 invalid, 1 accepted before');
	expect(node.sandbox.accepted()).toHaveLength(1);
});
