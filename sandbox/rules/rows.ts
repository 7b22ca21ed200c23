import type { Problem } from '../terms';
import { isObject } from '../terms';

/** Keeps a long list of wrong rows from using up the memory. */
const maxProblems = 1000;

/**
 * The problems of a body whose rows are in the list `nv`, each with its place. An empty list is
 * refused, because it asks for nothing.
 */
export function problemsOfRows(
	body: unknown,
	problemsOf: (row: unknown) => Problem[],
	maxRows = Infinity,
): Problem[] {
	if (!isObject(body)) return [{ path: '', rule: 'must be a JSON object' }];
	if (!Array.isArray(body.nv)) return [{ path: 'nv', rule: 'must be an array' }];
	if (body.nv.length === 0) return [{ path: 'nv', rule: 'must not be empty' }];
	if (body.nv.length > maxRows) {
		return [{ path: 'nv', rule: `must have at most ${maxRows.toLocaleString('en')} elements` }];
	}
	const problems: Problem[] = [];
	for (const [index, row] of body.nv.entries()) {
		for (const { path, rule } of problemsOf(row)) {
			problems.push({ path: path === '' ? `nv[${index}]` : `nv[${index}].${path}`, rule });
		}
		if (problems.length >= maxProblems) break;
	}
	return problems;
}

/** The problem of a row whose user the service refuses. */
export function refusedUser(row: unknown, refusedIDs: ReadonlySet<string>): Problem[] {
	return isObject(row) && typeof row.userID === 'string' && refusedIDs.has(row.userID)
		? [{ path: 'userID', rule: 'is refused by the service' }]
		: [];
}
