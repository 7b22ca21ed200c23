import { harmless, userOnly, onePerson, otherPeople } from '../fields/field';
import { email as address, emailList } from '../fields/email';
import { emailType, textAsHtml } from '../fields/emailType';
import { line, text } from '../fields/text';
import { flag } from '../fields/values';
import { emailChannel } from './askOperation';
import { campaignChannel, campaignName, doNotDisturb, recipients } from './campaign';
import { makeSender } from './sender';

const content = {
	subject: line('Subject', {
		...harmless,
		placeholder: 'e.g. Our spring sale begins',
		description: 'Subject of the email',
	}),
	content: text('Content', {
		...harmless,
		placeholder: 'e.g. <h1>Spring sale</h1>',
		description: 'Content of the email',
		typeOptions: { rows: 10 },
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
		convert: { html: (content) => content, text: textAsHtml },
	},
	optional,
	recipients: {
		email: address('Email', { ...onePerson, description: 'Email address of the recipient' }),
		...recipients,
	},
	question: { subject: content.subject, message: question, campaign_name: campaignName },
	ask: emailChannel,
	sendPath: '/api/v1/sendMessage',
	broadcastPath: '/api/v1/email/broadcast',
	everyoneNeedsSegment: false,
});
