import type { INodeProperties } from 'n8n-workflow';

import { scheduleForm } from '../../../nodes/CustomerMessaging/schedule/form';

const resources = ['push', 'email', 'sms'] as const;

function fieldOf(form: INodeProperties[], name: string) {
	return form.find((field) => field.name === name);
}

function valuesOf(field: INodeProperties | undefined) {
	return field?.options?.map((option) => 'value' in option && option.value);
}

test.each([
	['push', ['delay', 'at', 'next', 'now', 'withinHours']],
	['email', ['at', 'next', 'now', 'withinHours']],
	['sms', ['at', 'next', 'now', 'withinHours']],
] as const)('%s offers %j, now by default', (resource, choices) => {
	const sendAt = fieldOf(scheduleForm(resource), 'sendAt');
	expect(valuesOf(sendAt)).toEqual(choices);
	expect(sendAt?.default).toBe('now');
});

test.each(resources)('Every field of %s shows for it, where sendAt asks for it', (resource) => {
	const shown = scheduleForm(resource).map((field) => [field.name, field.displayOptions?.show]);
	const rest = [
		['scheduledFor', { sendAt: ['at'] }],
		['nextTime', { sendAt: ['next'] }],
		['nextDays', { sendAt: ['next'] }],
		['hoursFrom', { sendAt: ['withinHours'] }],
		['hoursTo', { sendAt: ['withinHours'] }],
		['scheduleTimezone', { sendAt: ['at', 'next', 'withinHours'] }],
	];
	const delay = [['time', { sendAt: ['delay'] }]];
	expect(shown).toEqual([['sendAt', undefined], ...(resource === 'push' ? delay : []), ...rest]);
});

test.each(resources)('Options of %s are sorted by name, and weekdays as in a week', (resource) => {
	for (const field of scheduleForm(resource)) {
		if (field.name === 'nextDays') {
			expect(field.options?.map((option) => 'value' in option && option.value)).toEqual([
				'monday',
				'tuesday',
				'wednesday',
				'thursday',
				'friday',
				'saturday',
				'sunday',
			]);
			continue;
		}
		const names = field.options?.map((option) => option.name) ?? [];
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	}
});

test('The timezone is picked from a list or given by an expression', () => {
	expect(fieldOf(scheduleForm('sms'), 'scheduleTimezone')).toMatchObject({
		displayName: 'Timezone Name or ID',
		default: '',
		typeOptions: { loadOptionsMethod: 'getTimezones' },
	});
});

test('Weekdays are the names that reading takes', () => {
	const nextDays = fieldOf(scheduleForm('push'), 'nextDays');
	expect(nextDays?.default).toEqual([]);
	expect(valuesOf(nextDays)?.sort()).toEqual([
		'friday',
		'monday',
		'saturday',
		'sunday',
		'thursday',
		'tuesday',
		'wednesday',
	]);
});

/** What is left of a form without what people read. */
function withoutTexts(fields: INodeProperties[]) {
	return fields.map(({ displayName: _, description: _text, placeholder: _example, ...rest }) => ({
		...rest,
		options: valuesOf(rest as INodeProperties),
	}));
}

test('a model may fill in all fields, whose defaults are empty', () => {
	const common = { reaches: 'nobody', modelMayFill: true, options: undefined };
	const options = ['delay', 'at', 'next', 'now', 'withinHours'];
	const choices = { type: 'options', options, default: 'now' };
	const hours = {
		...common,
		requiredIfChosen: true,
		type: 'string',
		default: '',
		displayOptions: { show: { sendAt: ['withinHours'] } },
	};
	const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
	expect(withoutTexts(scheduleForm('push'))).toEqual([
		{ ...common, name: 'sendAt', ...choices },
		{
			...common,
			name: 'time',
			type: 'number',
			default: 60,
			typeOptions: { minValue: 1, numberPrecision: 0 },
			displayOptions: { show: { sendAt: ['delay'] } },
		},
		{
			...common,
			requiredIfChosen: true,
			name: 'scheduledFor',
			type: 'dateTime',
			default: '',
			displayOptions: { show: { sendAt: ['at'] } },
		},
		{
			...common,
			requiredIfChosen: true,
			name: 'nextTime',
			type: 'string',
			default: '',
			displayOptions: { show: { sendAt: ['next'] } },
		},
		{
			...common,
			requiredIfChosen: true,
			name: 'nextDays',
			type: 'multiOptions',
			default: [],
			options: days,
			displayOptions: { show: { sendAt: ['next'] } },
		},
		{ ...hours, name: 'hoursFrom' },
		{ ...hours, name: 'hoursTo' },
		{
			...common,
			name: 'scheduleTimezone',
			type: 'options',
			default: '',
			typeOptions: { loadOptionsMethod: 'getTimezones' },
			displayOptions: { show: { sendAt: ['at', 'next', 'withinHours'] } },
		},
	]);
});
