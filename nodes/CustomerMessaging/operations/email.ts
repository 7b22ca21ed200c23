import { type Fields, harmless, userOnly, onePerson, otherPeople } from '../fields/field';
import { questionEmail } from '../ask/page';
import { email as address, emailList, emailType, textAsHtml } from '../fields/emailAddress';
import { line, text } from '../fields/text';
import { flag } from '../fields/values';
import { campaignChannel, doNotDisturb, recipients } from './campaign';
import { makeSender } from './sender';

const subjectSaying = (example: string) =>
	line('Subject', {
		...harmless,
		placeholder: `e.g. ${example}`,
		description: 'Subject line',
	});

const content = (forMany: boolean) => ({
	subject: subjectSaying(forMany ? 'Spring sale starts today' : 'Your invoice'),
	content: text('Content', {
		...harmless,
		placeholder: `e.g. <p>${forMany ? '20 % off until Sunday' : 'Hello Anna'}</p>`,
		description: 'Body of the email',
		typeOptions: { rows: 10 },
	}),
});

const question = text('Message', {
	...harmless,
	placeholder: 'e.g. May the campaign go out?',
	description: 'Text of the email, above the button',
	typeOptions: { rows: 4 },
});

const optional = (segment: Fields) => ({
	reply_to: address('Reply To', { ...userOnly, description: 'Address to which responses go' }),
	email_cc: emailList('CC Email', {
		...otherPeople,
		placeholder: 'e.g. anna@example.com, ben@example.com',
		description: 'Other recipients, separated by commas',
	}),
	...segment,
	track_open: flag('Track Opens', {
		...userOnly,
		description: 'Whether to track when the email is opened',
	}),
	track_click: flag('Track Clicks', {
		...userOnly,
		description: 'Whether to track clicks in the email',
	}),
	track_reply: flag('Track Replies', { ...userOnly, description: 'Whether to track replies' }),
	dnd: doNotDisturb,
	frequency_capping: flag('Frequency Capping', {
		...userOnly,
		description: 'Whether to limit how many times the email is sent to users',
	}),
});

export const email = campaignChannel({
	value: 'email',
	name: 'Email',
	one: 'an email',
	look: 'mail',
	sender: makeSender('email', 'Email', ['sender_name', 'sender_email', 'serviceproviderID']),
	testRecipient: {
		name: 'testEmail',
		key: 'email',
		displayName: 'Test Email',
		placeholder: 'e.g. you@example.com',
		description: 'Address that receives test emails',
	},
	section: '4.3',
	counted: ['subject'],
	content,
	entered: {
		field: 'content',
		form: emailType,
		convert: new Map([
			['html', (content: string) => content],
			['text', textAsHtml],
		]),
	},
	optional,
	recipients: {
		email: address('Email', { ...onePerson, description: 'Email address of the recipient' }),
		...recipients,
	},
	question: { subject: subjectSaying('Your decision by 17:00'), message: question },
	// The address follows the button, for programs that show no buttons.
	ask: {
		title: 'subject',
		hasButton: true,
		write: ({ message, ...rest }, link, buttonLabel) => ({
			...rest,
			content: questionEmail(String(message), link, buttonLabel),
		}),
	},
	sendPath: '/api/v1/sendMessage',
	broadcastPath: '/api/v1/email/broadcast',
	everyoneNeedsSegment: false,
});
