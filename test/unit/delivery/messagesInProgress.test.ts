import { reserve } from '../../../nodes/CustomerMessaging/delivery/messagesInProgress';

const never = new Promise<'cancelled'>(() => {});

/** Lets everything go on that waits for nothing. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** Follows a reservation until it is there. */
function follow(names: string[], cancelled = never) {
	const state: { is: unknown } = { is: 'waiting' };
	const reservation = reserve(names, cancelled);
	void reservation.then((found) => (state.is = found ? 'reserved' : 'cancelled'));
	return { state, reservation };
}

describe('Messages that two runs send at the same time', () => {
	it('are reserved by one after the other', async () => {
		const first = await reserve(['a', 'b'], never);
		const second = follow(['b', 'c']);
		await settled();
		expect(second.state.is).toBe('waiting');
		first?.release();
		await first?.released;
		await settled();
		expect(second.state.is).toBe('reserved');
		(await second.reservation)?.release();
	});

	it('do not hold up runs with other messages', async () => {
		const first = await reserve(['a'], never);
		const second = follow(['b']);
		await settled();
		expect(second.state.is).toBe('reserved');
		first?.release();
		(await second.reservation)?.release();
	});

	it('wait for all runs that send one of them', async () => {
		const [first, second] = [await reserve(['a'], never), await reserve(['b'], never)];
		const third = follow(['a', 'b']);
		first?.release();
		await settled();
		expect(third.state.is).toBe('waiting');
		second?.release();
		await settled();
		expect(third.state.is).toBe('reserved');
		(await third.reservation)?.release();
	});

	it('can be given up while they are waited for', async () => {
		const first = await reserve(['a'], never);
		const second = follow(['a'], Promise.resolve('cancelled'));
		await settled();
		expect(second.state.is).toBe('cancelled');
		first?.release();
	});

	it('stay reserved if an earlier run releases them a second time', async () => {
		const first = await reserve(['a'], never);
		first?.release();
		const second = await reserve(['a'], never);
		first?.release();
		const third = follow(['a']);
		await settled();
		expect(third.state.is).toBe('waiting');
		second?.release();
		await settled();
		expect(third.state.is).toBe('reserved');
		(await third.reservation)?.release();
	});
});
