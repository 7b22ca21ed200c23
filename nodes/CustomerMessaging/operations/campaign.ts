import { type Fields, harmless, onePerson, userOnly } from '../fields/field';
import { mobile, numberWithCountry } from '../fields/mobile';
import { segment } from '../fields/segment';
import { identifier, line } from '../fields/text';
import { flag } from '../fields/values';
import { campaignSchedule } from '../schedule/format';
import { askOperation } from './askOperation';
import { type MessageOperation, messageOperation } from './message';
import type { Channel } from './operation';
import { userID } from './user';

// Shared by channels for campaigns (spec §2.3, §2.4, §4.3 and §4.4).

const campaignName = (example: string) => ({
	campaign_name: line('Campaign Name', {
		...harmless,
		placeholder: `e.g. ${example}`,
		description: 'Name under which your account reports it',
	}),
});

/** For messages to one person, including questions. `nameOfMany` is for messages to many. */
const nameOfOne = campaignName('Order confirmation');
const nameOfMany = campaignName('Spring sale 2027');

export const doNotDisturb = flag('Do Not Disturb', {
	...userOnly,
	description: "Whether to respect the account's do-not-disturb periods",
});

/** The fields that can identify the recipient (spec §4.3 and §4.4), by the API's keys. */
export const recipients = {
	mobile: mobile('Mobile', { ...onePerson, description: numberWithCountry }),
	user_id: userID,
	// The reference does not say how many people a campaign ID reaches.
	campaign_id: identifier('Campaign ID', {
		reaches: 'audience',
		modelMayFill: false,
		placeholder: 'e.g. 5501',
		description: 'Identifier of the campaign whose recipient gets the message',
	}),
};

/** The differences between channels for campaigns. */
interface Campaign
	extends
		Omit<Channel, 'target' | 'operations' | 'defaultOperation'>,
		Pick<MessageOperation, 'section' | 'counted' | 'inParts' | 'entered'>,
		Required<Pick<MessageOperation, 'ask' | 'recipients'>> {
	/** Returns the optional fields, with Segment in its place among them. */
	optional: (segment: Fields) => Fields;
	/** Name of one message in a sentence, with its article: `an email`. */
	one: string;
	/** Returns the fields for the content, with examples for one person or for many. */
	content: (forMany: boolean) => Fields;
	/** The fields for the content of a question. */
	question: Fields;
	/** The path for a message to one person. */
	sendPath: string;
	/** The path of the general campaign endpoint. */
	broadcastPath: string;
	/** True if even a message to everyone must name a segment. */
	everyoneNeedsSegment: boolean;
}

/** Creates a channel for campaigns. */
export function campaignChannel({ one, ask, question, content, ...campaign }: Campaign): Channel {
	const { value, sender, section, counted, inParts, recipients, entered } = campaign;
	const noun = one.replace(/^an? /, '');
	const shared = { section, counted, inParts, sender, schedule: campaignSchedule };
	const toMany = { ...content(true), ...nameOfMany };
	const withSegment = { optional: campaign.optional({ segment_id: segment }), entered };
	const inSegment = {
		required: { segment_id: segment, ...toMany },
		optional: campaign.optional({}),
		entered,
	};
	return {
		...campaign,
		target: { host: 'mailUrl', api: value },
		defaultOperation: 'send',
		operations: [
			messageOperation({
				...shared,
				...inSegment,
				value: 'broadcast',
				name: 'Broadcast Campaign',
				action: `Broadcast ${noun} campaign`,
				description: `Send ${one} campaign through the general campaign endpoint`,
				path: campaign.broadcastPath,
				audience: 'segment',
			}),
			messageOperation({
				...shared,
				...(campaign.everyoneNeedsSegment ? inSegment : { required: toMany, ...withSegment }),
				value: 'broadcastAll',
				name: 'Broadcast to Everyone',
				action: `Broadcast ${noun} to everyone`,
				description: `Send ${one} campaign to all users`,
				path: `/api/v1/${value}/broadcast/all`,
				audience: 'everyone',
			}),
			messageOperation({
				...shared,
				...inSegment,
				value: 'broadcastSegment',
				name: 'Broadcast to Segment',
				action: `Broadcast ${noun} to segment`,
				description: `Send ${one} campaign to the users of one segment`,
				path: `/api/v1/${value}/broadcast/segment`,
				audience: 'segment',
			}),
			askOperation({
				...shared,
				action: `Send ${noun} and wait for response`,
				path: campaign.sendPath,
				recipients,
				ask,
				required: { ...question, ...nameOfOne },
			}),
			messageOperation({
				...shared,
				...withSegment,
				required: { ...content(false), ...nameOfOne },
				value: 'send',
				name: 'Send to User',
				action: `Send ${noun} to user`,
				description: `Send ${one} to one person`,
				path: campaign.sendPath,
				recipients,
			}),
		],
	};
}
