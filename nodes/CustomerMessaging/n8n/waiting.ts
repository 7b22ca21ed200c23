import { type IExecuteFunctions, WAIT_INDEFINITELY } from 'n8n-workflow';

import { withoutAnswer } from '../shared/ask';

/** How a node waits for an answer. */
export interface Waiting {
	/** The signed link that answers this run of the node in this execution. */
	answerUrl: () => string;
	/**
	 * Lets the execution wait once `execute()` has returned. n8n then goes on with what the answer gives, or
	 * with the input of the node, without `data`, when the time is over; it does not run the node again.
	 *
	 * @param endMs epoch milliseconds; absent to wait until there is an answer
	 */
	waitForAnswer: (endMs?: number) => Promise<void>;
}

export function waiting(context: IExecuteFunctions, runIndex: () => number): Waiting {
	return {
		answerUrl() {
			// In a loop, each question has a link of its own.
			const run = runIndex();
			return context.getSignedResumeUrl(run > 0 ? { run: String(run) } : {});
		},
		async waitForAnswer(endMs) {
			// n8n 1 and 2.8 check the signature only if a node asks for it. Newer versions always do, and lack this.
			const { setSignatureValidationRequired: require } = context as Partial<IExecuteFunctions>;
			require?.call(context);
			// n8n stores this input, and goes on with it after the time limit and in a retry after Stop.
			for (const item of context.getExecuteData().data.main?.[0] ?? [])
				item.json = withoutAnswer(item.json);
			await context.putExecutionToWait(endMs === undefined ? WAIT_INDEFINITELY : new Date(endMs));
		},
	};
}
