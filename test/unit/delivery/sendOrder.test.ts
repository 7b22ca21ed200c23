import type { Reply } from '../../../nodes/CustomerMessaging/shared/reply';
import { VirtualClock } from '../../../simulation/virtualClock';
import { answer, run as dispatchRun, START_MS, stopAt } from './support/dispatchRun';

/** A request that carries the letters of its name; requests with a common letter stay in order. */
type Letters = string;

/**
 * Sends requests on a virtual clock, and returns the times at which each left.
 *
 * @param replies what is answered to each attempt of a request, and after how many milliseconds; 200
 * after 100 ms unless given
 */
async function run(
	requests: readonly Letters[],
	replies: Record<Letters, Array<[reply: Reply, afterMs: number]>> = {},
	{ concurrency = 10, stopAtMs = Infinity, retryUnknown = false } = {},
) {
	const clock = new VirtualClock(START_MS);
	const left = new Map(Object.entries(replies).map(([name, list]) => [name, [...list]]));
	const { sent, ended } = await dispatchRun<Letters>(requests, {
		clock,
		concurrency,
		retryUnknown,
		...(stopAtMs < Infinity && { stop: stopAt(clock, stopAtMs) }),
		orderKeys: (request) => [...request],
		split: (request) => {
			const middle = Math.ceil(request.length / 2);
			return request.length < 2 ? undefined : [request.slice(0, middle), request.slice(middle)];
		},
		async send(request) {
			const [reply, afterMs] = left.get(request)?.shift() ?? [answer(200), 100];
			await clock.sleep(afterMs);
			return reply;
		},
	});
	return {
		sent: sent.map(({ request, atMs }) => [request, atMs]),
		ended: ended.map(({ request, outcome }) => [request, outcome.outcome]),
	};
}

describe('A request with the key of an earlier one', () => {
	it('waits until the earlier one has ended, while others overtake it', async () => {
		const { sent } = await run(['ab', 'bc', 'd', 'ca'], { ab: [[answer(200), 500]] });
		expect(sent).toEqual([
			['ab', 0],
			['d', 0],
			['bc', 500],
			['ca', 600],
		]);
	});

	it('counts as one of the `concurrency` requests, so that no more are pulled', async () => {
		const { sent } = await run(['a', 'a', 'a', 'b'], {}, { concurrency: 2 });
		expect(sent).toEqual([
			['a', 0],
			['a', 100],
			['a', 200],
			['b', 200],
		]);
	});

	it('waits while the earlier one is sent again after a 429', async () => {
		const { sent } = await run(['a', 'a', 'b'], { a: [[answer(429), 100]] });
		expect(sent.map(([request]) => request)).toEqual(['a', 'b', 'a', 'a']);
	});

	it('waits while the earlier one waits for a retry', async () => {
		const refused: Reply = { kind: 'failure', code: 'ECONNREFUSED', message: 'refused' };
		const { sent } = await run(['ab', 'bc', 'd'], { ab: [[refused, 100]] });
		expect(sent).toEqual([
			['ab', 0],
			['d', 0],
			['ab', 1_100],
			['bc', 1_200],
		]);
	});

	it('waits only for the part of a split request that has the key', async () => {
		const { sent, ended } = await run(['ab', 'b', 'a'], {
			ab: [[answer(400), 100]],
			a: [[answer(200), 500]],
		});
		expect(sent).toEqual([
			['ab', 0],
			['a', 100],
			['b', 100],
			['b', 200],
			['a', 600],
		]);
		expect(ended.every(([, outcome]) => outcome === 'accepted')).toBe(true);
	});

	it('waits for each part of a split request if all of them have the key', async () => {
		const { sent } = await run(['aaaa', 'ab'], { aaaa: [[answer(413), 100]] });
		expect(sent).toEqual([
			['aaaa', 0],
			['aa', 100],
			['aa', 200],
			['ab', 300],
		]);
	});

	it('is sent even if the earlier one may or may not have been processed', async () => {
		const { sent, ended } = await run(['a', 'ab'], { a: [[answer(500), 100]] });
		expect(sent).toEqual([
			['a', 0],
			['ab', 100],
		]);
		expect(ended).toEqual([
			['a', 'unknown'],
			['ab', 'accepted'],
		]);
	});

	it('waits for the retries of an unknown one', async () => {
		const { sent } = await run(['a', 'ab'], { a: [[answer(500), 100]] }, { retryUnknown: true });
		expect(sent).toEqual([
			['a', 0],
			['a', 1_100],
			['ab', 1_200],
		]);
	});

	it('is not sent after Stop, although the earlier one ends in time', async () => {
		const { sent, ended } = await run(
			['a', 'ab', 'b'],
			{ a: [[answer(200), 300]] },
			{ stopAtMs: 200 },
		);
		expect(sent).toEqual([['a', 0]]);
		expect(ended).toEqual([
			['a', 'accepted'],
			['ab', 'notSent'],
			['b', 'notSent'],
		]);
	});
});
