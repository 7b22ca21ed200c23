import type { N8n } from '../n8n/context';
import { questionFor } from '../operations/question';
import type { Run } from '../run/resolveRun';
import { formatIso } from '../schedule/formatting';
import type { Delivery } from '../shared/delivery';
import { toJsonText } from '../shared/exactJson';
import type { QuestionReply } from './dispatchOptions';
import { feedbackFrom } from './retryPolicy';

/** A service that needs longer to refuse an empty request is not back. */
const MAX_TIMEOUT_MS = 10_000;
/** Only its status counts. */
const MAX_ANSWER_BYTES = 1_000;

/** Asks the address of a delivery, by a request that reaches nobody, whether the service is back. */
export async function askService(
	delivery: Delivery | undefined,
	{ account, credential, origin, settings, target }: Run,
	n8n: N8n,
): Promise<QuestionReply> {
	const { path, body, api } = questionFor(target, delivery?.path ?? '', account.eventPath);
	const timeoutMs = Math.min(settings.requestTimeoutMs, MAX_TIMEOUT_MS);
	const reply = await n8n.post({
		credential,
		url: origin + path,
		json: toJsonText(body),
		timeoutMs,
		maxAnswerBytes: MAX_ANSWER_BYTES,
	});
	// The header of another API says nothing about the limit of this one.
	return { reply, feedback: api === target.api ? feedbackFrom(reply) : { kind: 'unanswered' } };
}

/** Writes a time of n8n's steady clock in the workflow's zone, with its offset, rounded up to seconds. */
export function writeTime(ms: number, { clock, now, workflowZone }: N8n): string {
	return formatIso(Math.ceil((now() + ms - clock.now()) / 1_000) * 1_000, workflowZone);
}
