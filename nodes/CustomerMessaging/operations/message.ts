import { z } from 'zod/v3';

import { answerFormParameters } from '../ask/form';
import { converted } from '../fields/convert';
import { bareAddress } from '../fields/emailAddress';
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
import { nameSegment } from '../fields/segment';
import { characterCount, isLongerThan } from '../fields/text';
import { consent, unknownChoice } from '../fields/values';
import { type Decided, readSchedule, scheduleForm } from '../schedule/choice';
import { refusePassed, type ScheduleWriter } from '../schedule/format';
import { type Body, type Delivery, type Platform, platforms } from '../shared/delivery';
import { withReadableIntegers } from '../shared/exactJson';
import type { EndingOf, Problem } from '../shared/ending';
import { counted, say } from '../shared/formatting';
import {
	additionalFields,
	type Channel,
	type CheckContext,
	clashesWith,
	extraBodyFields,
	hasPlatforms,
	type Operation,
	type Row,
} from './operation';
import { smsParts } from '../fields/smsParts';

/** The facts of one operation that sends messages (spec §2 and §4). */
export interface MessageOperation extends Pick<
	Operation,
	'value' | 'name' | 'action' | 'description' | 'section' | 'inParts'
> {
	/** The path of the request. With `<platform>`, there is one request for each chosen platform. */
	path: string;
	/** The fields that can identify the recipient; absent for broadcasts. */
	recipients?: Fields;
	/** Present for broadcasts only. */
	audience?: 'everyone' | 'segment';
	/** The sender fields; absent if the message names no sender. */
	sender?: Channel['sender'];
	required: Fields;
	optional: Fields;
	/** Maximum characters of fields, on some platforms only. */
	limits?: { on: readonly Platform[]; maxLength: Readonly<Record<string, number>> };
	/** Optional fields that are sent to one platform only. */
	onlyOn?: Readonly<Record<string, Platform>>;
	schedule: ScheduleWriter;
	/** A choice of formats for a field, and the converter of each format to the value in the body. */
	entered?: {
		field: string;
		form: FormParameter;
		convert: ReadonlyMap<unknown, (value: string) => string>;
	};
	/** Fields whose characters are counted in a preview. */
	counted: readonly string[];
	/** Puts a question and the link to its page into the message. Present for questions only. */
	ask?: {
		/** The field of the message that becomes the heading of the page. */
		title: string;
		/** True if the link is a button with a label. */
		hasButton?: boolean;
		/** Puts the link into the body. `fields.message` is the question. */
		write(fields: Body, link: string, buttonLabel: string): Body;
		check?(body: Body): Problem[];
	};
}

