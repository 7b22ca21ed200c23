import { type AskMemory, recallAsked } from '../ask/asked';
import type { N8n } from '../n8n/context';
import type { Plan } from '../plan/plan';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { Problem } from '../shared/problem';
import type { SentRecords } from './sentRecords';

/**
 * Sets the records of a question apart that a retry asks again. It has a link of its own, so nothing that
 * was sent before is the same message. Empty for everything else.
 */
export function nameOfNewAsk(run: Run | UnusableRun, { execution }: N8n): string {
	if (!run.operation?.waits || !run.history.isRetry) return '';
	const asksAgain = 'settings' in run && run.settings.retryUnknown;
	return asksAgain ? ` again in ${execution.id}` : '';
}

/** Refuses to repeat a question in a retry, if an earlier attempt has sent it, or may have. */
export function askedBefore(
	{ deliveries }: Plan,
	run: Run | UnusableRun,
	{ ledger, keyOf, opened }: SentRecords,
	n8n: N8n,
): Problem | undefined {
	const asks = run.operation?.waits && 'isPreview' in run && !run.isPreview;
	if (!asks || !run.history.isRetry) return undefined;
	const isKnown =
		(opened?.recalled.size ?? 0) > 0 ||
		deliveries.some((delivery) => ledger.find(keyOf(delivery)) !== undefined);
	return isKnown ? askedIn(executionThatAsked(n8n)) : undefined;
}

/** Undefined if n8n did not store it, because it was interrupted. */
function executionThatAsked(n8n: N8n): string | undefined {
	const { context, runIndex } = n8n.memory();
	const { asked: stored }: AskMemory = context;
	const asked = recallAsked(stored);
	const isOther = asked?.runIndex === runIndex && asked.execution !== n8n.execution.id;
	return isOther ? asked.execution : undefined;
}

function askedIn(execution: string | undefined): Problem {
	const which = execution === undefined ? 'An earlier attempt' : `Execution ${execution}`;
	return {
		field: 'execution',
		message: `${which} has asked this question already, and the link in that message answers only that execution. To ask again with a new link, turn on 'Retry Unknown' under Options, or start the workflow from its trigger`,
	};
}
