import { z } from 'zod/v3';

import { characterCount, isLongerThan } from '../fields/characters';
import { unknownChoice } from '../fields/choice';
import { converted } from '../fields/convert';
import {
	type FieldOptions,
	type Fields,
	oncePerOptions,
	optional,
	collectProblems,
	required,
} from '../fields/field';
import type { Body, Platform } from '../shared/delivery';
import type { Problem } from '../shared/problem';
import { extraBodyFields } from './extra';
import { recipientChoice } from './messageForm';
import type { MessageOperation } from './messageOperation';
import { type CheckContext, hasPlatforms, type Row } from './operation';
import { platformList } from './platforms';
import { readSender } from './sender';

/** What a row sends, apart from the time. */
export interface Content {
	/** One undefined if the operation has no platforms. */
	platforms: Array<Platform | undefined>;
	/** The required fields, the recipient and the sender. */
	filled: Body;
	optional: Body;
	/** The keys that are no fields of the node. */
	extra?: Body;
}

/** Returns a function that reads and validates the content of a message. */
export function contentReader(entry: MessageOperation) {
	const schemasUnder = oncePerOptions((options) => makeSchemas(entry, options));
	return (
		parameters: Row['parameters'],
		context: Pick<CheckContext, 'senders' | 'fieldOptions'>,
	): Content | { problems: Problem[] } => {
		const recipient = entry.recipients && parameters.recipientBy;
		const schema = schemasUnder(context.fieldOptions).get(recipient);
		if (!schema) return { problems: [unknownRecipient(entry.recipients, recipient)] };
		const read = schema.safeParse({
			platforms: parameters.platforms,
			required: parameters,
			additionalFields: parameters.additionalFields,
		});
		const sent = entry.sender ? readSender(entry.sender, parameters, context) : { sender: {} };
		const problems = collectProblems(read.error?.issues ?? []);
		problems.push(...findTooLong(entry, parameters));
		if ('problems' in sent) problems.push(...sent.problems);
		if (!read.data || !('sender' in sent) || problems.length > 0) return { problems };
		const { extraBodyFields: extra, ...rest } = read.data.additionalFields;
		return {
			platforms: read.data.platforms,
			filled: { ...read.data.required, ...sent.sender },
			optional: rest,
			extra,
		};
	};
}

/** Builds the body of a message to one platform, without the fields of its schedule. */
export function toBody(
	{ filled, optional: given, extra }: Content,
	platform: Platform | undefined,
	onlyOn: MessageOperation['onlyOn'] = {},
): Body {
	const isSent = ([key]: [string, unknown]) => [undefined, platform].includes(onlyOn[key]);
	return { ...filled, ...Object.fromEntries(Object.entries(given).filter(isSent)), ...extra };
}

/** For operations without platforms: a single request. */
const noPlatform = converted(() => [undefined]);

/** The schemas by the field that identifies the recipient, or under undefined for broadcasts. */
function makeSchemas(entry: MessageOperation, options: FieldOptions) {
	const recipients = entry.recipients ? Object.keys(entry.recipients) : [undefined];
	return new Map<unknown, ReturnType<typeof makeSchema>>(
		recipients.map((recipient) => [recipient, makeSchema(entry, recipient, options)]),
	);
}

function makeSchema(entry: MessageOperation, recipient: string | undefined, options: FieldOptions) {
	const to = recipient ? pick(entry.recipients ?? {}, recipient) : {};
	return z.object({
		platforms: hasPlatforms(entry) ? platformList : noPlatform,
		required: required({ ...to, ...entry.required }, options),
		additionalFields: optional(
			{ ...entry.optional, extraBodyFields },
			'Additional Fields',
			options,
		),
	});
}

function unknownRecipient(recipients: Fields = {}, value: unknown): Problem {
	const { name: field, ...choice } = recipientChoice(recipients);
	return { field, message: unknownChoice(choice, value) };
}

function pick(fields: Fields, key: string): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => name === key));
}

function findTooLong(
	{ limits, required: fields }: MessageOperation,
	parameters: Row['parameters'],
) {
	if (!limits) return [];
	const chosen = platformList.safeParse(parameters.platforms).data ?? [];
	if (!chosen.some((platform) => limits.on.includes(platform))) return [];
	return Object.entries(limits.maxLength).flatMap(([field, max]): Problem[] => {
		const value = parameters[field];
		if (typeof value !== 'string') return [];
		if (!isLongerThan(value, max)) return [];
		const label = fields[field]?.form.displayName ?? field;
		const message = `${label} has ${characterCount(value)} characters, but Android and iOS take at most ${max}. Shorten it`;
		return [{ field, message }];
	});
}
