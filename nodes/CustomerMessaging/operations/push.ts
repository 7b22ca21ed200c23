import { harmless, onePerson, otherPeople } from '../fields/field';
import { httpsLink, link } from '../fields/link';
import { segment } from '../fields/segment';
import { firstCharacters, key, line, text } from '../fields/text';
import { int64 } from '../fields/values';
import { pushSchedule } from '../schedule/format';
import type { Platform } from '../shared/delivery';
import { askOperation } from './askOperation';
import { messageOperation } from './message';
import type { Channel } from './operation';
import { userID } from './user';

/** Shown if the platform is chosen, or if an expression chooses the platforms. */
const onlyWith = (platform: Platform) => ({
	displayOptions: { show: { '/platforms': [platform, { _cnd: { regex: '^=' } }] } },
});

const chromeOnly = {
	...harmless,
	...onlyWith('web'),
	hint: 'Shown to Chrome subscribers only',
};

/** Spec §2.2 and §8, which give no number for web. */
const limits = { on: ['android', 'ios'], maxLength: { title: 70, message: 130 } } as const;

const limitHint = (field: keyof typeof limits.maxLength) =>
	`Up to ${limits.maxLength[field]} characters on Android and iOS`;

const titleSaying = (example: string) =>
	text('Title', {
		...harmless,
		placeholder: `e.g. ${example}`,
		description: 'Headline of the notification',
		hint: limitHint('title'),
	});

const contentSaying = (title: string, message: string) => ({
	title: titleSaying(title),
	message: text('Message', {
		...harmless,
		placeholder: `e.g. ${message}`,
		description: 'Text of the notification',
		hint: limitHint('message'),
		typeOptions: { rows: 3 },
	}),
	url: link('URL', { ...harmless, description: 'Page that a tap on the notification opens' }),
});

const toPerson = contentSaying('Your order is on its way', 'It arrives tomorrow');
const toMany = contentSaying('Spring sale starts today', '20 % off until Sunday');

const question = text('Message', {
	...harmless,
	placeholder: 'e.g. May the campaign go out?',
	description: 'Text of the notification',
	hint: 'The page shows all of it',
	typeOptions: { rows: 4 },
});

/** The fields that can identify the recipient. */
const recipients = {
	user_id: userID,
	subscription_id: key('Subscription ID', {
		...onePerson,
		placeholder: 'e.g. sub-1001',
		description: 'One browser or device. Ask whoever made your website or app for it.',
	}),
};

/** In a broadcast, a tag may narrow the audience (spec §2.2), but not in a message to a single user. */
const tag = (reaches: 'fewer' | 'others') =>
	line('Tag', {
		reaches,
		modelMayFill: false,
		placeholder: 'e.g. newsletter',
		description: 'Tag assigned to users, used to segment them',
	});

const optional = {
	image_url: httpsLink('Image URL', {
		...harmless,
		placeholder: 'e.g. https://example.com/image.png',
		description: 'Image on all platforms, an HTTPS link',
	}),
	hero_image_url: httpsLink('Hero Image URL', {
		...chromeOnly,
		placeholder: 'e.g. https://example.com/hero.png',
		description: 'Large image, an HTTPS link',
	}),
	button_one_title: line('Button One Title', {
		...chromeOnly,
		placeholder: 'e.g. Learn more',
		description: 'First button. The API has no link for it.',
	}),
	button_two_title: line('Button Two Title', {
		...chromeOnly,
		placeholder: 'e.g. Contact us',
		description: 'Text on the second button',
	}),
	button_two_url: link('Button Two URL', {
		...chromeOnly,
		description: 'Where the second button leads',
	}),
	tag: tag('fewer'),
	notification_id: int64('Notification ID', {
		...harmless,
		placeholder: 'e.g. 1001',
		description: 'Identifier assigned to the notification, a whole number',
	}),
	android_id: key('Android ID', {
		...otherPeople,
		...onlyWith('android'),
		placeholder: 'e.g. 9774d56d682e549c',
		description: "Identifier of the user's Android device. Sent to Android only.",
	}),
	ios_ifv: key('iOS Identifier for Vendor', {
		...otherPeople,
		...onlyWith('ios'),
		placeholder: 'e.g. 6D92078A-8246-4BA4-AE5B-76104861E7DC',
		description: 'The iOS device from which the user subscribed. Sent to iOS only.',
	}),
};

const shared = {
	section: '4.2',
	counted: ['title', 'message'],
	limits,
	onlyOn: { android_id: 'android', ios_ifv: 'ios' },
	schedule: pushSchedule,
	optional,
} as const;

export const push: Channel = {
	value: 'push',
	name: 'Push',
	target: { host: 'pushUrl', api: 'push' },
	look: 'notification',
	testRecipient: {
		name: 'testUserId',
		key: 'user_id',
		displayName: 'Test User ID',
		placeholder: 'e.g. C-1001',
		description: 'Who receives test pushes: the ID your shop or CRM uses for this person',
	},
	defaultOperation: 'send',
	operations: [
		messageOperation({
			...shared,
			value: 'broadcastAll',
			name: 'Broadcast to Everyone',
			action: 'Broadcast push to everyone',
			description: 'Send a push notification to all subscribers',
			path: '/api/v1/<platform>/broadcast/all',
			audience: 'everyone',
			required: toMany,
		}),
		messageOperation({
			...shared,
			value: 'broadcastSegment',
			name: 'Broadcast to Segment',
			action: 'Broadcast push to segment',
			description: 'Send a push notification to the subscribers of one segment',
			path: '/api/v1/<platform>/broadcast/segment',
			audience: 'segment',
			required: { segment_id: segment, ...toMany },
		}),
		askOperation({
			...shared,
			action: 'Send push and wait for response',
			path: '/api/v1/<platform>/send',
			recipients,
			// A tap on the notification opens the page.
			ask: {
				title: 'title',
				write: ({ message, ...rest }, url) => ({
					...rest,
					message: firstCharacters(String(message), limits.maxLength.message),
					url,
				}),
			},
			required: { title: titleSaying('Your decision by 17:00'), message: question },
			// A long question is cut, and the page shows all of it.
			limits: { ...limits, maxLength: { title: limits.maxLength.title } },
		}),
		messageOperation({
			...shared,
			value: 'send',
			name: 'Send to User',
			action: 'Send push to user',
			description: 'Send a push notification to one user or subscriber',
			path: '/api/v1/<platform>/send',
			recipients,
			required: toPerson,
			optional: { ...optional, tag: tag('others') },
		}),
	],
};
