import { z } from 'zod/v3';

import { answerFormParameters } from '../ask/form';
import { consent } from '../fields/consent';
import { convertedFrom, convertedOr, prepared } from '../fields/convert';
import {
	audienceKeys,
	byName,
	type Declaration,
	type Fields,
	type FormParameter,
	otherPeople,
	toForm,
	userOnly,
} from '../fields/field';
import { unknownChoice } from '../fields/values';
import { scheduleForm } from '../schedule/form';
import type { ScheduleWriter } from '../schedule/format';
import { type Platform, platforms } from '../shared/delivery';
import { additionalFields, extraBodyFields } from './extra';
import { hasPlatforms, type Operation, type Sender } from './operation';
import { senderForm } from './sender';

/** The facts of one push, email or SMS operation (spec §2 and §4). */
export interface MessageOperation extends Pick<
	Operation,
	'value' | 'name' | 'action' | 'description' | 'section' | 'isPathOfAccount' | 'waits' | 'inParts'
> {
	/** The path of the request. With `<platform>`, there is one request for each chosen platform. */
	path: string;
	/** The fields that can identify the recipient; absent for broadcasts. */
	recipients?: Fields;
	/** Present for broadcasts only. */
	audience?: 'everyone' | 'segment';
	/** Who the message is from; absent if it names nobody. */
	sender?: Sender;
	required: Fields;
	optional: Fields;
	/** Maximum characters of fields, on some platforms only. */
	limits?: { on: readonly Platform[]; maxLength: Readonly<Record<string, number>> };
	/** Optional fields that are sent to one platform only. */
	onlyOn?: Readonly<Record<string, Platform>>;
	schedule: ScheduleWriter;
	/** A choice of how a field is entered, which is converted for the body. */
	entered?: {
		field: string;
		form: FormParameter;
		/** How each choice converts the field. */
		convert: Readonly<Record<string, (value: string) => string>>;
	};
	/** Fields whose characters are counted in a preview. */
	counted: readonly string[];
}

/** The choice of platforms, each of which is one request. */
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

const platform = convertedOr(
	(value) => platforms.find((one) => one === value),
	(value) => unknownChoice(platformChoice, value),
);

/** Reads the chosen platforms, each only once. */
export const platformList = prepared(
	(value): unknown[] => (Array.isArray(value) ? value : [value ?? []].flat()),
	convertedFrom(z.array(platform).min(1, 'Platforms is empty. Choose at least one'), (list) => [
		...new Set(list),
	]),
);

const everyoneNotice: FormParameter = {
	displayName: 'This reaches everyone. By hand, only if you choose Send.',
	name: 'everyoneNotice',
	...userOnly,
	type: 'notice',
	default: '',
	// Another notice stands above then, and a tool has one of its own.
	displayOptions: { hide: { testRuns: ['send'], '@tool': [true] } },
};

/** The form of one operation, in the order in which a user fills it in: recipient, message, sender, time, the rest. */
export function messageForm(entry: MessageOperation): FormParameter[] {
	return [
		...(entry.audience === 'everyone' ? [everyoneNotice] : []),
		...(hasPlatforms(entry) ? platformForm(entry) : []),
		...recipientForm(entry),
		...toForm(entry.required, { required: true }).flatMap((parameter) =>
			entry.entered?.field === parameter.name ? [entry.entered.form, parameter] : parameter,
		),
		...(entry.sender ? senderForm(entry.sender) : []),
		...(entry.waits ? answerFormParameters : scheduleForm(entry.schedule.takesDelay)),
		additionalFields(formFields(entry)),
	];
}

/** The optional fields of the form. *Consent* is asked of a person, and is no field of the body. */
export function formFields({ optional: own, recipients, waits }: MessageOperation): Fields {
	return { ...(recipients && !waits ? { consent } : {}), ...own, extraBodyFields };
}

function platformForm({ waits, audience }: MessageOperation): FormParameter[] {
	// To a single person, every platform is harmless. Of a broadcast, each one reaches other people.
	const reach: Declaration =
		audience === undefined ? { reaches: 'recipient', modelMayFill: !waits } : otherPeople;
	// Whoever is asked has a phone at hand.
	const initial = waits ? { default: ['android', 'ios'] } : {};
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
export function recipientChoice(recipients: Fields): FormParameter {
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
