import type { LargeInteger } from '../shared/exactJson';
import { oneLine } from '../shared/formatting';
import { prepared } from './convert';
import { type Field, unwrapLocator } from './field';
import { exactInteger } from './values';

/** For whoever looks for the ID of a segment. */
export const segmentIdSource = 'Ask support for the ID.';

/** `Newsletter (ID 7)`, or only the ID if the credential has no name for it. */
export function nameSegment(id: string, name: string | undefined): string {
	return name === undefined ? id : `${oneLine(name, 60)} (ID ${id})`;
}

/** A segment, chosen by name from those in the credential or entered as an ID. A plain number works too. */
export function segment(displayName: string, description: string): Field<number | LargeInteger> {
	return {
		form: {
			displayName,
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			description: `${description}. ${segmentIdSource}`,
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'e.g. VIP customers',
					hint: 'The names come from Segments in the credential',
					// The function under the node's `methods.listSearch`.
					typeOptions: { searchListMethod: 'searchSegments', searchable: true },
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. 42',
					validation: [
						{
							type: 'regex',
							properties: {
								regex: '^\\s*[1-9][0-9]*\\s*$',
								errorMessage: 'Enter a whole number, 1 or more',
							},
						},
					],
				},
			],
		},
		reaches: 'fewer',
		modelMayFill: false,
		dependsOnAccount: true,
		rule: 'A segment from the list, or a whole number (1 or more)',
		schema: prepared(unwrapLocator, exactInteger(displayName)),
	};
}
