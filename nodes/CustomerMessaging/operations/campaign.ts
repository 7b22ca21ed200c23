import { harmless, userOnly, onePerson } from '../fields/field';
import { mobile } from '../fields/mobile';
import { segment as segmentField } from '../fields/segment';
import { identifier, key, line } from '../fields/text';
import { flag } from '../fields/values';

/** Fields that email and SMS campaigns share (spec §2.3 and §2.4). */

export const campaignName = line('Campaign Name', {
	...harmless,
	placeholder: 'e.g. Spring sale',
	description: 'Name of the campaign',
});

export const segment = segmentField('Segment', 'The segment that the users belong to');

export const doNotDisturb = flag('Do Not Disturb', {
	...userOnly,
	description: "Whether to respect the account's do-not-disturb periods",
});

/** The fields that can identify the recipient (spec §4.3 and §4.4), by the API's keys. */
export const recipients = {
	mobile: mobile('Mobile', { ...onePerson, description: 'Mobile number of the recipient' }),
	user_id: key('User ID', {
		...onePerson,
		placeholder: 'e.g. user-1001',
		description: 'Your own customer ID',
	}),
	// The reference does not say how many people a campaign ID reaches.
	campaign_id: identifier('Campaign ID', {
		reaches: 'audience',
		modelMayFill: false,
		placeholder: 'e.g. 5501',
		description: 'Identifier of the campaign whose recipient gets the message',
	}),
};
