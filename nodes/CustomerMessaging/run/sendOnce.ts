import { z } from 'zod/v3';

import type { FormParameter } from '../fields/field';
import { flag } from '../fields/values';
import type { Operation } from '../operations/operation';

export const sendOncePeriods = ['ever', 'day', 'week', 'month'] as const;
export type SendOncePeriod = (typeof sendOncePeriods)[number];

/** The schemas of the parameters that hold for a whole run. */
export const sendOnceSchema = {
	sendOnce: flag('Send Once', { reaches: 'nobody', modelMayFill: false }).schema.nullish(),
	sendOncePeriod: z
		.enum(sendOncePeriods, {
			message: 'Send Once Period is not known. Choose Ever, Day, Week or Month',
		})
		.nullish(),
};

const shownWithSendOnce = { displayOptions: { show: { sendOnce: [true] } } };

const sendOnce: FormParameter = {
	displayName: 'Send Once',
	name: 'sendOnce',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to skip what this node has sent before. It remembers across executions and restarts.',
};

const sendOnceKey: FormParameter = {
	displayName: 'Send Once Key',
	name: 'sendOnceKey',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.orderNumber }}',
	description:
		"What makes two messages to the same recipient the same, such as an order number. If it is empty, two messages are the same if all their fields are. A broadcast in a sub-workflow or as an agent's tool needs a key that changes with each occasion, such as the campaign's name and date: Spring sale {{ $today.toISODate() }}. With the period Ever, a fixed key sends once and never again.",
	...shownWithSendOnce,
};

const sendOncePeriod: FormParameter = {
	displayName: 'Send Once Period',
	name: 'sendOncePeriod',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'options',
	noDataExpression: true,
	default: 'ever',
	description:
		"How long a message counts as sent. Days, weeks and months are those of the calendar in the workflow's timezone.",
	options: [
		{ name: 'Day', value: 'day', description: 'Send it at most once a day' },
		{ name: 'Ever', value: 'ever', description: 'Send it once and never again' },
		{ name: 'Month', value: 'month', description: 'Send it at most once a month' },
		{
			name: 'Week',
			value: 'week',
			description: 'Send it at most once a week; weeks begin on Monday',
		},
	],
	...shownWithSendOnce,
};

/** Whether, by what key and for how long what was sent before is skipped. */
export const sendOnceForm = [sendOnce, sendOnceKey, sendOncePeriod];

/**
 * Whether an operation can skip what was sent before. One that overwrites must not: of the rows A, B, A of
 * a user, the last one would be skipped and B would remain. A question that is skipped gets no answer.
 */
export function offersSendOnce({
	overwrites,
	waits,
}: Pick<Operation, 'overwrites' | 'waits'>): boolean {
	return overwrites !== true && waits !== true;
}

/** Those that hold for a whole run. The key may differ between rows. */
export const sendOnceRunForm = [sendOnce, sendOncePeriod];
