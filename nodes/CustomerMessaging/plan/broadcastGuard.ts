import type { Delivery } from '../shared/delivery';
import { mayBeDelivered, type Problem, type Result, type SentDelivery } from '../shared/result';
import { nameAudience } from '../shared/formatting';

/** Numbers of messages by whom they are for. */
export type Counts = Record<string, number>;

/** What was planned in the runs of the node before this one, and in this one. */
export interface PlannedCounts {
	runIndex: number;
	before: Counts;
	now: Counts;
}

/** The counts of a run that has planned nothing yet. A run that is tried again begins anew. */
export function countsOfRun(stored: PlannedCounts | undefined, runIndex: number): PlannedCounts {
	const { before = {}, now = {} } = stored ?? {};
	if (stored?.runIndex === runIndex) return { runIndex, before, now: {} };
	const sum = { ...before };
	for (const [key, count] of Object.entries(now)) sum[key] = (sum[key] ?? 0) + count;
	return { runIndex, before: sum, now: {} };
}

export function plannedFor(key: string, { before, now }: PlannedCounts): number {
	return (before[key] ?? 0) + (now[key] ?? 0);
}

/** Where broadcasts are counted: what n8n stores between the runs of the node in one execution. */
interface BroadcastScope {
	context: { broadcasts?: PlannedCounts };
	runIndex: number;
}

/**
 * Prevents an execution from sending more broadcasts than the user allowed. Otherwise 500 input items,
 * 500 rounds of a loop or 500 calls by an AI agent would send 500 broadcasts to the same people. Broadcasts
 * from earlier runs of the node in this execution count, but a try of n8n's Retry On Fail does not count twice.
 *
 * @returns a problem if there are too many
 */
export function tooManyBroadcasts(
	deliveries: readonly Delivery[],
	maxBroadcasts: number,
	scope: BroadcastScope,
): Problem | undefined {
	const counts = countWith(deliveries, scope);
	const numberOf = (delivery: Delivery) => plannedFor(countKey(delivery), counts);
	const over = deliveries.find((delivery) => numberOf(delivery) > maxBroadcasts);
	if (!over) return undefined;
	return {
		field: 'maxBroadcasts',
		message: `This would make ${numberOf(over)} broadcasts to ${nameAudience(over)} in one execution, and 'Max Broadcasts' allows ${maxBroadcasts}. Turn on 'Execute Once' in the node's Settings, or raise 'Max Broadcasts'`,
	};
}

/**
 * Counts broadcasts that are about to be sent.
 *
 * @returns a function that takes them back, for a run that is refused later
 */
export function countBroadcasts(
	deliveries: readonly Delivery[],
	scope: BroadcastScope,
): () => void {
	const earlier = scope.context.broadcasts;
	scope.context.broadcasts = countWith(deliveries, scope);
	return () => {
		scope.context.broadcasts = earlier ?? countsOfRun(undefined, scope.runIndex);
	};
}

/** Subtracts broadcasts that certainly reached nobody, so that they can be sent again. */
export function uncountUndelivered(
	results: readonly Result[],
	{ context: { broadcasts } }: BroadcastScope,
): void {
	if (!broadcasts) return;
	for (const result of results) {
		if (result.kind !== 'skipped' && (result.kind !== 'sent' || mayBeDelivered(result))) continue;
		if (result.delivery.audience === undefined) continue;
		const whom = countKey(result.delivery);
		broadcasts.now[whom] = Math.max(0, (broadcasts.now[whom] ?? 0) - 1);
	}
}

function countWith(deliveries: readonly Delivery[], { runIndex, context }: BroadcastScope) {
	const counts = countsOfRun(context.broadcasts, runIndex);
	for (const delivery of deliveries) {
		const key = countKey(delivery);
		counts.now[key] = (counts.now[key] ?? 0) + 1;
	}
	return counts;
}

/** A segment counts by its ID, because its name in the credential may change between two runs. */
function countKey({ to, platform }: SentDelivery): string {
	return JSON.stringify({ ...to, platform });
}
