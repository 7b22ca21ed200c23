import type { Problem } from '../terms';
import { isObject } from '../terms';
import { text } from './checks';
import { problemsOfRows } from './rows';
import { bodyCheck } from './ruleset';

const person = bodyCheck({
	fields: {
		userID: text,
		user_attributes: (value) => (isObject(value) ? undefined : 'must be an object'),
	},
	required: ['userID'],
});

const attributes = bodyCheck({
	fields: { name: text, email: text, mobile: text },
	required: [],
});

/**
 * Spec §2.1. An empty list is refused: it asks for nothing.
 * @param refusedIDs users that the service would refuse for reasons of its own
 */
export function userProblems(body: unknown, refusedIDs: ReadonlySet<string>): Problem[] {
	if (!isObject(body)) return [{ path: '', rule: 'must be a JSON object' }];
	if (!Array.isArray(body.nv)) return [{ path: 'nv', rule: 'must be an array' }];
	if (body.nv.length === 0) return [{ path: 'nv', rule: 'must not be empty' }];

	return problemsOfRows(body.nv, (row) => rowProblems(row, refusedIDs));
}

function rowProblems(row: unknown, refusedIDs: ReadonlySet<string>): Problem[] {
	const problems = person(row);
	if (!isObject(row)) return problems;
	if (isObject(row.user_attributes)) {
		for (const { path, rule } of attributes(row.user_attributes)) {
			problems.push({ path: `user_attributes.${path}`, rule });
		}
	}
	if (typeof row.userID === 'string' && refusedIDs.has(row.userID)) {
		problems.push({ path: 'userID', rule: 'is refused by the service' });
	}
	return problems;
}
