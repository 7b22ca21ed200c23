import { type Fields, type FormParameter, toCollection } from '../fields/field';

/** The collection of fields that may be left out. */
export function additionalFields(fields: Fields): FormParameter {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		modelMayFill: false,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: toCollection(fields),
	};
}
