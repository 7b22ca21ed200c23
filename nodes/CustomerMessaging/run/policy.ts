import { Policy } from '../engine';
import type { KnownRun } from './resolveRun';

/** What replies mean for a run, what may be sent again, and how many deliveries a request may carry. */
export function policyFor({ operation, account, settings }: KnownRun): Policy {
	return new Policy({
		// A path of the user's may fetch a page, and anything else.
		takesAnyAnswer: operation !== undefined && operation.path === undefined,
		answerRule: account?.answerRule,
		retryUnknown: settings?.retryUnknown === true,
		batchSize: operation?.batchKey === undefined ? undefined : (settings?.batchSize ?? 1),
		mustNotRepeat: operation?.isIdempotent !== true,
	});
}
