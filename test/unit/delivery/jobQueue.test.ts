import { JobQueue } from '../../../nodes/CustomerMessaging/delivery/jobQueue';
import { RateLimiter } from '../../../nodes/CustomerMessaging/rateLimit/rateLimiter';

const limiter = new RateLimiter(1_000);
const client = limiter.register(1_000);

function permitAt(nowMs: number) {
	const decision = limiter.tryAcquire(client, nowMs);
	if (!('permit' in decision)) throw new Error('There is no permit');
	return decision.permit;
}

/** A queue of requests such as `a1`, whose key is their letter. */
function queueOf(...requests: string[]) {
	const queue = new JobQueue<string>((request) => [request.charAt(0)]);
	for (const request of requests) queue.append(request);
	return queue;
}

/** Moves the next job into flight. */
function launch(queue: JobQueue<string>, nowMs = 0) {
	const permit = permitAt(nowMs);
	const job = queue.launch(permit);
	if (!job) throw new Error('No job may leave');
	return { job, permit };
}

describe('The queue of requests', () => {
	it('sends them in the order in which they were pulled', () => {
		const queue = queueOf('a1', 'b1', 'c1');
		expect([launch(queue), launch(queue), launch(queue)].map(({ job }) => job.request)).toEqual([
			'a1',
			'b1',
			'c1',
		]);
		expect(queue.launch(permitAt(0))).toBeUndefined();
	});

	it('says when the first of very many waiting jobs is ready', () => {
		const queue = queueOf('a1');
		const { job } = launch(queue);
		for (let index = 200_000; index > 0; index--) queue.delay({ ...job }, index);
		expect(queue.nextDueAtMs).toBe(1);
	});

	it('begins with no attempt and no failure, and with each key once', () => {
		const queue = new JobQueue<string>(() => ['a', 'b', 'a']);
		queue.append('x');
		expect(queue.next).toEqual({ request: 'x', keys: ['a', 'b'], attempts: 0, failures: 0 });
	});

	it('holds back a request until the earlier one with its key has ended', () => {
		const queue = queueOf('a1', 'a2', 'b1');
		const { job, permit } = launch(queue);
		expect(launch(queue).job.request).toBe('b1');
		expect(queue.next).toBeUndefined();
		expect(queue.complete(job, permit)).toBe(true);
		expect(queue.next).toBeUndefined();
		queue.end(job);
		expect(queue.next?.request).toBe('a2');
	});

	it('counts what has not ended, wherever it is', () => {
		const queue = queueOf('a1', 'b1', 'c1');
		expect(queue.hasInFlight).toBe(false);
		const { job, permit } = launch(queue);
		expect([queue.unfinished, queue.hasInFlight]).toEqual([3, true]);
		queue.complete(job, permit);
		expect([queue.unfinished, queue.hasInFlight]).toEqual([2, false]);
		queue.delay(job, 1_000);
		expect(queue.unfinished).toBe(3);
	});

	it('ends an attempt once, and only by its own permit', () => {
		const queue = queueOf('a1');
		const { job, permit } = launch(queue);
		expect(queue.complete(job, permitAt(0))).toBe(false);
		expect(queue.hasInFlight).toBe(true);
		expect(queue.complete(job, permit)).toBe(true);
		expect(queue.complete(job, permit)).toBe(false);
	});

	it('appends what is due again', () => {
		const queue = queueOf('a1', 'b1', 'c1');
		expect(queue.nextDueAtMs).toBe(Infinity);
		for (const untilMs of [2_000, 1_000]) {
			const { job, permit } = launch(queue);
			queue.complete(job, permit);
			queue.delay(job, untilMs);
		}
		expect(queue.nextDueAtMs).toBe(1_000);
		queue.requeueDue(999);
		expect(queue.nextDueAtMs).toBe(1_000);
		queue.requeueDue(1_000);
		expect(queue.nextDueAtMs).toBe(2_000);
		expect([launch(queue), launch(queue)].map(({ job }) => job.request)).toEqual(['c1', 'b1']);
		queue.requeueDue(5_000);
		expect(queue.next?.request).toBe('a1');
	});

	it('takes back at its front what could not be sent', () => {
		const queue = queueOf('a1', 'b1');
		const { job, permit } = launch(queue);
		queue.complete(job, permit);
		queue.requeue(job);
		expect(queue.next).toBe(job);
	});

	it('sends the parts of a split request first, in their order and one after another', () => {
		const queue = queueOf('a1', 'b1', 'a2');
		const { job, permit } = launch(queue);
		queue.complete(job, permit);
		queue.split(job, ['a1 left', 'a1 right']);
		const left = launch(queue);
		expect(left.job.request).toBe('a1 left');
		expect(launch(queue).job.request).toBe('b1');
		expect(queue.next).toBeUndefined();
		queue.complete(left.job, left.permit);
		queue.end(left.job);
		expect(queue.next?.request).toBe('a1 right');
	});

	it('tells what has been in flight for long, the oldest first', () => {
		const queue = queueOf('a1', 'b1', 'c1');
		for (const nowMs of [1_000, 2_000, 3_000]) launch(queue, nowMs);
		const since = (ms: number) => queue.inFlightSince(ms).map(([{ request }]) => request);
		expect(since(999)).toEqual([]);
		expect(since(2_000)).toEqual(['a1', 'b1']);
		expect(since(Infinity)).toEqual(['a1', 'b1', 'c1']);
	});

	it('hands over what is not in flight', () => {
		const queue = queueOf('a1', 'b1', 'c1');
		const { job, permit } = launch(queue);
		queue.complete(job, permit);
		queue.delay(job, 1_000);
		launch(queue);
		expect(queue.takeWaiting().map(({ request }) => request)).toEqual(['a1', 'c1']);
		expect([queue.unfinished, queue.hasInFlight, queue.nextDueAtMs]).toEqual([1, true, Infinity]);
		expect(queue.takeWaiting()).toEqual([]);
	});
});
