import { Policy } from '../engine';
import type { KnownRun } from './resolveRun';

/** The policy of a run: the meaning of replies, what may be sent again, and the size of batches. */
export function policyFor({ operation, account, settings }: KnownRun): Policy {
	return new Policy({
		// A custom request may get any answer, web pages included.
		takesAnyAnswer: operation !== undefined && operation.path === undefined,
		answerRule: account?.answerRule,
		retryUnknown: settings?.retryUnknown === true,
		batchSize: operation?.batchKey === undefined ? undefined : (settings?.batchSize ?? 1),
		mustNotRepeat: operation?.isIdempotent !== true,
	});
}
