import { quote } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import { jsonObject, parseJson } from '../fields/json';
import { type Fields, type FormParameter, toForm, otherPeople } from '../fields/field';

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

/** Whether a key of a body is for a campaign, in any spelling. */
export function isCampaignKey(key: string): boolean {
	return /^campaignids?$/i.test(key.normalize('NFKC').replace(/[^a-z]/gi, ''));
}

/** Finds a key for a campaign, however deep, also in text that is JSON itself. */
export function findCampaignKey(body: unknown): string | undefined {
	const open = [body];
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string' && /^\s*[[{]/.test(value)) open.push(parseJson(value));
		if (typeof value !== 'object' || value === null) continue;
		const found = Object.keys(value).find(isCampaignKey);
		if (found !== undefined) return found;
		for (const entry of Object.values(value)) open.push(entry);
	}
	return undefined;
}

/** Refuses a campaign beside a single recipient: it may reach many people, and has guards of its own. */
export function refuseCampaign(extra?: object): Problem[] {
	const key = findCampaignKey(extra);
	if (key === undefined) return [];
	const rule = `Extra Body Fields must not contain ${quote(key)}, because a campaign may reach many people. For that, use Send to User of Email or SMS, with Campaign ID under 'Recipient By'`;
	return [{ field: 'extraBodyFields', rule }];
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
