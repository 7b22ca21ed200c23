import { z } from 'zod/v3';

import { buttonLabels, limitWaitTime } from '../ask/form';
import { countries, readCountry } from '../fields/mobile';
import {
	type FieldOptions,
	type FormParameter,
	fieldForm,
	isEmpty,
	isRecord,
	optional,
	collectProblems,
	otherPeople,
	required,
	toForm,
	userOnly,
} from '../fields/field';
import { placesOf } from '../operations';
import { declaredFields, isToOne, type Operation } from '../operations/operation';
import { MINUTE_MS } from '../shared/slices';
import type { Problem } from '../shared/ending';
import { minutes, flag, integer, wholeNumber } from '../fields/values';
import { offersSendOnce, sendOncePeriods } from './sendOnce';

/** A week. Timers of Node.js end after 35,791 minutes. */
const MAX_WAIT_MINUTES = 10_000;

/** The options in order of use, with the values that they have where they are not set. */
const optionFields = {
	defaultCountry: {
		...fieldForm('Default Country', 'options', '', {
			reaches: 'recipient',
			modelMayFill: false,
			options: countries,
			description: 'Country of phone numbers without a country code',
		}),
		rule: 'A country by its two letters, such as DE',
		// It may differ by row, and matters only to national numbers.
		schema: z.unknown(),
	},
	replaceTypographicCharacters: flag('Replace Typographic Characters', {
		...userOnly,
		description: 'Whether to send plain dashes, quotes and spaces, which may save a part',
	}),
	limitWaitTime,
	...buttonLabels,
	leaveOutInvalid: flag('Leave Out Invalid Values', {
		...userOnly,
		description:
			'Whether to leave out optional values that are not valid. Otherwise the user is refused.',
	}),
	sendEmptyValues: flag('Send Empty Values', {
		...userOnly,
		description: 'Whether empty attributes and columns clear what the service has',
	}),
	includeInputFields: flag('Include Input Fields', {
		...userOnly,
		description: "Whether to output the item's columns too, and the node's output under result",
	}),
	previewOnly: flag('Preview Only', {
		...userOnly,
		// On once it is added. Where it is not added, it is off.
		default: true,
		description: 'Whether to send nothing and show the requests, also when a trigger starts it',
	}),
	maxMessages: integer('Max Messages', {
		...userOnly,
		default: 10_000,
		description: 'Messages to single people that one execution and its retries may send',
	}),
	sendDuplicates: flag('Allow Duplicates', {
		...userOnly,
		description: 'Whether to send what is the same as before. Otherwise it is skipped.',
	}),
	skipTextCheck: flag('Skip Text Check', {
		...userOnly,
		description: 'Whether to send texts with empty or leftover placeholders',
	}),
	retryUnknown: flag('Resend Unconfirmed', {
		...userOnly,
		description: 'Whether to resend what got no clear answer. People may get it twice.',
	}),
	maxWait: minutes(
		'Max Wait',
		{
			...userOnly,
			default: 60,
			description: 'Minutes that one run may wait for limits or a failing service',
		},
		MAX_WAIT_MINUTES,
	),
	batchSize: integer('Batch Size', {
		...userOnly,
		default: 100,
		description: 'How many users or events to send with one request',
	}),
	concurrency: integer(
		'Parallel Requests',
		{ ...userOnly, default: 10, description: 'How many requests may be in progress at once' },
		500,
	),
	requestTimeout: integer(
		'Request Timeout (Seconds)',
		{ ...userOnly, default: 30, description: 'Seconds to wait for an answer' },
		3_600,
	),
};

/** Operations to which an option can apply, if not to all. Elsewhere it is hidden, and a stored value is ignored. */
const appliesTo: Partial<Record<keyof typeof optionFields, (operation: Operation) => unknown>> = {
	batchSize: ({ batchKey }) => batchKey,
	concurrency: ({ waits }) => !waits,
	defaultCountry: (operation) =>
		Object.values(declaredFields(operation)).some(({ holdsNumber }) => holdsNumber),
	leaveOutInvalid: ({ hasAttributes }) => hasAttributes,
	limitWaitTime: ({ waits }) => waits,
	maxMessages: isToOne,
	messageButtonLabel: ({ waits, hasButton }) => waits && hasButton,
	replaceTypographicCharacters: ({ inParts }) => inParts,
	responseFormButtonLabel: ({ waits }) => waits,
	sendDuplicates: ({ isMessage, waits }) => isMessage && !waits,
	sendEmptyValues: ({ hasAttributes }) => hasAttributes,
};

/** An option for each place of the form where it can apply. n8n shows the one whose conditions hold. */
function inItsPlaces(option: FormParameter): FormParameter[] {
	const applies = appliesTo[option.name as keyof typeof appliesTo];
	if (!applies) return [option];
	const shownWhere = (isMeant: (operation: Operation) => boolean, more: object = {}) =>
		placesOf((operation) => Boolean(applies(operation)) && isMeant(operation)).map((place) => ({
			...option,
			displayOptions: { show: { ...place, ...more, ...option.displayOptions?.show } },
		}));
	if (option.name !== 'defaultCountry') return shownWhere(() => true);
	return [
		...shownWhere((operation) => !hasNumberByChoice(operation)),
		...shownWhere(hasNumberByChoice, { '/recipientBy': ['mobile', { _cnd: { regex: '^=' } }] }),
	];
}

