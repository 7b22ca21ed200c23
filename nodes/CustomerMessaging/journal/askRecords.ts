import { type AskMemory, recallAsked, remember, signatureIn } from '../ask/asked';
import { waitEnd } from '../ask/waitLimit';
import type { N8n } from '../n8n/context';
import type { Plan } from '../plan/plan';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { Problem } from '../shared/problem';
import type { Result } from '../shared/result';
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

/** Stores the question before it is sent, so that a retry of a stopped execution can name this one. */
export function rememberAsk({ deliveries }: Plan, run: Run, n8n: N8n): void {
	const [{ ask } = {}] = deliveries;
	if (!ask || (run.isPreview && !run.testRecipient)) return;
	const { context, runIndex, execution } = n8n.memory();
	remember(context, { execution, runIndex, signature: signatureIn(n8n.answerUrl()), ask });
}

/**
 * Lets the execution wait for the answer if the question was delivered, or may have been: then an answer
 * proves that it arrived. Nobody can answer what was only previewed or surely not delivered.
 *
 * @returns until when it waits, in epoch milliseconds; undefined if it does not wait
 */
export async function waitForAnswer(
	run: Run,
	results: readonly Result[],
	n8n: N8n,
): Promise<{ endMs?: number } | undefined> {
	if (!run.operation.waits) return undefined;
	if (!results.some((result) => mayHaveArrived(result, run))) {
		const memory: AskMemory = n8n.memory().context;
		delete memory.asked;
		return undefined;
	}
	if (n8n.cancelled()) return undefined;
	const nowMs = n8n.now();
	const end = waitEnd(run.settings.limitWaitTime, { nowMs, workflowZone: n8n.workflowZone });
	// Sending may have lasted until after the end. n8n then goes on at once.
	const endMs = 'message' in end ? nowMs : end.endMs;
	await n8n.waitForAnswer(endMs);
	return { endMs };
}

/** Whether a person may have this execution's link. What another execution sent has another link. */
function mayHaveArrived(result: Result, { history }: Run): boolean {
	if (result.kind !== 'sent' || (history.isRetry && result.sentBefore)) return false;
	const { outcome } = result.outcome;
	return outcome === 'accepted' || outcome === 'unknown';
}
