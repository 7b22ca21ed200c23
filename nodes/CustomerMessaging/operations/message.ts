import { z } from 'zod/v3';

import { converted } from '../fields/convert';
import { bareAddress } from '../fields/email';
import {
	audienceKeys,
	collectProblems,
	type FieldOptions,
	type Fields,
	oncePerOptions,
	optional,
	required,
} from '../fields/field';
import { nameSegment } from '../fields/segment';
import { characterCount, isLongerThan } from '../fields/text';
import { unknownChoice } from '../fields/values';
import { readSchedule, withAllFields } from '../schedule/choice';
import { refusePassed } from '../schedule/format';
import type { Body, Delivery, Platform } from '../shared/delivery';
import { withReadableIntegers } from '../shared/exactJson';
import type { Previewed, Problem } from '../shared/ending';
import { counted, say } from '../shared/sentence';
import { clashesWith, extraBodyFields, refuseCampaign } from './extra';
import {
	formFields,
	messageForm,
	type MessageOperation,
	platformList,
	recipientChoice,
} from './messageForm';
import { type CheckContext, hasPlatforms, type Operation, type Row } from './operation';
import { smsParts } from './smsParts';

/** Creates an operation that sends a message to one recipient, a segment or everyone (spec §4.2–4.4). */
export function messageOperation(entry: MessageOperation): Operation {
	const { recipients, schedule: writer } = entry;
	const sender = entry.sender?.inNode;
	const optionalFields = formFields(entry);
	const readContent = contentReader(entry);

	return {
		...entry,
		fields: { required: entry.required, recipients, sender, optional: optionalFields },
		isMessage: true,
		isBroadcast: entry.audience !== undefined,
		form: messageForm(entry),
		measure: (delivery) => measure(entry, delivery),
		check({ index, parameters }, context) {
			const read = readContent(parameters, context);
			const asked = readSchedule(parameters, context, writer.takesDelay);
			const timing =
				'schedule' in asked
					? refusePassed(asked.schedule, parameters.sendAt, writer, context)
					: asked;
			const problems = 'problems' in read ? read.problems : [];
			if ('problems' in timing) problems.push(...timing.problems);
			if (!('filled' in read) || !('schedule' in timing)) return { problems };

			const { filled, extra } = read;
			const { schedule } = timing;
			const { nowMs, format } = context;
			const fields = { ...filled, ...read.optional };
			// Writing a date takes long, and only its field names matter here.
			const when = extra ? writer.fields(withAllFields(schedule, nowMs), format, nowMs) : {};
			problems.push(
				...clashesWith(extra, { ...fields, ...when }),
				...(recipients && !('campaign_id' in filled) ? refuseCampaign(extra) : []),
				...sharedPath(entry, read.platforms, context),
			);
			if (problems.length > 0) return { problems };

			// An email address is shown as it was entered, and not in Punycode.
			const to = readRecipient(entry, parameters.recipientBy, (key) =>
				recipients?.[key]?.holdsAddresses ? bareAddress(String(parameters[key])) : filled[key],
			);
			const audience = describeAudience(entry, fields, parameters.recipientBy, context);
			const deliver = (platform?: Platform) => ({
				itemIndex: index,
				platform,
				path: pathFor(entry, platform, context),
				buildBody: () => toBody(read, platform, entry.onlyOn),
				schedule,
				to,
				audience,
			});
			return { deliveries: read.platforms.map(deliver) };
		},
		addressees(read, options) {
			// As it would be in the body; undefined if it is not valid.
			const to = readRecipient(entry, read('recipientBy'), (key) => {
				const field = { ...entry.required, ...recipients }[key];
				return (field?.schemaWith?.(options) ?? field?.schema)?.safeParse(read(key)).data;
			});
			const { data: platforms = [] } = platformList.safeParse(read('platforms'));
			if (Object.values(to).includes(undefined)) return [];
			return hasPlatforms(entry) ? platforms.map((platform) => ({ platform, to })) : [{ to }];
		},
		bodyOfRow({ index, parameters }, context, platform) {
			const read = readContent(parameters, context);
			if (!('problems' in read)) return toBody(read, platform, entry.onlyOn);
			// Input items do not change during a run.
			throw new Error(`Item ${index} has changed since it was checked`);
		},
	};
}

function pathFor(
	{ path, isPathOfAccount }: MessageOperation,
	platform: Platform | undefined,
	{ webBroadcastPath }: CheckContext,
): string {
	if (platform === 'web' && isPathOfAccount) return webBroadcastPath;
	return platform ? path.replace('<platform>', platform) : path;
}

/** Two requests to one path would reach the same people twice. */
function sharedPath(
	entry: MessageOperation,
	platforms: ReadonlyArray<Platform | undefined>,
	context: CheckContext,
): Problem[] {
	const paths = platforms.map((platform) => pathFor(entry, platform, context));
	const shared = paths.find((path, index) => paths.indexOf(path) < index);
	if (shared === undefined) return [];
	const rule = `Two of the Platforms have the path ${shared}, because of Web Broadcast Path in the credential, so people would get the message twice. Choose only one of them`;
	return [{ field: 'platforms', rule }];
}