/** Returns true if the only phone number is the recipient's, who can also be named in another way. */
function hasNumberByChoice(operation: Operation): boolean {
	const recipients = Object.values(operation.fields.recipients ?? {});
	return Object.values(declaredFields(operation)).every(
		(field) => !field.holdsNumber || recipients.includes(field),
	);
}

/** Defaults of the options. That of Parallel Requests depends on the rate limit. */
const defaults = required(optionFields)
	.omit({
		concurrency: true,
		limitWaitTime: true,
		messageButtonLabel: true,
		responseFormButtonLabel: true,
	})
	.parse(
		Object.fromEntries(
			Object.entries(optionFields).map(([name, { form }]) => [name, form.default]),
		),
	);

const schema = z.object({
	// A setting is entered once for all rows. Unlike in a cell of a list, a space is not empty.
	options: optional(optionFields, 'Options', undefined, isEmpty),
	testRuns: z
		.enum(['preview', 'previewLists', 'send', 'testRecipient'], {
			message: 'When Run by Hand is not known. Choose it again from its list',
		})
		.nullish(),
	maxBroadcasts: wholeNumber('Max Broadcasts').nullish(),
	sendOnce: flag('Send Once', userOnly).schema.nullish(),
	sendOncePeriod: z
		.enum(sendOncePeriods, {
			message: 'Send Once Period is not known. Choose Ever, Day, Week or Month',
		})
		.nullish(),
});

/** The settings of a run, common to all operations. */
export type Settings = NonNullable<ReturnType<typeof readSettings>['settings']>;

/** Validates the options of a run and fills in the defaults. Send Once is off where it is not offered. */
export function readSettings(
	parameters: Record<string, unknown>,
	operation: Pick<Operation, 'maxBatchSize' | 'lastRowWins' | 'waits'> = {},
) {
	const read = schema.safeParse(parameters);
	if (!read.success) return { problems: collectProblems(read.error.issues) };
	const { options, testRuns, maxBroadcasts, sendOnce, sendOncePeriod } = read.data;
	const { requestTimeout, maxWait, ...rest } = { ...defaults, previewOnly: false, ...options };
	const { maxBatchSize: max = Infinity } = operation;
	if (rest.batchSize > max) {
		const rule = `Batch Size is ${rest.batchSize}, and one request of this operation carries at most ${max}. Enter a smaller number`;
		return { problems: [{ field: 'batchSize', rule }] };
	}
	const settings = {
		...rest,
		requestTimeoutMs: requestTimeout * 1000,
		maxWaitMs: maxWait * MINUTE_MS,
		/** Absent where the form has no such parameter. */
		testRuns: testRuns ?? undefined,
		/** Maximum number of broadcasts to each audience and platform in one execution. */
		maxBroadcasts: maxBroadcasts ?? 1,
		sendOnce: sendOnce === true && offersSendOnce(operation),
		sendOncePeriod: sendOncePeriod ?? 'ever',
	};
	return { settings };
}

const MIN_CONCURRENCY = 10;
/** Each request in flight takes memory and a connection. */
const MAX_CONCURRENCY = 100;
/** Requests per minute for each one in flight. Answers may then take 1.2 s without slowing the run down. */
const REQUESTS_PER_PLACE = 50;

/** Number of requests that a run may have in flight at a rate limit, unless the user sets it. */
export function usualConcurrency(perMinute: number): number {
	const wanted = Math.ceil(perMinute / REQUESTS_PER_PLACE);
	return Math.min(Math.max(wanted, MIN_CONCURRENCY), MAX_CONCURRENCY);
}

/** Says that a run will wait for the rate limit longer than it may. */
export function longWait(
	requests: number,
	perMinute: number,
	{ maxWaitMs }: Pick<Settings, 'maxWaitMs'>,
): Problem | undefined {
	// The requests of the first minute can leave at once. It may be the end of a minute of the service, so one minute
	// less is certain.
	const minutes = Math.ceil(requests / perMinute) - 2;
	if (minutes * MINUTE_MS <= maxWaitMs) return undefined;
	return {
		field: 'maxWait',
		rule: `${requests} requests at ${perMinute} per minute wait for the rate limit for at least ${minutes} min, but 'Max Wait' allows ${maxWaitMs / MINUTE_MS} min. Raise 'Max Wait' under Options, or send the list in parts with Loop Over Items`,
	};
}

/**
 * Returns a function that gives the options of a row's fields, for the parameter as evaluated for that row.
 * Rows with the same country get the same object, so that schemas are built once.
 */
export function fieldOptionsByRow(ofRun: Omit<FieldOptions, 'defaultCountry'> = {}) {
	const known = new Map<string, FieldOptions>();
	return (options: unknown): FieldOptions => {
		const given = (isRecord(options) ? options.defaultCountry : undefined) ?? '';
		const text = typeof given === 'string' ? given : JSON.stringify(given);
		const found = known.get(text);
		if (found) return found;
		const country = readCountry(text);
		const made = { ...ofRun, defaultCountry: country ?? text.trim() };
		// Other texts may be different in each row.
		if (country || made.defaultCountry === '') known.set(text, made);
		return made;
	};
}

export const optionsForm: FormParameter = {
	displayName: 'Options',
	name: 'options',
	...otherPeople,
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: toForm(optionFields).flatMap(inItsPlaces),
};
