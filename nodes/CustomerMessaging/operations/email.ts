import { harmless, userOnly, onePerson, otherPeople } from '../fields/field';
import { email as address, emailList } from '../fields/email';
import { line, text } from '../fields/text';
import { flag } from '../fields/values';
import { campaignSchedule } from '../schedule/format';
import { emailChannel, askOperation } from './askOperation';
import { campaignName, doNotDisturb, recipients, segment } from './campaign';
import { messageOperation } from './message';
import type { Resource } from './operation';

const campaign = {
	subject: line('Subject', {
		...harmless,
		placeholder: 'e.g. Our spring sale begins',
		description: 'Subject of the email',
	}),
	content: text('Content', {
		...harmless,
		placeholder: 'e.g. <h1>Spring sale</h1>',
		description: 'Content of the email, as text or HTML',
		typeOptions: { rows: 8 },
	}),
	campaign_name: campaignName,
};

const question = text('Message', {
	...harmless,
	placeholder: 'e.g. May the spring campaign go out to 5,000 customers?',
	description:
		'The question, as text. The email shows it above a button that opens the page to answer on.',
	typeOptions: { rows: 4 },
});

/** The fields that can identify the recipient. */
const emailRecipients = {
	email: address('Email', { ...onePerson, description: 'Email address of the recipient' }),
	...recipients,
};

const optional = {
	dnd: doNotDisturb,
	email_cc: emailList('CC Email', {
		...otherPeople,
		placeholder: 'e.g. anna@example.com, ben@example.com',
		description: 'Other recipients, separated by commas',
	}),
	frequency_capping: flag('Frequency Capping', {
		...userOnly,
		description: 'Whether to limit how many times the email is sent to users',
	}),
	reply_to: address('Reply To', { ...userOnly, description: 'Address to which responses go' }),
	track_click: flag('Track Clicks', {
		...userOnly,
		description: 'Whether to track clicks in the email',
	}),
	track_open: flag('Track Opens', {
		...userOnly,
		description: 'Whether to track when the email is opened',
	}),
	track_reply: flag('Track Replies', { ...userOnly, description: 'Whether to track replies' }),
};

const shared = {
	resource: 'email',
	section: '4.3',
	counted: ['subject'],
	sender: 'email',
	schedule: campaignSchedule,
} as const;

const broadcast = {
	...shared,
	audience: 'segment',
	required: { segment_id: segment, ...campaign },
	optional,
} as const;

export const email: Resource = {
	value: 'email',
	name: 'Email',
	target: { host: 'mailUrl', api: 'email' },
	operations: [
		messageOperation({
			...broadcast,
			value: 'broadcast',
			name: 'Broadcast Campaign',
			action: 'Broadcast email campaign',
			description: 'Send an email campaign through the general campaign endpoint',
			path: '/api/v1/email/broadcast',
		}),
		messageOperation({
			...shared,
			value: 'broadcastAll',
			name: 'Broadcast to Everyone',
			action: 'Broadcast email to everyone',
			description: 'Send an email campaign to all users',
			path: '/api/v1/email/broadcast/all',
			audience: 'everyone',
			required: campaign,
			optional: { ...optional, segment_id: segment },
		}),
		messageOperation({
			...broadcast,
			value: 'broadcastSegment',
			name: 'Broadcast to Segment',
			action: 'Broadcast email to segment',
			description: 'Send an email campaign to the users of one segment',
			path: '/api/v1/email/broadcast/segment',
		}),
		askOperation({
			...shared,
			action: 'Send email and wait for response',
			path: '/api/v1/sendMessage',
			recipients: emailRecipients,
			channel: emailChannel,
			required: {
				subject: campaign.subject,
				message: question,
				campaign_name: campaignName,
			},
		}),
		messageOperation({
			...shared,
			value: 'send',
			name: 'Send to User',
			action: 'Send email to user',
			description: 'Send an email to one person',
			path: '/api/v1/sendMessage',
			recipients: emailRecipients,
			required: campaign,
			optional: { ...optional, segment_id: segment },
		}),
	],
};
