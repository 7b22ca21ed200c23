import type { Delivery } from '../shared/delivery';
import type { Problem } from '../shared/problem';
import {
	hasFailed,
	type Result,
	type SentDelivery,
	type SentResult,
	type SkippedResult,
} from '../shared/result';
import { nameAudience } from '../shared/formatting';
import { callerCounts, type Counts, sum } from './callerCounts';

/** What n8n stores between the runs of the node in one execution. */
export interface BroadcastMemory {
	broadcasts?: {
		runIndex: number;
		before: Counts;
		now: Counts;
		/** The execution that counts them for its caller. A retry keeps that of the first attempt. */
		countedFor?: string;
	};
}

/** Where broadcasts are counted. */
export interface BroadcastScope {
	context: BroadcastMemory;
	runIndex: number;
	/** The ID of this execution. */
	execution: string;
	/** Identifies the execution that called this one, and this node; absent if none did. */
	caller?: string;
}

/**
 * Prevents an execution from sending more broadcasts than the user allowed. Otherwise 500 input items,
 * 500 rounds of a loop, 500 calls of a sub-workflow or 500 calls by an AI agent would send 500 broadcasts
 * to the same people. Broadcasts from earlier runs of the node in this execution count, and those of other
 * executions with the same caller, but a try of n8n's Retry On Fail does not count twice.
 *
 * @returns a problem if there are too many
 */
export function tooManyBroadcasts(
	deliveries: readonly Delivery[],
	maxBroadcasts: number,
	scope: BroadcastScope,
): Problem | undefined {
	const { caller } = scope;
	const others = caller ? callerCounts.ofOthers(caller, countedFor(scope)) : {};
	const { before, now } = countWith(deliveries, scope);
	const total = sum(sum(before, now), others);
	const over = deliveries.find((delivery) => (total[countKey(delivery)] ?? 0) > maxBroadcasts);
	if (!over) return undefined;
	const audience = nameAudience(over);
	const count = total[countKey(over)];
	const message = others[countKey(over)]
		? `This would make ${count} broadcasts to ${audience} in the sub-workflows of one execution, and 'Max Broadcasts' allows ${maxBroadcasts}. Call the sub-workflow once, or raise 'Max Broadcasts'`
		: `This would make ${count} broadcasts to ${audience} in one execution, and 'Max Broadcasts' allows ${maxBroadcasts}. Turn on 'Execute Once' in the node's Settings, or raise 'Max Broadcasts'`;
	return { field: 'maxBroadcasts', message };
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
	tellCaller(scope);
	return () => {
		scope.context.broadcasts = earlier ?? { ...countWith([], scope), before: {} };
		tellCaller(scope);
	};
}

/** Subtracts broadcasts that certainly reached nobody, so that they can be sent again. */
export function uncountUndelivered(results: readonly Result[], scope: BroadcastScope): void {
	const { broadcasts } = scope.context;
	if (!broadcasts) return;
	for (const result of results) {
		if (!reachedNobody(result) || result.delivery.audience === undefined) continue;
		const whom = countKey(result.delivery);
		broadcasts.now[whom] = Math.max(0, (broadcasts.now[whom] ?? 0) - 1);
	}
	tellCaller(scope);
}

function countWith(deliveries: readonly Delivery[], scope: BroadcastScope) {
	const { runIndex, context, caller } = scope;
	const { broadcasts } = context;
	const before =
		broadcasts?.runIndex === runIndex
			? broadcasts.before
			: sum(broadcasts?.before ?? {}, broadcasts?.now ?? {});
	const now: Counts = {};
	for (const delivery of deliveries) now[countKey(delivery)] = (now[countKey(delivery)] ?? 0) + 1;
	return { runIndex, before, now, ...(caller ? { countedFor: countedFor(scope) } : {}) };
}

/** A segment counts by its ID, because its name in the credential may change between two runs. */
function countKey({ to, platform }: SentDelivery): string {
	return JSON.stringify({ ...to, platform });
}

function tellCaller(scope: BroadcastScope): void {
	const { caller, context } = scope;
	if (!caller || !context.broadcasts) return;
	const { before, now } = context.broadcasts;
	callerCounts.set(caller, countedFor(scope), sum(before, now));
}

function countedFor({ context, execution }: BroadcastScope): string {
	return context.broadcasts?.countedFor ?? execution;
}

function reachedNobody(result: Result): result is SentResult | SkippedResult {
	if (result.kind === 'skipped') return true;
	return result.kind === 'sent' && hasFailed(result) && result.outcome.outcome !== 'unknown';
}
