import type { INodeProperties } from 'n8n-workflow';

import type { FormParameter } from '../../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../../nodes/CustomerMessaging/operations';

const operations = resources.flatMap(({ value: resource, operations: all }) =>
	all.map((operation) => ({ name: `${resource} ${operation.value}`, operation })),
);

/** All parameters of all operations, and those in their collections. */
const parameters = operations.flatMap(({ name: operation, operation: { form } }) =>
	form
		.flatMap((field) => [
			field,
			...(field.type === 'collection' ? (field.options as FormParameter[]) : []),
		])
		.map((field) => ({ operation, field })),
);

const text = ['string', ''] as const;
const flag = ['boolean', false] as const;
const json = ['json', '{}'] as const;
const integer = ['number', null] as const;
const int64 = ['string', ''] as const;
const segment = ['resourceLocator', { mode: 'list', value: '' }] as const;

type Kind = readonly [type: string, initially: unknown];

/** What a model may fill in: one recipient, the words, the links and the time. */
const forModels: Record<string, Kind> = {
	attributes: ['assignmentCollection', {}],
	button_one_title: text,
	button_two_title: text,
	button_two_url: text,
	campaign_name: text,
	content: text,
	customAttributes: ['assignmentCollection', {}],
	email: text,
	event_name: text,
	event_time: ['dateTime', ''],
	hero_image_url: text,
	image_url: text,
	ltv: integer,
	message: text,
	mobile: text,
	name: text,
	notification_id: int64,
	subject: text,
	subscription_id: text,
	title: text,
	url: text,
	userID: text,
	user_id: text,
};

const forPeople: Record<string, Kind> = {
	additionalFields: ['collection', {}],
	android_id: text,
	api: ['options', 'campaign'],
	body: json,
	campaign_id: text,
	dataMode: ['options', 'defineBelow'],
	dnd: flag,
	email_cc: text,
	everyoneNotice: ['notice', ''],
	extraBodyFields: json,
	extraEventFields: json,
	frequency_capping: flag,
	host: ['options', 'baseUrl'],
	ignoreFields: text,
	ios_ifv: text,
	path: text,
	reply_to: text,
	segment_id: segment,
	senderFrom: ['options', 'credential'],
	sender_email: text,
	sender_mobile: text,
	sender_name: text,
	serviceproviderID: int64,
	tag: text,
	track_click: flag,
	track_open: flag,
	track_reply: flag,
	userIdField: ['string', 'userID'],
};

/** A model must not choose who approves what it wants to do. */
const reviewers = ['email', 'mobile', 'subscription_id', 'user_id'];

const kindOf = ({ type, default: initially }: INodeProperties) => [type, initially];

describe.each([
	['a model may fill in', forModels, true],
	['only a person may fill in', forPeople, false],
])('Of what %s,', (_who, kinds, modelMayFill) => {
	it.each(Object.entries(kinds))('%s has its type and its first value', (name, kind) => {
		const found = parameters.filter(({ field }) => field.name === name);
		expect(found.length).toBeGreaterThan(0);
		for (const { operation, field } of found) {
			expect([operation, ...kindOf(field)]).toEqual([operation, ...kind]);
			const isReviewer = operation.endsWith('sendAndWait') && reviewers.includes(name);
			expect([operation, field.modelMayFill]).toEqual([operation, modelMayFill && !isReviewer]);
		}
	});
});

it('A model may choose the platforms of a message to one person, and no platforms of a broadcast.', () => {
	const platforms = parameters.filter(({ field }) => field.name === 'platforms');
	expect(platforms.map(({ operation, field }) => [operation, field.modelMayFill])).toEqual([
		['push broadcastAll', false],
		['push broadcastSegment', false],
		['push sendAndWait', false],
		['push send', true],
	]);
	for (const { field, operation } of platforms) {
		const usual = operation.endsWith('sendAndWait') ? ['android', 'ios'] : ['web'];
		expect(field).toMatchObject({ type: 'multiOptions', default: usual, required: true });
		expect(field.options?.map((option) => 'value' in option && option.value)).toEqual([
			'android',
			'ios',
			'web',
		]);
	}
});

const alwaysRequired = [
	...['campaign_name', 'content', 'event_name', 'message', 'path', 'body', 'platforms'],
	...['sender_email', 'sender_mobile', 'sender_name', 'serviceproviderID', 'subject', 'title'],
	...['url', 'userID', 'userIdField'],
];

it('What a request cannot do without is marked as required, and nothing else.', () => {
	const required = parameters.filter(({ field }) => field.required === true);
	const names = new Set(required.map(({ field }) => field.name));
	expect([...names].sort()).toEqual([...alwaysRequired, 'segment_id'].sort());
	for (const { operation, field } of parameters) {
		if (alwaysRequired.includes(field.name)) {
			expect([operation, field.name, field.required]).toEqual([operation, field.name, true]);
		}
	}
	const segments = required.filter(({ field }) => field.name === 'segment_id');
	expect(segments.map(({ operation }) => operation)).toEqual([
		'email broadcast',
		'email broadcastSegment',
		'push broadcastSegment',
		'sms broadcast',
		'sms broadcastAll',
		'sms broadcastSegment',
	]);
});

