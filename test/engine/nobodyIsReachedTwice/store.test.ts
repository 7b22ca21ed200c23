import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';

import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { textOf } from '../../unit/support/pages';
import { pause, useFastClock } from '../support/clock';
import type { Course } from '../support/executionList';
import { each, hintsIn, idsOf, inShort, saidBy, useNode, wordsOf } from '../support/node';
import * as order from '../support/orders';
import { idOf, push, rowsOf } from '../support/sends';

useFastClock(20);

/** A store that fails is waited for until then. */
const maxWait = 0.02;
const without = push({ concurrency: 1, maxWait });
const once: INodeParameters = { ...without, sendOnce: true };
const node = useNode({ parameters: once, onError: 'continueErrorOutput' });
const start = async (count: number, parameters = once, more: Course = {}) =>
	await node.start({ rows: rowsOf(count), parameters, ...more });
const said = async (count: number, parameters = once) => inShort(await start(count, parameters));
const others = async (count: number, prefix: string, parameters = once) =>
	await node.start({ rows: rowsOf(count, prefix), parameters });
const size = () => node.store.keys.size;
/** Adds what other executions have left, up to a size. */
const fill = (entries: number, name = 'filler') => node.store.preset(idsOf(rowsOf(entries, name)));
const before = 'skipped sentBefore accepted';
const stops = { onError: undefined };

const expectSize = (least: number, most: number) => {
	expect(size()).toBeGreaterThanOrEqual(least);
	expect(size()).toBeLessThanOrEqual(most);
};

test('What a node remembers comes to 5,000 entries, or four times its messages, without Send Once, and is never cut', async () => {
	fill(5_000);
	await start(3, push());
	expectSize(4_990, 5_000);
	await start(1_500, { ...order.trackEvent, userID: '={{ $json.id }}' });
	// How many are cut at once depends on when the batches are answered.
	expectSize(5_200, 6_000);
	// Others may need what is beyond.
	fill(20_000, 'of a large run');
	const full = size();
	await start(3, push());
	expect(size()).toBeGreaterThan(full);
});

test('What a node remembers is 100,000 keys of Send Once, of which the oldest are dropped', async () => {
	await start(1);
	fill(100_000);
	await others(1, 'someone');
	expectSize(99_991, 100_000);
	expect(await said(1)).toBe('1 accepted');
});

test.each([
	['with Send Once', once, 5, 2],
	['without Send Once', without, 4, 1],
])('The memory grows by few entries for a message %s', async (_, parameters, alone, inList) => {
	await others(1, 'first', parameters);
	const first = size();
	for (const row of rowsOf(5)) await start(1, parameters, { rows: [row] });
	expect((size() - first) / 5).toBeLessThanOrEqual(alone);

	const beforeList = size();
	await others(100, 'v', parameters);
	// Beside the marks of its execution.
	expect((size() - beforeList - 7) / 100).toBeLessThanOrEqual(inList);
});

test('The row of another node whose scope is the workflow is left alone, and a hint says what that means', async () => {
	await node.store.addToWorkflow(['order 1'], 'entries');
	await start(3);
	const second = await start(3);
	expect(inShort(second)).toBe(`3 ${before}`);
	expect(node.store.namesOfWorkflow).toEqual(['order 1']);
	expect(hintsIn(second)).toContain('Remove Duplicates');
	expect((await start(3, push())).hints).toEqual([]);
});

test('A run whose store cannot be read sends nothing, and says why', async () => {
	const message = 'SQLITE_BUSY: database is locked';
	const calls = ['add', 'remove', 'count', 'lock'] as const;
	node.store.fail(...calls.map((call) => ({ call, message })));
	const { failed } = await start(2, { ...once, options: { maxWait: 0 } });
	const error = expect.stringMatching(/^n8n cannot read what was sent before.*locked/) as string;
	expect(failed).toMatchObject(each({ json: { error } }, 2));
	expect(node.sandbox.record).toEqual([]);
	const first = await node.failBefore({ ...stops, parameters: push({ maxWait: 0 }) });
	node.store.fail(...calls.map((call) => ({ call, message })));
	const advice = "locked. Check n8n's database, then retry the execution again";
	expect((await node.retry(first)).error?.message).toContain(advice);
});

test.each([
	['sends nothing and says why, and sends it once the store works', 3, 0],
	['sends the rest in a retry if the store fails in the middle', 30, 2],
])('A first attempt without Send Once that cannot be recorded %s', async (_, count, after) => {
	node.store.fail({ call: 'add', after, message: 'disk full' });
	const first = await start(count, without, stops);
	const sent = node.sandbox.record.length;
	expect([sent > 0, sent < count]).toEqual([after > 0, true]);
	if (after === 0)
		expect(first.error?.message).toContain('could not store that it was about to be sent');
	expect(wordsOf(first)).toContain('disk full');
	node.store.fail();
	expect((await node.retry(first)).error).toBeUndefined();
	expect(node.acceptedRows(count)).toEqual(each(1, count));
});

test('A row whose Send Once key another run holds is not sent after Max Wait, names the other execution, and delays no other row', async () => {
	node.sandbox.faults.add({ kind: 'hang', match: { bodyText: idOf(0) }, first: 1 });
	const second = node.untilArrived(1).then(async () => await start(5));
	await node.stopAt(second, async (course) => await start(1, once, course));
	expect(inShort(await second)).toBe('1 notSent keyInUse, 4 accepted');
	expect(JSON.stringify((await second).failed)).toContain('execution 1 ');
	expect(node.sandbox.record).toHaveLength(5);
});

