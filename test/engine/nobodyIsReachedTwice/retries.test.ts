import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { type Fault, testCredentials } from '../../../sandbox';
import { freezeClock } from '../support/clock';
import type { Execution } from '../support/executionList';
import { each, hintsIn, inShort, useNode, wordsOf } from '../support/node';
import { pushToAll, trackEvent } from '../support/orders';
import { createUsers, idOf, listedAs, push, rowsOf, toldBy } from '../support/sends';

freezeClock('2026-11-23T12:00:00Z');
const parameters = push({ concurrency: 1 });
const tokens = [...testCredentials.tokens, 'other-token'];
const node = useNode({ parameters }, { credentials: { ...testCredentials, tokens } });
const outcomesOf = (report: Execution) =>
	toldBy(report)
		.map(({ outcome }) => outcome)
		.join();

describe('Retries from the list of executions', () => {
	test.each([
		[false, 'start the workflow from its trigger with the items that are missing'],
		[true, 'If Send Once was on then and is on now, start it with all items instead'],
	])('send nothing for an unknown first execution (Send Once: %s)', async (sendOnce, words) => {
		const order = { parameters: { ...parameters, sendOnce }, rows: rowsOf(3) };
		expect(wordsOf(await node.start({ ...order, mode: 'retry' }))).toContain(words);
		expect(node.sandbox.record).toEqual([]);
	});

	test('send nothing, and say why, where the node was cut and pasted meanwhile', async () => {
		node.refuseOnce(idOf(4));
		const first = await node.start({ rows: rowsOf(12) });
		node.refuseOnce(idOf(8));
		await node.retry(first);
		const pasted = await node.retry(first, { nodeId: 'pasted' });
		expect(pasted.error?.message).toMatch(/^Nothing more was sent: .*node/);
		expect(node.acceptedRows(12)).toEqual([...each(1, 8), ...each(0, 4)]);
		// With the node as it was, the retry sends what is missing.
		expect((await node.retry(first)).error).toBeUndefined();
		expect(node.acceptedRows(12)).toEqual(each(1, 12));
	});
});

test('Where the credential no longer works, a row keeps its outcome, and the message says so', async () => {
	node.refuseOnce(idOf(2));
	const first = await node.start({ rows: rowsOf(4) });
	const account = { pushUrl: 'ftp://push.example.com' };
	const second = await node.retry(first, { account });
	expect(second.error?.message).toMatch(/^Nothing more was sent: /);
	expect(second.error?.description).toContain('Accepted: 2 of 2');

	const onward = await node.retry(first, { account, onError: 'continueRegularOutput' });
	expect(outcomesOf(onward)).toBe('accepted,accepted,invalid,invalid');
});

test('An evaluation and a retry of a run by hand only show a broadcast, whatever mode n8n reports', async () => {
	const toAll = { ...pushToAll, platforms: ['web', 'android', 'ios'] };
	const first = await node.failBefore({ parameters: toAll, mode: 'manual' });
	const second = await node.retry(first);
	expect(inShort(second)).toBe('3 preview');
	expect(await node.says({ parameters: pushToAll, mode: 'evaluation' })).toBe('1 preview');
	expect(hintsIn(second)).toMatch(/^Nothing was sent/m);
	expect(node.sandbox.record).toEqual([]);
});

test('A round of a loop that is refused says that earlier rounds may have sent', async () => {
	const { error, runs } = await node.start({ rows: [...rowsOf(5), { id: '' }], rowsPerRun: 5 });
	expect(error?.message).toMatch(
		/^Nothing more was sent: \{\{ \$json\.id \}\} in User ID is empty/,
	);
	expect(runs).toHaveLength(2);
});

test('With Stop Workflow, one lost answer in a loop keeps no later round from being reached by a retry', async () => {
	node.loseOnce(idOf(7));
	const first = await node.start({ rows: rowsOf(20), rowsPerRun: 4 });
	expect(listedAs('May have been delivered', first.error)).toEqual([3]);
	expect(wordsOf(first)).not.toContain('Nothing is left to send');
	expect(wordsOf(first)).toMatch(/[Rr]etry (this|the) execution/);
	const second = await node.retry(first);
	expect(second.error).toBeUndefined();
	expect(second.runs.map(inShort).filter(Boolean)).toEqual([
		'4 accepted',
		'3 accepted before, 1 unknown',
		...each('4 accepted', 3),
	]);
	expect(node.acceptedRows(20)).toEqual(each(1, 20));
});