it('Where a choice shows a field, the field shows for that value only.', () => {
	const shown = new Map<string, unknown>();
	for (const { field } of parameters) {
		if (field.displayOptions) shown.set(field.name, field.displayOptions.show);
	}
	const recipients = ['email', 'mobile', 'user_id', 'campaign_id', 'subscription_id'];
	const ofUsers = ['attributes', 'userID', 'customAttributes'];
	const sender = ['sender_name', 'sender_email', 'sender_mobile', 'serviceproviderID'];
	for (const name of sender) expect(shown.get(name)).toEqual({ senderFrom: ['define'] });
	for (const name of ofUsers) expect(shown.get(name)).toEqual({ dataMode: ['defineBelow'] });
	for (const name of ['userIdField', 'ignoreFields'])
		expect(shown.get(name)).toEqual({ dataMode: ['autoMapInputData'] });
	const ways = parameters
		.filter(({ field }) => recipients.includes(field.name))
		.filter(({ operation }) => operation.endsWith(' send'));
	for (const { field } of ways)
		expect(field.displayOptions?.show).toEqual({ recipientBy: [field.name] });
});

it.each([
	['push send', 'user_id', ['subscription_id', 'user_id'], true],
	['email send', 'email', ['campaign_id', 'email', 'mobile', 'user_id'], false],
	['sms send', 'mobile', ['campaign_id', 'mobile', 'user_id'], false],
])('%s names its recipient by %s first, of %j', (operation, first, all, modelMayFill) => {
	const choice = parameters.find(
		(one) => one.operation === operation && one.field.name === 'recipientBy',
	)?.field;
	expect(choice).toMatchObject({ type: 'options', default: first, modelMayFill });
	expect(choice?.options?.map((option) => 'value' in option && option.value)).toEqual(all);
});

it.each([
	['host', ['mailUrl', 'pushUrl', 'baseUrl']],
	['api', ['campaign', 'email', 'event', 'push', 'reporting', 'sms', 'user']],
	['dataMode', ['autoMapInputData', 'defineBelow']],
	['senderFrom', ['credential', 'define']],
])('%s is chosen for all rows from %j', (name, values) => {
	for (const { field } of parameters.filter((one) => one.field.name === name)) {
		expect(field.noDataExpression).toBe(true);
		expect(field.options?.map((option) => 'value' in option && option.value)).toEqual(values);
	}
});

it.each([
	['message', 'push send', { rows: 3 }],
	['content', 'email send', { rows: 8 }],
])('%s of %s has several lines', (name, operation, typeOptions) => {
	const found = parameters.find((one) => one.operation === operation && one.field.name === name);
	expect(found?.field.typeOptions).toEqual(typeOptions);
});

describe('An operation', () => {
	it.each([
		['customRequest post', '4.1', undefined],
		['email send', '4.3', '/api/v1/sendMessage'],
		['event track', '6', '/api/v1/event/create'],
		['push send', '4.2', '/api/v1/<platform>/send'],
		['sms broadcast', '4.4', '/api/v1/sms/broadcast/'],
		['user create', '4.1', '/api/v1/user/create'],
	])('%s has the section and the path of the reference', (name, section, path) => {
		const found = operations.find((one) => one.name === name)?.operation;
		expect([found?.section, found?.path]).toEqual([section, path]);
	});

	it('sends batches of users and events only, and only users overwrite each other', () => {
		const batches = operations.filter(({ operation }) => operation.batchKey);
		expect(
			batches.map(({ name, operation }) => [
				name,
				operation.batchKey,
				operation.maxBatchSize,
				operation.overwrites,
			]),
		).toEqual([
			['event track', 'nv', 1_000, undefined],
			['user create', 'nv', undefined, true],
		]);
	});

	it('is a message or a broadcast, or neither', () => {
		const kinds = operations.map(({ name, operation }) => [
			name,
			operation.isMessage === true,
			operation.isBroadcast === true,
		]);
		expect(kinds).toEqual([
			['customRequest post', false, false],
			['email broadcast', true, true],
			['email broadcastAll', true, true],
			['email broadcastSegment', true, true],
			['email sendAndWait', true, false],
			['email send', true, false],
			['event track', false, false],
			['push broadcastAll', true, true],
			['push broadcastSegment', true, true],
			['push sendAndWait', true, false],
			['push send', true, false],
			['sms broadcast', true, true],
			['sms broadcastAll', true, true],
			['sms broadcastSegment', true, true],
			['sms sendAndWait', true, false],
			['sms send', true, false],
			['user create', false, false],
		]);
	});
});
