import { type Fields, type FormParameter, toForm, otherPeople } from '../fields/field';
import { jsonObject } from '../fields/json';
import type { Problem } from '../shared/ending';

/** For keys that the service accepts but its reference does not mention. */
export const extraBodyFields = jsonObject('Extra Body Fields', {
	...otherPeople,
	placeholder: 'e.g. { "channel": "promo" }',
	description: 'A JSON object whose fields are added to the body as they are',
});

/** Refuses keys of an additional object that the node sets itself. */
export function clashesWith(
	extra: unknown,
	body: object,
	{ field, label } = { field: 'extraBodyFields', label: 'Extra Body Fields' },
): Problem[] {
	return Object.keys(extra ?? {})
		.filter((key) => Object.hasOwn(body, key))
		.map((key) => ({
			field,
			rule: `${label} must not contain '${key}', because the node sets it. Use the field for it instead`,
		}));
}

/** Returns the form's collection of optional fields. */
export function additionalFields(fields: Fields): FormParameter {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		...otherPeople,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: toForm(fields),
	};
}
