import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { at, freezeClock, passMinutes } from '../support/clock';
import { ExecutionList } from '../support/executionList';
import { each, idsOf, inShort, saidBy, useNode } from '../support/node';
import { customPost, trackEvent } from '../support/orders';
import { push, rowsOf } from '../support/sends';

const began = '2026-11-23T12:00:00Z';
freezeClock(began);
/** Sets the clock to so many hours after the execution that is retried began. */
const atHour = (hours: number) => at(Date.parse(began) + hours * 3_600_000);

const rows: IDataObject[] = rowsOf(30);
const message = '={{ $json.text ?? "There" }}';
const plain: INodeParameters = { ...push({ concurrency: 2 }), message };
const key = (sendOnceKey: string, sendOncePeriod = 'ever'): INodeParameters => {
	return { ...plain, sendOnce: true, sendOnceKey, sendOncePeriod };
};
const keyed = key('spring sale');
const node = useNode({ parameters: plain, rows, onError: 'continueErrorOutput' });

const inOrder = { options: { batchSize: 1, concurrency: 1 } };
const value = '={{ $now.toISO() }}';
const attributes = { assignments: [{ id: '1', name: 'seen', value, type: 'string' }] };
const event = { ...trackEvent, ...inOrder, userID: '={{ $json.id }}', attributes };
const body = '={{ JSON.stringify({ user: $json.id, at: $now.toISO(), run: $execution.id }) }}';
const request = (path: string) => ({ ...customPost, ...inOrder, path, body });
const shuffled = [...rows.slice(17), ...rows.slice(0, 17)].reverse();
const withMore = [{ id: 'late' }, ...shuffled, { id: 'new' }];
const corrected = withMore.map((row) => ({ ...row, text: 'Hello' }));

/** What an attempt has, and what its retry has in place of that. */
const cases: Array<[string, INodeParameters?, INodeParameters?, IDataObject[]?]> = [
	['the period was changed', key('a', 'day'), key('a', 'month')],
	['Send Once was turned on', plain, keyed],
	['an event has $now in an attribute', event],
	['a custom request has $now and $execution.id', request('=/api/v1/event/{{ $json.id }}')],
	['the rows come in another order, with corrected texts and two more', plain, plain, corrected],
];

test.each(cases)('After a kill, a retry reaches nobody twice and says so: %s', async (...one) => {
	const [, parameters = plain, then = parameters, other = rows] = one;
	const ids = idsOf(other);
	const first = await node.killRetryAfter(14, { parameters });
	const before = node.accepted(ids);
	atHour(24);
	const changes = { parameters: then, rows: other };
	const second = await node.retry(first, changes);
	const { said, reached } = node.expectTruth(second, before, 10, ids);

	const third = saidBy(await node.retry(first, changes));
	expect(third).toEqual(said.map((words) => (words === 'accepted' ? 'accepted before' : words)));
	expect(node.accepted(ids)).toEqual(reached);
	await node.retry(first);
	expect(Math.max(...node.accepted([...ids, ...idsOf(rows)]))).toBe(1);
});

test('After a kill, custom requests to the same path cannot be told apart, and are in doubt', async () => {
	const parameters = request('/api/v1/event/track');
	const first = await node.killRetryAfter(14, { parameters });
	const arrived = node.acceptedRows(30);
	expect(inShort(await node.retry(first))).toBe('30 unknown interrupted');
	expect(node.acceptedRows(30)).toEqual(arrived);
});

test.each<[string, INodeParameters, string]>([
	['nothing else tells them apart', {}, 'accepted'],
	['each has a key of Send Once', key('={{ $json.text }}'), 'skipped sentBefore accepted'],
])('After a kill, several messages to one person are in doubt: %s', async (_, more, ofFirst) => {
	const [code, parcel] = ['Your code is here', 'Your parcel is here'];
	const others = rowsOf(40).map((row) => ({ ...row, text: 'Hello' }));
	const list = [{ id: 'ann', text: code }, ...others, { id: 'ann', text: parcel }];
	const reversed = [...list].reverse();
	const parameters = { ...plain, ...more, options: { concurrency: 1 } };
	/** What is said of both. */
	const ends = (said: string[]) => [said.at(0), said.at(-1)];
	const first = await node.killRetryAfter(30, { parameters, rows: list });
	const second = saidBy(await node.retry(first, { rows: reversed }));
	expect(ends(second)).toEqual(each('unknown interrupted', 2));
	expect(second.filter((said) => /^acc/.test(said)).length).toBeGreaterThanOrEqual(30);
	expect(node.accepted([code, parcel])).toEqual([1, 0]);

	const asked = { ...parameters, options: { concurrency: 1, retryUnknown: true } };
	const third = await node.retry(first, { rows: reversed, parameters: asked });
	expect(ends(saidBy(third))).toEqual(['accepted', ofFirst]);
	expect(node.accepted([parcel])).toEqual([1]);
});

