import { Queue } from '../../../nodes/CustomerMessaging/engine/queue';
import type { Request } from '../../../nodes/CustomerMessaging/engine/interfaces';
import { PacedRun, type Permit } from '../../../nodes/CustomerMessaging/engine/pace/pace';

interface Row {
	itemIndex: number;
	user: string;
}

const wake = () => {};
const run = new PacedRun({ concurrency: 9, size: 9, maxWaitMs: 0, isAwaited: false, wake });
let departures = 0;
const newPermit = (): Permit => ({ seq: ++departures, sentMs: 0, run, isHealthCheck: false });

/** A queue of requests that carry the rows of these users. The rows of one user are a lane. */
function queueOf(requests: string[][], places = 9) {
	const rows = requests.map((users) => users.map((user) => ({ itemIndex: 0, user })));
	const toMake: Array<Request<Row>> = rows.map((messages) => ({ messages }));
	/** What the queue does with claims. */
	const calls: string[] = [];
	const claims = {
		isEmpty: true,
		isClaiming: false,
		nextRequest: () => toMake.shift(),
		claimMore: (_: number, inFlight: number) => void calls.push(`claims beside ${inFlight}`),
		canRelease: true,
		release(messages: readonly Row[]) {
			calls.push(`gives back ${messages.map(({ user }) => user).join()}`);
			toMake.push({ messages });
		},
	};
	type Part = { messages: readonly Row[] };
	const split = (messages: readonly Row[], first: number): [Part, Part] => [
		{ messages: messages.slice(0, first) },
		{ messages: messages.slice(first) },
	];
	const lanes = new Map<string, Row[]>();
	for (const row of rows.flat()) lanes.set(row.user, [...(lanes.get(row.user) ?? []), row]);
	const order = { lanes, laneOf: ({ user }: Row) => user, hasEnded: () => false };
	const queue = new Queue<Row>(claims, { split }, order);
	queue.fill(places, 0);
	/** Lets the next request leave, and says whom it is for. */
	const leave = ({ ms = 0, maxRows = Infinity } = {}) => {
		const next = queue.next(ms, false);
		if (!next) return undefined;
		const job = queue.cut(next, maxRows);
		const permit = newPermit();
		queue.depart(job, permit);
		return { job, permit, users: job.request.messages.map(({ user }) => user).join() };
	};
	/** What left has been answered. */
	const land = (left: ReturnType<typeof leave>) => left && queue.land(left.permit);
	/** It was answered 429, or with another failure if it leaves again at a time. */
	const retry = (left: ReturnType<typeof leave>, ms?: number) => {
		const job = land(left);
		if (!job) throw new Error('Nothing has left');
		queue.retry(job, ms);
		return job;
	};
	return { queue, claims, calls, leave, land, retry };
}

const usersOf = (...left: Array<{ users: string } | undefined>) => left.map((one) => one?.users);

test('Requests leave in the order of their rows, and claims are asked for more', () => {
	const { queue, calls, leave } = queueOf([['a'], ['b', 'c']]);
	expect(usersOf(leave(), leave(), leave())).toEqual(['a', 'b,c', undefined]);
	expect([queue.unfinished, queue.inFlight.length, queue.isEmpty]).toEqual([2, 2, false]);
	queue.fill(9, 0);
	expect(calls).toEqual(['claims beside 0', 'claims beside 3']);
});

test('A request that failed leaves again once it is due, and its attempts are counted', () => {
	const { queue, leave, land, retry } = queueOf([['a'], ['b']]);
	const first = leave();
	expect(retry(first, 1_000)).toBe(first?.job);
	expect(land(first)).toBeUndefined();
	expect(queue.nextDueMs(0)).toBe(1_000);
	expect(usersOf(leave(), leave({ ms: 999 }), leave({ ms: 1_000 }))).toEqual(['b', undefined, 'a']);
	expect(first?.job.attempts).toBe(2);
	expect(queue.nextDueMs(1_000)).toBe(Infinity);
});

describe('A request that was answered 429', () => {
	const limited = (requests = [['a'], ['b'], ['c']], places = 1) => {
		const all = queueOf(requests, places);
		all.retry(all.leave());
		return all;
	};

	test('waits for others in flight, and for a claim, while messages are left to be claimed', () => {
		const { queue, claims, leave, land } = limited([['a'], ['b']]);
		queue.fill(1, 0);
		claims.isEmpty = false;
		const other = leave();
		expect(usersOf(other, leave())).toEqual(['b', undefined]);
		land(other);
		claims.isClaiming = true;
		expect(leave()).toBeUndefined();
		claims.isClaiming = false;
		expect(usersOf(leave())).toEqual(['a']);
	});

	test('is given back but for the first that waits, and goes on counting its attempts', () => {
		const { queue, calls, leave, retry } = limited([['a', 'b'], ['c']]);
		queue.fill(1, 0);
		queue.releaseExcess();
		// The first of those that wait keeps its place.
		expect(calls).toEqual([]);
		retry(leave());
		queue.releaseExcess();
		expect(calls).toEqual(['gives back c']);
		queue.fill(2, 0);
		expect(usersOf(leave(), leave())).toEqual(['a,b', 'c']);
		expect(queue.inFlight.map(({ attempts }) => attempts)).toEqual([2, 2]);
	});
});

test('A trial is of the newest request that never left', () => {
	const { queue, leave } = queueOf([['a'], ['b'], ['c'], ['a']]);
	const newest = () => queue.newest(0)?.request.messages.map(({ user }) => user);
	// The last row waits for the first one of its user.
	expect(newest()).toEqual(['c']);
	leave();
	leave();
	leave();
	expect(newest()).toBeUndefined();
});

test('Of a request with too many rows, the first part leaves, and the rest comes next', () => {
	const { leave } = queueOf([['a', 'b', 'c'], ['d']]);
	const left = [leave({ maxRows: 2 }), leave(), leave()];
	expect(usersOf(...left)).toEqual(['a,b', 'c', 'd']);
	expect(new Set(left.map((one) => one?.job.row)).size).toBe(3);
});
