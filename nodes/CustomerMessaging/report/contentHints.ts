import type { NodeExecutionHint } from 'n8n-workflow';

import { isRecord } from '../fields/field';
import { findTypographic, replaceTypographic } from '../fields/smsText';
import { channels } from '../operations/channels';
import type { Operation } from '../operations/operation';
import { smsParts } from '../operations/smsParts';
import type { Noted } from '../plan/plan';
import type { Run } from '../run/resolveRun';
import type { Clock } from '../shared/apis';
import type { Delivery } from '../shared/delivery';
import { count, grouped, listed, quote } from '../shared/formatting';
import type { Result, SentDelivery } from '../shared/result';
import { groupBy, inSlices } from '../shared/slices';
import { itemsOf, pickAccepted, recipientOfDelivery, compact, toHints } from './names';

/** From so many parts on, an SMS is rarely meant to be that long. */
const MANY_PARTS = 4;

/** Hints about the parts of SMS, because each part is charged: of those that are shown, or were sent. */
export async function smsHints(
	{ resource, operation: { inParts }, mode }: Pick<Run, 'resource' | 'operation' | 'mode'>,
	planned: readonly Delivery[],
	results: readonly Result[],
	clock: Clock,
): Promise<NodeExecutionHint[]> {
	if (inParts === undefined) return [];
	const isSent = mode.kind === 'send';
	const accepted = new Set<SentDelivery>(pickAccepted(results).map(({ delivery }) => delivery));
	const deliveries = planned.filter((delivery) => !isSent || accepted.has(delivery));
	if (deliveries.length === 0) return [];
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
	if (isSent && parts === 1) return [];
	const isForMany = deliveries.some(({ audience }) => audience !== undefined);
	const named = [...groupBy(described, ({ costly }) => costly)].map(([costly, same]) => {
		const together = same.map(({ delivery }) => delivery);
		const recipients = together.length === 1 ? together.map(recipientOfDelivery) : [];
		return `${costly} (${compact(itemsOf(together), ...recipients).join(', ')})`;
	});
	const advice =
		named.some((one) => one.startsWith(typographic)) &&
		"'Replace Typographic Characters' under Options sends plain characters instead.";
	const messages = compact(
		`${isSent ? 'Sent: ' : ''}${deliveries.length} ${name} in ${count(parts, 'part')}${isForMany ? ' for each recipient' : ''}. Each part is charged.`,
		named.length > 0 && compact(`${listed(named)}.`, advice).join(' '),
	);
	return toHints(messages, most >= MANY_PARTS ? 'warning' : 'info');
}

export function textOf({ buildBody }: Delivery, field: string): string {
	const body = buildBody();
	return isRecord(body) ? String(body[field]) : '';
}

const typographic = 'Typographic characters';

/** An emoji, or a flag. */
const emoji =
	/\p{Extended_Pictographic}(?:[\ufe0f\p{EMod}]|\u200d\p{Extended_Pictographic})*|\p{RI}{2}/gu;

/** Says which characters cost parts: `😀 makes it 2 parts instead of 1`. Undefined if none does. */
export function describeCostly(message: string): string | undefined {
	const parts = smsParts(message)?.parts ?? 0;
	if (parts <= 1) return undefined;
	const characters = findTypographic(message)
		.join(' ')
		.replace(/[^\S ]/g, 'special space');
	const named = `${typographic} (${characters})`;
	const emojis = [...new Set(message.match(emoji))];
	const withoutEmoji = message.replace(emoji, '');
	const causes: Array<[what: string, verb: string, without: string]> = [
		[named, 'make', replaceTypographic(message)],
		[emojis.join(' '), emojis.length === 1 ? 'makes' : 'make', withoutEmoji],
		[`${named} and ${emojis.join(' ')}`, 'make', replaceTypographic(withoutEmoji)],
	];
	for (const [what, verb, without] of causes) {
		const partsWithout = without === message ? parts : (smsParts(without)?.parts ?? parts);
		if (partsWithout < parts)
			return `${what} ${verb} it ${count(parts, 'part')} instead of ${partsWithout}`;
	}
	return undefined;
}

