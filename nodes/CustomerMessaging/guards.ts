import { type FormParameter, isRecord } from './fields/field';
import type { Delivery } from './operations/operation';
import type { Problem } from './problem';
import { hasFailed, type Result } from './results/result';
import { whomOf } from './wording';

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

/**
 * Parameters that were left to the model of an AI agent although they decide how many people a
 * message reaches. A person sets them.
 *
 * @param raw a parameter as it is stored in the workflow, with expressions unread
 */
export function leftToModel(
	parameters: readonly FormParameter[],
	raw: (name: string) => unknown,
): Problem[] {
	return parameters.flatMap((parameter) => {
		const value = raw(parameter.name);
		if (parameter.type !== 'collection' || !isRecord(value)) {
			return !parameter.modelMayFill && isLeftToModel(value) ? [refusal(parameter.name)] : [];
		}
		const known = new Map((parameter.options as FormParameter[]).map((option) => [option.name, option]));
		return Object.entries(value)
			.filter(([name, entry]) => !known.get(name)?.modelMayFill && isLeftToModel(entry))
			.map(([name]) => refusal(name));
	});
}

/** `$fromAI()` in any of n8n's spellings. An escaped character could spell it too. */
function isLeftToModel(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=') && /\$fromai|\\[ux]/i.test(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(isLeftToModel);
}

function refusal(name: string): Problem {
	return {
		field: name,
		message: `'${name}' is left to the model, but it decides whom a message reaches. Set it to a fixed value`,
	};
}

function sum(one: Counts, other: Counts): Counts {
	const total = { ...one };
	for (const [whom, count] of Object.entries(other)) total[whom] = (total[whom] ?? 0) + count;
	return total;
}