test('What a killed attempt sent without Send Once, a retry with it passes on to the next execution', async () => {
	const first = await node.killRetryAfter(14);
	const second = saidBy(await node.retry(first, { parameters: keyed }));
	atHour(24);
	const skipped = second.map((said) => `skipped sentBefore ${said.split(' ')[0]}`);
	expect(saidBy(await node.start({ parameters: keyed }))).toEqual(skipped);
	expect(Math.max(...node.acceptedRows(30))).toBe(1);
});

/** What other executions leave in the list, which holds so many entries. */
const fill = (name: string, entries: number, keep = 5_000) =>
	node.store.preset(idsOf(rowsOf(entries, name)), keep);
/** Another execution, of one message, a second later. */
const runSmall = async (id: string, parameters = plain) => {
	passMinutes(1 / 60);
	await node.start({ parameters, rows: [{ id }] });
};
/** An execution before the one that is retried. */
const runEarly = async (parameters = plain) => {
	atHour(-3);
	await runSmall('early', parameters);
	atHour(0);
};

test.each([
	['without', plain, 5_000],
	['with', keyed, 100_000],
])('Beside a full list, a retry %s Send Once sends all three months later', async (...one) => {
	const [, parameters, full] = one;
	fill('older', full, full);
	await runEarly(parameters);
	const first = await node.failBefore({ parameters });
	fill('others', full / 2, full);
	await runSmall('late', parameters);
	atHour(24 * 90);
	expect(inShort(await node.retry(first))).toBe('30 accepted');
	expect(node.acceptedRows(30)).toEqual(each(1, 30));
});

/** As after a move by export, and as n8n 1 runs a killed execution again. */
const runWithFirstId = async (rows: Array<{ id: string }>) => {
	node.list = new ExecutionList();
	return await node.start({ rows });
};

test('Where n8n counts its executions from 1 again, a month later a new execution sends everything, and so does its retry', async () => {
	const others = rowsOf(30, 'v');
	await runWithFirstId(rowsOf(30));
	atHour(24 * 30);
	expect(inShort(await runWithFirstId(others))).toBe('30 accepted');
	atHour(24 * 60);
	node.list = new ExecutionList();
	const failed = await node.failBefore({ rows: others });
	atHour(24 * 60 + 1);
	expect(inShort(await node.retry(failed))).toBe('30 accepted');
	expect(node.accepted(idsOf(others))).toEqual(each(2, 30));
});

test('Where n8n counts its executions from 1 again, a second run of a killed one sends nothing after midnight, nor its retry', async () => {
	await node.killAfter(12, async (course) => await node.start(course));
	const arrived = node.acceptedRows(30);
	atHour(13);
	const again = await runWithFirstId(rowsOf(30));
	const words = 'n8n runs this execution a second time from the start';
	expect(again.failed[0]?.json.error).toContain(words);
	const retried = await node.retry(again);
	expect(retried.failed[0]?.json.error).toContain('was interrupted');
	expect([again, retried].map(inShort)).toEqual(each('30 unknown interrupted', 2));
	expect(node.acceptedRows(30)).toEqual(arrived);
});

test('A retry of an execution that is older than the notes calls everything unknown, and sends it with Resend Unconfirmed', async () => {
	await runEarly();
	const first = await node.failBefore();
	fill('others', 5_000);
	await runSmall('late');
	atHour(1);
	expect(inShort(await node.retry(first))).toMatch(/^30 unknown \w+$/);
	expect(node.acceptedRows(30)).toEqual(each(0, 30));
	const resending = { ...plain, options: { retryUnknown: true } };
	expect(inShort(await node.retry(first, { parameters: resending }))).toBe('30 accepted');
	expect(node.acceptedRows(30)).toEqual(each(1, 30));
});
