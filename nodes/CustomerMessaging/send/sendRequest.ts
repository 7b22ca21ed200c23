import type { N8n } from '../n8n/context';
import { questionFor } from '../operations/question';
import type { Run } from '../run/resolveRun';
import { formatIso } from '../schedule/formatting';
import type { Delivery } from '../shared/delivery';
import { toJsonText } from '../shared/exactJson';
import { errorMessage } from '../shared/formatting';
import type { Reply } from '../shared/reply';
import type { Outcomes } from './outcomes';
import { type ApiRequest, hasPassed, writeJson } from './requests';

/** Sends a request once. It is withheld if its scheduled time has passed, or if this node cannot write it. */
export async function sendRequest(
	request: ApiRequest,
	run: Run,
	n8n: N8n,
	outcomes: Outcomes,
): Promise<Reply> {
	const nowMs = n8n.now();
	let json: string;
	try {
		if (hasPassed(request, run, nowMs)) return { kind: 'withheld', reason: 'schedulePassed' };
		json = writeJson(request, run, nowMs);
	} catch (error) {
		n8n.log(`A mistake in this node withheld a request: ${errorMessage(error)}`, 'error');
		return { kind: 'withheld', reason: 'internalError' };
	}
	request.sentAtMs = nowMs;
	outcomes.begin(request);
	return await n8n.post({
		credential: run.credential,
		url: request.url,
		json,
		timeoutMs: run.settings.requestTimeoutMs,
		maxAnswerBytes: run.operation.maxAnswerBytes,
	});
}

/** Only its status counts. */
const MAX_ANSWER_BYTES = 1_000;

/** Asks the address of a delivery, by a request that reaches nobody, whether the service is back. */
export function askService(
	delivery: Delivery | undefined,
	{ account, credential, origin, settings, target }: Run,
	n8n: N8n,
): { reply: Promise<Reply>; isOfLimit: boolean } {
	const { path, body, api } = questionFor(target, delivery?.path ?? '', account.eventPath);
	const reply = n8n.post({
		credential,
		url: origin + path,
		json: toJsonText(body),
		timeoutMs: settings.requestTimeoutMs,
		maxAnswerBytes: MAX_ANSWER_BYTES,
	});
	// The header of another API says nothing about the limit of this one.
	return { reply, isOfLimit: api === target.api };
}

/** Writes a time of n8n's steady clock in the workflow's zone, with its offset, rounded up to seconds. */
export function writeTime(ms: number, { clock, now, workflowZone }: N8n): string {
	return formatIso(Math.ceil((now() + ms - clock.now()) / 1_000) * 1_000, workflowZone);
}
