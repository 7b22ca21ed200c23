import { Policy } from '../engine';
import type { KnownRun } from './resolveRun';

/** What replies mean for a run, what may be sent again, and how many deliveries a request may carry. */
export function policyFor({ resource, operation, account, settings }: KnownRun): Policy {
	return new Policy({
		// It may fetch a page, and anything else.
		takesAnyAnswer: resource === 'customRequest',
		answerRule: account?.answerRule,
		retryUnknown: settings?.retryUnknown === true,
		batchSize: operation?.batchKey === undefined ? undefined : (settings?.batchSize ?? 1),
		mustNotRepeat: operation?.overwrites !== true,
	});
}
