import { z } from 'zod/v3';

import {
	audienceKeys,
	byName,
	collectProblems,
	type Declaration,
	type FieldOptions,
	type Fields,
	type FormParameter,
	oncePerOptions,
	optional,
	otherPeople,
	required,
	toForm,
	userOnly,
} from '../fields/field';
import { convertedFrom, prepared, converted } from '../fields/convert';
import { characterCount, isLongerThan } from '../fields/text';
import { unknownChoice } from '../fields/values';
import { nameSegment } from '../fields/segment';
import { answerFormParameters } from '../ask/form';
import { type Body, type Delivery, type Platform, platforms } from '../shared/delivery';
import { withReadableIntegers } from '../shared/exactJson';
import type { PreviewResult, Problem } from '../shared/result';
import { readSchedule, withAllFields } from '../schedule/choice';
import { refusePassed, type ScheduleWriter } from '../schedule/format';
import { scheduleForm } from '../schedule/form';
import { smsParts } from './smsParts';
import { additionalFields, clashesWith, extraBodyFields } from './extra';
import { type CheckContext, hasPlatforms, type Operation, type Row } from './operation';
import { readSender, senderFields, senderForm } from './sender';

/** The facts of one push, email or SMS operation (spec §2 and §4). */
export interface MessageOperation extends Pick<
	Operation,
	'value' | 'name' | 'action' | 'description' | 'section' | 'isPathOfAccount' | 'waits'
> {
	resource: 'push' | 'email' | 'sms';
	/** The path of the request. With `<platform>`, there is one request for each chosen platform. */
	path: string;
	/** The fields that can identify the recipient; absent for broadcasts. */
	recipients?: Fields;
	/** Present for broadcasts only. */
	audience?: 'everyone' | 'segment';
	/** Whose sender the message has; absent without one. */
	sender?: 'email' | 'sms';
	required: Fields;
	optional: Fields;
	/** Maximum characters of fields, on some platforms only. */
	limits?: { on: readonly Platform[]; maxLength: Readonly<Record<string, number>> };
	/** Optional fields that are sent to one platform only. */
	onlyOn?: Readonly<Record<string, Platform>>;
	schedule: ScheduleWriter;
	/** Fields whose characters are counted in a preview. */
	counted: readonly string[];
}

/** Creates an operation that sends a message to one recipient, a segment or everyone (spec §4.2–4.4). */
export function messageOperation(entry: MessageOperation): Operation {
	const { recipients, schedule: writer } = entry;
	const sender = entry.sender && senderFields(entry.sender);
	const optionalFields = { ...entry.optional, extraBodyFields };
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
			const asked = readSchedule(parameters, context, entry.resource);
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
				...sharedPath(entry, read.platforms, context),
			);
			if (problems.length > 0) return { problems };

			// An email address is shown as it was entered.
			const to = readRecipient(entry, parameters.recipientBy, (key) =>
				recipients?.[key]?.holdsAddresses ? String(parameters[key]).trim() : filled[key],
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
		buildBody({ index, parameters }, context, platform) {
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
	const message = `Two of the Platforms have the path ${shared}, because of Web Broadcast Path in the credential, so people would get the message twice. Choose only one of them`;
	return [{ field: 'platforms', message }];
}

function measure(
	{ resource, counted, limits }: MessageOperation,
	{ platform, buildBody }: Delivery,
): PreviewResult['measured'] {
	const texts = new Map<string, unknown>(Object.entries(buildBody()));
	const textOf = (field: string) => String(texts.get(field));
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

/** The choice of platforms, each of which is one request. */
const platformChoice: Omit<FormParameter, keyof Declaration> = {
	displayName: 'Platforms',
	name: 'platforms',
	type: 'multiOptions',
	required: true,
	default: ['web'],
	description: 'Where to send it; each platform is one request and one output item',
	options: [
		{ name: 'Android', value: 'android' },
		{ name: 'iOS', value: 'ios' },
		{ name: 'Web', value: 'web' },
	],
};

/** Not shown for an expression, whose platforms the form does not know. */
const webOnlyNotice: FormParameter = {
	displayName: 'Only browsers get this. To reach phones too, add Android and iOS.',
	name: 'webOnlyNotice',
	...userOnly,
	type: 'notice',
	default: '',
	displayOptions: { hide: { platforms: ['android', 'ios', { _cnd: { regex: '^=' } }] } },
};

const errorMap: z.ZodErrorMap = (_, { data }) => ({ message: unknownChoice(platformChoice, data) });

/** Reads the chosen platforms, each only once. */
const platformList = prepared(
	(value) => (typeof value === 'string' ? [value] : (value ?? [])),
	convertedFrom(
		z
			.array(z.enum(platforms, { errorMap }), { errorMap })
			.min(1, 'Platforms is empty. Choose at least one'),
		(list) => [...new Set(list)],
	),
);

const everyoneNotice: FormParameter = {
	displayName:
		'This reaches everyone. When you run it by hand, it only shows what it would send, unless When Run by Hand below says otherwise.',
	name: 'everyoneNotice',
	...userOnly,
	type: 'notice',
	default: '',
};

/** The form of one operation, in the order in which a user fills it in: recipient, message, sender, time, the rest. */
function messageForm(entry: MessageOperation): FormParameter[] {
	return [
		...(entry.audience === 'everyone' ? [everyoneNotice] : []),
		...(hasPlatforms(entry) ? platformForm(entry) : []),
		...recipientForm(entry),
		...toForm(entry.required, { required: true }),
		...(entry.sender ? senderForm(entry.sender) : []),
		...(entry.waits ? answerFormParameters : scheduleForm(entry.resource)),
		additionalFields({ ...entry.optional, extraBodyFields }),
	];
}

function platformForm({ waits, audience }: MessageOperation): FormParameter[] {
	// To a single person, every platform is harmless. Of a broadcast, each one reaches other people.
	const reach: Declaration =
		audience === undefined ? { reaches: 'recipient', modelMayFill: !waits } : otherPeople;
	// Whoever is asked has a phone at hand.
	const initial = waits ? { default: ['android', 'ios'] } : {};
	return [{ ...platformChoice, ...reach, ...initial }, webOnlyNotice];
}

function recipientForm({ recipients }: MessageOperation): FormParameter[] {
	if (!recipients) return [];
	return [
		recipientChoice(recipients),
		...toForm(recipients).map((property) => ({
			...property,
			requiredIfChosen: true,
			displayOptions: { show: { recipientBy: [property.name] } },
		})),
	];
}

/** The choice of the field that names the recipient. A model must not choose one that may reach many people. */
function recipientChoice(recipients: Fields): FormParameter {
	const ways = toForm(recipients);
	const firstWay = ways[0]?.name;
	const isPerson = audienceKeys(recipients).length === 0;
	return {
		displayName: 'Recipient By',
		name: 'recipientBy',
		reaches: isPerson ? 'recipient' : 'audience',
		modelMayFill: isPerson && ways.every((way) => way.modelMayFill),
		type: 'options',
		default: firstWay,
		description: 'How to name the recipient',
		options: ways
			.map(({ displayName, name, description }) => ({
				name: displayName,
				value: name,
				description,
			}))
			.sort((a, b) => byName(a.name, b.name)),
	};
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
			return { problems: [{ field, message: unknownChoice(choice, recipient) }] };
		}
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
		const message = `${label} has ${characterCount(value)} characters, but Android and iOS take at most ${max}. Shorten it`;
		return [{ field, message }];
	});
}