describe('A retry tracks events anew', () => {
	const rows = rowsOf(4).map(({ id }, row) => ({ id, other: idOf(row, 'v') }));
	const options = { batchSize: 1, concurrency: 1 };
	const toEvent = { ...trackEvent, userID: '={{ $json.id }}', options };
	const renamed = { ...toEvent, event_name: 'Order Shipped' };
	const mapped = { ...toEvent, dataMode: 'autoMapInputData' };
	const byId = { ...mapped, userIdField: 'id', ignoreFields: 'other' };
	const byOther = { ...mapped, userIdField: 'other', ignoreFields: 'id' };
	const noKey = { sendOnce: true, sendOnceKey: '={{ $now }}' };

	test.each<[string, INodeParameters, INodeParameters, number[]]>([
		['by another column', byId, byOther, [1, 1, 1, 0, 1, 1, 1, 1]],
		['of another name', toEvent, renamed, [2, 2, 2, 1, 0, 0, 0, 0]],
	])('%s', async (_, before, corrected, reached) => {
		node.refuseOnce(idOf(3));
		const first = await node.start({ parameters: before, rows });
		expect(wordsOf(first)).toContain('3 accepted, 1 not sent');
		// With a mistake that refuses every row, none counts as accepted that is for somebody else now.
		const wrong = { ...corrected, ...noKey };
		const other = await node.retry(first, { parameters: wrong, onError: 'continueRegularOutput' });
		expect(inShort(other)).toBe('4 invalid');
		const second = await node.retry(first, { parameters: corrected });
		expect(second.error).toBeUndefined();
		expect(inShort(second)).toBe('4 accepted');
		expect(node.accepted([...rows, ...rowsOf(4, 'v')].map(({ id }) => id))).toEqual(reached);
	});
});

test('A retry by another token sends to everybody', async () => {
	node.refuseOnce(idOf(2));
	const byToken = { ...parameters, authentication: 'partnerToken' };
	const first = await node.start({ parameters: byToken, rows: rowsOf(3) });
	expect(wordsOf(first)).toContain('2 accepted, 1 not sent');
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
])(
	'%s: item %d, On Error %s, Retry On Fail %s: it is tried %d times, and no other twice',
	async (heading, bad, onError, retryOnFail, tries) => {
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
		const said = rows.map((_, row) => (row === bad ? outcome : 'accepted')).join();
		expect(outcomesOf(report)).toBe(onError === 'stopWorkflow' ? '' : said);
	},
);

test('An item accepted by an earlier try is output again with the batch that it was sent in', async () => {
	node.refuseOnce(idOf(4));
	const users = createUsers({ batchSize: 2, concurrency: 1 });
	const rows = rowsOf(6);
	const { output } = await node.start({ parameters: users, rows, retryOnFail: true });
	expect(output.map(({ json }) => json.userID)).toEqual(rows.map(({ id }) => id));
	const batch = { index: expect.any(Number) as number, size: 2 };
	expect(output.map(({ json }) => json.batch)).toEqual(each(batch, 6));
});

test("An event is not tracked twice by Retry On Fail or a retry from the list, although its time is then another, unless 'Resend Unconfirmed' is on", async () => {
	const events = (options: INodeParameters = {}) => ({
		parameters: {
			...{ ...trackEvent, userID: '={{ $json.id }}' },
			options: { batchSize: 10, concurrency: 1, ...options },
		},
		rows: rowsOf(30),
	});
	node.loseOnce(idOf(15));
	const first = await node.start({ ...events(), retryOnFail: true });
	expect(first.error?.message).toContain('may or may not have been delivered');
	const second = await node.retry(first);
	expect(second.error).toBeUndefined();
	expect(inShort(second)).toBe('10 accepted before, 10 unknown, 10 accepted before');
	expect(node.acceptedRows(30)).toEqual(each(1, 30));

	node.loseOnce(idOf(15));
	await node.start(events({ retryUnknown: true }));
	expect(node.acceptedRows(30)).toEqual([...each(2, 10), ...each(3, 10), ...each(2, 10)]);
});

test('With On Error, a bad first row does not make Retry On Fail send a broadcast again', async () => {
	const rows = [{ url: 'no link' }, { url: 'https://example.com' }];
	const parameters = { ...pushToAll, url: '={{ $json.url }}' };
	await node.start({ parameters, rows, onError: 'continueRegularOutput', retryOnFail: true });
	const paths = node.sandbox.accepted().map(({ path }) => path);
	expect(paths).toEqual(['/api/v1/web/broadcast/all']);
});
