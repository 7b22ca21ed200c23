import type { Problem } from '../terms';
import { number, object, text, textOrInt64, textUpTo } from './checks';
import { problemsOfRows, refusedUser } from './rows';
import { bodyCheck } from './ruleset';

const maxEvents = 1_000;

// The format of the time is the account's choice, so any text or integer may be right.
const event = bodyCheck({
	fields: {
		userID: text,
		event_name: textUpTo(49),
		ltv: number,
		attributes: object,
		user_params: object,
		context: object,
		event_time: textOrInt64,
	},
	required: ['userID', 'event_name'],
});

/**
 * The reference shows no fields of events (spec §2.5). These rules are those of public descriptions
 * of an API with the same paths and headers.
 * @param refusedIDs users that the service would refuse for reasons of its own
 */
export function eventProblems(body: unknown, refusedIDs: ReadonlySet<string>): Problem[] {
	return problemsOfRows(body, (row) => [...event(row), ...refusedUser(row, refusedIDs)], maxEvents);
}
