import { z } from 'zod';

import { unknownChoice } from '../fields/choice';
import { converted } from '../fields/convert';
import {
	type FieldOptions,
	type Fields,
	oncePerOptions,
	optional,
	problemsOf,
	required,
} from '../fields/field';
import { characterCount, isLongerThan } from '../fields/characters';
import { type Body, type Delivery, type Platform } from '../shared/delivery';
import { withReadableIntegers } from '../shared/exactJson';
import type { Problem } from '../shared/problem';
import { readSchedule } from '../schedule/choice';
import { refusePassed } from '../schedule/format';
import { smsParts } from './smsParts';
import { clashesWith, extraBodyFields } from './extra';
import { messageForm, recipientChoice } from './messageForm';
import type { MessageOperation } from './messageOperation';
import { type CheckContext, hasPlatforms, type Operation, type Row } from './operation';
import { platformList } from './platforms';
import { readSender } from './sender';
import { senderFields } from './senderFields';

/** Creates an operation that sends a message to one recipient, a segment or everyone (spec §4.2–4.4). */
export function messageOperation(entry: MessageOperation): Operation {
	const { value, name, action, description, section, path, recipients, schedule: writer } = entry;
	const sender = entry.sender && senderFields(entry.sender);
	const optionalFields = { ...entry.optional, extraBodyFields };
	const schemasUnder = oncePerOptions((options) => schemasOf(entry, options));

	return {
		value,
		name,
		action,
		description,
		section,
		path,
		fields: { required: entry.required, recipients, sender, optional: optionalFields },
		isMessage: true,
		isBroadcast: entry.audience !== undefined,
		form: messageForm(entry),
		schedule: writer,
		measure: (delivery) => measure(entry, delivery),
		check({ index, parameters }, context) {
			const recipient = entry.recipients && parameters.recipientBy;
			const schema = schemasUnder(context.fieldOptions).get(recipient);
			if (!schema) return { problems: [unknownRecipient(entry.recipients, recipient)] };

			const read = schema.safeParse({
				platforms: parameters.platforms,
				required: parameters,
				additionalFields: parameters.additionalFields,
			});
			const sent = entry.sender ? readSender(entry.sender, parameters, context) : { sender: {} };
			const timing = readTiming(entry, parameters, context);
			const problems = problemsOf(read.error?.issues ?? []);
			problems.push(...tooLong(entry, parameters));
			if ('problems' in sent) problems.push(...sent.problems);
			if ('problems' in timing) problems.push(...timing.problems);
			if (!read.data || !('sender' in sent) || !('schedule' in timing)) return { problems };

			const { platforms: chosen, required: own, additionalFields } = read.data;
			const filled = { ...own, ...sent.sender };
			const { extraBodyFields: extra, ...rest } = additionalFields;
			// Writing a date takes long, and only its field names matter here.
			const when = extra ? writer.fields(timing.schedule, context.format, context.nowMs) : {};
			problems.push(...clashesWith(extra, { ...filled, ...rest, ...when }));
			if (problems.length > 0) return { problems };

			const deliver = (platform?: Platform) => ({
				itemIndex: index,
				platform,
				path: platform ? path.replace('<platform>', platform) : path,
				body: { ...filled, ...onlyFor(platform, rest, entry.onlyOn), ...extra },
				schedule: timing.schedule,
				to: recipientOf(entry, filled, parameters),
				audience: audienceOf(entry, filled),
			});
			return { deliveries: chosen.map(deliver) };
		},
	};
}

function readTiming(
	{ resource, schedule: writer }: MessageOperation,
	parameters: Row['parameters'],
	context: CheckContext,
) {
	const reading = readSchedule(parameters, context, resource);
	return 'schedule' in reading
		? refusePassed(reading.schedule, parameters.sendAt, writer, context)
		: reading;
}

/** For operations without platforms: a single request. */
const noPlatform = converted(() => [undefined]);

/** The schemas by the field that identifies the recipient, or under undefined for broadcasts. */
function schemasOf(entry: MessageOperation, options: FieldOptions) {
	const recipients = entry.recipients ? Object.keys(entry.recipients) : [undefined];
	return new Map<unknown, ReturnType<typeof schemaOf>>(
		recipients.map((recipient) => [recipient, schemaOf(entry, recipient, options)]),
	);
}

function schemaOf(entry: MessageOperation, recipient: string | undefined, options: FieldOptions) {
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

function tooLong({ limits, required: fields }: MessageOperation, parameters: Row['parameters']) {
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

/** Measures text lengths for a preview, and the parts of an SMS, because each part is charged. */
function measure({ resource, counted, limits }: MessageOperation, { platform, body }: Delivery) {
	const textOf = (field: string) =>
		String(Object.entries(body).find(([key]) => key === field)?.[1]);
	const isLimited = limits?.on.some((limited) => limited === platform);
	const lengths = counted.map((field) => {
		const limit = isLimited && limits?.maxLength[field];
		return [field, { count: characterCount(textOf(field)), ...(limit ? { limit } : {}) }] as const;
	});
	return {
		characters: Object.fromEntries(lengths),
		...(resource === 'sms' ? { sms: smsParts(textOf('message')) } : {}),
	};
}

function onlyFor(
	platform: Platform | undefined,
	body: Body,
	onlyOn: MessageOperation['onlyOn'] = {},
) {
	return Object.fromEntries(
		Object.entries(body).filter(([key]) => [undefined, platform].includes(onlyOn[key])),
	);
}

/** The recipient under the API's own key. An email address is shown as it was entered. */
function recipientOf(
	{ audience }: MessageOperation,
	body: Body,
	{ recipientBy, email }: Row['parameters'],
): Body {
	if (audience === 'everyone') return { audience };
	const key = audience === 'segment' ? 'segment_id' : String(recipientBy);
	if (key === 'email') return { email: String(email).trim() };
	return { [key]: withReadableIntegers(body[key]) };
}

function audienceOf({ audience }: MessageOperation, body: Body): string | undefined {
	return audience === 'segment' ? `segment ${String(body.segment_id)}` : audience;
}

function unknownRecipient(recipients: Fields = {}, value: unknown): Problem {
	const { name: field, ...choice } = recipientChoice(recipients);
	return { field, message: unknownChoice(choice, value) };
}

function pick(fields: Fields, key: string): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => name === key));
}