/** Some mail programs show only the beginning of an email with more HTML than this. */
const CUT_BYTES = 102_000;

/** The beginning of the words for `unsubscribe`, in the languages of many recipients. */
const unsubscribe = new RegExp(
	[
		'unsubscri|opt[\\s-]?out|preferences|abmeld|abbestell|austragen|sabonn|sinscri|sinscrever',
		'de baja|cancelar|desuscri|disiscri|annulla|descadastr|uitschrij|afmeld|avmeld|avregistr',
		'avprenum|odhl|wypisz|rezygn|leiratkoz|dezabon|abonelikten|berhenti|hủy|отпис|відпис',
		'απεγγραφ|διαγραφ|إلغاء|הסר|सदस्यता|退订|退訂|取消|停止|解除|거부|취소',
	].join('|'),
	'iu',
);

/** An HTML link, an address, or a placeholder that the service replaces, such as `[unsubscribe]`. */
const link = /<a\s|https?:\/\/|mailto:|[{[%|][^\s{}[\]%|]+[}\]%|]/i;

/** Hints about emails that are previewed, because an email that has been sent can no longer be changed. */
export async function emailHints(
	{ fields }: Pick<Operation, 'fields'>,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	if (!('content' in fields.required)) return [];
	let largestBytes = 0;
	const [withoutTags, large, withoutLink]: [Delivery[], Delivery[], Delivery[]] = [[], [], []];
	await inSlices(deliveries, { clock }, (delivery) => {
		const content = textOf(delivery, 'content');
		if (/[\n\r]/.test(content.trim()) && !/<[a-z]/i.test(content)) withoutTags.push(delivery);
		const bytes = Buffer.byteLength(content);
		if (bytes > CUT_BYTES) large.push(delivery);
		largestBytes = Math.max(largestBytes, bytes);
		const canLeave = link.test(content) && unsubscribe.test(content);
		if (delivery.audience !== undefined && !canLeave) withoutLink.push(delivery);
	});
	const size = `${large.length === 1 ? 'has a content of' : 'have a content of up to'} ${Math.ceil(largestBytes / 1000)} kB`;
	return compact(
		withoutTags.length > 0 &&
			`The content of ${count(withoutTags.length, 'email')} has line breaks and no tag (${itemsOf(withoutTags)}). As HTML, mail programs show it as one paragraph. Set 'Email Type' to Text to keep its paragraphs`,
		large.length > 0 &&
			`${count(large.length, 'email')} ${size} (${itemsOf(large)}). Some mail programs cut an email above 102 kB, so its end is hidden, which often holds the link to unsubscribe. Shorten the content`,
		withoutLink.length > 0 &&
			`${count(withoutLink.length, 'broadcast')} ${withoutLink.length === 1 ? 'seems' : 'seem'} to have no link to unsubscribe (${itemsOf(withoutLink)}). Many countries and mail providers ask for one. The service may add one itself: look at a test email, or add a link to the content`,
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
export function misreadHint({ misread }: Noted): string | undefined {
	const [first] = misread;
	if (!first) return undefined;
	return `${quote(first.word)} looks as if it was read in the wrong encoding (${itemsOf(misread)}). Choose UTF-8 as the Encoding in the node that reads the file. Or save the file as UTF-8, in Excel as CSV UTF-8`;
}

/** So many different texts are named. */
const MAX_ODDITIES = 5;

/** Says what people would read as it is, although something else is probably meant. */
export function oddityHints({ oddities }: Noted): string[] {
	const found = oddities.filter(
		({ text, mayBeService }) => mayBeService !== true || !unsubscribe.test(text),
	);
	return [...groupBy(found, ({ key }) => key).values()]
		.slice(0, MAX_ODDITIES)
		.flatMap(([first, ...others]) =>
			first ? `${first.text} (${itemsOf([first, ...others])}) ${first.says}` : [],
		);
}
