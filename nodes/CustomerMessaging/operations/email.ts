import { email as address, emailList } from '../fields/email';
import { line, text } from '../fields/text';
import { flag } from '../fields/values';
import { campaignSchedule } from '../schedule/format';
import { campaignName, doNotDisturb, recipients, segment } from './campaign';
import { messageOperation } from './message';
import type { Resource } from './operation';

const campaign = {
	subject: line('Subject', {
		modelMayFill: true,
		placeholder: 'e.g. Our spring sale begins',
		description: 'Subject of the email',
	}),
	campaign_name: campaignName,
	content: text('Content', {
		modelMayFill: true,
		placeholder: 'e.g. <h1>Spring sale</h1>',
		description: 'Content of the email, as text or HTML',
		typeOptions: { rows: 8 },
	}),
};

const optional = {
	dnd: doNotDisturb,
	email_cc: emailList('CC Email', {
		modelMayFill: false,
		placeholder: 'e.g. anna@example.com, ben@example.com',
		description: 'Other recipients, separated by commas',
	}),
	frequency_capping: flag('Frequency Capping', {
		modelMayFill: true,
		description: 'Whether to limit how many times the email is sent to users',
	}),
	reply_to: address('Reply To', {
		modelMayFill: true,
		description: 'Address to which responses go',
	}),
	track_click: flag('Track Clicks', {
		modelMayFill: true,
		description: 'Whether to track clicks in the email',
	}),
	track_open: flag('Track Opens', {
		modelMayFill: true,
		description: 'Whether to track when the email is opened',
	}),
	track_reply: flag('Track Replies', {
		modelMayFill: true,
		description: 'Whether to track replies',
	}),
};

const shared = {
	resource: 'email',
	section: '4.3',
	counted: ['subject'],
	sender: 'email',
	schedule: campaignSchedule,
} as const;

export const email: Resource = {
	value: 'email',
	name: 'Email',
	target: { host: 'mailUrl', api: 'email' },
	operations: [
		messageOperation({
			...shared,
			value: 'broadcast',
			name: 'Broadcast Campaign',
			action: 'Broadcast email campaign',
			description: 'Send an email campaign through the general campaign endpoint',
			path: '/api/v1/email/broadcast',
			audience: 'segment',
			required: { segment_id: segment, ...campaign },
			optional,
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
			...shared,
			value: 'broadcastSegment',
			name: 'Broadcast to Segment',
			action: 'Broadcast email to segment',
			description: 'Send an email campaign to the users of one segment',
			path: '/api/v1/email/broadcast/segment',
			audience: 'segment',
			required: { segment_id: segment, ...campaign },
			optional,
		}),
		messageOperation({
			...shared,
			value: 'send',
			name: 'Send to User',
			action: 'Send email to user',
			description: 'Send an email to one person',
			path: '/api/v1/sendMessage',
			recipients: {
				email: address('Email', {
					modelMayFill: true,
					description: 'Email address of the recipient',
				}),
				...recipients,
			},
			required: campaign,
			optional: { ...optional, segment_id: segment },
		}),
	],
};
