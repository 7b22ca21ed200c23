import type { IDataObject } from 'n8n-workflow';

import type { FieldOptions, Fields, FormParameter } from '../fields/field';
import type { Previewed, Problem } from '../shared/ending';
import type { ScheduleWriter, ScheduleFormat } from '../schedule/format';
import type { Body, Delivery, Platform } from '../shared/delivery';
import type { Sender } from './sender';

/** The hosts of spec §1, by the names of the credential's fields. */
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

export type Checked =
	/** `leftOut`: the attributes that are not sent because their values are not valid. */
	{ deliveries: Delivery[]; leftOut?: readonly string[] } | { problems: Problem[] };

/** What the check of a row may depend on in addition to the row itself. */
export interface CheckContext {
	nowMs: number;
	workflowZone: string;
	format: ScheduleFormat;
	/** The credential's fields for default senders, by their names there, as entered; absent if it has none. */
	senders?: Readonly<Record<string, unknown>>;
	/** The names that the credential gives to segments, by ID. */
	segmentNames: ReadonlyMap<string, string>;
	/** Whether attributes without a value are sent, which clears them. */
	sendEmptyValues: boolean;
	/** Whether users are sent without the attributes whose values are not valid, instead of being refused. */
	leaveOutInvalid: boolean;
	/** The options that change what fields accept. */
	fieldOptions: FieldOptions;
	eventPath: string;
	webBroadcastPath: string;
	/** The link to the page that answers a question; absent if the operation asks nothing. */
	answerUrl?: string;
	/** The label of the button in an email that asks. */
	messageButtonLabel?: string;
	/** The label of the button that sends a text from the page. */
	responseFormButtonLabel?: string;
	/** The columns that any item of the run has. */
	columnNames: () => readonly string[];
	/** Notes an attribute whose word means that there is no value; absent if such words are sent. */
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
	 * The path as in the specification, which may contain `<platform>`. Absent if the user enters it, so that
	 * nothing is known of whom it reaches.
	 */
	path?: string;
	/** Whether the credential may give another path than `path`; if it has platforms, only on web. */
	isPathOfAccount?: boolean;
	/** The fields of its body that have their own form field. */
	fields: { required: Fields; recipients?: Fields; sender?: Fields; optional: Fields };
	/** Whether it sends a message, to one person or to many. */
	isMessage?: boolean;
	/** Whether it reaches many people, so that the guards apply. */
	isBroadcast?: boolean;
	/** Whether it is a question. It is sent at once, and the execution waits for the answer. */
	waits?: boolean;
	/** Whether its messages show a button with a label. */
	hasButton?: boolean;
	/** Fields of its text, whose characters are counted in a preview. */
	counted?: readonly string[];
	/** The field whose text the network splits into parts, each of which is charged; absent if none is split. */
	inParts?: string;
	form: FormParameter[];
	/** Validates a row, and returns its deliveries or its problems. Sends nothing. */
	check(row: Row, context: CheckContext): Checked;
	/**
	 * Builds the body of a row that was checked, so that it need not be kept; absent if it is short.
	 *
	 * @throws if the row has changed meanwhile
	 */
	bodyOfRow?(this: void, row: Row, context: CheckContext, platform?: Platform): Body;
	/**
	 * Whom a row is for, as far as that can be read of its parameters, also if it cannot be sent; absent if
	 * the operation has no recipients.
	 */
	addressees?(
		this: void,
		read: (parameter: string) => unknown,
		options: FieldOptions,
		json: Row['json'],
	): Array<{ platform?: Platform; to: Body }>;
	/** Measures a delivery for a preview, for example text lengths and their limits. */
	measure?(delivery: Delivery): Previewed['measured'];
	/** Writes the schedule into its body; absent if it cannot be scheduled. */
	schedule?: ScheduleWriter;
	/** The key of the list that carries many deliveries in one request; absent without batches. */
	batchKey?: string;
	/** The most deliveries that one request may carry; absent if the service names no maximum. */
	maxBatchSize?: number;
	/** How much of an answer to one request is kept, if it is more than usual. */
	maxAnswerBytes?: number;
	/** Whether repeating a delivery does no harm. */
	isIdempotent?: boolean;
	/** Whether a delivery overwrites what earlier ones with its `userID` have set, so that the last has to be sent last. */
	lastRowWins?: boolean;
	/** Whether it stores attributes, which can be cleared, or left out if they are not valid. */
	hasAttributes?: boolean;
	/** Whether it reaches no person, not even by starting a journey. */
	reachesNobody?: boolean;
}

/** All fields of an operation's body that have their own form field. */
export function declaredFields({ fields }: Pick<Operation, 'fields'>): Fields {
	return { ...fields.required, ...fields.recipients, ...fields.sender, ...fields.optional };
}

/** A `buildBody` that holds the body alone, and nothing else that a check has read of its row. */
export function holding(body: Body): () => Body {
	return () => body;
}

/** Whether it sends a message to one person, who is not asked. */
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
	/** The host of its requests, and the limit that they count against (spec §8); absent if the user chooses them. */
	target?: { host: Host; api: string };
	/** Requests per minute by default (spec §8), if it has a limit of its own and it is not the usual one. */
	perMinute?: number;
	/** What a failure calls one request: its recipient follows. Absent if it has none. */
	oneFor?: string;
	operations: readonly Operation[];
	/** What the form begins with. n8n stores no default, so another one would change saved nodes. */
	defaultOperation: string;
}

/** A resource that sends messages to people: all that differs between, say, email and SMS. */
export interface Channel extends Resource {
	target: { host: Host; api: string };
	oneFor: string;
	/** How the preview shows a message: on a lock screen or in a browser, as text on a phone, or as an email. */
	look: 'notification' | 'text' | 'mail';
	/** Who its messages are from, in the node and in the credential; absent if they name nobody. */
	sender?: Sender;
	/** The credential's field for who gets its test messages, and the API's key for its value. */
	testRecipient: Pick<FormParameter, 'name' | 'displayName' | 'placeholder' | 'description'> & {
		key: string;
	};
}
