import { flag, int64, text, textOrInt64 } from './checks';
import { bodyCheck } from './ruleset';

// Spec §2.3. The names in the table count, not those in the request examples.
const campaign = {
	fields: {
		sender_name: text,
		sender_email: text,
		subject: text,
		campaign_name: text,
		content: text,
		serviceproviderID: int64,
		segment_id: int64,
		schedule_date: int64,
		schedule_time: int64,
		track_open: flag,
		track_click: flag,
		track_reply: flag,
		reply_to: text,
		email_cc: text,
		frequency_capping: flag,
		dnd: flag,
	},
	required: [
		'sender_name',
		'sender_email',
		'subject',
		'campaign_name',
		'content',
		'serviceproviderID',
		'schedule_date',
		'schedule_time',
	],
	refused: { 'service provider_id': 'is called serviceproviderID' },
};

const recipient = { email: text, mobile: text, user_id: text, campaign_id: textOrInt64 };
const toSegment = bodyCheck({ ...campaign, required: [...campaign.required, 'segment_id'] });

/** Spec §4.3. A segment is required for broadcasts to segments, not for one user or for all. */
export const emailChecks = {
	send: bodyCheck({
		...campaign,
		fields: { ...campaign.fields, ...recipient },
		oneOf: Object.keys(recipient),
	}),
	broadcast: toSegment,
	broadcastAll: bodyCheck(campaign),
	broadcastSegment: toSegment,
};
