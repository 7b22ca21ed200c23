import type { Sign } from '../outage/circuitBreaker';
import type { Reply } from '../shared/reply';
import { judge } from './retryPolicy';

/** Refusals of an account or an address, and not of a request's content. */
const ACCOUNT_REFUSALS = new Set([401, 403, 404, 405, 407]);

/** What the reply to a message says about the service. Retries are not its concern. */
export function readSign(reply: Reply): Sign {
	const verdict = judge(reply, Infinity, { retryUnknown: false });
	if (verdict.next !== 'end') return 'nothing';
	const { ending } = verdict;
	switch (ending.outcome) {
		case 'accepted':
			return 'works';
		case 'unknown':
			return 'fails';
		case 'rejected': {
			const { statusCode } = ending;
			return statusCode < 400 || ACCOUNT_REFUSALS.has(statusCode) ? 'refuses' : 'works';
		}
		case 'notSent':
			return ending.reason === 'noConnection' ? 'fails' : 'nothing';
	}
}

/** What the reply to the question says. A service that counts requests against the limit is back. */
export function readQuestionSign(reply: Reply): Sign {
	if (reply.kind === 'answer' && reply.statusCode === 429) return 'works';
	const sign = readSign(reply);
	return sign === 'nothing' ? 'fails' : sign;
}
