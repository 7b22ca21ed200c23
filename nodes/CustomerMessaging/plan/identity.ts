import { hash } from 'node:crypto';

import type { Identity } from '../engine';
import { asciiDigits, withoutInvisible } from '../fields/text';
import { isRecord } from '../fields/field';
import { datesInEnglish } from '../fields/lost';
import type { Operation } from '../operations/operation';
import type { KnownRun, Run } from '../run/resolveRun';
import { writtenInstantMs } from '../schedule/format';
import type { Addressed, Body, Delivery } from '../shared/delivery';
import type { SentDelivery } from '../shared/result';

/*
 * What makes two messages the same, for all that compares, counts or remembers them. Texts have one spelling
 * here, because some are spelled differently the next time although nobody has changed them.
 */

function toIsoForm(date: string): string {
	const ms = Date.parse(date);
	return Number.isNaN(ms) ? date : new Date(ms).toISOString();
}

/**
 * The one spelling of a text: a run of white space is one space. n8n writes a `Date` into a text in English, and
 * once the execution was stored, in its ISO form: that one counts.
 */
export function oneSpelling(text: string): string {
	// A single space stays: to replace each by itself would take most of the time.
	const spaced = text.replace(/\s{2,}|[^\S ]/g, ' ');
	return spaced.includes(' GMT') ? spaced.replace(datesInEnglish, toIsoForm) : spaced;
}

