import { type Fields, type FormParameter, toCollection } from '../fields/field';

/** Returns the form's collection of optional fields. */
export function additionalFields(fields: Fields): FormParameter {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		reaches: 'others',
		modelMayFill: false,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: toCollection(fields),
	};
}
