import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { unknownChoice } from '../fields/choice';
import { converted } from '../fields/convert';
import { type Field, isEmpty, isRecord } from '../fields/field';
import { type AskedTime, readDateTime } from '../schedule/dateTime';
import { isZone, resolveLocal } from '../schedule/localTime';
import { given } from '../shared/formatting';
import { isProblem, type Problem } from '../shared/problem';
import { MINUTE_MS } from '../shared/time';

/** How long an execution waits for an answer. */
export type WaitLimit = { afterMs: number } | { at: AskedTime };

/** What the option adds to the settings of a run. */
export interface WaitSettings {
	/** Absent if the execution waits until there is an answer. */
	limitWaitTime?: WaitLimit;
}

const unitMs: Readonly<Record<string, number>> = {
	minutes: MINUTE_MS,
	hours: 60 * MINUTE_MS,
	days: 24 * 60 * MINUTE_MS,
};

const limitType: INodeProperties = {
	displayName: 'Limit Type',
	name: 'limitType',
	type: 'options',
	default: 'afterTimeInterval',
	description: 'Whether the wait ends after some time or at a date',
	options: [
		{ name: 'After Time Interval', value: 'afterTimeInterval' },
		{ name: 'At Specified Time', value: 'atSpecifiedTime' },
	],
};

const resumeUnit: INodeProperties = {
	displayName: 'Unit',
	name: 'resumeUnit',
	type: 'options',
	default: 'hours',
	description: 'The unit of the amount',
	options: [
		{ name: 'Days', value: 'days' },
		{ name: 'Hours', value: 'hours' },
		{ name: 'Minutes', value: 'minutes' },
	],
	displayOptions: { show: { limitType: ['afterTimeInterval'] } },
};

const parts: INodeProperties[] = [
	limitType,
	{
		displayName: 'Amount',
		name: 'resumeAmount',
		type: 'number',
		default: 1,
		description: 'How long to wait',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
	},
	resumeUnit,
	{
		displayName: 'Max Date and Time',
		name: 'maxDateAndTime',
		type: 'dateTime',
		default: '',
		description: "Until when to wait, in the workflow's timezone",
		displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
	},
];

/** The option of n8n's own nodes that ends the wait. */
export const limitWaitTime: Field<WaitLimit | undefined> = {
	reaches: 'nobody',
	modelMayFill: false,
	form: {
		displayName: 'Limit Wait Time',
		type: 'fixedCollection',
		default: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
		},
		description:
			'How long to wait for the answer. After that, the execution goes on with its input, without its column data, so that an earlier answer is never taken for this one.',
		options: [{ displayName: 'Values', name: 'values', values: parts }],
		displayOptions: { show: { '/operation': ['sendAndWait'] } },
	},
	rule: 'A number of minutes, hours or days, or a date and time',
	schema: converted((value, context) => {
		const read = readLimit(isRecord(value) ? value.values : value);
		if (!('problem' in read)) return read.limit;
		context.addIssue(`Limit Wait Time: ${read.problem}`);
		return z.NEVER;
	}),
};

function readLimit(values: unknown): { limit?: WaitLimit } | { problem: string } {
	if (isEmpty(values)) return {};
	if (!isRecord(values))
		return { problem: 'It must be an object that contains its fields by name' };
	const { limitType: type = 'afterTimeInterval', maxDateAndTime } = values;
	if (type === 'atSpecifiedTime') {
		const at = readDateTime(maxDateAndTime, { field: 'options', label: 'Max Date and Time' });
		return isProblem(at) ? { problem: at.message } : { limit: { at } };
	}
	if (type !== 'afterTimeInterval') return { problem: unknownChoice(limitType, type) };
	const { resumeAmount = 1, resumeUnit: unit = 'hours' } = values;
	const perUnitMs = unitMs[String(unit)];
	if (perUnitMs === undefined) return { problem: unknownChoice(resumeUnit, unit) };
	const amount = typeof resumeAmount === 'string' ? Number(resumeAmount) : resumeAmount;
	if (typeof amount !== 'number' || !Number.isFinite(amount) || amount <= 0)
		return { problem: `Amount must be a number above 0, but it is ${given(resumeAmount)}` };
	return { limit: { afterMs: amount * perUnitMs } };
}

/**
 * Calculates when the wait ends, in epoch milliseconds; undefined without a limit. A local time that
 * occurs twice is the earlier one, and one that a clock change skips is the moment of the change.
 */
export function waitEnd(
	limit: WaitLimit | undefined,
	{ nowMs, workflowZone }: { nowMs: number; workflowZone: string },
): { endMs?: number } | Problem {
	if (!limit) return {};
	const endMs = 'afterMs' in limit ? nowMs + limit.afterMs : readInstant(limit.at, workflowZone);
	const refuse = (message: string): Problem => ({ field: 'limitWaitTime', message });
	if (endMs === undefined)
		return refuse("The workflow's timezone is not known. Choose one in the workflow's settings");
	if (endMs <= nowMs)
		return refuse('The time until which to wait for the answer has passed. Choose a later one');
	return endMs < maxEndMs
		? { endMs }
		: refuse('The time until which to wait for the answer is too far ahead. Choose an earlier one');
}

/** From then on, n8n waits without an end. */
const maxEndMs = Date.UTC(3000, 0, 1);

function readInstant(time: AskedTime, zone: string): number | undefined {
	if ('instantMs' in time) return time.instantMs;
	if (!isZone(zone)) return undefined;
	const local = resolveLocal(time.localMs, zone);
	switch (local.kind) {
		case 'once':
			return local.instantMs;
		case 'twice':
			return local.earlierMs;
		case 'skipped':
			return local.changeMs;
	}
}
