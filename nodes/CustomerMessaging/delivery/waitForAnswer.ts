import { type AskMemory, remember, signatureIn } from '../ask/asked';
import { waitEnd } from '../ask/waitLimit';
import type { N8n } from '../n8n/context';
import type { Plan } from '../plan/plan';
import type { Run } from '../run/resolveRun';
import type { Result } from '../shared/result';

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
