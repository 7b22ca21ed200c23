import {
	type Client,
	ClientQueue,
	hasPriority,
} from '../../../nodes/CustomerMessaging/rateLimit/clientQueue';

const wake = () => {};

/** A client that has sent so much already that it has no priority. */
function longRun(queue: ClientQueue): Client {
	const client = queue.register(10, wake, 1_000);
	client.sent = 20;
	return client;
}

describe('The queue of clients', () => {
	it('registers a client that has sent nothing and waits for nothing', () => {
		const queue = new ClientQueue();
		expect(queue.register(3, wake, 7)).toEqual({
			concurrency: 3,
			wake,
			size: 7,
			permits: new Set(),
			sent: 0,
			askedAtMs: -Infinity,
			waitsSinceMs: Infinity,
		});
		expect(queue.size).toBe(1);
		expect(queue.first()).toBeUndefined();
	});

	it('gives the first 20 requests of a client priority', () => {
		const client = new ClientQueue().register(1, wake, 100);
		client.sent = 19;
		expect(hasPriority(client)).toBe(true);
		client.sent = 20;
		expect(hasPriority(client)).toBe(false);
	});

	it('begins with the client that has waited longest', () => {
		const queue = new ClientQueue();
		const [one, other] = [longRun(queue), longRun(queue)];
		queue.wait(other, 1_000);
		queue.wait(one, 1_001);
		expect(queue.first()).toBe(other);
	});

	it('keeps the order of asking among clients that wait equally long', () => {
		const queue = new ClientQueue();
		const [one, other] = [longRun(queue), longRun(queue)];
		queue.wait(one, 1_000);
		queue.wait(other, 1_000);
		expect(queue.first()).toBe(one);
	});

	it('lets a client with priority pass those that have waited up to two seconds longer', () => {
		const queue = new ClientQueue();
		const long = longRun(queue);
		const short = queue.register(10, wake, 5);
		queue.wait(long, 0);
		queue.wait(short, 1_999);
		expect(queue.first()).toBe(short);
		queue.stopWaiting(short);
		queue.wait(short, 2_000);
		expect(queue.first()).toBe(long);
	});

	it('remembers since when a client waits, however often it asks', () => {
		const queue = new ClientQueue();
		const client = longRun(queue);
		queue.wait(client, 1_000);
		queue.wait(client, 5_000);
		expect(client.waitsSinceMs).toBe(1_000);
		queue.stopWaiting(client);
		queue.wait(client, 6_000);
		expect(client.waitsSinceMs).toBe(6_000);
	});

	it('passes over clients that do not meet a condition', () => {
		const queue = new ClientQueue();
		const [one, other] = [longRun(queue), longRun(queue)];
		queue.wait(one, 1_000);
		queue.wait(other, 2_000);
		expect(queue.first((client) => client !== one)).toBe(other);
		expect(queue.first(() => false)).toBeUndefined();
	});

	it('forgets a client that leaves, also as one that waits', () => {
		const queue = new ClientQueue();
		const [one, other] = [longRun(queue), longRun(queue)];
		queue.wait(one, 1_000);
		queue.wait(other, 2_000);
		queue.unregister(one);
		expect(queue.size).toBe(1);
		expect(queue.first()).toBe(other);
	});
});
