import { audienceKeys, type FieldOptions } from '../fields/field';
import { characterCount } from '../fields/text';
import { nameSegment } from '../fields/segment';
import type { Body, Delivery, Platform } from '../shared/delivery';
import { withReadableIntegers } from '../shared/exactJson';
import type { Problem } from '../shared/result';
import { readSchedule, withAllFields } from '../schedule/choice';
import { refusePassed } from '../schedule/format';
import { smsParts } from './smsParts';
import { clashesWith, extraBodyFields } from './extra';
import {
	contentReader,
	toBody,
	messageForm,
	type MessageOperation,
	platformList,
} from './messageContent';
import {
	type CheckContext,
	hasPlatforms,
	type Measured,
	type Operation,
	type Row,
} from './operation';
import { senderFields } from './sender';

/** Creates an operation that sends a message to one recipient, a segment or everyone (spec §4.2–4.4). */
export function messageOperation(entry: MessageOperation): Operation {
	const { value, name, action, description, section, path, recipients, schedule: writer } = entry;
	const sender = entry.sender && senderFields(entry.sender);
	const optionalFields = { ...entry.optional, extraBodyFields };
	const readContent = contentReader(entry);

	return {
		value,
		name,
		action,
		description,
		section,
		path,
		fields: { required: entry.required, recipients, sender, optional: optionalFields },
		isPathOfAccount: entry.isWebPathOfAccount,
		isMessage: true,
		isBroadcast: entry.audience !== undefined,
		form: messageForm(entry),
		schedule: writer,
		measure: (delivery) => measure(entry, delivery),
		check({ index, parameters }, context) {
			const read = readContent(parameters, context);
			const timing = readTiming(entry, parameters, context);
			const problems = 'problems' in read ? read.problems : [];
			if ('problems' in timing) problems.push(...timing.problems);
			if (!('filled' in read) || !('schedule' in timing)) return { problems };

			const { platforms: chosen, filled, optional, extra } = read;
			// Writing a date takes long, and only its field names matter here.
			const when = extra
				? writer.fields(
						withAllFields(timing.schedule, context.nowMs),
						context.format,
						context.nowMs,
					)
				: {};
			problems.push(...clashesWith(extra, { ...filled, ...optional, ...when }));
			problems.push(...sharedPath(entry, chosen, context));
			if (problems.length > 0) return { problems };

			const deliver = (platform?: Platform) => ({
				itemIndex: index,
				platform,
				path: pathFor(entry, platform, context),
				buildBody: () => toBody(read, platform, entry.onlyOn),
				schedule: timing.schedule,
				to: readRecipient(entry, filled, parameters),
				audience: describeAudience(
					entry,
					{ ...filled, ...optional },
					parameters.recipientBy,
					context,
				),
			});
			return { deliveries: chosen.map(deliver) };
		},
		addressees(read, options) {
			const to = readAddressee(entry, read, options);
			const { data: platforms = [] } = platformList.safeParse(read('platforms'));
			if (!to) return [];
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
	{ path, isWebPathOfAccount }: MessageOperation,
	platform: Platform | undefined,
	{ webBroadcastPath }: CheckContext,
): string {
	if (platform === 'web' && isWebPathOfAccount) return webBroadcastPath;
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

function measure(
	{ resource, counted, limits }: MessageOperation,
	{ platform, buildBody }: Delivery,
): Measured {
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

/** The recipient under the API's own key. An email address is shown as it was entered. */
function readRecipient(
	{ audience, recipients = {} }: MessageOperation,
	body: Body,
	parameters: Row['parameters'],
): Body {
	if (audience === 'everyone') return { audience };
	const key = audience === 'segment' ? 'segment_id' : String(parameters.recipientBy);
	if (recipients[key]?.holdsAddresses) return { [key]: String(parameters[key]).trim() };
	return { [key]: withReadableIntegers(body[key]) };
}

/** The recipient as it would be in the body; undefined if it is not valid. */
function readAddressee(
	{ audience, recipients, required }: MessageOperation,
	read: (parameter: string) => unknown,
	options: FieldOptions,
): Body | undefined {
	if (audience === 'everyone') return { audience };
	const key = audience === 'segment' ? 'segment_id' : String(read('recipientBy'));
	const field = { ...required, ...recipients }[key];
	const value = (field?.schemaWith?.(options) ?? field?.schema)?.safeParse(read(key));
	return value?.success ? { [key]: withReadableIntegers(value.data) } : undefined;
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
