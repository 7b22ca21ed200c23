import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../terms';

export function headerProblems(headers: IncomingHttpHeaders): Problem[] {
	const problems: Problem[] = [];
	if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
		problems.push({ path: 'content-type', rule: 'must be application/json' });
	}
	// Required together with brand and key (spec §5.1), but not with a token (§5.2).
	if (headers['x-api-key'] !== undefined && !/application\/json/i.test(headers.accept ?? '')) {
		problems.push({ path: 'accept', rule: 'must be application/json' });
	}
	return problems;
}
