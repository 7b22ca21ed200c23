import type { IDataObject } from 'n8n-workflow';

import {
	type FieldOptions,
	type Fields,
	type FormParameter,
	otherPeople,
	toForm,
} from '../fields/field';
import { jsonObject } from '../fields/json';
import type { EndingOf, Problem } from '../shared/ending';
import type { ScheduleWriter, ScheduleFormat } from '../schedule/format';
import type { Body, Delivery, Platform } from '../shared/delivery';
import type { makeSender } from './sender';

/** The reference does not show the path of events (spec §4.1). The credential can override it. */
export const defaultEventPath = '/api/v1/event/create';

/** The hosts of spec §1, named as the credential's fields. */
export type Host = 'baseUrl' | 'pushUrl' | 'mailUrl';

/** The labels of these fields in the credential. */
export const hostNames: Readonly<Record<Host, string>> = {
	mailUrl: 'Email and SMS API URL',
	pushUrl: 'Push API URL',
	baseUrl: 'User and Event API URL',
};

/** One input item, with the node's parameters as evaluated for it. */
export interface Row {
	index: number;
	parameters: Readonly<Record<string, unknown>>;
	json: IDataObject;
}

/** The deliveries of a row, or the problems for which it is refused. */
export interface Checked {
	deliveries?: Delivery[];
	problems?: Problem[];
	/** The attributes that are not sent because their values are not valid. */
	leftOut?: readonly string[];
}

/** Everything that the check of a row may use besides the row. */
export interface CheckContext {
	nowMs: number;
	workflowZone: string;
	format: ScheduleFormat;
	/** The credential's fields for default senders, as entered; absent if it has none. */
	senders?: Readonly<Record<string, unknown>>;
	/** Names of segments in the credential, by ID. */
	segmentNames: ReadonlyMap<string, string>;
	/** True to send attributes without a value, which clears them. */
	sendEmptyValues: boolean;
	/** True to send users without their invalid attributes, instead of refusing them. */
	leaveOutInvalid: boolean;
	fieldOptions: FieldOptions;
	eventPath: string;
	/** The link to the page that answers a question; absent if the operation asks nothing. */
	answerUrl?: string;
	/** The label of the button in the email of a question. */
	messageButtonLabel?: string;
	/** The label of the page's button that sends a text. */
	responseFormButtonLabel?: string;
	/** The columns of all items of the run. */
	columnNames: () => readonly string[];
	/** Records an attribute whose value is a word for nothing; absent if such words are sent. */
	noteNobody?: (name: string, word: string) => void;
}

/** One entry of the Operation list: its form, its checks and its request (spec §4). */
export interface Operation {
	/** The value under the parameter `operation`. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** The section of the specification. */
	section: string;
	/**
	 * The path in the specification, which may contain `<platform>`. Absent if the user enters it; the people that it
	 * reaches are then unknown.
	 */
	path?: string;
	/** True if the credential can replace `path`. */
	isPathOfAccount?: boolean;
	/** The fields of its body that have their own form field. */
	fields: { required: Fields; recipients?: Fields; sender?: Fields; optional: Fields };
	/** True if it sends a message, to one person or to many. */
	isMessage?: boolean;
	/** True if it reaches many people, so that the guards apply. */
	isBroadcast?: boolean;
	/** True if it is a question. It is sent at once, and the execution waits for the answer. */
	waits?: boolean;
	/** True if its messages show a button with a label. */
	hasButton?: boolean;
	/** Fields whose characters are counted in a preview. */
	counted?: readonly string[];
	/** The field that the network splits into parts, each of which is charged; absent if there is none. */
	inParts?: string;
	form: FormParameter[];
	/** Validates a row, and returns its deliveries or its problems. Sends nothing. */
	check(row: Row, context: CheckContext): Checked;
	/**
	 * Builds the body of a checked row again, so that it need not be kept in memory; absent if it is short.
	 *
	 * @throws if the row has changed meanwhile
	 */
	bodyOfRow?(this: void, row: Row, context: CheckContext, platform?: Platform): Body;
	/** Reads a row's recipients from its parameters, even if it cannot be sent; absent without recipients. */
	addressees?(
		this: void,
		read: (parameter: string) => unknown,
		options: FieldOptions,
		json: Row['json'],
	): Array<{ platform?: Platform; to: Body }>;
	/** Measures a delivery for a preview, for example text lengths and their limits. */
	measure?(delivery: Delivery): EndingOf<'preview'>['values']['measured'];
	/** Writes the schedule into its body; absent if it cannot be scheduled. */
	schedule?: ScheduleWriter;
	/** The key of the list that carries many deliveries in one request; absent without batches. */
	batchKey?: string;
	/** The most deliveries that one request may carry; absent if the service names no maximum. */
	maxBatchSize?: number;
	/** Maximum bytes to keep of a response, if more than usual. */
	maxAnswerBytes?: number;
	/** True if a delivery can be repeated without harm. */
	isIdempotent?: boolean;
	/** True if a delivery overwrites earlier ones with the same `userID`, so that the last must be sent last. */
	lastRowWins?: boolean;
	/** True if it stores attributes, which can be cleared, or left out if they are not valid. */
	hasAttributes?: boolean;
	/** True if it reaches no person, not even by starting a journey. */
	reachesNobody?: boolean;
}

