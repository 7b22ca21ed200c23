import { z } from 'zod/v3';

import {
	type Fields,
	type Declaration,
	type FormParameter,
	byName,
	toForm,
	type FieldOptions,
	oncePerOptions,
	optional,
	collectProblems,
	required,
} from '../fields/field';
import type { ScheduleWriter } from '../schedule/format';
import { type Platform, platforms, type Body } from '../shared/delivery';
import { unknownChoice } from '../fields/values';
import { convertedFrom, prepared, converted } from '../fields/convert';
import { answerFormParameters } from '../ask/form';
import { scheduleForm } from '../schedule/form';
import { additionalFields, extraBodyFields } from './extra';
import { hasPlatforms, type CheckContext, type Row } from './operation';
import { senderForm, readSender } from './sender';
import { characterCount, isLongerThan } from '../fields/text';
import type { Problem } from '../shared/result';

/** The facts of one push, email or SMS operation (spec §2 and §4). */
export interface MessageOperation {
	resource: 'push' | 'email' | 'sms';
	value: string;
	name: string;
	action: string;
	description: string;
	/** The section of the specification that describes it. */
	section: string;
	/** The path of the request. With `<platform>`, there is one request for each chosen platform. */
	path: string;
	/** Whether the credential gives the path for web. */
	isWebPathOfAccount?: boolean;
	/** The fields that can identify the recipient; absent for broadcasts. */
	recipients?: Fields;
	/** Present for broadcasts only. */
	audience?: 'everyone' | 'segment';
	/** Whether it asks for an answer. It is then sent at once. */
	asks?: boolean;
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

/** The choice of platforms, each of which is one request. */
export const platformChoice: Omit<FormParameter, keyof Declaration> = {
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
export const webOnlyNotice: FormParameter = {
	displayName: 'Only browsers get this. To reach phones too, add Android and iOS.',
	name: 'webOnlyNotice',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'notice',
	default: '',
	displayOptions: { hide: { platforms: ['android', 'ios', { _cnd: { regex: '^=' } }] } },
};

const errorMap: z.ZodErrorMap = (_, { data }) => ({ message: unknownChoice(platformChoice, data) });

/** Reads the chosen platforms, each only once. */
export const platformList = prepared(
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
	reaches: 'nobody',
	modelMayFill: false,
	type: 'notice',
	default: '',
};

/** The form of one operation, in the order in which a user fills it in: recipient, message, sender, time, the rest. */
export function messageForm(entry: MessageOperation): FormParameter[] {
	return [
		...(entry.audience === 'everyone' ? [everyoneNotice] : []),
		...(hasPlatforms(entry) ? platformForm(entry) : []),
		...recipientForm(entry),
		...toForm(entry.required).map((property) => ({ ...property, required: true })),
		...(entry.sender ? senderForm(entry.sender) : []),
		...(entry.asks ? answerFormParameters : scheduleForm(entry.resource)),
		additionalFields({ ...entry.optional, extraBodyFields }),
	];
}

/** Whoever is asked has a phone at hand. */
function platformForm(entry: MessageOperation): FormParameter[] {
	const choice = { ...platformChoice, ...platformReach(entry) };
	return [entry.asks ? { ...choice, default: ['android', 'ios'] } : choice, webOnlyNotice];
}

/** To a single person, every platform is harmless. Of a broadcast, each one reaches other people. */
function platformReach({ audience, asks }: MessageOperation): Declaration {
	return audience === undefined
		? { reaches: 'recipient', modelMayFill: !asks }
		: { reaches: 'others', modelMayFill: false };
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
export function recipientChoice(recipients: Fields): FormParameter {
	const ways = toForm(recipients);
	const firstWay = ways[0]?.name;
	const isPerson = ways.every(({ reaches }) => reaches === 'recipient');
	const modelMayFill = isPerson && ways.every((way) => way.modelMayFill);
	return {
		displayName: 'Recipient By',
		name: 'recipientBy',
		reaches: isPerson ? 'recipient' : 'audience',
		modelMayFill,
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