function measure(
	{ inParts, counted, limits }: MessageOperation,
	{ platform, buildBody }: Delivery,
): Previewed['measured'] {
	const texts = new Map<string, unknown>(Object.entries(buildBody()));
	const textOf = (field: string) => String(texts.get(field));
	const isLimited = limits?.on.some((limited) => limited === platform);
	const lengths = counted.map((field) => {
		const limit = isLimited && limits?.maxLength[field];
		return [field, { count: characterCount(textOf(field)), ...(limit ? { limit } : {}) }] as const;
	});
	return {
		characters: Object.fromEntries(lengths),
		...(inParts ? { sms: smsParts(textOf(inParts)) } : {}),
	};
}

/** The recipient under the API's own key, with the value that `valueOf` gives for it. */
function readRecipient(
	{ audience }: MessageOperation,
	recipientBy: unknown,
	valueOf: (key: string) => unknown,
): Body {
	if (audience === 'everyone') return { audience };
	const key = audience === 'segment' ? 'segment_id' : String(recipientBy);
	return { [key]: withReadableIntegers(valueOf(key)) };
}

function describeAudience(
	{ audience, recipients }: MessageOperation,
	body: Body,
	recipient: unknown,
	{ segmentNames }: CheckContext,
): string | undefined {
	if (audience !== undefined && 'segment_id' in body) {
		const id = String(body.segment_id);
		const segment = `segment ${nameSegment(id, segmentNames.get(id))}`;
		return audience === 'segment' ? segment : `${audience}, with ${segment}`;
	}
	const key = audienceKeys(recipients).find((name) => name === recipient);
	return key ? `${key.replace(/_id$/, '')} ${String(body[key])}` : audience;
}

/** What a row sends, apart from the time. */
interface Content {
	/** One undefined if the operation has no platforms. */
	platforms: Array<Platform | undefined>;
	/** The required fields, the recipient and the sender. */
	filled: Body;
	optional: Body;
	/** The keys that are no fields of the node. */
	extra?: Body;
}

/** Returns a function that reads and validates the content of a message. */
function contentReader(entry: MessageOperation) {
	const schemasUnder = oncePerOptions((options) => makeSchemas(entry, options));
	return (
		parameters: Row['parameters'],
		context: Pick<CheckContext, 'senders' | 'fieldOptions'>,
	): Content | { problems: Problem[] } => {
		const recipient = entry.recipients && parameters.recipientBy;
		const schema = schemasUnder(context.fieldOptions).get(recipient);
		if (!schema) {
			const { name: field, ...choice } = recipientChoice(entry.recipients ?? {});
			return { problems: [{ field, ...unknownChoice(choice, recipient) }] };
		}
		const read = schema.safeParse({
			platforms: parameters.platforms,
			required: parameters,
			additionalFields: parameters.additionalFields,
		});
		const sent = entry.sender?.read(parameters, context) ?? { sender: {} };
		const problems = collectProblems(read.error?.issues ?? []);
		problems.push(...findTooLong(entry, parameters));
		if ('problems' in sent) problems.push(...sent.problems);
		const converted = convertEntered(entry, parameters, read.data?.required ?? {});
		if ('problems' in converted) problems.push(...converted.problems);
		if (!read.data || !('body' in converted) || !('sender' in sent) || problems.length > 0)
			return { problems };
		const { extraBodyFields: extra, ...rest } = read.data.additionalFields;
		return {
			platforms: read.data.platforms,
			filled: { ...converted.body, ...sent.sender },
			optional: rest,
			extra,
		};
	};
}

/** Converts the field whose way of being entered is chosen in the form. */
function convertEntered(
	{ entered }: MessageOperation,
	parameters: Row['parameters'],
	body: Body,
): { body: Body } | { problems: Problem[] } {
	if (!entered) return { body };
	const { field, form, convert } = entered;
	const choice = parameters[form.name] ?? form.default;
	const converter =
		typeof choice === 'string' && Object.hasOwn(convert, choice) ? convert[choice] : undefined;
	if (!converter) return { problems: [{ field: form.name, ...unknownChoice(form, choice) }] };
	return { body: { ...body, [field]: converter(String(body[field])) } };
}

/** Builds the body of a message to one platform, without the fields of its schedule. */
function toBody(
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
	const { recipients = {} } = entry;
	const makeSchema = (to: Fields) =>
		z.object({
			platforms: hasPlatforms(entry) ? platformList : noPlatform,
			required: required({ ...to, ...entry.required }, options),
			additionalFields: optional(
				{ ...entry.optional, extraBodyFields },
				'Additional Fields',
				options,
			),
		});
	const schemas = new Map<unknown, ReturnType<typeof makeSchema>>();
	for (const [key, field] of Object.entries(recipients))
		schemas.set(key, makeSchema({ [key]: field }));
	return entry.recipients ? schemas : schemas.set(undefined, makeSchema({}));
}

function findTooLong(
	{ limits, required: fields }: MessageOperation,
	parameters: Row['parameters'],
) {
	const chosen = platformList.safeParse(parameters.platforms).data ?? [];
	if (!limits || !chosen.some((platform) => limits.on.includes(platform))) return [];
	return Object.entries(limits.maxLength).flatMap(([field, max]): Problem[] => {
		const value = parameters[field];
		if (typeof value !== 'string' || !isLongerThan(value, max)) return [];
		const label = fields[field]?.form.displayName ?? field;
		const length = counted(characterCount(value) ?? `more than ${max}`);
		const sentence = say`${label} has ${length} characters, but Android and iOS take at most ${max}. Shorten it`;
		return [{ field, ...sentence }];
	});
}
