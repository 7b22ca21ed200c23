import { isRecord } from '../fields/field';
import { findTypographic, replaceTypographic } from '../fields/smsText';
import { channels } from '../operations/channels';
import type { Operation } from '../operations/operation';
import { smsParts } from '../operations/smsParts';
import type { Noted } from '../plan/rows';
import type { Run } from '../run/resolveRun';
import type { Clock } from '../shared/apis';
import type { Delivery } from '../shared/delivery';
import { count, grouped, listed, quote } from '../shared/formatting';
import { tell } from '../shared/sentence';
import type { Result, SentDelivery } from '../shared/result';
import { groupBy, inSlices } from '../shared/slices';
import { asHeading, compact, itemsOf, type NameOf, pickAccepted, type Told } from './names';

/** From so many parts on, an SMS is rarely meant to be that long. */
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
	let most = 0;
	const described: Array<{ delivery: Delivery; costly: string }> = [];
	await inSlices(deliveries, { clock }, (delivery) => {
		const message = textOf(delivery, inParts);
		const own = smsParts(message)?.parts;
		parts += own ?? 0;
		most = Math.max(most, own ?? MANY_PARTS);
		const costly = describeCostly(message);
		if (costly !== undefined) described.push({ delivery, costly });
	});
	// A single message in one part is what everybody expects.
	if (isSent && parts === 1) return {};
	const isForMany = deliveries.some(({ audience }) => audience !== undefined);
	const named = [...groupBy(described, ({ costly }) => costly)].map(([costly, same]) => {
		const together = same.map(({ delivery }) => delivery);
		return `${costly} in ${itemsOf(together)}`;
	});
	const advice = "'Replace Typographic Characters' under Options sends plain characters instead.";
	const messages = compact(
		`${isSent ? 'Sent: ' : ''}${deliveries.length} ${name} in ${count(parts, 'part')}${isForMany ? ' for each recipient' : ''}. Each part is charged.`,
		named.length > 0 && compact(`${listed(named)}.`, advice).join(' '),
	);
	return most >= MANY_PARTS ? { warnings: messages } : { rest: messages };
}

function textOf({ buildBody }: Delivery, field: string): string {
	const body = buildBody();
	return isRecord(body) ? String(body[field]) : '';
}

const typographic = 'Typographic characters';

/** Says which characters cost parts: `Typographic characters (’ …) make it 2 parts instead of 1`. */
function describeCostly(message: string): string | undefined {
	const parts = smsParts(message)?.parts ?? 0;
	if (parts <= 1) return undefined;
	const partsWithout = smsParts(replaceTypographic(message))?.parts ?? parts;
	const characters = findTypographic(message)
		.join(' ')
		.replace(/[^\S ]/g, 'special space');
	return partsWithout < parts
		? `${typographic} (${characters}) make it ${count(parts, 'part')} instead of ${partsWithout}`
		: undefined;
}

/** Some mail programs show only the beginning of an email with more HTML than this. */
const CUT_BYTES = 102_000;

/** Hints about emails that are previewed, because an email that has been sent can no longer be changed. */
export async function emailHints(
	{ fields }: Pick<Operation, 'fields'>,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	if (!('content' in fields.required)) return [];
	let largestBytes = 0;
	const [withoutTags, large]: [Delivery[], Delivery[]] = [[], []];
	await inSlices(deliveries, { clock }, (delivery) => {
		const content = textOf(delivery, 'content');
		if (/[\n\r]/.test(content.trim()) && !/<[a-z]/i.test(content)) withoutTags.push(delivery);
		const bytes = Buffer.byteLength(content);
		if (bytes > CUT_BYTES) large.push(delivery);
		largestBytes = Math.max(largestBytes, bytes);
	});
	const size = `${large.length === 1 ? 'has a content of' : 'have a content of up to'} ${Math.ceil(largestBytes / 1000)} kB`;
	return compact(
		withoutTags.length > 0 &&
			`The content of ${count(withoutTags.length, 'email')} has line breaks and no tag: ${itemsOf(withoutTags)}. As HTML, mail programs show it as one paragraph. Set 'Email Type' to Text to keep its paragraphs`,
		large.length > 0 &&
			`${count(large.length, 'email')} ${size}: ${itemsOf(large)}. Some mail programs cut an email above 102 kB, so its end is hidden. Shorten the content`,
	);
}

/** Says what was taken as empty, because it means nobody. */
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

/** Says what looks as if it was read in the wrong encoding. */
export function misreadHint({ misread }: Noted, nameOf: NameOf): string | undefined {
	const [first] = misread;
	if (!first) return undefined;
	return `${asHeading(itemsOf(misread, nameOf))}: ${quote(first.word)} looks as if it was read in the wrong encoding. Choose UTF-8 as the Encoding in the node that reads the file. Or save the file as UTF-8, in Excel as CSV UTF-8`;
}

/** So many different hints about fields are shown. */
const MAX_FOUND = 5;

/** Says what is sent although it looks wrong. */
export function textHints({ hints }: Noted, nameOf: NameOf): string[] {
	return [...groupBy(hints, (hint) => tell(hint))]
		.slice(0, MAX_FOUND)
		.map(([message, rows]) => `${asHeading(itemsOf(rows, nameOf))}: ${message}`);
}
