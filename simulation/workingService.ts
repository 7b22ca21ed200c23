import type { DispatchDeps } from '../nodes/CustomerMessaging/delivery/dispatchOptions';
import { CircuitBreaker } from '../nodes/CustomerMessaging/outage/circuitBreaker';

/** What `dispatch` needs to know of a service that answers each question. */
export function workingService<T>(): Pick<DispatchDeps<T>, 'breaker' | 'ask' | 'writeTime'> {
	return {
		breaker: new CircuitBreaker(),
		ask: async () => ({
			reply: { kind: 'answer', statusCode: 400, body: null },
			feedback: { kind: 'unanswered' },
		}),
		writeTime: String,
	};
}
