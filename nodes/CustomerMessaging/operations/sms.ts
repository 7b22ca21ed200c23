import { type Fields, harmless, userOnly } from '../fields/field';
import { smsParts } from '../fields/smsParts';
import { smsText } from '../fields/text';
import { flag } from '../fields/values';
import { counted, say } from '../shared/formatting';
import { campaignChannel, doNotDisturb, recipients } from './campaign';
import { makeSender } from './sender';

const content = (forMany: boolean) => ({
	message: smsText('Message', {
		...harmless,
		placeholder: `e.g. ${forMany ? '20 % off until Sunday' : 'Your appointment is tomorrow'}`,
		description: 'Text of the SMS',
		hint: 'Each part costs: 160 characters, 70 with emoji',
		typeOptions: { rows: 3 },
	}),
});

const question = smsText('Message', {
	...harmless,
	placeholder: 'e.g. Will you come tomorrow at 10:00?',
	description: 'Text of the SMS. The link follows as its last line.',
	typeOptions: { rows: 3 },
});

const optional = (segment: Fields) => ({
	...segment,
	dnd: doNotDisturb,
	frequency_capping: flag('Frequency Capping', {
		...userOnly,
		description: 'Whether to limit how many times an SMS is sent per day or per week',
	}),
});

/** Many networks refuse a longer SMS. */
const MAX_PARTS = 10;

export const sms = campaignChannel({
	value: 'sms',
	name: 'SMS',
	one: 'an SMS',
	look: 'text',
	inParts: 'message',
	sender: makeSender('sms', 'SMS', ['sender_name', 'sender_mobile', 'serviceproviderID']),
	testRecipient: {
		name: 'testMobile',
		key: 'mobile',
		displayName: 'Test Mobile',
		placeholder: 'e.g. +4915112345678',
		description: 'Mobile number that receives test SMS, with country code',
	},
	section: '4.4',
	counted: ['message'],
	content,
	optional,
	recipients,
	question: { message: question },
	// An SMS has no title, so the page shows the campaign's name.
	ask: {
		title: 'campaign_name',
		write: ({ message, ...rest }, link) => ({ ...rest, message: `${String(message)}\n${link}` }),
		check({ message }) {
			const { parts } = smsParts(String(message)) ?? {};
			if (parts !== undefined && parts <= MAX_PARTS) return [];
			const length = parts === undefined ? 'too long' : `${parts} parts long`;
			const sentence = say`With the link, the SMS is ${counted(length)}, but at most ${MAX_PARTS} parts can be sent. Shorten Message`;
			return [{ field: 'message', ...sentence }];
		},
	},
	sendPath: '/api/v1/sendMessage',
	// In spec §4.4, this is the only path with a trailing slash.
	broadcastPath: '/api/v1/sms/broadcast/',
	everyoneNeedsSegment: true,
});
