import type { Operation } from '../operations/operation';
import type { Mode } from './guards';
import type { Settings } from './options';
import type { History } from './sendOnce';

/** What keeps a message from being sent by another execution too. */
export type RepeatRule =
	/** The same message to the same person, on this calendar day. */
	| 'listADay'
	/** A broadcast with the same name to the same audience, on this calendar day. */
	| 'broadcastADay'
	/** The same broadcast to the same audience, for ten to twenty minutes. */
	| 'broadcastInTenMinutes';

export interface Repeats {
	toPersons?: RepeatRule;
	toMany?: RepeatRule;
}

/**
 * What is not sent again although no key of Send Once says so: people press Execute again, and triggers fire
 * twice. The node then keeps notes under keys of its own; see `plan/ownKeys.ts`.
 *
 * | started | to single people | to many |
 * |---|---|---|
 * | by hand | `listADay`, for two or more | `broadcastADay` |
 * | by hand, with Send Once | | `broadcastADay`, where its key is empty |
 * | by a trigger | | `broadcastInTenMinutes` |
 * | by a trigger, with Send Once | | |
 *
 * As an agent's tool, and in a sub-workflow, what goes to many needs a key of Send Once. A question is another
 * one each time.
 */
export function repeatsOf(
	operation: Operation,
	{ sendOnce }: Pick<Settings, 'sendOnce'>,
	mode: Mode,
	{ startedByHand }: History,
	isTool: boolean,
): Repeats {
	if (!operation.isMessage || operation.waits || isTool || mode.kind !== 'send') return {};
	if (startedByHand !== true) return sendOnce ? {} : { toMany: 'broadcastInTenMinutes' };
	return { toMany: 'broadcastADay', ...(!sendOnce && { toPersons: 'listADay' }) };
}
