import { httpsLink, link } from '../fields/link';
import { segment as segmentField } from '../fields/segment';
import { key, line, text } from '../fields/text';
import { int64 } from '../fields/values';
import { pushSchedule } from '../schedule/format';
import { messageOperation } from './message';
import type { Resource } from './operation';

const chromeOnly = { hint: 'Shown to Chrome subscribers only' };

const message = {
	title: text('Title', {
		modelMayFill: true,
		placeholder: 'e.g. Your order is on its way',
		description: 'Title of the notification',
		hint: 'At most 70 characters on Android and iOS',
	}),
	message: text('Message', {
		modelMayFill: true,
		placeholder: 'e.g. It arrives tomorrow between 9 and 12',
		description: 'Text of the notification',
		hint: 'At most 130 characters on Android and iOS',
		typeOptions: { rows: 3 },
	}),
	url: link('URL', { modelMayFill: true, description: 'Where a tap on the notification leads' }),
};

const segment = {
	segment_id: segmentField('Segment', 'The segment whose subscribers are reached'),
};

const optional = {
	android_id: key('Android ID', {
		modelMayFill: true,
		placeholder: 'e.g. 9774d56d682e549c',
		description: "Identifier of the user's Android device. Sent to Android only.",
	}),
	button_one_title: line('Button One Title', {
		modelMayFill: true,
		placeholder: 'e.g. Track order',
		description: 'Text on the first button',
		...chromeOnly,
	}),
	button_two_title: line('Button Two Title', {
		modelMayFill: true,
		placeholder: 'e.g. Contact us',
		description: 'Text on the second button',
		...chromeOnly,
	}),
	button_two_url: link('Button Two URL', {
		modelMayFill: true,
		description: 'Where the second button leads',
		...chromeOnly,
	}),
	hero_image_url: httpsLink('Hero Image URL', {
		modelMayFill: true,
		placeholder: 'e.g. https://example.com/hero.png',
		description: 'Large image, an HTTPS link',
		...chromeOnly,
	}),
	image_url: httpsLink('Image URL', {
		modelMayFill: true,
		placeholder: 'e.g. https://example.com/image.png',
		description: 'Image of the notification, an HTTPS link',
	}),
	ios_ifv: key('iOS Identifier for Vendor', {
		modelMayFill: true,
		placeholder: 'e.g. 6D92078A-8246-4BA4-AE5B-76104861E7DC',
		description: 'The iOS device from which the user subscribed. Sent to iOS only.',
	}),
	notification_id: int64('Notification ID', {
		modelMayFill: true,
		placeholder: 'e.g. 1001',
		description: 'Identifier assigned to the notification, a whole number',
	}),
	tag: line('Tag', {
		modelMayFill: false,
		placeholder: 'e.g. newsletter',
		description: 'Tag assigned to users, used to segment them',
	}),
};

const shared = {
	resource: 'push',
	section: '4.2',
	counted: ['title', 'message'],
	// Spec §2.2 and §8, which give no number for web.
	limits: { on: ['android', 'ios'], maxLength: { title: 70, message: 130 } },
	onlyOn: { android_id: 'android', ios_ifv: 'ios' },
	schedule: pushSchedule,
	optional,
} as const;

export const push: Resource = {
	value: 'push',
	name: 'Push',
	target: { host: 'pushUrl', api: 'push' },
	operations: [
		messageOperation({
			...shared,
			value: 'broadcastAll',
			name: 'Broadcast to Everyone',
			action: 'Broadcast push to everyone',
			description: 'Send a push notification to all subscribers',
			path: '/api/v1/<platform>/broadcast/all',
			audience: 'everyone',
			required: message,
		}),
		messageOperation({
			...shared,
			value: 'broadcastSegment',
			name: 'Broadcast to Segment',
			action: 'Broadcast push to segment',
			description: 'Send a push notification to the subscribers of one segment',
			path: '/api/v1/<platform>/broadcast/segment',
			audience: 'segment',
			required: { ...segment, ...message },
		}),
		messageOperation({
			...shared,
			value: 'send',
			name: 'Send to User',
			action: 'Send push to user',
			description: 'Send a push notification to one user or subscriber',
			path: '/api/v1/<platform>/send',
			recipients: {
				user_id: key('User ID', {
					modelMayFill: true,
					placeholder: 'e.g. user-1001',
					description: 'Identifier of the user',
				}),
				subscription_id: key('Subscription ID', {
					modelMayFill: true,
					placeholder: 'e.g. sub-1001',
					description: 'Identifier of the subscriber',
				}),
			},
			required: message,
		}),
	],
};
