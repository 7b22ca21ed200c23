import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { unknownChoice } from '../fields/values';
import { converted, sentenceOf } from '../fields/convert';
import { type Field, isEmpty, isRecord, type FormParameter, userOnly } from '../fields/field';
import { type AskedTime, isZone, readDateTime, resolveLocal } from '../schedule/localTime';
import type { N8n } from '../n8n/context';
import type { Problem } from '../shared/ending';
import { MINUTE_MS } from '../shared/slices';
import { line, trimmedText } from '../fields/text';
import type { Ask } from '../shared/delivery';
import { givenOne, say, type Sentence } from '../shared/formatting';

/** The limit of the wait for an answer: a span, or a time. */
export type WaitLimit = { afterMs: number } | AskedTime;

const minutesIn: Readonly<Record<string, number>> = { minutes: 1, hours: 60, days: 24 * 60 };

const ifAfterInterval = { displayOptions: { show: { limitType: ['afterTimeInterval'] } } };

const resumeUnit: INodeProperties = {
	displayName: 'Unit',
	name: 'resumeUnit',
	type: 'options',
	default: 'hours',
	description: 'The unit of the amount',
	options: ['Days', 'Hours', 'Minutes'].map((name) => ({ name, value: name.toLowerCase() })),
	...ifAfterInterval,
};

const limitParts: INodeProperties[] = [
	{
		displayName: 'Limit Type',
		name: 'limitType',
		type: 'options',
		default: 'afterTimeInterval',
		description: 'Whether the wait ends after some time or at a date',
		options: [
			{ name: 'After Time Interval', value: 'afterTimeInterval' },
			{ name: 'At Specified Time', value: 'atSpecifiedTime' },
		],
	},
	{
		displayName: 'Amount',
		name: 'resumeAmount',
		type: 'number',
		default: 1,
		description: 'How long to wait',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		...ifAfterInterval,
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

/** The option Limit Wait Time, as in n8n's own nodes. */
export const limitWaitTime: Field<WaitLimit | undefined> = {
	...userOnly,
	form: {
		displayName: 'Limit Wait Time',
		type: 'fixedCollection',
		default: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
		},
		description:
			'How long to wait for the answer. After that, the execution goes on with its input, without its column data, so that an earlier answer is never taken for this one.',
		options: [{ displayName: 'Values', name: 'values', values: limitParts }],
	},
	rule: 'A number of minutes, hours or days, or a date and time',
	schema: converted((value, context) => {
		const read = readLimit(isRecord(value) ? value.values : value);
		if (!read || !('rule' in read)) return read;
		context.addIssue(say`Limit Wait Time: ${read}`);
		return z.NEVER;
	}),
};

/** Returns the limit, if any, or the reason it is refused. */
function readLimit(values: unknown): WaitLimit | Sentence | undefined {
	if (isEmpty(values)) return undefined;
	if (!isRecord(values)) return say`It must be an object that contains its fields by name`;
	const { limitType: type = 'afterTimeInterval', maxDateAndTime } = values;
	if (type === 'atSpecifiedTime')
		return readDateTime(maxDateAndTime, { field: 'options', label: 'Max Date and Time' });
	const { resumeAmount = 1, resumeUnit: unit = 'hours' } = values;
	const minutes = minutesIn[String(unit)];
	if (minutes === undefined) return unknownChoice(resumeUnit, unit);
	const amount = Number(resumeAmount);
	if (!(amount > 0))
		return say`Amount must be a number above 0, but it is ${givenOne(resumeAmount)}`;
	return { afterMs: amount * minutes * MINUTE_MS };
}

/**
 * Calculates the end of the wait, in epoch milliseconds; undefined without a limit. If a local time occurs twice, the
 * earlier one is used. If a clock change skips it, the moment of the change is used.
 */
export function waitEnd(
	limit: WaitLimit | undefined,
	{ now, workflowZone }: Pick<N8n, 'now' | 'workflowZone'>,
): { endMs?: number } | Problem {
	if (!limit) return {};
	const nowMs = now();
	const endMs = 'afterMs' in limit ? nowMs + limit.afterMs : readInstant(limit, workflowZone);
	const refuse = (message: string): Problem => ({ field: 'limitWaitTime', rule: message });
	if (endMs === undefined)
		return refuse("The workflow's timezone is not known. Choose one in the workflow's settings");
	// n8n treats the year 3000 and later as no limit.
	return endMs > nowMs && endMs < Date.UTC(3000, 0, 1)
		? { endMs }
		: refuse('The time until which to wait for the answer has passed or is too far ahead');
}

function readInstant(time: AskedTime, zone: string): number | undefined {
	if ('instantMs' in time) return time.instantMs;
	if (!isZone(zone)) return undefined;
	const local = resolveLocal(time.localMs, zone);
	if (local.kind === 'once') return local.instantMs;
	return local.kind === 'twice' ? local.earlierMs : local.changeMs;
}

// The names and values below are those of n8n's own nodes, so that a workflow can switch to another channel.
const responseType: FormParameter = {
	displayName: 'Response Type',
	name: 'responseType',
	...userOnly,
	type: 'options',
	default: 'approval',
	description: 'How the recipient answers on the page that the link opens',
	options: [
		{ name: 'Approval', value: 'approval', description: 'With one or two buttons' },
		{ name: 'Free Text', value: 'freeText', description: 'With a text of their own' },
	],
};

const approveLabel: INodeProperties = {
	displayName: 'Approve Button Label',
	name: 'approveLabel',
	type: 'string',
	default: 'Approve',
	description: 'Text on the button for yes. Default: Approve, in the language of the browser.',
};

const disapproveLabel: INodeProperties = {
	...approveLabel,
	displayName: 'Disapprove Button Label',
	name: 'disapproveLabel',
	default: 'Decline',
	description: 'Text on the button for no. Default: Decline, in the language of the browser.',
	displayOptions: { show: { approvalType: ['double'] } },
};

const approvalType: INodeProperties = {
	displayName: 'Type of Approval',
	name: 'approvalType',
	type: 'options',
	default: 'double',
	description: 'Which buttons the page has',
	options: [
		{ name: 'Approve and Disapprove', value: 'double' },
		{ name: 'Approve Only', value: 'single' },
	],
};

const approvalOptions: FormParameter = {
	displayName: 'Approval Options',
	name: 'approvalOptions',
	...userOnly,
	type: 'fixedCollection',
	placeholder: 'Add Option',
	default: {},
	description: 'The buttons of the page',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [approvalType, approveLabel, disapproveLabel],
		},
	],
	displayOptions: { show: { responseType: ['approval'] } },
};

