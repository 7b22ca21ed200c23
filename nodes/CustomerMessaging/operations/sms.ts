import { harmless, userOnly } from '../fields/field';
import { smsText } from '../fields/smsText';
import { flag } from '../fields/values';
import { campaignSchedule } from '../schedule/format';
import { smsChannel, askOperation } from './askOperation';
import { campaignName, doNotDisturb, recipients, segment } from './campaign';
import { messageOperation } from './message';
import type { Resource } from './operation';

const campaign = {
	message: smsText('Message', {
		...harmless,
		placeholder: 'e.g. Your appointment is tomorrow at 10:00',
		description: 'Content of the SMS',
		hint: 'Each part is charged: up to 160 characters, or 70 with an emoji or a letter outside the SMS alphabet',
		typeOptions: { rows: 3 },
	}),
	campaign_name: campaignName,
};

const question = smsText('Message', {
	...harmless,
	placeholder: 'e.g. Will you come to your appointment tomorrow at 10:00?',
	description: 'The question. A link to the page to answer on follows as the last line.',
	typeOptions: { rows: 3 },
});

const optional = {
	dnd: doNotDisturb,
	frequency_capping: flag('Frequency Capping', {
		...userOnly,
		description: 'Whether to limit how many times an SMS is sent per day or per week',
	}),
};

const shared = {
	resource: 'sms',
	section: '4.4',
	counted: ['message'],
	sender: 'sms',
	schedule: campaignSchedule,
} as const;

const broadcast = {
	...shared,
	audience: 'segment',
	required: { segment_id: segment, ...campaign },
	optional,
} as const;

export const sms: Resource = {
	value: 'sms',
	name: 'SMS',
	target: { host: 'mailUrl', api: 'sms' },
	operations: [
		messageOperation({
			...broadcast,
			value: 'broadcast',
			name: 'Broadcast Campaign',
			action: 'Broadcast SMS campaign',
			description: 'Send an SMS campaign through the general campaign endpoint',
			// In spec §4.4, this is the only path with a trailing slash.
			path: '/api/v1/sms/broadcast/',
		}),
		messageOperation({
			...broadcast,
			value: 'broadcastAll',
			name: 'Broadcast to Everyone',
			action: 'Broadcast SMS to everyone',
			description: 'Send an SMS campaign to all users',
			path: '/api/v1/sms/broadcast/all',
			audience: 'everyone',
		}),
		messageOperation({
			...broadcast,
			value: 'broadcastSegment',
			name: 'Broadcast to Segment',
			action: 'Broadcast SMS to segment',
			description: 'Send an SMS campaign to the users of one segment',
			path: '/api/v1/sms/broadcast/segment',
		}),
		askOperation({
			...shared,
			action: 'Send SMS and wait for response',
			path: '/api/v1/sendMessage',
			recipients,
			channel: smsChannel,
			required: { message: question, campaign_name: campaignName },
		}),
		messageOperation({
			...shared,
			value: 'send',
			name: 'Send to User',
			action: 'Send SMS to user',
			description: 'Send an SMS to one person',
			path: '/api/v1/sendMessage',
			recipients,
			required: campaign,
			optional: { ...optional, segment_id: segment },
		}),
	],
};
