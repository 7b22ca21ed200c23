import { Claims } from '../../../nodes/CustomerMessaging/engine/claims';
import { noJournal } from '../../../nodes/CustomerMessaging/engine/record/journal';

interface Row {
	itemIndex: number;
}

const rowsOf = (count: number): Row[] =>
	Array.from({ length: count }, (_, itemIndex) => ({ itemIndex }));

/** Claims for five messages, of which another run holds some keys. */
function claimsOf(batchSize: number, held: readonly number[] = []) {
	const calls: string[] = [];
	const indexesOf = (rows: readonly Row[]) => rows.map(({ itemIndex }) => itemIndex).join();
	const journal = {
		...noJournal,
		room: () => 9,
		heldBy: (row: unknown) => (held.includes((row as Row).itemIndex) ? '77' : undefined),
		flush: async () => void calls.push('flushes'),
	};
	const sent = {
		journal,
		async claim<M extends Row>(rows: readonly M[]) {
			calls.push(`claims ${indexesOf(rows)}`);
			const isHeld = ({ itemIndex }: Row) => held.includes(itemIndex);
			const claimed = rows.filter((row) => !isHeld(row));
			return await Promise.resolve({ claimed, known: new Map(), later: rows.filter(isHeld) });
		},
		settle: ({ itemIndex }: Row) => void calls.push(`gives back ${itemIndex}`),
	};
	const plan = function* (rows: readonly Row[]) {
		for (let from = 0; from < rows.length; from += batchSize)
			yield { messages: rows.slice(from, from + batchSize) };
	};
	const claims = new Claims<Row, Row>(rowsOf(5), {
		sent,
		policy: { isBatched: batchSize > 1, rowsPerRequest: batchSize },
		batches: { plan, requests: plan },
		outcomes: {
			takeClaimed: ({ claimed }) => claimed,
			leaveOut: (rows, ending) =>
				void calls.push(`leaves out ${indexesOf(rows)}: ${'code' in ending ? ending.code : ''}`),
		},
		clock: { now: () => 1_000 },
		wake: () => void calls.push('wakes'),
	});
	/** All requests that can be made without a claim. */
	const made = () => {
		const requests: string[] = [];
		for (let next = claims.nextRequest(); next; next = claims.nextRequest())
			requests.push(indexesOf(next.messages));
		return requests;
	};
	const claim = async (nowMs = 0) => {
		claims.claimMore(nowMs, 0);
		// Not beside the one that is being made.
		claims.claimMore(nowMs, 0);
		await claims.settled();
	};
	return { claims, calls, made, claim };
}

test('Whole batches are claimed, and can be given back while nothing is being claimed', async () => {
	const { claims, calls, made, claim } = claimsOf(2);
	await claim();
	expect([calls[0], made(), claims.canRelease]).toEqual(['claims 0,1', ['0,1'], true]);
	claims.release(rowsOf(1));
	expect([calls.at(-2), claims.canRelease]).toEqual(['gives back 0', false]);
	await claims.settled();
	await claim();
	expect([calls.at(-2), made()]).toEqual(['claims 0,2,3', ['0,2', '3']]);
});

test('Whole batches are claimed, and others after one whose keys another run holds', async () => {
	const { claims, calls, made, claim } = claimsOf(2, [2, 3]);
	await claim();
	expect([calls[0], made()]).toEqual(['claims 0,1', ['0,1']]);
	await claim();
	claims.skipHeldKeys();
	expect(claims.isEmpty).toBe(false);
	await claim();
	expect([calls.at(-2), made()]).toEqual(['claims 4', ['4']]);
});

test('Keys that other runs hold are looked at again after half a second, or skipped', async () => {
	const { claims, calls, claim } = claimsOf(1, [0, 1, 2, 3, 4]);
	expect([claims.holders, claims.nextLookMs]).toEqual([[], Infinity]);
	await claim();
	expect(calls).toEqual(['claims 0,1,2,3,4', 'flushes', 'wakes']);
	expect([claims.holders, claims.nextLookMs]).toEqual([['77'], 1_500]);
	await claim(1_499);
	expect(calls).toHaveLength(3);
	await claim(1_500);
	expect(calls).toHaveLength(6);
	claims.skipHeldKeys();
	const skipped = calls.slice(6);
	expect([skipped[0], skipped.length]).toEqual(['leaves out 0: keyInUse', 5]);
	expect([claims.isEmpty, claims.nextLookMs]).toEqual([true, Infinity]);
});
