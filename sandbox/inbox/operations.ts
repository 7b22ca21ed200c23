import { platforms, type MessageChannel, type Platform } from '../terms';

export type Kind = 'text' | 'integer' | 'flag' | 'segment';
type Fields = Readonly<Record<string, Kind>>;

/** Which of the node's operations sends to a path, and the fields that its form has (spec §2, §4). */
export interface NodeOperation {
	resource: MessageChannel;
	operation: string;
	platform?: Platform;
	/** The ways to name one recipient. */
	recipients: readonly string[];
	required: Fields;
	optional: Fields;
}

const message: Fields = { title: 'text', message: 'text', url: 'text' };
const appearance: Fields = {
	notification_id: 'integer',
	tag: 'text',
	image_url: 'text',
	hero_image_url: 'text',
	button_one_title: 'text',
	button_two_title: 'text',
	button_two_url: 'text',
};
const ownFields: Record<Platform, Fields> = {
	web: {},
	android: { android_id: 'text' },
	ios: { ios_ifv: 'text' },
};

const segment: Fields = { segment_id: 'segment' };
const campaign: Fields = {
	sender_name: 'text',
	campaign_name: 'text',
	serviceproviderID: 'integer',
};
const capping: Fields = { frequency_capping: 'flag', dnd: 'flag' };

const emailCampaign: Fields = {
	...campaign,
	sender_email: 'text',
	subject: 'text',
	content: 'text',
};
const emailExtras: Fields = {
	...capping,
	...{ track_open: 'flag', track_click: 'flag', track_reply: 'flag' },
	...{ reply_to: 'text', email_cc: 'text' },
};
const smsCampaign: Fields = { ...campaign, sender_mobile: 'text', message: 'text' };

/** Creates an operation of a channel of campaigns. */
const campaignOf =
	(resource: MessageChannel, required: Fields, optional: Fields) =>
	(operation: string, needsSegment: boolean, recipients: string[] = []): NodeOperation => ({
		...{ resource, operation, recipients },
		...withSegment(needsSegment, required, optional),
	});
const email = campaignOf('email', emailCampaign, emailExtras);
const sms = campaignOf('sms', smsCampaign, capping);

function withSegment(isNeeded: boolean, required: Fields, optional: Fields) {
	return isNeeded
		? { required: { ...segment, ...required }, optional }
		: { required, optional: { ...segment, ...optional } };
}

const pushTo = (platform: Platform): Array<[string, NodeOperation]> => {
	const common = {
		resource: 'push',
		platform,
		optional: { ...appearance, ...ownFields[platform] },
	} as const;
	const path = `/api/v1/${platform}`;
	return [
		[
			`${path}/send`,
			{
				...common,
				operation: 'send',
				recipients: ['user_id', 'subscription_id'],
				required: message,
			},
		],
		[
			`${path}/broadcast/all`,
			{ ...common, operation: 'broadcastAll', recipients: [], required: message },
		],
		[
			`${path}/broadcast/segment`,
			{
				...common,
				operation: 'broadcastSegment',
				recipients: [],
				required: { ...segment, ...message },
			},
		],
	];
};

const byPath = new Map<string, NodeOperation>([
	...platforms.flatMap(pushTo),
	['/api/v1/email/broadcast', email('broadcast', true)],
	['/api/v1/email/broadcast/all', email('broadcastAll', false)],
	['/api/v1/email/broadcast/segment', email('broadcastSegment', true)],
	['/api/v1/sms/broadcast/', sms('broadcast', true)],
	['/api/v1/sms/broadcast/all', sms('broadcastAll', true)],
	['/api/v1/sms/broadcast/segment', sms('broadcastSegment', true)],
]);

const emailToOne = email('send', false, ['email', 'mobile', 'user_id', 'campaign_id']);
const smsToOne = sms('send', false, ['mobile', 'user_id', 'campaign_id']);

/** Undefined if no operation has the path. The operation of `sendMessage` depends on its body. */
export function findOperation(path: string, body: object): NodeOperation | undefined {
	if (path !== '/api/v1/sendMessage') return byPath.get(path);
	return 'sender_mobile' in body && !('sender_email' in body) ? smsToOne : emailToOne;
}

/** Whether a form's field can hold a value such that the node sends just this value. */
export function canHold(kind: Kind | undefined, value: unknown): boolean {
	switch (kind) {
		case 'text':
			return typeof value === 'string' && value.trim() !== '';
		case 'integer':
		case 'segment':
			return (typeof value === 'bigint' || Number.isSafeInteger(value)) && Number(value) > 0;
		case 'flag':
			return typeof value === 'boolean';
		default:
			return false;
	}
}
