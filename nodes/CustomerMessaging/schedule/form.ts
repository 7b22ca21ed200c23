import { Info } from 'luxon';

import { type Declaration, type FormParameter, harmless } from '../fields/field';

const weekdayNames = Info.weekdays('long', { locale: 'en' });

/** In Luxon's order: Monday is 1, Sunday 7. */
export const weekdays = weekdayNames.map((name) => name.toLowerCase());

/** The timezone of times without an offset. */
export const timezoneField: FormParameter = {
	displayName: 'Timezone Name or ID',
	name: 'scheduleTimezone',
	...harmless,
	type: 'options',
	default: '',
	description:
		'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	typeOptions: { loadOptionsMethod: 'getTimezones' },
};

/** The field Send At. Not every kind of message has a field for a delay (spec §2.2–2.4). */
export function sendAtField(takesDelay = false): FormParameter {
	return {
		displayName: 'Send At',
		name: 'sendAt',
		...harmless,
		type: 'options',
		default: 'now',
		description: 'When the service sends the message',
		options: [
			{ name: 'Now', value: 'now' },
			...(takesDelay ? [{ name: 'After a Delay', value: 'delay' }] : []),
			{ name: 'At a Date and Time', value: 'at' },
			{ name: 'Next Weekday and Time', value: 'next' },
			{ name: 'Within Hours', value: 'withinHours' },
		],
	};
}

/**
 * The form fields for the schedule, for all operations of one resource. The choice in `sendAt` shows
 * the other fields.
 */
export function scheduleForm(takesDelay = false): FormParameter[] {
	return [
		sendAtField(takesDelay),
		...(takesDelay ? [delayField] : []),
		shownBy('at', {
			displayName: 'Date and Time',
			name: 'scheduledFor',
			type: 'dateTime',
			default: '',
			placeholder: 'e.g. 2030-01-31 09:30:00',
			description: 'Read in the timezone below unless it has an offset of its own',
		}),
		shownBy('next', {
			displayName: 'Time of Day',
			name: 'nextTime',
			type: 'string',
			default: '',
			placeholder: 'e.g. 09:30',
			description: 'A time such as 09:30 or 9am, in the timezone below',
		}),
		shownBy('next', {
			displayName: 'Weekdays',
			name: 'nextDays',
			type: 'multiOptions',
			default: [],
			description:
				'The message is sent on the next of these days on which the time has not passed yet',
			// Users expect the order of the week, not alphabetical order.
			options: weekdayNames.map((name) => ({ name, value: name.toLowerCase() })),
		}),
		shownBy('withinHours', {
			displayName: 'Hours From',
			name: 'hoursFrom',
			type: 'string',
			default: '',
			placeholder: 'e.g. 09:00',
			description: 'Start of the window. Messages outside it go out when it next opens.',
		}),
		shownBy('withinHours', {
			displayName: 'Hours To',
			name: 'hoursTo',
			type: 'string',
			default: '',
			placeholder: 'e.g. 20:00',
			description: 'End of the sending window; may be past midnight',
		}),
		{ ...timezoneField, displayOptions: { show: { sendAt: ['at', 'next', 'withinHours'] } } },
	];
}

/** A required field that is shown for one choice in `sendAt`. */
function shownBy(
	sendAt: string,
	field: Omit<FormParameter, keyof Declaration | 'displayOptions'>,
): FormParameter {
	return {
		...field,
		...harmless,
		requiredIfChosen: true,
		displayOptions: { show: { sendAt: [sendAt] } },
	};
}

const delayField: FormParameter = {
	displayName: 'Delay (Seconds)',
	name: 'time',
	...harmless,
	type: 'number',
	default: 60,
	typeOptions: { minValue: 1, numberPrecision: 0 },
	description: 'Whole seconds after which the service sends the message',
	displayOptions: { show: { sendAt: ['delay'] } },
};
