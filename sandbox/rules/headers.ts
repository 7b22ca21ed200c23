import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../terms';

export function headerProblems(headers: IncomingHttpHeaders): Problem[] {
	const problems: Problem[] = [];
	if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
		problems.push({ path: 'content-type', rule: 'must be application/json' });
	}
	// Spec §5.1 asks for it beside brand and key; §5.2 doesn't beside a token.
	if (headers['x-api-key'] !== undefined && !/application\/json/i.test(headers.accept ?? '')) {
		problems.push({ path: 'accept', rule: 'must be application/json' });
	}
	return problems;
}
