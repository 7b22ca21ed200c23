import { attributesForm } from '../fields/attributes';
import { type FormParameter, toForm } from '../fields/field';
import { jsonObject } from '../fields/json';
import { number } from '../fields/number';
import { key } from '../fields/text';
import { timezoneField } from '../schedule/form';
import { additionalFields } from './additionalFields';
import { dataModeForm } from './dataMode';
import { extraBodyFields } from './extra';
import { userID } from './userForm';

export const event_name = key('Event Name', {
	reaches: 'nobody',
	modelMayFill: true,
	placeholder: 'e.g. Order Placed',
	description: 'What happened, exactly as your account writes it, including upper and lower case',
});

export const eventAttributes = attributesForm('Attributes', 'attributes', {
	reaches: 'nobody',
	modelMayFill: true,
	description:
		'What else is known about the event. Drag columns here, or enter names and values; each value is sent as the type that you choose.',
});

export const ltv = number('Lifetime Value', {
	reaches: 'nobody',
	modelMayFill: true,
	placeholder: 'e.g. 49.90',
	description: "What the event adds to the user's lifetime value, such as the total of an order",
});

export const extraEventFields = jsonObject('Extra Event Fields', {
	reaches: 'others',
	modelMayFill: false,
	placeholder: 'e.g. { "context": { "channel": "web" } }',
	description: 'A JSON object whose fields are added to the event as they are',
});

const eventTime: FormParameter = {
	displayName: 'Event Time',
	name: 'event_time',
	reaches: 'nobody',
	modelMayFill: true,
	type: 'dateTime',
	default: '',
	placeholder: 'e.g. 2026-11-23 09:30:00',
	description:
		'When it happened. Leave empty for now. Read in the timezone below unless it has an offset of its own.',
};

/** The form of the operation `track`. */
export const eventForm: FormParameter[] = [
	...toForm({ event_name }).map((property) => ({ ...property, required: true })),
	...dataModeForm({ data: 'events', owner: 'the event' }, [
		...toForm({ userID }).map((property) => ({
			...property,
			required: true,
			description: 'Your own identifier of the user whose event it is. The user must exist.',
		})),
		eventAttributes,
	]),
	eventTime,
	timezoneField,
	additionalFields({ ltv, extraEventFields, extraBodyFields }),
];
