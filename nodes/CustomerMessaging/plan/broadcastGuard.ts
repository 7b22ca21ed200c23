import type { Delivery } from '../shared/delivery';
import type { Problem } from '../shared/problem';
import { hasFailed, type Result, type SentResult, type SkippedResult } from '../shared/result';
import { audienceOf } from '../shared/formatting';

/** Number of broadcasts by audience and platform. */
type Counts = Record<string, number>;

/** What n8n stores between the runs of the node in one execution. */
export interface BroadcastMemory {
	broadcasts?: { runIndex: number; before: Counts; now: Counts };
}

/**
 * Prevents an execution from sending more broadcasts than the user allowed. Otherwise 500 input items,
 * 500 rounds of a loop or 500 calls by an AI agent would send 500 broadcasts to the same people.
 * Broadcasts from earlier runs of the node in this execution count, but a try of n8n's Retry On Fail
 * does not count twice.
 *
 * @returns a problem if there are too many; otherwise undefined, and the broadcasts are counted
 */
export function tooManyBroadcasts(
	deliveries: readonly Delivery[],
	maxBroadcasts: number,
	{ context, runIndex }: { context: BroadcastMemory; runIndex: number },
): Problem | undefined {
	const { broadcasts } = context;
	const before =
		broadcasts?.runIndex === runIndex
			? broadcasts.before
			: sum(broadcasts?.before ?? {}, broadcasts?.now ?? {});
	const now: Counts = {};
	for (const delivery of deliveries)
		now[audienceOf(delivery)] = (now[audienceOf(delivery)] ?? 0) + 1;
	const over = Object.entries(sum(before, now)).find(([, count]) => count > maxBroadcasts);
	if (!over) {
		context.broadcasts = { runIndex, before, now };
		return undefined;
	}
	const [audience, count] = over;
	return {
		field: 'maxBroadcasts',
		message: `This would make ${count} broadcasts to ${audience} in one execution, and 'Max Broadcasts' allows ${maxBroadcasts}. Turn on 'Execute Once' in the node's Settings, or raise 'Max Broadcasts'`,
	};
}

/** Subtracts broadcasts that certainly reached nobody, so that they can be sent again. */
export function uncountUndelivered(
	results: readonly Result[],
	{ broadcasts }: BroadcastMemory,
): void {
	if (!broadcasts) return;
	for (const result of results) {
		if (!reachedNobody(result)) continue;
		const whom = audienceOf(result.delivery);
		broadcasts.now[whom] = Math.max(0, (broadcasts.now[whom] ?? 0) - 1);
	}
}

function reachedNobody(result: Result): result is SentResult | SkippedResult {
	if (result.kind === 'skipped') return true;
	return result.kind === 'sent' && hasFailed(result) && result.outcome.outcome !== 'unknown';
}

function sum(one: Counts, other: Counts): Counts {
	const total = { ...one };
	for (const [audience, count] of Object.entries(other)) {
		total[audience] = (total[audience] ?? 0) + count;
	}
	return total;
}
