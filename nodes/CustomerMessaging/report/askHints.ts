import type { NodeExecutionHint } from 'n8n-workflow';

import type { Run } from '../run/resolveRun';
import { formatWhen } from '../schedule/formatting';
import { hasFailed, type Result, type SentResult } from '../shared/result';
import { describeFailure } from './messages';
import { toEditorHtml } from './editorHtml';

/**
 * Says what became of a question whose answer an execution waits for.
 *
 * @param hadAnswerColumn whether the input had a column with the name of the answer
 */
export function askHints(
	results: readonly Result[],
	run: Run,
	{ endMs, hadAnswerColumn }: { endMs?: number; hadAnswerColumn?: boolean },
	workflowZone: string,
): NodeExecutionHint[] {
	const sent = results.filter((result): result is SentResult => result.kind === 'sent');
	const until = endMs === undefined ? '' : ` until ${formatWhen(endMs, workflowZone)}`;
	const warnings = sent.filter(hasFailed).map((result) => {
		const { delivery, outcome } = result;
		const { platform } = delivery;
		const where = platform ? ` on ${platform}` : '';
		const why = outcome.outcome === 'accepted' ? '' : describeFailure(outcome, run, result).message;
		return outcome.outcome === 'unknown'
			? `The question may not have arrived${where}: ${why}. The execution waits, because an answer would prove that it arrived.`
			: `The question was not sent${where}: ${why}.`;
	});
	return [
		...warnings.map((message) => ({ message, type: 'warning' as const })),
		{ message: `The execution waits for the answer${until}.`, type: 'info' as const },
		...(hadAnswerColumn ? [{ message: columnLeftOut, type: 'info' as const }] : []),
	].map(({ message, type }) => ({ message: toEditorHtml(message), location: 'outputPane', type }));
}

const columnLeftOut =
	"The input has a column 'data'. If nobody answers, the execution goes on without it, so that it is not taken for an answer to this question. Later nodes can read it from an earlier node, such as {{ $('Name of the node').item.json.data }}.";
