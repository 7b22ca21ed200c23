import { harmless, userOnly } from '../fields/field';
import { smsText } from '../fields/smsText';
import { flag } from '../fields/values';
import { smsChannel } from './askOperation';
import { campaignName, campaignResource, doNotDisturb, recipients } from './campaign';

const content = {
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

export const sms = campaignResource({
	resource: 'sms',
	name: 'SMS',
	noun: 'SMS',
	section: '4.4',
	counted: ['message'],
	content,
	optional,
	recipients,
	question: { message: question, campaign_name: campaignName },
	channel: smsChannel,
	// In spec §4.4, this is the only path with a trailing slash.
	broadcastPath: '/api/v1/sms/broadcast/',
	everyoneNeedsSegment: true,
});
