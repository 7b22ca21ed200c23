import { Batches } from '../../../nodes/CustomerMessaging/send/batches';
import type { ApiRequest } from '../../../nodes/CustomerMessaging/send/outcomes';
import type { Run } from '../../../nodes/CustomerMessaging/run/resolveRun';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';
import { batchRun } from './support/batchRun';

/** An element of 10 bytes, or of the given number. */
const delivery = (itemIndex: number, bytes = 10, envelope?: object): Delivery => ({
	itemIndex,
	path: '/p',
	buildBody: () => ({ id: 'x'.repeat(bytes - '{"id":""}'.length) }),
	envelope: envelope as Delivery['envelope'],
});
const row = (count: number, bytes?: number) =>
	Array.from({ length: count }, (_, index) => delivery(index, bytes));
const items = (requests: Iterable<ApiRequest>) =>
	[...requests].map(({ deliveries }) => deliveries.map(({ itemIndex }) => itemIndex));
const batchesOf = (settings: Partial<Run['settings']>) => new Batches(batchRun(settings));

describe('A batch is closed', () => {
	it('as soon as it has the number of deliveries that was set', () => {
		const batches = batchesOf({ batchSize: 2 });
		expect(items(batches.add(row(3)))).toEqual([[0, 1]]);
		expect(items(batches.flush())).toEqual([[2]]);
		expect(items(batches.flush())).toEqual([]);
	});

	it.each([
		['exactly full', '{"nv":[,,]}'.length + 30, [[0, 1, 2], [3]]],
		[
			'a byte too small for three',
			'{"nv":[,,]}'.length + 29,
			[
				[0, 1],
				[2, 3],
			],
		],
		['too small for any', 1, [[0], [1], [2], [3]]],
	])('before its body exceeds the size that was set: %s', (_, maxBodyBytes, expected) => {
		expect(items(batchesOf({ maxBodyBytes }).all(row(4)))).toEqual(expected);
	});

	it('with the bytes of its text counted, not the characters', () => {
		const wide = { ...delivery(0), buildBody: () => ({ id: '€'.repeat(100) }) };
		expect(items(batchesOf({ maxBodyBytes: 400 }).all([wide, delivery(1, 100)]))).toEqual([
			[0],
			[1],
		]);
	});

	it('with the fields next to the list counted once', () => {
		const envelope = { note: 'x'.repeat(1_000) };
		const rows = [0, 1, 2].map((item) => delivery(item, 10, envelope));
		expect(items(batchesOf({ maxBodyBytes: 1_100 }).all(rows))).toEqual([[0, 1, 2]]);
		expect(items(batchesOf({ maxBodyBytes: 1_035 }).all(rows))).toEqual([[0], [1], [2]]);
	});

	it('never to deliveries that need other fields next to the list', () => {
		const rows = [delivery(0), delivery(1, 10, { a: 1 }), delivery(2, 10, { a: 1 }), delivery(3)];
		expect(items(batchesOf({}).all(rows))).toEqual([
			[0, 3],
			[1, 2],
		]);
	});

	it('before a row of one of its users joins another batch', () => {
		const ofUser = (itemIndex: number, userID: string, envelope?: object) => ({
			...delivery(itemIndex, 10, envelope),
			userID,
		});
		const rows = [ofUser(0, 'u'), ofUser(1, 'v'), ofUser(2, 'u', { a: 1 }), ofUser(3, 'u')];
		expect(items(batchesOf({}).all(rows))).toEqual([[0, 1], [2], [3]]);
	});

	it('if a fifth batch begins, or it has stayed open for four full batches', () => {
		const five = [0, 1, 2, 3, 4].map((item) => delivery(item, 10, { item }));
		expect(items(batchesOf({}).add(five))).toEqual([[0]]);
		const rest = [1, 2, 3, 4, 5, 6, 7, 8].map((item) => delivery(item, 10, { item: item % 2 }));
		expect(items(batchesOf({ batchSize: 2 }).add([delivery(0), ...rest]))).toContainEqual([0]);
	});
});

describe('A batch that was refused', () => {
	const [whole] = [...batchesOf({}).all(row(5, 100))];
	if (!whole) throw new Error('There is no batch');

	it('is split in two halves that keep the order, with numbers of their own', () => {
		const batches = batchesOf({});
		const [refused] = [...batches.all(row(5))];
		const halves = refused && batches.halves(refused, 400);
		expect(halves && items(halves)).toEqual([
			[0, 1, 2],
			[3, 4],
		]);
		expect(halves?.map(({ batch }) => batch)).toEqual([
			{ index: 1, size: 3 },
			{ index: 2, size: 2 },
		]);
	});

	it('keeps later batches below half of its size if it was too large', () => {
		const batches = batchesOf({});
		batches.halves(whole, 413);
		expect(items(batches.all(row(5, 100)))).toEqual([[0, 1], [2, 3], [4]]);
	});

	it('leaves later batches as they are if it was refused for another reason', () => {
		const batches = batchesOf({});
		batches.halves(whole, 400);
		expect(items(batches.all(row(5)))).toEqual([[0, 1, 2, 3, 4]]);
	});

	it('is not split if it has a single delivery', () => {
		const batches = batchesOf({});
		expect(batches.halves({ ...whole, deliveries: row(1, 5_000) }, 413)).toBeUndefined();
		expect(items(batches.all(row(5)))).toEqual([[0, 1, 2, 3, 4]]);
	});
});
