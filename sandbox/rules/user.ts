import type { Problem } from '../terms';
import { isObject } from '../terms';
import { object, text } from './checks';
import { problemsOfRows, refusedUser } from './rows';
import { bodyCheck } from './ruleset';

const person = bodyCheck({
	fields: { userID: text, user_attributes: object },
	required: ['userID'],
});

const attributes = bodyCheck({
	fields: { name: text, email: text, mobile: text },
	required: [],
});

/**
 * Spec §2.1.
 * @param refusedIDs users that the service would refuse for reasons of its own
 */
export function userProblems(body: unknown, refusedIDs: ReadonlySet<string>): Problem[] {
	return problemsOfRows(body, (row) => [
		...person(row),
		...attributeProblems(row),
		...refusedUser(row, refusedIDs),
	]);
}

function attributeProblems(row: unknown): Problem[] {
	if (!isObject(row) || !isObject(row.user_attributes)) return [];
	return attributes(row.user_attributes).map(({ path, rule }) => ({
		path: `user_attributes.${path}`,
		rule,
	}));
}
