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
	const call = async (stored: string[], written: string[]) => {
		const calledAtMs = clock.ms;
		clock.ms += callMs;
		others.lookAt(new Set(stored), written);
		await others.letFinish(calledAtMs);
		return clock.pauses.splice(0);
	};
	return { others, call };
}

test('a run pauses after its first call, because others may begin with it', async () => {
	const { call } = begin();
	expect(await call([], [])).toEqual([50]);
});

test('a pause is three times as long as the call if that is longer', async () => {
	const { call } = begin({ callMs: 100 });
	expect(await call([], [])).toEqual([300]);
});

test('a run that finds all it has written does not pause', async () => {
	const { call } = begin();
	await call([], []);
	expect(await call(['a'], ['a'])).toEqual([]);
});

test('a run that misses what it has written pauses after each call, as do all other runs of the process', async () => {
	const noticed = { areNoticed: false };
	const { call } = begin({ noticed });
	await call([], []);
	expect(await call(['a'], ['a', 'b'])).toEqual([50]);
	expect(await call(['a', 'b'], ['a', 'b'])).toEqual([50]);
	const other = begin({ noticed });
	expect(await other.call(['c'], ['c'])).toEqual([50]);
});

test('a run that may share messages with another pauses after each call, and other runs do not', async () => {
	const noticed = { areNoticed: false };
	const { others, call } = begin({ noticed });
	others.suspect();
	expect(await call(['a'], ['a'])).toEqual([50]);
	const other = begin({ noticed });
	expect(await other.call(['c'], ['c'])).toEqual([]);
});

test('a run that finds a mark again which it had removed pauses after each call', async () => {
	const { others, call } = begin();
	others.removed('mark');
	expect(others.probes).toEqual(['mark']);
	expect(await call(['a'], ['a'])).toEqual([]);
	expect(await call(['a', 'mark'], ['a'])).toEqual([50]);
	others.removed('another mark');
	expect(await call(['a'], ['a'])).toEqual([50]);
});
