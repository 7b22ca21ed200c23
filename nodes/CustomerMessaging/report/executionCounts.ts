import type { N8n } from '../n8n/context';
import type { Run, UnusableRun } from '../run/resolveRun';
import { errorMessage } from '../shared/formatting';
import type { Result } from '../shared/result';

type Counts = Record<'accepted' | 'unknown' | 'notSent', number>;

/** What n8n stores for the node with each execution. */
interface CountMemory {
	counted?: { runIndex: number; counts: Counts };
}

/** n8n keeps at most ten values for an execution, and the user's own count too. */
const OPERATIONS_KEY = 'messaging_operation';
const keys: Readonly<Record<keyof Counts, string>> = {
	accepted: 'messaging_accepted',
	unknown: 'messaging_unknown',
	notSent: 'messaging_not_sent',
};

/**
 * Adds how many messages, users or events were accepted, may have been delivered and were not sent to the
 * values by which n8n's executions can be filtered. All nodes and rounds of an execution add to the same
 * values. Another try of the same round replaces what the try before has added.
 */
export function countInExecution(
	results: readonly Result[],
	run: Run | UnusableRun,
	n8n: N8n,
): void {
	const counts = countResults(results);
	const { resource, operation } = run;
	if (!resource || !operation || Object.values(counts).every((count) => count === 0)) return;
	try {
		const values = n8n.executionValues();
		if (!values) return;
		const { context, runIndex }: { context: CountMemory; runIndex: number } = n8n.memory();
		const earlier = context.counted?.runIndex === runIndex ? context.counted.counts : undefined;
		const sums = Object.entries(keys).map(([name, key]): [string, string] => {
			const outcome = name as keyof Counts;
			const others = Math.max(0, (Number(values.get(key)) || 0) - (earlier?.[outcome] ?? 0));
			return [key, String(others + counts[outcome])];
		});
		const before = values.get(OPERATIONS_KEY)?.split(', ') ?? [];
		const operations = new Set([...before, `${resource} ${operation.value}`]);
		values.setAll({
			[OPERATIONS_KEY]: [...operations].join(', ').slice(0, MAX_LENGTH),
			...Object.fromEntries(sums),
		});
		context.counted = { runIndex, counts };
	} catch (error) {
		// They are only for filtering. What was sent must be reported in any case.
		n8n.log(`The numbers could not be kept for filtering executions: ${errorMessage(error)}`);
	}
}

/** n8n keeps no more of a value. */
const MAX_LENGTH = 255;

/** Previews, tests and skipped messages are not counted: the execution sent nothing to their recipients. */
function countResults(results: readonly Result[]): Counts {
	const counts: Counts = { accepted: 0, unknown: 0, notSent: 0 };
	for (const result of results) {
		if (result.kind === 'invalid') counts.notSent += 1;
		if (result.kind !== 'sent' || result.delivery.test) continue;
		const { outcome } = result.outcome;
		counts[outcome === 'rejected' ? 'notSent' : outcome] += 1;
	}
	return counts;
}
