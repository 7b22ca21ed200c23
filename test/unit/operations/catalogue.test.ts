import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/CustomerMessaging/operations';

/**
 * Names that saved workflows contain, and the fields of spec §2 for each operation: those that are required,
 * and those that may be added.
 */
interface Entry {
	fields: string[];
	additional: string[];
	target?: { host: string; api: string };
}

const pushFields = ['platforms', 'title', 'message', 'url'];
const pushExtras = [
	'notification_id',
	'android_id',
	'ios_ifv',
	'tag',
	'image_url',
	'hero_image_url',
	'button_one_title',
	'button_two_title',
	'button_two_url',
	'extraBodyFields',
];
const emailFields = [
	'senderFrom',
	'sender_name',
	'sender_email',
	'subject',
	'campaign_name',
	'content',
	'serviceproviderID',
];
const emailExtras = [
	'track_open',
	'track_click',
	'track_reply',
	'reply_to',
	'email_cc',
	'frequency_capping',
	'dnd',
	'extraBodyFields',
];
const smsFields = [
	'senderFrom',
	'sender_name',
	'campaign_name',
	'sender_mobile',
	'message',
	'serviceproviderID',
];
const smsExtras = ['frequency_capping', 'dnd', 'extraBodyFields'];

/** As in n8n's own nodes. */
const answer = ['responseType', 'approvalOptions'];

const when = [
	...['sendAt', 'scheduledFor', 'nextTime', 'nextDays', 'hoursFrom', 'hoursTo'],
	'scheduleTimezone',
];
const push = (...more: string[]): Entry => ({
	fields: [...pushFields, ...when, 'time', ...more],
	additional: pushExtras,
	target: { host: 'pushUrl', api: 'push' },
});
const email = (fields: string[], additional: string[] = []): Entry => ({
	fields: [...emailFields, ...when, ...fields],
	additional: [...emailExtras, ...additional],
	target: { host: 'mailUrl', api: 'email' },
});
const sms = (fields: string[], additional: string[] = []): Entry => ({
	fields: [...smsFields, ...when, ...fields],
	additional: [...smsExtras, ...additional],
	target: { host: 'mailUrl', api: 'sms' },
});

const catalogue: Record<string, Entry> = {
	'user create': {
		fields: [
			'dataMode',
			'userID',
			'name',
			'email',
			'mobile',
			'customAttributes',
			'userIdField',
			'ignoreFields',
		],
		additional: ['extraBodyFields'],
		target: { host: 'baseUrl', api: 'user' },
	},
	'event track': {
		fields: [
			'event_name',
			'dataMode',
			'userID',
			'attributes',
			'userIdField',
			'ignoreFields',
			'event_time',
			'scheduleTimezone',
		],
		additional: ['ltv', 'extraEventFields', 'extraBodyFields'],
		target: { host: 'baseUrl', api: 'event' },
	},
	'push send': push('recipientBy', 'user_id', 'subscription_id'),
	'push sendAndWait': {
		fields: [
			'platforms',
			'recipientBy',
			'user_id',
			'subscription_id',
			'title',
			'message',
			...answer,
		],
		additional: ['extraBodyFields'],
		target: { host: 'pushUrl', api: 'push' },
	},
	'push broadcastAll': push(),
	'push broadcastSegment': push('segment_id'),
	'email send': email(['recipientBy', 'email', 'mobile', 'user_id', 'campaign_id'], ['segment_id']),
	'email sendAndWait': {
		fields: [
			...['recipientBy', 'email', 'mobile', 'user_id'],
			...['senderFrom', 'sender_name', 'sender_email', 'serviceproviderID'],
			...['subject', 'campaign_name', 'message'],
			...answer,
		],
		additional: ['extraBodyFields'],
		target: { host: 'mailUrl', api: 'email' },
	},
	'email broadcast': email(['segment_id']),
	'email broadcastAll': email([], ['segment_id']),
	'email broadcastSegment': email(['segment_id']),
	'sms send': sms(['recipientBy', 'mobile', 'user_id', 'campaign_id'], ['segment_id']),
	'sms sendAndWait': {
		fields: ['recipientBy', 'mobile', 'user_id', ...smsFields, ...answer],
		additional: ['extraBodyFields'],
		target: { host: 'mailUrl', api: 'sms' },
	},
	'sms broadcast': sms(['segment_id']),
	'sms broadcastAll': sms(['segment_id']),
	'sms broadcastSegment': sms(['segment_id']),
	'customRequest post': {
		fields: ['host', 'api', 'path', 'body'],
		additional: ['extraBodyFields'],
	},
};

const all = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		resource,
		operation,
		name: `${resource.value} ${operation.value}`,
	})),
);
const found = (name: string) => {
	const one = all.find((entry) => entry.name === name);
	if (!one) throw new Error(`There is no ${name}`);
	return one;
};
// A notice is a text in the form, not a parameter.
const isParameter = ({ type }: INodeProperties) => type !== 'notice';
const namesOf = (form: INodeProperties[]) =>
	new Set(form.filter(isParameter).map(({ name }) => name));

it('Has these operations and no other', () => {
	expect(all.map(({ name }) => name).sort()).toEqual(Object.keys(catalogue).sort());
});

describe.each(Object.entries(catalogue))('%s', (name, { fields, additional, target }) => {
	it('asks for its fields under the names of the API', () => {
		const { operation } = found(name);
		expect(namesOf(operation.form)).toEqual(new Set([...fields, 'additionalFields']));
	});

	it('lets these fields be added', () => {
		const collection = found(name).operation.form.find(
			(property) => property.name === 'additionalFields',
		);
		expect(namesOf(collection?.options as INodeProperties[])).toEqual(new Set(additional));
	});

	it('goes to its host and counts against its limit', () => {
		expect(found(name).resource.target).toEqual(target);
	});

	it('is guarded where it reaches many', () => {
		expect(found(name).operation.isBroadcast === true).toBe(name.includes('broadcast'));
	});
});
