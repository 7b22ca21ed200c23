import { OtherProcesses } from '../../../nodes/CustomerMessaging/n8n/otherProcesses';
import { OtherWorkers } from '../../../nodes/CustomerMessaging/delivery/otherWorkers';

/** A run of a process, and the pauses that it makes after each call. */
function begin(processes = new OtherProcesses()) {
	const pauses: number[] = [];
	const others = new OtherWorkers(
		{
			now: () => 0,
			sleep: async (ms) => {
				pauses.push(ms);
			},
		},
		processes,
	);
	/** Makes the calls after which any run pauses. */
	const first = async () => {
		for (let calls = 0; calls < 3; calls++) await call(['a'], ['a']);
	};
	const call = async (stored: string[], written: string[]) => {
		others.lookAt(new Set(stored), written);
		await others.letFinish();
		return pauses.splice(0);
	};
	return { others, call, first };
}

test('a run pauses after its first three calls, because others may begin with it', async () => {
	const { call } = begin();
	for (let calls = 0; calls < 3; calls++) expect(await call(['a'], ['a'])).toEqual([50]);
	expect(await call(['a'], ['a'])).toEqual([]);
});

test('a pause is three times as long as the calls of the process took lately', async () => {
	const processes = new OtherProcesses();
	const { others, call } = begin(processes);
	others.suspect();
	processes.took(100);
	expect(await call([], [])).toEqual([300]);
	// A long call is forgotten little by little.
	processes.took(10);
	expect(await call([], [])).toEqual([210]);
	// A database that was locked, or a clock that was set, does not slow down the calls after it.
	processes.took(3_600_000);
	expect(await call([], [])).toEqual([2_000]);
	processes.took(10);
	expect(await call([], [])).toEqual([1_400]);
});

test('a run that misses what it has written pauses after each call, as do all other runs of the process', async () => {
	const processes = new OtherProcesses();
	const { call, first } = begin(processes);
	await first();
	expect(await call(['a'], ['a', 'b'])).toEqual([50]);
	expect(await call(['a', 'b'], ['a', 'b'])).toEqual([50]);
	const other = begin(processes);
	await other.first();
	expect(await other.call(['c'], ['c'])).toEqual([50]);
});

test('a run that may share messages with another pauses after each call, and other runs do not', async () => {
	const processes = new OtherProcesses();
	const { others, call, first } = begin(processes);
	await first();
	others.suspect();
	expect(await call(['a'], ['a'])).toEqual([50]);
	const other = begin(processes);
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

test('a run tells whether the list is as it has left it', () => {
	const { others } = begin();
	others.removed('mark');
	expect(others.lookAt(new Set(['a', 'b']), ['a', 'b'])).toBe(true);
	expect(others.areLikely).toBe(false);
	expect(others.lookAt(new Set(['a']), ['a', 'b'])).toBe(false);
	expect(others.lookAt(new Set(['a', 'b', 'mark']), ['a', 'b'])).toBe(false);
	expect(others.areLikely).toBe(true);
});
