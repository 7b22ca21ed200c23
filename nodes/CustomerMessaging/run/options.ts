import { z } from 'zod';

import { country } from '../fields/country';
import {
	type FieldOptions,
	type FormParameter,
	optional,
	problemsOf,
	toCollection,
} from '../fields/field';
import type { Problem } from '../shared/problem';
import { minutes } from '../fields/minutes';
import { flag, integer, wholeNumber } from '../fields/values';
import { MINUTE_MS } from '../shared/time';
import { type Batching, batchFields, readBatching } from './batchOptions';
import { type SendOncePeriod, sendOnceSchema } from './sendOnce';

/** The settings of a run, common to all operations. */
export interface Settings extends Batching {
	/** Maximum number of requests in flight; derived from the rate limit if the option is not set. */
	concurrency?: number;
	requestTimeoutMs: number;
	/** Maximum total time that one run may wait for the rate limit. */
	maxWaitMs: number;
	retryUnknown: boolean;
	previewOnly: boolean;
	includeInputFields: boolean;
	includeRequest: boolean;
	/** Whether attributes without a value are sent, which clears them. */
	sendEmptyValues: boolean;
	/** How the fields of a row are read. */
	fieldOptions: FieldOptions;
	/** What a run started by hand does. Absent where the form has no such parameter. */
	testRuns?: 'preview' | 'testRecipient' | 'send';
	/** Maximum number of broadcasts to each audience and platform in one execution. */
	maxBroadcasts: number;
	/** Whether to skip what was sent before. */
	sendOnce: boolean;
	sendOncePeriod: SendOncePeriod;
}

const maxTimeoutSeconds = 3_600;

const defaults = {
	concurrency: 10,
	requestTimeoutSeconds: 30,
	maxWaitMinutes: 60,
} as const;

export const optionFields = {
	...batchFields,
	concurrency: integer('Concurrency', {
		modelMayFill: false,
		default: defaults.concurrency,
		typeOptions: { minValue: 1, numberPrecision: 0 },
		description:
			'How many requests may be in progress at the same time. By default 10, or one for every 50 requests of a raised limit, up to 100.',
	}),
	defaultCountry: country('Default Country', {
		modelMayFill: false,
		description:
			'The country of phone numbers that are written without a country code. Without one, numbers must begin with + or 00.',
	}),
	includeInputFields: flag('Include Input Fields', {
		modelMayFill: false,
		description:
			"Whether to output the row's columns as well. What the node adds is then under result, and a column of that name is replaced.",
	}),
	includeRequest: flag('Include Request', {
		modelMayFill: false,
		description:
			'Whether to add the request that was sent to each output item; of a batch, the part for that item',
	}),
	maxWait: minutes('Max Wait', {
		modelMayFill: false,
		default: defaults.maxWaitMinutes,
		description: 'Minutes that one run may spend waiting for the rate limit',
	}),
	previewOnly: flag('Preview Only', {
		modelMayFill: false,
		description: 'Whether to send nothing and output the requests that would be sent',
	}),
	requestTimeout: integer(
		'Request Timeout (Seconds)',
		{
			modelMayFill: false,
			default: defaults.requestTimeoutSeconds,
			typeOptions: { minValue: 1, maxValue: maxTimeoutSeconds, numberPrecision: 0 },
			description: 'Seconds to wait for the answer to a request',
		},
		maxTimeoutSeconds,
	),
	retryUnknown: flag('Retry Unknown', {
		modelMayFill: false,
		description:
			'Whether to send a request again when no answer came or the service answered 5xx. It may have been delivered, so people may get the message twice.',
	}),
	sendEmptyValues: flag('Send Empty Values', {
		modelMayFill: false,
		description:
			'Whether to send custom attributes and mapped columns that are empty, so that the service clears them. Otherwise they keep their value.',
		displayOptions: { show: { '/resource': ['user'] } },
	}),
	skipTextCheck: flag('Skip Text Check', {
		modelMayFill: false,
		description:
			'Whether to send texts that contain what an expression leaves if a value is missing, such as [object Object] or {{ }}',
	}),
};

const schema = z.object({
	options: optional(optionFields, 'Options'),
	testRuns: z
		.enum(['preview', 'send', 'testRecipient'], {
			message: 'Test Runs is not known. Choose Preview, Send or Test Recipient',
		})
		.nullish(),
	maxBroadcasts: wholeNumber('Max Broadcasts').nullish(),
	...sendOnceSchema,
});

/**
 * Validates the options of a run and fills in the defaults.
 *
 * @param maxBatchSize how many deliveries one request of the operation may carry
 */
export function readSettings(
	parameters: Record<string, unknown>,
	maxBatchSize = Infinity,
): { settings: Settings } | { problems: Problem[] } {
	const read = schema.safeParse(parameters);
	if (!read.success) return { problems: problemsOf(read.error.issues) };
	const { options: given, testRuns, maxBroadcasts, sendOnce, sendOncePeriod } = read.data;
	const batching = readBatching(given, maxBatchSize);
	if ('problems' in batching) return batching;
	return {
		settings: {
			...batching,
			concurrency: given.concurrency,
			requestTimeoutMs: (given.requestTimeout ?? defaults.requestTimeoutSeconds) * 1000,
			maxWaitMs: (given.maxWait ?? defaults.maxWaitMinutes) * MINUTE_MS,
			retryUnknown: given.retryUnknown ?? false,
			previewOnly: given.previewOnly ?? false,
			includeInputFields: given.includeInputFields ?? false,
			includeRequest: given.includeRequest ?? false,
			sendEmptyValues: given.sendEmptyValues ?? false,
			fieldOptions: { defaultCountry: given.defaultCountry, skipTextCheck: given.skipTextCheck },
			testRuns: testRuns ?? undefined,
			maxBroadcasts: maxBroadcasts ?? 1,
			sendOnce: sendOnce ?? false,
			sendOncePeriod: sendOncePeriod ?? 'ever',
		},
	};
}

export const optionsForm: FormParameter = {
	displayName: 'Options',
	name: 'options',
	modelMayFill: false,
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: toCollection(optionFields),
};
