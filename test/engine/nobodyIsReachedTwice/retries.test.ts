import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { type Sandbox, testCredentials } from '../../../sandbox';
import { at, freezeClock } from '../support/clock';
import type { Execution } from '../support/executionList';
import {
	accessToken,
	accountOf,
	each,
	hintsIn,
	idsOf,
	inShort,
	roomySandbox,
	saidBy,
	useNode,
	wordsOf,
} from '../support/node';
import { emailSend, pushToAll, smsSend, trackEvent } from '../support/orders';
import {
	arrivalsByPush,
	createUsers,
	idOf,
	listedAs,
	push,
	rowsOf,
	toldBy,
} from '../support/sends';

freezeClock('2026-11-23T12:00:00Z');
const parameters = push({ concurrency: 1 });
const node = useNode({ parameters });
const outcomesOf = (report: Execution) =>
	toldBy(report)
		.map(({ outcome }) => outcome)
		.join();
const retryUnknown = { parameters: push({ concurrency: 1, retryUnknown: true }) };

describe('Retries from the list of executions', () => {
	test('reach nobody twice when the first execution had sent nothing because of a bad row', async () => {
		const first = await node.start({ rows: [...rowsOf(4), { id: '' }] });
		expect(first.error?.message).toBe(
			'Nothing was sent: User ID is empty. {{ $json.id }} gives nothing. Fill it in, or choose another column. Columns: id (item 4)',
		);
		// As with the currently saved workflow, in which the row is no longer bad.
		const fixed = { parameters: { ...parameters, user_id: '={{ $json.id || "someone" }}' } };
		node.refuseOnce(idOf(2));
		const second = await node.retry(first, fixed);
		expect(node.acceptedRows(4)).toEqual([1, 1, 0, 0]);
		expect(second.error?.message).toContain('item 2');
		expect((await node.retry(first, fixed)).error).toBeUndefined();
		expect(node.acceptedRows(4)).toEqual(each(1, 4));
	});

	test('send nothing where n8n had run the execution again after its worker was killed', async () => {
		await node.killAfter(1, async (course) => await node.start({ rows: rowsOf(4), ...course }));
		const sent = node.sandbox.record.length;
		expect(sent).toBeLessThan(4);
		const again = await node.list.goOn({ id: 1 });
		expect(again.error?.message).toContain('n8n runs this execution a second time');
		const retried = await node.retry(again);
		expect(retried.error?.message).toContain('was interrupted');
		expect(node.sandbox.record).toHaveLength(sent);
	});

	test.each([
		[false, 'start the workflow from its trigger with the items that are missing'],
		[true, 'start the workflow from its trigger with the same items: it skips what was sent'],
	])(
		'send nothing if n8n does not say what the first execution was, with Send Once %s',
		async (sendOnce, words) => {
			const order = { parameters: { ...parameters, sendOnce }, rows: rowsOf(3) };
			expect(wordsOf(await node.start({ ...order, mode: 'retry' }))).toContain(words);
			expect(node.sandbox.record).toEqual([]);
		},
	);

	test('do not call refused what may have been delivered before', async () => {
		node.loseOnce(idOf(1));
		const first = await node.start({ rows: rowsOf(3) });
		node.refuseOnce(idOf(1), 400);
		const { error } = await node.retry(first, retryUnknown);
		expect(listedAs('May have been delivered', error)).toEqual([1]);
		expect(listedAs('Refused', error)).toEqual([]);
		expect(node.acceptedRows(3)).toEqual([1, 1, 0]);
	});

	test('do not take an email for the SMS that the workflow now sends', async () => {
		const toUser = { recipientBy: 'user_id', user_id: '={{ $json.id }}' };
		node.refuseOnce(idOf(2));
		const toEmail = { ...emailSend, ...toUser, options: { concurrency: 1 } };
		const first = await node.start({ parameters: toEmail, rows: rowsOf(3) });
		expect(node.sandbox.accepted()).toHaveLength(2);
		const second = await node.retry(first, { parameters: { ...smsSend, ...toUser } });
		expect(second.error).toBeUndefined();
		expect(node.accepted(['"sender_mobile"'])).toEqual([3]);
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

describe('A row that cannot be sent any more keeps its outcome', () => {
	test('where the credential no longer works, and the message says so', async () => {
		node.refuseOnce(idOf(2));
		const first = await node.start({ rows: rowsOf(4) });
		const account = { pushUrl: 'ftp://push.example.com' };
		const second = await node.retry(first, { account });
		expect(second.error?.message).toMatch(/^Nothing more was sent: /);
		expect(second.error?.description).toContain('Accepted: 2 of 2');

		const onward = await node.retry(first, { account, onError: 'continueRegularOutput' });
		expect(outcomesOf(onward)).toBe('accepted,accepted,invalid,invalid');
	});

	test('where its time has passed, and does not stop the others', async () => {
		const rows = rowsOf(3).map((row, index) => ({ ...row, at: `${index === 0 ? 12 : 13}:00:03` }));
		const scheduledFor = '=2026-11-23T{{ $json.at }}';
		const scheduled = { ...parameters, sendAt: 'at', scheduledFor, scheduleTimezone: 'UTC' };
		node.refuseOnce(idOf(1));
		const first = await node.start({ parameters: scheduled, rows });
		expect(node.acceptedRows(3)).toEqual([1, 0, 0]);
		at('2026-11-23T12:00:05Z');
		expect((await node.retry(first)).error).toBeUndefined();
		expect(node.acceptedRows(3)).toEqual([1, 1, 1]);
	});
});

test('A retry of a run by hand only shows a broadcast, whatever mode n8n reports', async () => {
	const toAll = { ...pushToAll, platforms: ['web', 'android', 'ios'] };
	const first = await node.failBefore({ parameters: toAll, mode: 'manual' });
	const second = await node.retry(first);
	expect(inShort(second)).toBe('3 preview');
	expect(hintsIn(second)).toMatch(/^Nothing was sent/m);
	expect(node.sandbox.record).toEqual([]);
});

test('What stops a workflow names items in their order, also one that an earlier attempt sent', async () => {
	const rows = rowsOf(52).map((row, index) => ({ ...row, text: index === 50 ? '' : 'There' }));
	node.refuseOnce(idOf(50), 503);
	const byText = { ...parameters, message: '={{ $json.text }}' };
	const first = await node.failBefore({ parameters: byText, rows });
	await node.retry(first, { rows: [{ id: idOf(50), text: 'There' }] });
	node.refuseOnce(idOf(3), 503);
	const second = await node.retry(first, { rows });
	expect(wordsOf(second)).toContain('May have been delivered: 2, items 3 (u000003), 50');
});

describe('With Stop Workflow, one lost answer', () => {
	test('in a loop keeps no later round from being reached by a retry', async () => {
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
});

describe('A retry in which the recipient is another one', () => {
	const rows = rowsOf(4).map(({ id }, row) => ({ id, other: idOf(row, 'v') }));
	const toColumn = (column: string) => ({ ...parameters, user_id: `={{ $json.${column} }}` });

	test.each<[string, string, string, number[]]>([
		['is sent to everybody who got nothing', 'other', '4 accepted', [1, 1, 1, 0, 1, 1, 1, 1]],
		[
			'in some rows leaves the others as they are',
			`id.replace('${idOf(1)}', 'v000001')`,
			'1 accepted before, 1 accepted, 1 accepted before, 1 accepted',
			[1, 1, 1, 1, 0, 1, 0, 0],
		],
	])('%s', async (_, column, said, reached) => {
		node.refuseOnce(idOf(3));
		const first = await node.start({ rows });
		expect(wordsOf(first)).toContain('3 accepted, 1 not sent');
		const second = await node.retry(first, { parameters: toColumn(column) });
		expect(second.error).toBeUndefined();
		expect(inShort(second)).toBe(said);
		expect(node.accepted([...idsOf(rows), ...idsOf(rowsOf(4, 'v'))])).toEqual(reached);
	});

	test('sends nothing twice where two rows had each other’s recipient', async () => {
		node.refuseOnce(idOf(1));
		const first = await node.start({ rows: rowsOf(2) });
		const swapped = toColumn(`id === '${idOf(0)}' ? '${idOf(1)}' : '${idOf(0)}'`);
		const second = await node.retry(first, { parameters: swapped });
		expect(second.error).toBeUndefined();
		expect(inShort(second)).toBe('1 accepted, 1 accepted before');
		expect(node.acceptedRows(2)).toEqual([1, 1]);
	});

	test.each<[string, INodeParameters]>([
		['user', { userID: '={{ $json.other }}' }],
		['name', { event_name: 'Order Shipped' }],
	])('tracks the event of another %s', async (_, corrected) => {
		const options = { batchSize: 1, concurrency: 1 };
		const toEvent = { ...trackEvent, userID: '={{ $json.id }}', options };
		node.refuseOnce(idOf(3));
		const first = await node.start({ parameters: toEvent, rows });
		const second = await node.retry(first, { parameters: { ...toEvent, ...corrected } });
		expect(second.error).toBeUndefined();
		expect(inShort(second)).toBe('4 accepted');
		expect(node.sandbox.accepted()).toHaveLength(7);
	});
});

describe('A retry with another account', () => {
	let other: Sandbox;
	beforeAll(async () => {
		const brands = [...testCredentials.brands, { brandId: 'real-brand', apiKey: 'real-key' }];
		const tokens = [...testCredentials.tokens, 'other-token'];
		other = await roomySandbox({ credentials: { brands, tokens } });
	});
	beforeEach(() => other.reset());
	afterAll(async () => await other.close());
	const rows = rowsOf(3);
	const withToken = (token: string) => ({ ...accountOf(other), accessToken: token });
	const byToken = { rows, parameters: { ...parameters, authentication: 'partnerToken' } };
	const refuseOnce = (sandbox: Sandbox) =>
		sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(2) }, first: 1 });
	const acceptedBy = (name: string) =>
		other.accepted().filter(({ identity }) => identity === name).length;

	test.each(['address', 'brand'])('sends to everybody there: another %s', async (what) => {
		const isBrand = what === 'brand';
		const sandbox = isBrand ? other : node.sandbox;
		refuseOnce(sandbox);
		const first = await node.start({ rows, credential: accountOf(sandbox) });
		expect(wordsOf(first)).toContain('2 accepted, 1 not sent');
		const before = other.accepted().length;
		const changed: Record<string, string> = isBrand
			? { brandId: 'real-brand', apiKey: 'real-key' }
			: {};
		const second = await node.retry(first, { credential: { ...accountOf(other), ...changed } });
		expect(second.error).toBeUndefined();
		expect(inShort(second)).toBe('3 accepted');
		expect(other.accepted()).toHaveLength(before + 3);
	});

	test.each([false, true])(
		'of which n8n knows only an access token sends to everybody with another credential, and finds what the first one sent, after a kill %s',
		async (isKilled) => {
			refuseOnce(other);
			const order = { ...byToken, credential: withToken(accessToken) };
			const before = isKilled ? await node.failBefore(order) : undefined;
			const refused = before ? await node.retry(before) : await node.start(order);
			expect(wordsOf(refused)).toContain('2 accepted, 1 not sent');
			// After a kill, n8n stored nothing of the attempt that sent.
			const first = before ?? refused;
			const changed = { credential: withToken('other-token'), credentialId: '2' };
			const second = await node.retry(first, changed);
			expect(second.error).toBeUndefined();
			expect(inShort(second)).toBe('3 accepted');
			expect(acceptedBy('token:2')).toBe(3);

			expect(inShort(await node.retry(first))).toBe('2 accepted before, 1 accepted');
			expect(acceptedBy('token:1')).toBe(3);
		},
	);
});

const twoAtOnce = push({ concurrency: 2 });
const onErrors: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
const arrivalsOf = (row: number) =>
	arrivalsByPush(node.sandbox.record).get(`web ${idOf(row)}`) ?? [];
/** Expects of each item that was accepted that the output names its request. */
function expectAnswers(report: Execution): void {
	for (const { item, outcome, details } of toldBy(report)) {
		if (outcome !== 'accepted') continue;
		const taken = arrivalsOf(item).filter(({ accepted }) => accepted);
		expect(taken.map(({ seq }) => String(seq))).toEqual([(details.response as IDataObject).id]);
	}
}

describe.each([
	['is refused', { kind: 'status', status: 400 }, 'rejected', 'Refused'],
	['gets no answer', { kind: 'resetAfterAccept' }, 'unknown', 'May have been delivered'],
] as const)('An item that %s is not sent twice', (_, fault, outcome, heading) => {
	test.each(
		onErrors.flatMap((onError) =>
			[0, 5].flatMap((bad) => [false, true].map((again) => [bad, onError, again] as const)),
		),
	)('as item %d, On Error %s, Retry On Fail %s', async (bad, onError, retryOnFail) => {
		const rows = rowsOf(6);
		node.sandbox.faults.add({ ...fault, match: { bodyText: idOf(bad) } });
		const report = await node.start({ rows, onError, retryOnFail, parameters: twoAtOnce });

		const times = rows.map((_, row) => arrivalsOf(row).length);
		const stops = onError === 'stopWorkflow';
		const retries = retryOnFail && outcome === 'rejected' && (stops || bad === 0);
		expect(times[bad]).toBe(retries ? 3 : 1);
		times[bad] = 1;
		if (stops) {
			expect(listedAs(heading, report.error)).toEqual([bad]);
			const notSent = listedAs('Not sent', report.error);
			expect(times).toEqual(rows.map((_, row) => (notSent.includes(row) ? 0 : 1)));
		} else {
			expect(times).toEqual(each(1, 6));
			const others = rows.map((_, row) => (row === bad ? outcome : 'accepted'));
			expect(outcomesOf(report)).toBe(others.join());
			expectAnswers(report);
		}
	});
});

test.each(onErrors)('On Error %s: the second try sends what the first did not', async (onError) => {
	node.refuseOnce(idOf(0));
	const order = { parameters: twoAtOnce, rows: rowsOf(6), onError, retryOnFail: true };
	const report = await node.start(order);
	expect(report.error).toBeUndefined();
	expect(outcomesOf(report)).toBe(each('accepted', 6).join());
	expectAnswers(report);
	expect(node.sandbox.record).toHaveLength(7);
});

test('An item accepted by an earlier try is output again with the batch that it was sent in', async () => {
	node.refuseOnce(idOf(4));
	const users = createUsers({ batchSize: 2, concurrency: 1 });
	const rows = rowsOf(6);
	const { output } = await node.start({ parameters: users, rows, retryOnFail: true });
	expect(output.map(({ json }) => json.userID)).toEqual(idsOf(rows));
	const batch = { index: expect.any(Number) as number, size: 2 };
	expect(output.map(({ json }) => json.batch)).toEqual(each(batch, 6));
});

test('When a refused item ends the run, responses still on their way are counted', async () => {
	node.refuseOnce(idOf(0));
	node.sandbox.faults.add({ kind: 'delay', delayMs: 400 });
	const { error } = await node.start({ parameters: push({ concurrency: 6 }), rows: rowsOf(6) });
	expect(node.sandbox.accepted()).toHaveLength(5);
	expect(error?.message).toContain('. 5 accepted, ');
});

describe('An event is not tracked twice', () => {
	const rows = rowsOf(30);
	const lost = idOf(15);
	const events = (options: INodeParameters = {}) => ({
		parameters: {
			...{ ...trackEvent, userID: '={{ $json.id }}' },
			options: { batchSize: 10, concurrency: 1, ...options },
		},
		rows,
	});

	test('by Retry On Fail or a retry from the list, although its time is then another', async () => {
		node.loseOnce(lost);
		const first = await node.start({ ...events(), retryOnFail: true });
		expect(first.error?.message).toContain('may or may not have been delivered');
		const second = await node.retry(first);
		expect(second.error).toBeUndefined();
		expect(saidBy(second)[10]).toBe('unknown');
		expect(node.acceptedRows(30)).toEqual(each(1, 30));
	});

	test("unless 'Retry Unknown' is on", async () => {
		node.loseOnce(lost);
		await node.start(events({ retryUnknown: true }));
		expect(node.acceptedRows(30)).toEqual([...each(1, 10), ...each(2, 10), ...each(1, 10)]);
	});

	test('if a batch is refused: its halves hold each event once', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: lost } });
		const report = await node.start({ ...events(), onError: 'continueRegularOutput' });
		expect(node.acceptedRows(30)).toEqual([...each(1, 15), 0, ...each(1, 14)]);
		expect(inShort(report)).toBe('15 accepted, 1 rejected, 14 accepted');
	});
});

test('With On Error, a bad first row does not make Retry On Fail send a broadcast again', async () => {
	const rows = [{ url: 'no link' }, { url: 'https://example.com' }];
	const parameters = { ...pushToAll, url: '={{ $json.url }}' };
	await node.start({ parameters, rows, onError: 'continueRegularOutput', retryOnFail: true });
	const paths = node.sandbox.accepted().map(({ path }) => path);
	expect(paths).toEqual(['/api/v1/web/broadcast/all']);
});

test('An evaluation shows a broadcast and does not send it', async () => {
	expect(await node.says({ parameters: pushToAll, mode: 'evaluation' })).toBe('1 preview');
	expect(node.sandbox.record).toEqual([]);
});
