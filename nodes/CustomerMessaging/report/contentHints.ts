import { isRecord } from '../fields/field';
import { replaceTypographic } from '../fields/text';
import { channels } from '../operations/channels';
import type { Operation } from '../operations/operation';
import { smsParts } from '../fields/smsParts';
import type { Noted } from '../plan/rows';
import type { Run } from '../run/resolveRun';
import { type Clock, groupBy, inSlices } from '../shared/slices';
import type { Delivery } from '../shared/delivery';
import { count, grouped, listed, quote, tell } from '../shared/formatting';
import type { Result, SentDelivery } from '../shared/ending';
import { asHeading, compact, itemsOf, type NameOf, pickAccepted, type Told } from './names';

/** An SMS is rarely meant to have as many parts as this. */
const MANY_PARTS = 4;

/** Hints about the parts of SMS, because each part is charged: of those that are shown, or were sent. */
export async function smsHints(
	{ resource, operation: { inParts }, mode }: Pick<Run, 'resource' | 'operation' | 'mode'>,
	planned: readonly Delivery[],
	results: readonly Result[],
	clock: Clock,
): Promise<Told> {
	if (inParts === undefined) return {};
	const isSent = mode.kind === 'send';
	const accepted = new Set<SentDelivery>(pickAccepted(results).map(({ delivery }) => delivery));
	const deliveries = planned.filter((delivery) => !isSent || accepted.has(delivery));
	if (deliveries.length === 0) return {};
	const { name = '' } = channels.find(({ value }) => value === resource) ?? {};
	let parts = 0;
	let plainParts = 0;
	let most = 0;
	await inSlices(deliveries, { clock }, (delivery) => {
		const message = textOf(delivery, inParts);
		const own = smsParts(message)?.parts;
		parts += own ?? 0;
		plainParts += smsParts(replaceTypographic(message))?.parts ?? 0;
		most = Math.max(most, own ?? MANY_PARTS);
	});
	// A single message in one part is what everybody expects.
	if (isSent && parts === 1) return {};
	const isForMany = deliveries.some(({ audience }) => audience !== undefined);
	const messages = compact(
		`${isSent ? 'Sent: ' : ''}${deliveries.length} ${name} in ${count(parts, 'part')}${isForMany ? ' for each recipient' : ''}. Each part is charged.`,
		plainParts < parts &&
			`Without characters such as “ ’ – it would be ${count(plainParts, 'part')}: turn on 'Replace Typographic Characters' under Options.`,
	);
	return most >= MANY_PARTS ? { warnings: messages } : { rest: messages };
}

function textOf({ buildBody }: Delivery, field: string): string {
	const body = buildBody();
	return isRecord(body) ? String(body[field]) : '';
}

/** Finds emails that are shown whose HTML was written as a plain text. */
export async function emailHint(
	{ fields }: Pick<Operation, 'fields'>,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string | undefined> {
	if (!('content' in fields.required)) return undefined;
	const withoutTags: Delivery[] = [];
	await inSlices(deliveries, { clock }, (delivery) => {
		const content = textOf(delivery, 'content');
		if (/[\n\r]/.test(content.trim()) && !/<[a-z]/i.test(content)) withoutTags.push(delivery);
	});
	if (withoutTags.length === 0) return undefined;
	return `The content of ${count(withoutTags.length, 'email')} has line breaks and no tag: ${itemsOf(withoutTags)}. As HTML, mail programs show it as one paragraph. Set 'Email Type' to Text to keep its paragraphs`;
}

/** Counts the values that were taken as empty, because they mean nobody. */
export function nobodyHint({ nobody }: Noted): string | undefined {
	const total = [...nobody.values()].reduce((sum, { count: number }) => sum + number, 0);
	if (total === 0) return undefined;
	const columns = [...nobody].map(
		([name, { count: number, value }]) =>
			`${quote(name)} (${grouped(number)}, such as ${quote(value)})`,
	);
	const [were, they] = total === 1 ? ['value was', 'it stands'] : ['values were', 'they stand'];
	return `${grouped(total)} ${were} taken as empty, because ${they} for a missing one: ${listed(columns)}. To send such values as they are, turn on 'Skip Text Check' under Options`;
}

/** Names a text that looks as if it was read in the wrong encoding. */
export function misreadHint({ misread }: Noted, nameOf: NameOf): string | undefined {
	const [first] = misread;
	if (!first) return undefined;
	return `${asHeading(itemsOf(misread, nameOf))}: ${quote(first.word)} looks as if it was read in the wrong encoding. Choose UTF-8 as the Encoding in the node that reads the file. Or save the file as UTF-8, in Excel as CSV UTF-8`;
}

/** The maximum number of different hints about fields. */
const MAX_FOUND = 5;

/** Names values that are sent although they look wrong. */
export function textHints({ hints }: Noted, nameOf: NameOf): string[] {
	return [...groupBy(hints, (hint) => tell(hint))]
		.slice(0, MAX_FOUND)
		.map(([message, rows]) => `${asHeading(itemsOf(rows, nameOf))}: ${message}`);
}
