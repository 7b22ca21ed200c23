/** Number of broadcasts by audience and platform. */
export type Counts = Record<string, number>;

/** How many executions are remembered. An execution counts only if it has sent a broadcast. */
const MAX_EXECUTIONS = 10_000;

/**
 * What executions have broadcast that were called by another execution. n8n runs them in the process of
 * their caller, so the memory of this process is enough.
 */
export class CallerCounts {
	private readonly executions = new Map<string, { caller: string; counts: Counts }>();

	constructor(private readonly maxExecutions = MAX_EXECUTIONS) {}

	/** What the other executions with the same caller have broadcast. */
	ofOthers(caller: string, execution: string): Counts {
		let total: Counts = {};
		for (const [id, called] of this.executions) {
			if (called.caller === caller && id !== joinKey(caller, execution))
				total = sum(total, called.counts);
		}
		return total;
	}

	/** Replaces what an execution has broadcast. */
	set(caller: string, execution: string, counts: Counts): void {
		const key = joinKey(caller, execution);
		this.executions.delete(key);
		if (Object.values(counts).every((count) => count === 0)) return;
		this.executions.set(key, { caller, counts });
		const [oldest] = this.executions.keys();
		if (this.executions.size > this.maxExecutions && oldest !== undefined)
			this.executions.delete(oldest);
	}
}

/** The counts of this process. */
export const callerCounts = new CallerCounts();

export function sum(one: Counts, other: Counts): Counts {
	const total = { ...one };
	for (const [audience, count] of Object.entries(other)) {
		total[audience] = (total[audience] ?? 0) + count;
	}
	return total;
}

function joinKey(caller: string, execution: string): string {
	return JSON.stringify([caller, execution]);
}
