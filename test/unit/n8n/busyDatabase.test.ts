import { callPatiently } from '../../../nodes/CustomerMessaging/n8n/busyDatabase';

/** A database that is locked for a number of calls, and a clock that only counts. */
function lockedFor(calls: number, { stopAfterMs = Infinity } = {}) {
	const seen = { calls: 0, sleptMs: 0 };
	const call = async () => {
		if (++seen.calls <= calls) throw new Error('SQLITE_BUSY: database is locked');
		return 'stored';
	};
	const waiting = {
		sleep: async (ms: number) => {
			seen.sleptMs += ms;
		},
		cancelled: () => seen.sleptMs >= stopAfterMs,
	};
	return { seen, call, waiting };
}

test('A call that the database does not hold up is made once', async () => {
	const { seen, call, waiting } = lockedFor(0);
	await expect(callPatiently(call, waiting)).resolves.toBe('stored');
	expect(seen).toEqual({ calls: 1, sleptMs: 0 });
});

test('A locked database is asked again every second until it is free', async () => {
	const { seen, call, waiting } = lockedFor(10);
	await expect(callPatiently(call, waiting)).resolves.toBe('stored');
	expect(seen).toEqual({ calls: 11, sleptMs: 10_000 });
});

test('A database that stays locked is given up after 15 pauses', async () => {
	const { seen, call, waiting } = lockedFor(Infinity);
	await expect(callPatiently(call, waiting)).rejects.toThrow('database is locked');
	expect(seen).toEqual({ calls: 16, sleptMs: 15_000 });
});

test('A stopped execution does not wait for a locked database', async () => {
	const { seen, call, waiting } = lockedFor(Infinity, { stopAfterMs: 2_000 });
	await expect(callPatiently(call, waiting)).rejects.toThrow('database is locked');
	expect(seen).toEqual({ calls: 4, sleptMs: 2_000 });
});

test('After any other error the call is made once more, and at once', async () => {
	const { seen, waiting } = lockedFor(0);
	const call = async () => {
		seen.calls++;
		throw new Error('UNIQUE constraint failed: processed_data.workflowId');
	};
	await expect(callPatiently(call, waiting)).rejects.toThrow('UNIQUE constraint');
	expect(seen).toEqual({ calls: 2, sleptMs: 0 });
});
