import { flag, int64, text, textOrInt64, type Check } from './checks';
import { bodyCheck } from './ruleset';

// Spec §2.4. The names in the table count, not those in the request examples.
const campaign = {
	fields: {
		sender_name: text,
		campaign_name: text,
		sender_mobile: text,
		message: text,
		serviceproviderID: int64,
		segment_id: int64,
		schedule_date: int64,
		schedule_time: int64,
		frequency_capping: flag,
		dnd: flag,
	},
	required: [
		'sender_name',
		'campaign_name',
		'sender_mobile',
		'message',
		'serviceproviderID',
		'schedule_date',
		'schedule_time',
	],
	refused: { 'service provider_id': 'is called serviceproviderID' },
};

const recipient = { mobile: text, user_id: text, campaign_id: textOrInt64 };

/** Those of SMS, and of channels with more fields. Spec §4.4 names a segment ID for `broadcast/all` too. */
export function campaignChecks(more: Record<string, Check> = {}) {
	const own = { ...campaign, fields: { ...campaign.fields, ...more } };
	const toSegment = bodyCheck({ ...own, required: [...campaign.required, 'segment_id'] });
	return {
		send: bodyCheck({
			...own,
			fields: { ...own.fields, ...recipient },
			oneOf: Object.keys(recipient),
		}),
		broadcast: toSegment,
		broadcastAll: toSegment,
		broadcastSegment: toSegment,
	};
}

export const smsChecks = campaignChecks();
