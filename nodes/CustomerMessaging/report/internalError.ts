import type { INodeExecutionData } from 'n8n-workflow';

import { hasFailed, internalFailure, getItemIndex, type Result } from '../shared/result';
import type { UnusableRun } from '../run/resolveRun';
import { forErrorOutput } from './items';
import { describeFailure } from './messages';

/** What is known of a run while it goes on, for the case that a mistake of this node ends it. */
export interface Progress {
	/** Whether an earlier attempt of the execution may have sent something that this one does not know of. */
	mayHaveSent: boolean;
	/** Whether sending has ended, and every item has a result. */
	isOver: boolean;
	/** How the items ended that are known. */
	results: readonly Result[];
}

/** The items of a run that a mistake of this node ended: the known outcomes, and a failure for the rest. */
export function itemsAfterInternalError(
	{ results, mayHaveSent }: Omit<Progress, 'isOver'>,
	itemCount: number,
	hasErrorOutput: boolean,
	message: string,
): INodeExecutionData[] {
	const known = new Set(results.map(getItemIndex));
	const unknown = Array.from({ length: itemCount }, (_, itemIndex) => itemIndex)
		.filter((itemIndex) => !known.has(itemIndex))
		.map((itemIndex) => internalFailure({ itemIndex }, message, mayHaveSent));
	return [...results, ...unknown]
		.sort((one, other) => getItemIndex(one) - getItemIndex(other))
		.map((result) => {
			const item = { json: writeJson(result), pairedItem: { item: getItemIndex(result) } };
			return hasErrorOutput && hasFailed(result) ? forErrorOutput(item) : item;
		});
}

/** What stops the workflow, with Stop Workflow. */
export function internalErrorMessage({ results }: Omit<Progress, 'isOver'>): string {
	const accepted = results.filter((result) => result.kind === 'sent' && !hasFailed(result)).length;
	return `A mistake in this node ended the run; ${accepted} of its messages had been accepted`;
}

/** Only what cannot fail. The full item is made of the same result where nothing goes wrong. */
function writeJson(result: Result): INodeExecutionData['json'] {
	if (result.kind === 'invalid') {
		const error = result.problems.map(({ message }) => message).join('; ');
		return { error, details: { outcome: 'invalid' } };
	}
	if (result.kind !== 'sent') return { outcome: result.kind };
	const { outcome } = result;
	if (outcome.outcome === 'accepted') return { outcome: outcome.outcome };
	const { message, description } = describeFailure(outcome, nothingKnown);
	const { outcome: kind, ...rest } = outcome;
	return { error: message, details: { outcome: kind, ...rest, description } };
}

const nothingKnown: UnusableRun = {
	problems: [],
	history: { isRetry: false, wasInterrupted: false },
};
