import type { Platform } from '../terms';
import { httpsLink, int64, seconds, text, textUpTo, type Check } from './checks';
import { bodyCheck, type BodyCheck } from './ruleset';

// Spec §2.2. The web title also has a maximum, but its number is not given.
const fields: Record<string, Check> = {
	user_id: text,
	subscription_id: text,
	notification_id: int64,
	tag: text,
	time: seconds,
	title: text,
	message: text,
	url: text,
	image_url: httpsLink,
	hero_image_url: httpsLink,
	button_one_title: text,
	button_two_title: text,
	button_two_url: text,
	segment_id: int64,
	schedule_date: text,
	schedule_time: text,
	time_zone: text,
};

const shortTexts = { title: textUpTo(70), message: textUpTo(130) };
const ownFields: Record<Platform, Record<string, Check>> = {
	web: {},
	android: { ...shortTexts, android_id: text },
	ios: { ...shortTexts, ios_ifv: text },
};

const androidOnly = { android_id: 'is for Android only' };
const iosOnly = { ios_ifv: 'is for iOS only' };
const foreignFields: Record<Platform, Record<string, string>> = {
	web: { ...androidOnly, ...iosOnly },
	android: iosOnly,
	ios: androidOnly,
};

const message = ['title', 'message', 'url'];

/** The three operations of one platform (spec §4.2), by the rest of their path. */
export function pushChecks(platform: Platform): Record<string, BodyCheck> {
	const common = {
		fields: { ...fields, ...ownFields[platform] },
		refused: foreignFields[platform],
	};
	return {
		send: bodyCheck({ ...common, required: message, oneOf: ['user_id', 'subscription_id'] }),
		'broadcast/all': bodyCheck({ ...common, required: message }),
		'broadcast/segment': bodyCheck({ ...common, required: [...message, 'segment_id'] }),
	};
}
