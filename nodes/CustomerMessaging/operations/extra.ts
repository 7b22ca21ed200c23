import type { Problem } from '../shared/problem';
import { jsonObject } from '../fields/json';

/** For keys that the service knows and its reference does not show. */
export const extraBodyFields = jsonObject('Extra Body Fields', { modelMayFill: false,
	placeholder: 'e.g. { "channel": "promo" }',
	description: 'A JSON object whose fields are added to the body as they are',
});

/** Keys of the extra fields that the node sets itself. */
export function clashesWith(extra: unknown, body: object): Problem[] {
	return Object.keys(extra ?? {})
		.filter((key) => Object.hasOwn(body, key))
		.map((key) => ({
			field: 'extraBodyFields',
			message: `Extra Body Fields must not hold '${key}': the node sets it. Use its own field instead`,
		}));
}
