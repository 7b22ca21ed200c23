import { RequestSource } from '../../../nodes/CustomerMessaging/delivery/requestSource';

/** Lets everything go on that waits for nothing. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

function sourceOf(requests: Iterable<string> | AsyncIterable<string>) {
	const seen: unknown[] = [];
	const source = new RequestSource(requests, {
		pulled: (request) => seen.push(request),
		failed: (error) => seen.push(error),
		changed: () => seen.push('changed'),
	});
	return { source, seen };
}

/** Gives a request whenever it is told to. */
function slow() {
	let give: (result: IteratorResult<string>) => void = () => {};
	let fail: (error: Error) => void = () => {};
	const next = async () =>
		await new Promise<IteratorResult<string>>((resolve, reject) => {
			give = resolve;
			fail = reject;
		});
	return {
		requests: { [Symbol.asyncIterator]: () => ({ next }) } as AsyncIterable<string>,
		give: (value: string) => give({ value, done: false }),
		end: () => give({ value: undefined, done: true }),
		fail: (error: Error) => fail(error),
	};
}

const failure = new Error('broken');

describe('Requests that are there at once', () => {
	it('are pulled one at a time until there are none', () => {
		const { source, seen } = sourceOf(['a', 'b']);
		expect([source.pull(), source.pull()]).toEqual([true, true]);
		expect(source.isClosed).toBe(false);
		expect(source.pull()).toBe(false);
		expect([source.isClosed, source.isPulling]).toEqual([true, false]);
		expect(source.pull()).toBe(false);
		expect(seen).toEqual(['a', 'b']);
	});

	it('are pulled no more after a failure', () => {
		const { source, seen } = sourceOf(
			(function* () {
				yield 'a';
				throw failure;
			})(),
		);
		expect([source.pull(), source.pull(), source.pull()]).toEqual([true, false, false]);
		expect(source.isClosed).toBe(true);
		expect(seen).toEqual(['a', failure]);
	});

	it('are pulled no more after the source was closed', () => {
		const { source, seen } = sourceOf(['a']);
		source.close();
		expect(source.pull()).toBe(false);
		expect(seen).toEqual([]);
	});
});

describe('Requests that take time', () => {
	it('are pulled one at a time, and announced', async () => {
		const { requests, give, end } = slow();
		const { source, seen } = sourceOf(requests);
		expect([source.pull(), source.isPulling, source.isClosed]).toEqual([false, true, false]);
		expect(source.pull()).toBe(false);
		give('a');
		await settled();
		expect([source.isPulling, source.isClosed]).toEqual([false, false]);
		expect(seen).toEqual(['a', 'changed']);
		source.pull();
		end();
		await settled();
		expect([source.isPulling, source.isClosed]).toEqual([false, true]);
		expect(seen).toEqual(['a', 'changed', 'changed']);
	});

	it('close the source if they fail', async () => {
		const { requests, fail } = slow();
		const { source, seen } = sourceOf(requests);
		source.pull();
		fail(failure);
		await settled();
		expect(source.isClosed).toBe(true);
		expect(seen).toEqual([failure, 'changed']);
	});

	it('are dropped if the source was closed in the meantime', async () => {
		const [given, failed] = [slow(), slow()];
		for (const [{ requests }, go] of [
			[given, () => given.give('a')],
			[failed, () => failed.fail(failure)],
		] as const) {
			const { source, seen } = sourceOf(requests);
			source.pull();
			source.close();
			go();
			await settled();
			expect(source.isClosed).toBe(true);
			expect(seen).toEqual([]);
		}
	});
});
