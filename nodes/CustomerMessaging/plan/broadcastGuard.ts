import type { Delivery } from '../shared/delivery';
import type { Problem } from '../shared/problem';
import { hasFailed, type Result } from '../shared/result';
import { whomOf } from '../shared/formatting';

/** Broadcasts by whom they reach, in words. */
type Counts = Record<string, number>;

/** What n8n keeps of it between the runs of the node in one execution. */
export interface BroadcastMemory {
	broadcasts?: { runIndex: number; before: Counts; now: Counts };
}

/**
 * Keeps an execution from sending more broadcasts than the user allowed: 500 input items, 500
 * rounds of a loop or 500 calls of an AI agent are not 500 broadcasts to the same people. What
 * earlier runs of the node sent in this execution counts; a try of n8n's Retry On Fail does not
 * count twice. Returns what is wrong, or undefined and remembers these broadcasts.
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
	for (const delivery of deliveries) now[whomOf(delivery)] = (now[whomOf(delivery)] ?? 0) + 1;
	const over = Object.entries(sum(before, now)).find(([, count]) => count > maxBroadcasts);
	if (!over) {
		context.broadcasts = { runIndex, before, now };
		return undefined;
	}
	const [whom, count] = over;
	return {
		field: 'maxBroadcasts',
		message: `This would make ${count} broadcasts to ${whom} in one execution, and 'Max Broadcasts' allows ${maxBroadcasts}. Each input item, each round of a loop and each call by an agent is a broadcast of its own. Give the node a single item, for instance with a Limit node before it, or raise 'Max Broadcasts'`,
	};
}

/** Broadcasts that surely reached nobody no longer count, so that they can be sent again. */
export function uncountUndelivered(results: readonly Result[], { broadcasts }: BroadcastMemory): void {
	if (!broadcasts) return;
	for (const result of results) {
		if (result.kind !== 'sent' || !hasFailed(result) || result.outcome.outcome === 'unknown') continue;
		const whom = whomOf(result.delivery);
		broadcasts.now[whom] = Math.max(0, (broadcasts.now[whom] ?? 0) - 1);
	}
}

function sum(one: Counts, other: Counts): Counts {
	const total = { ...one };
	for (const [whom, count] of Object.entries(other)) total[whom] = (total[whom] ?? 0) + count;
	return total;
}
