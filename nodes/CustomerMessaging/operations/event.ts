import { attributesForm, toObject, unsendableAttributes } from '../fields/attributes';
import {
	type FormParameter,
	toForm,
	oncePerOptions,
	optional,
	required,
	collectProblems,
	harmless,
	otherPeople,
} from '../fields/field';
import { jsonObject } from '../fields/json';
import { number } from '../fields/values';
import { key } from '../fields/text';
import { dataModeForm, readData, readID } from './dataMode';
import { userID } from './user';
import { readEventTime, timezoneField } from '../schedule/choice';
import { eventTime } from '../schedule/format';
import {
	additionalFields,
	clashesWith,
	defaultEventPath,
	extraBodyFields,
	holding,
	type Operation,
	type Resource,
} from './operation';

const event_name = key('Event Name', {
	...harmless,
	placeholder: 'e.g. Order Placed',
	description: 'What happened, exactly as your account writes it',
});

const eventAttributes = attributesForm('Attributes', 'attributes');

const ltv = number('Lifetime Value', {
	...harmless,
	placeholder: 'e.g. 49.90',
	description: "What the event adds to the user's lifetime value, such as the total of an order",
});

const extraEventFields = jsonObject('Extra Event Fields', {
	...otherPeople,
	placeholder: 'e.g. { "context": { "channel": "web" } }',
	description: 'A JSON object whose fields are added to the event as they are',
});

const optionalFields = { ltv, extraEventFields, extraBodyFields };

const eventTimeField: FormParameter = {
	displayName: 'Event Time',
	name: 'event_time',
	...harmless,
	type: 'dateTime',
	default: '',
	placeholder: 'e.g. 2026-11-23 09:30:00',
	description: 'When it happened. Empty: now.',
};

/**
 * The reference mentions event tracking, but neither its path nor its fields (spec §4.1, §6). Tracking an
 * event twice would start journeys twice, so it must not be repeated.
 */
const track: Operation = {
	value: 'track',
	name: 'Track',
	action: 'Track event',
	description: 'Track events of users, many in one request',
	section: '6',
	path: defaultEventPath,
	isPathOfAccount: true,
	fields: { required: { event_name, userID }, optional: optionalFields },
	form: [
		...toForm({ event_name }, { required: true }),
		...dataModeForm('event', {}, [...toForm({ userID }, { required: true }), eventAttributes]),
		eventTimeField,
		{ ...timezoneField, displayOptions: { show: { event_time: [{ _cnd: { exists: true } }] } } },
		additionalFields(optionalFields),
	],
	batchKey: 'nv',
	maxBatchSize: 1_000,
	schedule: eventTime,
	addressees(read, _options, json) {
		const named = { event_name: read('event_name'), userID: readID(read, json) };
		const { data } = requiredFields.safeParse(named);
		return data ? [{ to: data }] : [];
	},
	check(row, context) {
		const { workflowZone, eventPath, fieldOptions } = context;
		const { index, parameters } = row;
		const taken = { list: eventAttributes };
		const { id, attributes, problems, locate } = readData(row, taken, context);
		const { event_time, scheduleTimezone } = parameters;
		const time = readEventTime(event_time, scheduleTimezone, workflowZone);
		const read = schemaUnder(fieldOptions).safeParse({ ...parameters, userID: id });
		problems.push(
			...collectProblems(read.error?.issues ?? []).map(locate),
			...unsendableAttributes(attributes, fieldOptions),
			...('problems' in time ? time.problems : []),
		);
		if (!read.data) return { problems };

		const { additionalFields, ...required } = read.data;
		const { extraEventFields: extra, extraBodyFields: envelope, ...rest } = additionalFields;
		const given = attributes.length > 0 ? { attributes: toObject(attributes) } : {};
		const body = { ...required, ...rest, ...given };
		const extraField = { field: 'extraEventFields', label: extraEventFields.form.displayName };
		problems.push(
			...clashesWith(extra, { ...body, event_time: '' }, extraField),
			...clashesWith(envelope, { nv: [] }),
		);
		if ('problems' in time || problems.length > 0) return { problems };
		return {
			deliveries: [
				{
					itemIndex: index,
					userID: required.userID,
					path: eventPath,
					buildBody: holding({ ...body, ...extra }),
					envelope,
					schedule: time.schedule,
				},
			],
		};
	},
};

export const event: Resource = {
	value: 'event',
	name: 'Event',
	target: { host: 'baseUrl', api: 'event' },
	operations: [track],
	defaultOperation: 'track',
};

const requiredFields = required({ userID, event_name });

const schemaUnder = oncePerOptions((options) =>
	requiredFields.extend({
		additionalFields: optional(optionalFields, 'Additional Fields', options),
	}),
);