export const answerFormParameters: readonly FormParameter[] = [responseType, approvalOptions];

/** Options for the button labels that Approval Options does not set, as in n8n's own nodes. */
export const buttonLabels = {
	messageButtonLabel: line('Message Button Label', {
		...userOnly,
		description: 'Text on the button in the email. Default: Respond.',
	}),
	responseFormButtonLabel: line('Response Form Button Label', {
		...userOnly,
		description:
			'Text on the button that sends the answer. Default: Send, in the language of the browser.',
		displayOptions: { show: { '/responseType': ['freeText'] } },
	}),
};

/** Reads the ways in which the recipient of a row can answer. */
export function readAnswerForm(
	parameters: Readonly<Record<string, unknown>>,
	sendLabel: string | undefined,
): { answerForm: Ask['answerForm'] } | { problems: Problem[] } {
	const { responseType: kind, approvalOptions: options } = parameters;
	if (kind === 'freeText') return { answerForm: { kind, send: sendLabel } };
	if (!isEmpty(kind) && kind !== 'approval') {
		return { problems: [{ field: 'responseType', ...unknownChoice(responseType, kind) }] };
	}

	const values = isRecord(options) && isRecord(options.values) ? options.values : {};
	const readLabel = ({ name, displayName, default: initial }: INodeProperties) =>
		trimmedText(displayName).safeParse(isEmpty(values[name]) ? initial : values[name]);
	const approve = readLabel(approveLabel);
	const decline = values.approvalType === 'single' ? undefined : readLabel(disapproveLabel);
	const problems = [approve, decline]
		.flatMap((read) => read?.error?.issues ?? [])
		.map((issue) => ({ field: 'approvalOptions', ...sentenceOf(issue) }));
	if (!approve.success || problems.length > 0) return { problems };
	return { answerForm: { kind: 'approval', approve: approve.data, decline: decline?.data } };
}
