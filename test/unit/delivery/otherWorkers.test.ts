import { OtherWorkers } from '../../../nodes/CustomerMessaging/delivery/otherWorkers';

/** A run whose calls take so long, and the pauses that it makes after each. */
function begin({ callMs = 5, noticed = { areNoticed: false } } = {}) {
	const clock = { ms: 0, pauses: [] as number[] };
	const others = new OtherWorkers(
		{
			now: () => clock.ms,
			sleep: async (ms) => {
				clock.pauses.push(ms);
			},
		},
		noticed,
	);
	/** Makes the calls after which any run pauses. */
	const first = async () => {
		for (let calls = 0; calls < 3; calls++) await call(['a'], ['a']);
	};
	const call = async (stored: string[], written: string[]) => {
		const calledAtMs = clock.ms;
		clock.ms += callMs;
		others.lookAt(new Set(stored), written);
		await others.letFinish(calledAtMs);
		return clock.pauses.splice(0);
	};
	return { others, call, first };
}

test('a run pauses after its first three calls, because others may begin with it', async () => {
	const { call } = begin();
	for (let calls = 0; calls < 3; calls++) expect(await call(['a'], ['a'])).toEqual([50]);
	expect(await call(['a'], ['a'])).toEqual([]);
});

test('a pause is three times as long as the call if that is longer', async () => {
	const { call } = begin({ callMs: 100 });
	expect(await call([], [])).toEqual([300]);
});

test('a run that misses what it has written pauses after each call, as do all other runs of the process', async () => {
	const noticed = { areNoticed: false };
	const { call, first } = begin({ noticed });
	await first();
	expect(await call(['a'], ['a', 'b'])).toEqual([50]);
	expect(await call(['a', 'b'], ['a', 'b'])).toEqual([50]);
	const other = begin({ noticed });
	await other.first();
	expect(await other.call(['c'], ['c'])).toEqual([50]);
});

test('a run that may share messages with another pauses after each call, and other runs do not', async () => {
	const noticed = { areNoticed: false };
	const { others, call, first } = begin({ noticed });
	await first();
	others.suspect();
	expect(await call(['a'], ['a'])).toEqual([50]);
	const other = begin({ noticed });
	await other.first();
	expect(await other.call(['c'], ['c'])).toEqual([]);
});

test('a run that finds a mark again which it had removed pauses after each call', async () => {
	const { others, call, first } = begin();
	await first();
	others.removed('mark');
	expect(others.probes).toEqual(['mark']);
	expect(await call(['a'], ['a'])).toEqual([]);
	expect(await call(['a', 'mark'], ['a'])).toEqual([50]);
	others.removed('another mark');
	expect(await call(['a'], ['a'])).toEqual([50]);
});
