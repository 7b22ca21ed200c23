import type { Problem } from '../shared/result';
import { jsonObject } from '../fields/json';
import { type Fields, type FormParameter, toCollection, otherPeople } from '../fields/field';

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
			message: `${label} must not contain '${key}', because the node sets it. Use the field for it instead`,
		}));
}

/** Whether a key of a body is for a campaign, in any spelling. */
export function isCampaignKey(key: string): boolean {
	return key.toLowerCase().replace(/[^a-z]/g, '') === 'campaignid';
}

/** Refuses a campaign beside a single recipient: it may reach many people, and has guards of its own. */
export function refuseCampaign(extra: object = {}): Problem[] {
	return Object.keys(extra)
		.filter(isCampaignKey)
		.map((key) => ({
			field: 'extraBodyFields',
			message: `Extra Body Fields must not contain '${key}', because a campaign may reach many people. For that, use Send to User of Email or SMS, with Campaign ID under 'Recipient By'`,
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
		options: toCollection(fields),
	};
}
