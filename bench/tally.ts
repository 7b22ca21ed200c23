import type { Seen } from './sandboxProcess';

/** What became of the users that a run should reach. */
export interface Tally {
	requests: number;
	/** Responses with 429. */
	refused: number;
	/** Users without an accepted request. */
	lost: number;
	/** Users with more than one accepted request. */
	doubled: number;
	/** Epoch milliseconds at which the last request was accepted. */
	lastMs: number;
}

export function tally(seen: Seen[], users: number): Tally {
	const times = new Map<string, number>();
	const accepted = seen.filter((one) => one.accepted);
	for (const user of accepted.flatMap((one) => one.users))
		times.set(user, (times.get(user) ?? 0) + 1);
	return {
		requests: seen.length,
		refused: seen.filter(({ status }) => status === 429).length,
		lost: users - times.size,
		doubled: [...times.values()].filter((count) => count > 1).length,
		lastMs: accepted.at(-1)?.atMs ?? NaN,
	};
}
