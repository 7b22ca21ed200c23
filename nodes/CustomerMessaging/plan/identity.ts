import { hash } from 'node:crypto';

import type { Identity } from '../engine';
import { isRecord } from '../fields/field';
import { datesInEnglish } from '../fields/lost';
import type { Operation } from '../operations/operation';
import type { KnownRun, Run } from '../run/resolveRun';
import { writtenInstantMs } from '../schedule/format';
import type { Addressed, Body, Delivery } from '../shared/delivery';
import type { SentDelivery } from '../shared/ending';

// Decides which messages are the same, for everything that compares, counts or remembers them.

/** Replacer for JSON. The order of an object's properties may differ the next time. */
function sorted(_key: string, value: unknown): unknown {
	// n8n writes a `Date` into a text in English, and in ISO form once the execution was stored.
	if (typeof value === 'string' && value.includes(' GMT'))
		return value.replace(datesInEnglish, (date) => new Date(date).toJSON());
	if (!isRecord(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function digest(parts: readonly unknown[]): string {
	return hash('sha256', JSON.stringify(parts, sorted), 'base64');
}

/** Identifies a recipient or audience. Mail systems ignore case in practice. */
export function identify(to: Readonly<Body>): string {
	if ('email' in to) return JSON.stringify({ email: String(to.email).toLowerCase() });
	return JSON.stringify(to, (_key, value: unknown) =>
		typeof value === 'number' ? String(value) : value,
	);
}

/** Identifies the recipient or audience of a delivery. Undefined for an event or a custom request. */
function identifyRecipient({ to, buildBody }: Delivery): string | undefined {
	if (!to || !('email' in to)) return to && identify(to);
	// `to` holds the address as entered, the body its standard form.
	const body = buildBody();
	return identify(Array.isArray(body) ? to : { email: body.email });
}

/** The audience of a broadcast. A segment counts by its ID, because its name may change between two runs. */
export function audienceKey({ to = {}, platform }: SentDelivery): string {
	return [identify(to), platform].join(' ');
}

/**
 * The recipient by which retries know a delivery. An edited event stays the same event. A custom request has only its
 * content, so an edited one is another one.
 */
export function addressOf(delivery: Delivery, { operation, differing }: Run) {
	const { path, userID, to, buildBody } = delivery;
	// Creating a user again overwrites, so its ID is enough.
	if (to || operation.isIdempotent) return { recipient: identifyRecipient(delivery) };
	const body = buildBody();
	if (userID === undefined) {
		const content = differing.size > 0 ? undefined : digest([path, body]).slice(0, 12);
		return { recipient: path, content };
	}
	const event_name = Array.isArray(body) ? undefined : body.event_name;
	return { recipient: identify({ userID, event_name }) };
}

/** Short, because n8n stores it with the execution. Recipients that share one only get higher numbers. */
export function recipientKey({ recipient, platform, content }: Omit<Addressed, 'number'>): string {
	return digest([platform, recipient, content]).slice(0, 8);
}

/** Identifies a message for all attempts of one execution. */
export function executionKey(execution: readonly unknown[], message: Addressed): string {
	const { platform, recipient, content, number } = message;
	return `here ${digest([...execution, platform, recipient, content, number])}`;
}

/** The content of a delivery, without its recipient, which is compared separately. */
export function contentEntries({ buildBody, to = {} }: SentDelivery): Array<[string, unknown]> {
	return Object.entries(buildBody?.() ?? {}).filter(([name]) => !Object.hasOwn(to, name));
}

/** The content of a delivery and its time. */
export function wholeContent(delivery: SentDelivery): unknown[] {
	return [Object.fromEntries(contentEntries(delivery)), delivery.envelope, delivery.schedule];
}

/** Hash of the content, which messages with the same key of Send Once should share. */
export function contentKey(delivery: Delivery): string {
	return digest(wholeContent(delivery)).slice(0, 12);
}

/**
 * The key of Send Once: equal for the same message to the same recipient, on the same platform of the same account.
 *
 * @param content the key that the user entered, or the content that is compared
 */
export function onceKey(run: Run, delivery: Delivery, period: string, content: unknown[]): string {
	const { path, userID, platform } = delivery;
	const what = [run.origin, identityOf(run), path, run.resource, run.operation.value];
	const whom = [platform, identifyRecipient(delivery), userID];
	return digest([...what, ...whom, period, digest(content)]);
}

/** Equal for messages with the same content to the same person, at the same time as the service reads it. */
export function messageKey(delivery: Delivery, { operation, account }: Run): string {
	const { path, platform, schedule } = delivery;
	const { schedule: writer } = operation;
	const atMs = schedule && writer && writtenInstantMs(schedule, writer, account.format);
	const said = [path, Object.fromEntries(contentEntries(delivery)), atMs ?? schedule];
	return digest([said, platform, identifyRecipient(delivery)]).slice(0, 16);
}

/** The place of a delivery among the results of a run. */
function placeOf({ itemIndex, platform }: SentDelivery): string {
	return `#${itemIndex} ${platform ?? 'any'}`;
}

/**
 * Key of a delivery in the execution's memory: its place and its recipient. Undefined without a recipient.
 *
 * @param isTool true for an agent's tool: all deliveries are of item 0, so their content tells them apart
 */
export function memoryKey(delivery: SentDelivery, isTool: boolean): string | undefined {
	const { recipient, userID, path } = delivery;
	const whom = recipient ?? userID ?? path;
	if (whom === undefined) return undefined;
	const said = isTool && digest([path, ...wholeContent(delivery)]);
	return `${placeOf(delivery)} ${digest([whom, said]).slice(0, 10)}`;
}

/** Identifies an account. A renewed key or token changes nothing. A token does not say whose it is. */
function identityOf({ account, credential }: Partial<Run>) {
	const { brandId } = account ?? {};
	return brandId === undefined ? { credentialId: credential?.id } : { brandId };
}

export function accountOf(run: KnownRun): string {
	return digest([run.origin, identityOf(run)]).slice(0, 10);
}

/** The identities of an operation's deliveries, for the record of earlier messages. */
export function identityFor({ isMessage }: Pick<Operation, 'isMessage'>): Identity<SentDelivery> {
	return {
		placeOf,
		memoryKey,
		counts: ({ audience, test }) => isMessage === true && audience === undefined && !test,
	};
}
