import type { FormParameter } from '../fields/field';
import type { Operation } from '../operations/operation';
import type { History } from './history';
import { guardForm, type Settings } from './options';

/** What a run started by hand does. */
export type TestRuns = 'preview' | 'testRecipient' | 'send';

/** The guards of an operation, for its form. Those of broadcasts are stricter. */
export function guardFormOf({ isBroadcast, isMessage }: Operation): FormParameter[] {
	if (!isMessage) return [];
	return isBroadcast
		? guardForm
		: guardForm
				.filter(({ name }) => name === 'testRuns')
				.map((property) => ({ ...property, default: 'send' }));
}

/** What this run does: as set if it was started by hand, and otherwise it sends. */
export function testRunsOf(
	{ isBroadcast, isMessage }: Operation,
	{ testRuns }: Settings,
	{ startedByHand }: History,
): TestRuns {
	if (!isMessage || startedByHand !== true) return 'send';
	return testRuns ?? (isBroadcast ? 'preview' : 'send');
}
