import type { N8n } from '../n8n/context';
import type { Run } from '../run/resolveRun';
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