test('A store that never answers keeps no other workflow waiting, and the same one no longer than it is silent', async () => {
	const plain = push({ concurrency: 10, maxWait: 5 });
	const notNoted = 'notSent notRecorded';
	node.sandbox.configure({ latencyMs: 200 });
	const { release } = node.store.hangFrom('add', 2, 2);
	const arrived = node.untilArrived(10);
	const silent = start(250, plain);
	await arrived;
	await pause(1_000);
	const other = await start(5, plain, { rows: rowsOf(5, 'o'), workflowId: 'other' });
	expect(inShort(other)).toBe('5 accepted');
	expect(saidBy(await silent)).toContain(notNoted);
	expect(inShort(await others(5, 'v', plain))).toBe(`5 ${notNoted}`);
	release();
	await pause(5_000);
	expect(inShort(await others(5, 'w', plain))).toBe('5 accepted');
});

describe('A kill while a run waits for the limit', () => {
	useFastClock(4);
	const options = { batchSize: 100, concurrency: 10 };
	const events = { ...order.trackEvent, userID: '={{ $json.id }}', options };

	// Of events, ten batches leave after the first request, and come back. The next request is the one that is killed.
	test.each<[string, number, INodeParameters, number, number, number]>([
		['two batches', 200, events, 1_000, 1, 12],
		['50 pushes', 50, push({ concurrency: 10 }), 300, 150, 153],
	])('leaves at most %s in doubt', async (...one) => {
		const [, most, parameters, count, limit, killed] = one;
		if (parameters === events) node.sandbox.configure({ latencyMs: 800 });
		node.sandbox.faults.add({ kind: 'status', status: 429, after: limit });
		const first = await node.killRetryAfter(killed, { parameters, rows: rowsOf(count) });
		node.sandbox.faults.clear();
		const said = saidBy(await node.retry(first));
		const accepted = node.acceptedRows(count);
		const isInDoubt = (row: number) => said[row]?.startsWith('unknown') === true;
		expect(said.filter((_, row) => isInDoubt(row)).length).toBeLessThanOrEqual(most);
		expect(Math.max(...accepted)).toBe(1);
		expect(accepted.filter((times, row) => times === 0 && !isInDoubt(row))).toEqual([]);
	});
});

/** The script with other values in its first lines. */
const withValues = (values: Record<string, unknown>) =>
	Object.entries(values).reduce((text, [name, value]) => {
		const line = new RegExp(`^const ${name} = .*;`, 'm');
		expect(text).toMatch(line);
		return text.replace(line, `const ${name} = ${JSON.stringify(value)};`);
	}, textOf('docs/erase-notes.mjs'));

const rows = [
	{ to: 'anna', order: 'order-1', mobile: '+49 1511 2345678' },
	{ to: 'ben', order: 'order-2', mobile: '+49 171 3920001' },
];

const to = '={{ $json.to }}';
const mail = { path: '/api/v1/sendMessage', platform: null };
const toEmail = { ...mail, resource: 'email', recipient: { email: 'anna@example.com' } };
const toMobile = { ...mail, resource: 'sms', recipient: { mobile: '+4915112345678' } };
const create = { path: '/api/v1/event/create', resource: 'event', operation: 'track' };
const ofEvent = { ...create, platform: null, event: { userID: 'anna', name: 'Order Placed' } };

test.each<[string, string, INodeParameters, Record<string, unknown>]>([
	['pushes', 'pushUrl', { ...order.pushSend, user_id: to }, { recipient: { user_id: 'anna' } }],
	['emails', 'mailUrl', { ...order.emailSend, email: `${to}@Example.com` }, toEmail],
	['SMS', 'mailUrl', { ...order.smsSend, mobile: '={{ $json.mobile }}' }, toMobile],
	['events', 'baseUrl', { ...order.trackEvent, userID: to }, ofEvent],
])('The script finds all notes of one person only: %s', async (_, host, parameters, values) => {
	const { brandId, ...rest }: ICredentialDataDecryptedObject = node.credential;
	const from = Date.now();
	for (const more of [{}, { sendOnce: true, sendOnceKey: '={{ $json.order }}' }])
		await node.start({ parameters: { ...parameters, ...more }, rows });
	const stored = [...node.store.keys].map((name) => ({ name, entry: hash('md5', name, 'base64') }));
	const account = { address: rest[host], account: { brandId }, keys: ['order-1'] };
	const text = withValues({ ...account, ...values, from, to: Date.now() + 1 });
	const input = JSON.stringify({ mode: 'entries', data: stored.map(({ entry }) => entry) });
	const command = ['--input-type=module', '--eval', text];
	const sql = execFileSync('node', command, { input }).toString();

	// One note of the execution without Send Once, and two of the other one.
	const gone = stored.filter(({ entry }) => sql.includes(`',"${entry}"'`));
	const notes = stored.filter(({ name }) => /^here|=$/.test(name));
	expect(notes).toHaveLength(6);
	expect(gone).toEqual([0, 2, 3].map((index) => notes[index]));
});