/** For JSON: the order of an object's properties may differ the next time. */
function sorted(_key: string, value: unknown): unknown {
	if (!isRecord(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The same for what is said: texts have one spelling. Whom it is for is compared as it is. */
function uniform(key: string, value: unknown): unknown {
	return typeof value === 'string' ? oneSpelling(value) : sorted(key, value);
}

function digest(parts: readonly unknown[], replacer = sorted): string {
	return hash('sha256', JSON.stringify(parts, replacer), 'base64');
}

/** Identifies a recipient or audience. Mail systems ignore case in practice. */
export function identify(to: Readonly<Body>): string {
	if ('email' in to) return JSON.stringify({ email: String(to.email).toLowerCase() });
	const audience = Object.entries(to).filter(
		([key]) => key === 'campaign_id' || key === 'segment_id',
	);
	return JSON.stringify({
		...to,
		...Object.fromEntries(audience.map(([key, id]) => [key, plainId(String(id))])),
	});
}

/** An ID as a service reads it that takes a number: 5501 for `05501`, `+5501` and for other digits. */
function plainId(id: string): string {
	const plain = withoutInvisible(asciiDigits(id.normalize('NFKC')));
	return /^\+?\d+$/.test(plain) ? plain.replace(/^\+?0*(?=\d)/, '') : plain;
}

/** Tells the recipient or audience of a delivery from all others; undefined for an event or a custom request. */
function identifyRecipient({ to, buildBody }: Delivery): string | undefined {
	if (!to || !('email' in to)) return to && identify(to);
	// `to` is as it was entered, and the body holds the standard form.
	const body = buildBody();
	return identify(Array.isArray(body) ? to : { email: body.email });
}

/** The audience of a broadcast. A segment counts by its ID, because its name may change between two runs. */
export function audienceKey({ to = {}, platform }: SentDelivery): string {
	return [identify(to), platform].join(' ');
}

/**
 * Says whom a delivery is for, as retries know it. An edited event stays the same event. Only what it says tells
 * custom requests apart, so an edited one is another one.
 *
 * @param differs whether a field of the operation differs by itself each time
 */
export function addressOf(
	delivery: Delivery,
	{ isIdempotent }: Pick<Operation, 'isIdempotent'>,
	differs: boolean,
): { recipient?: string; content?: string } {
	const { path, userID, to, buildBody } = delivery;
	// Creating a user again overwrites, so its ID is enough.
	if (to || isIdempotent) return { recipient: identifyRecipient(delivery) };
	const body = buildBody();
	if (userID === undefined)
		return {
			recipient: path,
			content: differs ? undefined : digest([path, body], uniform).slice(0, 12),
		};
	const event_name = Array.isArray(body) ? undefined : body.event_name;
	return { recipient: identify({ userID, event_name }) };
}

/** Short, because n8n stores it with the execution. Two recipients with one key only have higher numbers. */
export function recipientKey({ recipient, platform, content }: Omit<Addressed, 'number'>): string {
	return digest([platform, recipient, content]).slice(0, 8);
}

/** The name of a message for the attempts of one execution. */
export function nameHere(
	execution: readonly unknown[],
	{ platform, recipient, content, number }: Addressed,
): string {
	return `here ${digest([...execution, platform, recipient, content, number])}`;
}

/** What a delivery says. Whom it is for is not part of it, because that has a name of its own. */
export function contentEntries({ buildBody, to = {} }: SentDelivery): Array<[string, unknown]> {
	return Object.entries(buildBody?.() ?? {}).filter(([name]) => !Object.hasOwn(to, name));
}

/** All that a delivery says, and when. */
export function wholeContent(delivery: SentDelivery): unknown[] {
	return [Object.fromEntries(contentEntries(delivery)), delivery.envelope, delivery.schedule];
}

/** Two messages with the same key of Send Once should have the same. */
export function contentKey(delivery: Delivery): string {
	return digest(wholeContent(delivery), uniform).slice(0, 12);
}

/**
 * The key of Send Once. The same message to the same recipient on the same platform of the same account has
 * the same one.
 *
 * @param content what makes two messages the same: the key that the user entered, or all that is sent
 */
export function onceKey(
	{ origin, account, credential, resource, operation }: Run,
	delivery: Delivery,
	period: string,
	content: readonly unknown[],
): string {
	const { path, userID, platform } = delivery;
	const what = [origin, identityOf({ account, credential }), path, resource, operation.value];
	const said = digest(content, uniform);
	return digest([...what, platform, identifyRecipient(delivery), userID, period, said]);
}

/** A key of Send Once as the user entered it, in the one spelling of texts. */
export function spelledKey(key: unknown): string {
	return oneSpelling(withoutInvisible(String(key)).normalize('NFC'));
}

/** Two messages with the same key say the same to the same person, at the same time as the service reads it. */
export function messageKey(
	delivery: Delivery,
	{ operation, account }: Pick<Run, 'operation' | 'account'>,
): string {
	const { path, platform, schedule } = delivery;
	const [content, envelope] = wholeContent(delivery);
	const atMs =
		schedule &&
		operation.schedule &&
		writtenInstantMs(schedule, operation.schedule, account.format);
	const said = digest([path, content, envelope, atMs ?? schedule], uniform);
	return digest([said, platform, identifyRecipient(delivery)]).slice(0, 16);
}

/** The place of a delivery among the results of a run. */
function placeOf({ itemIndex, platform }: SentDelivery): string {
	return `#${itemIndex} ${platform ?? 'any'}`;
}

/**
 * What the execution's memory knows a delivery by: its place, and whom it is for. Undefined if nobody knows that.
 *
 * @param isTool whether all deliveries are of item 0, so that what they say tells them apart
 */
export function memoryKey(delivery: SentDelivery, isTool: boolean): string | undefined {
	const { recipient, userID, path } = delivery;
	const whom = recipient ?? userID ?? path;
	if (whom === undefined) return undefined;
	const said = isTool && digest([path, ...wholeContent(delivery)], uniform);
	return `${placeOf(delivery)} ${digest([whom, said]).slice(0, 10)}`;
}

/** A key or a token that is renewed in its credential does not change this. A token does not say whose it is. */
function identityOf({ account, credential }: Partial<Run>) {
	const { brandId } = account ?? {};
	return brandId === undefined ? { credentialId: credential?.id } : { brandId };
}

/** Tells the account of a run from others. */
export function accountOf(run: KnownRun): string {
	return digest([run.origin, identityOf(run)]).slice(0, 10);
}

/** How what was sent tells the deliveries of an operation apart. */
export function identityFor({ isMessage }: Pick<Operation, 'isMessage'>): Identity<SentDelivery> {
	return {
		placeOf,
		memoryKey,
		counts: ({ audience, test }) => isMessage === true && audience === undefined && !test,
	};
}