/** Creates an operation that sends a message to one recipient, a segment or everyone (spec §4.2–4.4). */
export function messageOperation(entry: MessageOperation): Operation {
	const { recipients, schedule: writer } = entry;
	const readContent = contentReader(entry);

	return {
		...entry,
		fields: {
			required: entry.required,
			recipients,
			sender: entry.sender?.inNode,
			optional: formFields(entry),
		},
		isMessage: true,
		isBroadcast: entry.audience !== undefined,
		waits: entry.ask !== undefined,
		hasButton: entry.ask?.hasButton,
		form: messageForm(entry),
		measure: (delivery) => measure(entry, delivery),
		check({ index, parameters }, context) {
			const read = readContent(parameters, context);
			const asked = readSchedule(parameters, context, writer.takesDelay);
			const timing =
				'schedule' in asked
					? refusePassed(asked.schedule, parameters.sendAt, writer, context)
					: asked;
			const problems = [read, timing].flatMap((one) => ('problems' in one ? one.problems : []));
			if ('problems' in read || 'problems' in timing) return { problems };

			const { fields, extra } = read;
			const { schedule } = timing;
			const { nowMs, format } = context;
			// Only the names of these fields matter here: within hours, those of a time that has to wait.
			const timed: Decided =
				schedule.kind === 'within' ? { ...schedule, kind: 'at', instantMs: nowMs } : schedule;
			// Writing dates takes long.
			const timeFields = extra ? writer.fields(timed, format, nowMs) : {};
			problems.push(...clashesWith(extra, { ...fields, ...timeFields }));
			// A campaign may reach many people, and has guards of its own.
			const campaign = 'campaign_id';
			if (recipients && extra && campaign in extra && !(campaign in fields)) {
				const rule = `Extra Body Fields must not contain '${campaign}', because a campaign may reach many people. For that, use an operation that has Campaign ID under 'Recipient By'`;
				problems.push({ field: 'extraBodyFields', rule });
			}
			if (problems.length > 0) return { problems };

			// Show an email address as it was entered, not in Punycode.
			const to = readRecipient(entry, parameters.recipientBy, (key) =>
				recipients?.[key]?.holdsAddresses ? bareAddress(String(parameters[key])) : fields[key],
			);
			const audience = describeAudience(entry, fields, parameters.recipientBy, context);
			const deliveries = read.platforms.map((platform) => ({
				itemIndex: index,
				platform,
				path: platform ? entry.path.replace('<platform>', platform) : entry.path,
				buildBody: () => toBody(read, platform, entry.onlyOn),
				schedule,
				to,
				audience,
			}));
			return { deliveries };
		},
		addressees(read, options) {
			// The value for the body; undefined if it is not valid.
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

function measure(
	{ inParts, counted, limits }: MessageOperation,
	{ platform, buildBody }: Delivery,
): EndingOf<'preview'>['values']['measured'] {
	const body: Body = { ...buildBody() };
	const isLimited = limits?.on.some((limited) => limited === platform);
	const lengths = counted.map((field) => {
		const limit = isLimited && limits?.maxLength[field];
		const count = characterCount(String(body[field]));
		return [field, { count, ...(limit ? { limit } : {}) }] as const;
	});
	const sms = inParts ? { sms: smsParts(String(body[inParts])) } : {};
	return { characters: Object.fromEntries(lengths), ...sms };
}

/** Returns the recipient under the API's own key, with its value from `valueOf`. */
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

/** The content of a row's message, without its time. */
interface Content {
	/** A single undefined if the operation has no platforms. */
	platforms: Array<Platform | undefined>;
	/** All fields, including the recipient and the sender. */
	fields: Body;
	/** Keys that are not fields of the node. */
	extra?: Body;
}

/** Returns a function that reads and validates the content of a message. */
function contentReader(entry: MessageOperation) {
	const { entered } = entry;
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
		const fromSender = entry.sender?.read(parameters, context) ?? { sender: {} };
		const problems = collectProblems(read.error?.issues ?? []);
		problems.push(...findTooLong(entry, parameters));
		if ('problems' in fromSender) problems.push(...fromSender.problems);
		const { field, form, convert } = entered ?? {};
		const choice = form && (parameters[form.name] ?? form.default);
		const converter = convert?.get(choice);
		if (form && !converter) problems.push({ field: form.name, ...unknownChoice(form, choice) });
		if (!read.data || !('sender' in fromSender) || problems.length > 0) return { problems };
		const { required: filled, platforms, additionalFields } = read.data;
		const { extraBodyFields: extra, ...rest } = additionalFields;
		if (field && converter) filled[field] = converter(String(filled[field]));
		return { platforms, fields: { ...filled, ...fromSender.sender, ...rest }, extra };
	};
}

/** Builds the body of a message to one platform, without the fields of its schedule. */
function toBody(
	{ fields, extra }: Content,
	platform: Platform | undefined,
	onlyOn: MessageOperation['onlyOn'] = {},
): Body {
	const isSent = ([key]: [string, unknown]) => [undefined, platform].includes(onlyOn[key]);
	return { ...Object.fromEntries(Object.entries(fields).filter(isSent)), ...extra };
}

/** Creates a schema for each field that can identify the recipient, or one under undefined for broadcasts. */
function makeSchemas(entry: MessageOperation, options: FieldOptions) {
	const optionalFields = { ...entry.optional, extraBodyFields };
	const schemaTo = (recipient: Fields) =>
		z.object({
			// Without platforms, there is a single request.
			platforms: hasPlatforms(entry) ? platformList : converted(() => [undefined]),
			required: required({ ...recipient, ...entry.required }, options),
			additionalFields: optional(optionalFields, 'Additional Fields', options),
		});
	const recipients: Array<[unknown, Fields]> = entry.recipients
		? Object.entries(entry.recipients).map(([key, field]) => [key, { [key]: field }])
		: [[undefined, {}]];
	return new Map(recipients.map(([key, recipient]) => [key, schemaTo(recipient)]));
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

const platformChoice: Omit<FormParameter, keyof Declaration> = {
	displayName: 'Platforms',
	name: 'platforms',
	type: 'multiOptions',
	required: true,
	default: ['web'],
	description: 'Each platform is one request',
	hint: 'Web is browsers, also on phones. Android and iOS are apps.',
	options: [
		{ name: 'Android', value: 'android' },
		{ name: 'iOS', value: 'ios' },
		{ name: 'Web', value: 'web' },
	],
};

/** Reads the chosen platforms without duplicates. */
const platformList = converted((value, context) => {
	const chosen: unknown[] = [value ?? []].flat();
	if (chosen.length === 0) context.addIssue('Platforms is empty. Choose at least one');
	const read = chosen.map((one) => {
		const found = platforms.find((platform) => platform === one);
		if (!found) context.addIssue(unknownChoice(platformChoice, one));
		return found;
	});
	return [...new Set(read.filter((one) => one !== undefined))];
});

const everyoneNotice: FormParameter = {
	displayName: 'This reaches everyone. By hand, only if you choose Send.',
	name: 'everyoneNotice',
	...userOnly,
	type: 'notice',
	default: '',
	// In these cases, another notice is shown.
	displayOptions: { hide: { testRuns: ['send'], '@tool': [true] } },
};

/** The form of one operation, in the order of filling it in: recipient, message, sender, time, the rest. */
function messageForm(entry: MessageOperation): FormParameter[] {
	return [
		...(entry.audience === 'everyone' ? [everyoneNotice] : []),
		...(hasPlatforms(entry) ? platformForm(entry) : []),
		...recipientForm(entry),
		...toForm(entry.required, { required: true }).flatMap((parameter) =>
			entry.entered?.field === parameter.name ? [entry.entered.form, parameter] : parameter,
		),
		...(entry.sender?.form ?? []),
		...(entry.ask ? answerFormParameters : scheduleForm(entry.schedule.takesDelay)),
		additionalFields(formFields(entry)),
	];
}

/** The optional fields of the form. *Consent* is for messages to a person, and is not a field of the body. */
function formFields({ optional: own, recipients, ask }: MessageOperation): Fields {
	return { ...(recipients && !ask ? { consent } : {}), ...own, extraBodyFields };
}

function platformForm({ ask, audience }: MessageOperation): FormParameter[] {
	// For one person, any platform is harmless. In a broadcast, each platform reaches other people.
	const reach: Declaration =
		audience === undefined ? { reaches: 'recipient', modelMayFill: !ask } : otherPeople;
	// People who are asked have a phone at hand.
	const initial = ask ? { default: ['android', 'ios'] } : {};
	return [{ ...platformChoice, ...reach, ...initial }];
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
			.map(({ displayName: name, name: value, description }) => ({ name, value, description }))
			.sort((a, b) => byName(a.name, b.name)),
	};
}