/** All fields of an operation's body that have their own form field. */
export function declaredFields({ fields }: Pick<Operation, 'fields'>): Fields {
	return { ...fields.required, ...fields.recipients, ...fields.sender, ...fields.optional };
}

/** For keys that the service accepts but its reference does not mention. */
export const extraBodyFields = jsonObject('Extra Body Fields', {
	...otherPeople,
	placeholder: 'e.g. { "channel": "promo" }',
	description: 'A JSON object whose fields are added to the body as they are',
});

/** Refuses keys of an additional object that the node sets itself. */
export function clashesWith(
	extra: unknown,
	body: object,
	{ field, label } = { field: 'extraBodyFields', label: 'Extra Body Fields' },
): Problem[] {
	return Object.keys(extra ?? {})
		.filter((key) => Object.hasOwn(body, key))
		.map((key) => ({
			field,
			rule: `${label} must not contain '${key}', because the node sets it. Use the field for it instead`,
		}));
}

/** Returns the form's collection of optional fields. */
export function additionalFields(fields: Fields): FormParameter {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		...otherPeople,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: toForm(fields),
	};
}

/** Returns a `buildBody` that keeps only the body in memory, and nothing else of the checked row. */
export function holding(body: Body): () => Body {
	return () => body;
}

/** Checks for a message to one person that is not a question. */
export function isToOne({ isMessage, isBroadcast, waits }: Operation): boolean {
	return isMessage === true && !isBroadcast && !waits;
}

export function hasPlatforms({ path }: Pick<Operation, 'path'>): boolean {
	return path?.includes('<platform>') === true;
}

/** One entry of the Resource list. */
export interface Resource {
	value: string;
	name: string;
	/** Host and rate limit of its requests (spec §8); absent if the user chooses them. */
	target?: { host: Host; api: string };
	/** Default requests per minute (spec §8), if it has a limit of its own other than the usual one. */
	perMinute?: number;
	operations: readonly Operation[];
	/** Default of the form. n8n does not store defaults, so another one would change saved nodes. */
	defaultOperation: string;
}

/** A resource that sends messages to people. */
export interface Channel extends Resource {
	target: { host: Host; api: string };
	/** Look of a message in the preview: on a lock screen or in a browser, as text on a phone, or as an email. */
	look: 'notification' | 'text' | 'mail';
	/** The sender fields of the node and of the credential; absent if its messages name no sender. */
	sender?: ReturnType<typeof makeSender>;
	/** The credential's field for the recipient of test messages, and the API's key for its value. */
	testRecipient: Pick<FormParameter, 'name' | 'displayName' | 'placeholder' | 'description'> & {
		key: string;
	};
}
