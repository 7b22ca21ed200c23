import type { Delivery } from '../shared/delivery';
import {
	type Problem,
	hasFailed,
	type Result,
	type SentDelivery,
	type SentResult,
	type SkippedResult,
} from '../shared/result';
import { nameAudience } from '../shared/formatting';

/** Number of broadcasts by audience and platform. */
type Counts = Record<string, number>;

/** What n8n stores between the runs of the node in one execution. */
export interface BroadcastMemory {
	broadcasts?: { runIndex: number; before: Counts; now: Counts };
}

/** Where broadcasts are counted. */
export interface BroadcastScope {
	context: BroadcastMemory;
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
	const { before, now } = countWith(deliveries, scope);
	const total = sum(before, now);
	const over = deliveries.find((delivery) => (total[countKey(delivery)] ?? 0) > maxBroadcasts);
	if (!over) return undefined;
	return {
		field: 'maxBroadcasts',
		message: `This would make ${total[countKey(over)]} broadcasts to ${nameAudience(over)} in one execution, and 'Max Broadcasts' allows ${maxBroadcasts}. Turn on 'Execute Once' in the node's Settings, or raise 'Max Broadcasts'`,
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
		scope.context.broadcasts = earlier ?? { ...countWith([], scope), before: {} };
	};
}

/** Subtracts broadcasts that certainly reached nobody, so that they can be sent again. */
export function uncountUndelivered(
	results: readonly Result[],
	{ context: { broadcasts } }: BroadcastScope,
): void {
	if (!broadcasts) return;
	for (const result of results) {
		if (!reachedNobody(result) || result.delivery.audience === undefined) continue;
		const whom = countKey(result.delivery);
		broadcasts.now[whom] = Math.max(0, (broadcasts.now[whom] ?? 0) - 1);
	}
}

function countWith(
	deliveries: readonly Delivery[],
	{ runIndex, context: { broadcasts } }: BroadcastScope,
) {
	const before =
		broadcasts?.runIndex === runIndex
			? broadcasts.before
			: sum(broadcasts?.before ?? {}, broadcasts?.now ?? {});
	const now: Counts = {};
	for (const delivery of deliveries) now[countKey(delivery)] = (now[countKey(delivery)] ?? 0) + 1;
	return { runIndex, before, now };
}

/** A segment counts by its ID, because its name in the credential may change between two runs. */
function countKey({ to, platform }: SentDelivery): string {
	return JSON.stringify({ ...to, platform });
}

function sum(one: Counts, other: Counts): Counts {
	const total = { ...one };
	for (const [audience, count] of Object.entries(other)) {
		total[audience] = (total[audience] ?? 0) + count;
	}
	return total;
}

function reachedNobody(result: Result): result is SentResult | SkippedResult {
	if (result.kind === 'skipped') return true;
	return result.kind === 'sent' && hasFailed(result) && result.outcome.outcome !== 'unknown';
}
